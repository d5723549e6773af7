"""The visible text of HTML: what a browser shows, in paragraphs."""

import re
from html import unescape
from html.parser import HTMLParser

WITHIN_A_LINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr",
))  # fmt: skip
INLINE = WITHIN_A_LINE | {"img", "ruby"}
HIDDEN = frozenset(("head", "script", "style", "template", "noscript", "svg", "math", "nav", "rt", "rp"))
HEADINGS = frozenset(("h1", "h2"))
UNFINISHED = 100  # tags without an end of which the rest is parsed again
_TAG = re.compile(r"<[^<>]*+>?")


class VisibleText(HTMLParser):
    """Collects the paragraphs of a page, its `<title>` and its first heading."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = self.heading = ""
        self.paragraphs: list[str] = []
        self._pieces: list[str] = []
        self._hidden: list[str] = []
        self._in_title = False

    @classmethod
    def of(cls, html: str) -> "VisibleText":
        """Parse a whole page."""
        parser = cls()
        parser.feed(html)
        parser._finish()
        parser._end()
        return parser

    def _finish(self) -> None:
        """Take a tag that has no end for text, and go on after it; `close` would search all of the rest for each."""
        for _ in range(UNFINISHED):
            rest, self.rawdata = self.rawdata, ""
            end = rest.find(">") + 1 if rest.startswith("<") else 0
            self.handle_data(unescape(rest[:end] if end else rest))
            if not end:
                return
            self.feed(rest[end:])
        rest, self.rawdata = self.rawdata, ""
        self.handle_data(unescape(_TAG.sub(" ", rest)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Begin an element."""
        if tag in HIDDEN:
            if tag not in self._hidden:  # its first end ends it, however often it begins
                self._hidden.append(tag)
        elif tag == "title":
            self._in_title = True
        elif tag not in INLINE:
            self._end()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """An element without content, which hides nothing after it."""
        if tag not in INLINE and tag not in HIDDEN:
            self._end()

    def handle_endtag(self, tag: str) -> None:
        """End an element, and those inside it that were left open."""
        if tag in self._hidden:
            del self._hidden[self._hidden.index(tag) :]
        elif tag == "title":
            self._in_title = False
        elif tag not in INLINE:
            ended = self._end()
            if tag in HEADINGS and not self.heading:
                self.heading = ended

    def handle_data(self, data: str) -> None:
        """Add text."""
        if self._in_title and not self.paragraphs:
            self.title += data
        elif not self._hidden:
            self._pieces.append(data)

    def _end(self) -> str:
        """End a paragraph."""
        text = " ".join("".join(self._pieces).split())
        self._pieces.clear()
        if text:
            self.paragraphs.append(text)
        return text
