"""Files and systems that pages list are those there are."""

import re
from pathlib import Path

import pytest

from keyseq.config.loading import available
from keyseq.experiments import definition

REPOSITORY = Path(__file__).parents[2]


def read(page: str) -> str:
    return (REPOSITORY / "docs" / page).read_text(encoding="utf-8")


def rows(page: str, heading: str) -> str:
    """The first cells of the tables below a heading."""
    _, _, rest = read(page).partition(f"{heading}\n")
    part = re.split(r"\n#+ ", rest)[0]
    return "\n".join(line.split("|")[1] for line in part.splitlines() if line.startswith("|"))


def test_the_page_of_the_network_lists_its_files():
    listed = rows("explanation/network.md", "# The network")
    there = {path.name for path in (REPOSITORY / "src/keyseq/network").glob("[a-z]*.py")}
    assert set(re.findall(r"`(\w+\.py)`", listed)) == there


@pytest.mark.parametrize(
    ("page", "heading", "names"),
    [
        ("explanation/network.md", "## Systems are settings", set(available())),
        ("reference/systems.md", "## Networks to train", set(available()) - {"tiny"}),
        ("how-to/reproduce.md", "# Reproduce the paper", set(definition.available())),
    ],
)
def test_a_page_lists_all_systems_or_experiments(page, heading, names):
    listed = re.findall(r"`([^`]+)`", rows(page, heading))
    assert set(listed) == names
