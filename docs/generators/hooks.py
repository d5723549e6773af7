"""Hooks of MkDocs: pages that are generated, and pages that live elsewhere in the repository."""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import command_line
import endpoints

REPOSITORY = Path(__file__).parents[2]
GENERATED = {"reference/command-line.md": command_line.page, "reference/http.md": endpoints.page}
# files outside docs/, and where the site shows them
ELSEWHERE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    **{
        f"src/keyseq/pretrained/{name}/README.md": f"reference/{name}.md"
        for name in (
            *("scholar", "questions", "news", "general", "scholar-network", "questions-network"),
            *("french", "russian", "finnish", "chinese", "multilingual"),
        )
    },
    "examples/README.md": "examples/index.md",
    "examples/project.md": "examples/project.md.txt",  # a text that keyseq reads, not a page
    **{
        f"examples/{path.name}": f"examples/{path.name}"
        for path in (REPOSITORY / "examples").iterdir()
        if path.suffix in (".txt", ".toml")
    },
}
_LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not files of docs/."""
    for target, make in GENERATED.items():
        files.append(File.generated(config, target, content=make()))
    for source, target in ELSEWHERE.items():
        files.append(File.generated(config, target, abs_src_path=str(REPOSITORY / source)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Links that hold in the repository lead to the same file in the site."""
    here = _repository_path(page.file.src_uri)

    def link(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), found[2]))
        target = _site_path(path)
        if target is None or not (REPOSITORY / path).exists():
            return found[0]
        return found[1] + posixpath.relpath(target, posixpath.dirname(page.file.src_uri) or ".") + found[3]

    return _LINK.sub(link, markdown)


def _repository_path(uri: str) -> str:
    """Where a page of the site lives in the repository."""
    return next((source for source, target in ELSEWHERE.items() if target == uri), f"docs/{uri}")


def _site_path(path: str) -> str | None:
    """Where the site shows a file of the repository; None if it does not."""
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else None
