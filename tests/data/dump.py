"""Small dumps of Stack Exchange sites, written for the tests."""

from pathlib import Path
from xml.sax.saxutils import quoteattr


def question(number: int, body: str, title: str = "A title", tags: str = "<java>", **more: str) -> str:
    """A question's row."""
    return row(Id=str(number), PostTypeId="1", Title=title, Body=body, Tags=tags, **more)


def row(**attributes: str) -> str:
    """A row of any table."""
    return f"  <row {' '.join(f'{name}={quoteattr(value)}' for name, value in attributes.items())} />\n"


def posts(*rows: str) -> str:
    """A whole `Posts.xml`, with the byte order mark that real ones begin with."""
    return f'\ufeff<?xml version="1.0" encoding="utf-8"?>\n<posts>\n{"".join(rows)}</posts>\n'


def site(folder: Path, name: str, *rows: str) -> Path:
    """A site's folder as unpacked from its archive."""
    path = folder / f"{name}.stackexchange.com" / "Posts.xml"
    path.parent.mkdir(parents=True)
    path.write_text(posts(*rows), encoding="utf-8")
    return path


def archive(folder: Path, name: str, *rows: str) -> Path:
    """A site's archive as published: Posts.xml among other tables."""
    import py7zr

    path = folder / f"{name}.stackexchange.com.7z"
    with py7zr.SevenZipFile(path, "w") as file:
        file.writestr("<badges>" + "<row />" * 100 + "</badges>", "Badges.xml")
        file.writestr(posts(*rows), "Posts.xml")
        file.writestr("<votes></votes>", "Votes.xml")
    return path
