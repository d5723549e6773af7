"""How to cite keyseq: a file that reference managers read, for this version and with the paper."""

from pathlib import Path

import yaml

from keyseq import __version__

CITATION = yaml.safe_load((Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8"))


def test_it_cites_this_version_under_its_licence():
    assert (CITATION["version"], CITATION["license"]) == (__version__, "Apache-2.0")
    assert {"cff-version", "message", "title", "authors"} <= CITATION.keys()


def test_it_names_the_paper_so_that_both_are_cited():
    [paper] = CITATION["references"]
    assert paper["title"].startswith("One Size Does Not Fit All")
    assert paper["authors"][0]["family-names"] == "Yuan"
    assert paper["doi"] == "10.18653/v1/2020.acl-main.710"
