"""The code of a page in Markdown, and why some of it is not run."""

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

RUN = ("bash", "console", "python", "javascript")
SHOWN = ("text", "json", "toml", "tsv", "xml", "yaml")  # output and files, nothing that could be run
_PAGE_REASON = re.compile(r"<!-- nothing on this page is run by the tests: (.{10,}?) -->", re.DOTALL)
_REASON = re.compile(r"<!-- not run: (.{10,}?) -->", re.DOTALL)


@dataclass(frozen=True)
class Block:
    line: int
    language: str  # empty for code that is only indented
    code: str
    reason: str | None  # why it is not run

    @property
    def commands(self) -> str:
        """What a reader types: of a console, the lines behind a prompt and those that continue them."""
        if self.language != "console":
            return self.code
        typed, going = [], False
        for line in self.code.splitlines():
            if line.startswith("$ ") or going:
                typed.append(line.removeprefix("$ "))
                going = line.endswith("\\")
        return "\n".join(typed)


def blocks(page: Path) -> list[Block]:
    """The code of a page. A reason stands in a comment right above the block, or above the title for all of them."""
    text = page.read_text(encoding="utf-8")
    of_page = _PAGE_REASON.search(text)
    reason, found = None, []
    for token in (
        MarkdownIt("commonmark").enable("table").parse(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL))
    ):
        if token.type in ("fence", "code_block"):
            why = of_page[1] if of_page else reason
            found.append(Block(token.map[0] + 1, token.info.split(" ")[0], token.content, why))
        if token.type == "html_block" and (comment := _REASON.search(token.content)):
            reason = comment[1]
        elif token.level == 0 or token.type in ("fence", "code_block"):
            reason = None
    return found
