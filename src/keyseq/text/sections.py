"""The parts of a long text: abstract, introduction, conclusion, headings, and omitted ones such as references."""

import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from itertools import pairwise
from typing import NamedTuple


class Part(Enum):
    """What a passage belongs to."""

    FRONT = "front"  # before the first heading that is known
    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    CONCLUSION = "conclusion"
    HEADING = "heading"
    BODY = "body"
    OMITTED = "omitted"  # references, acknowledgements, contents, running heads


class Passage(NamedTuple):
    """A few sentences, or a heading: `text[start:end]`."""

    part: Part
    start: int
    end: int


LONGEST_PASSAGE = 50  # words, so that a passage is about one thing
LONGEST_HEADING = 80  # characters
LONGEST_RUNNING = 140  # characters of a line that pages repeat
SHORTEST_PROSE = 12  # words of a line that is neither an entry of a list nor a heading
MOST_OMITTED = 150  # words of prose below a heading such as "Acknowledgements"
SOME, MANY = 0.06, 0.12  # share of years and initials among the words of references

# Names of sections, their letters alone, in the languages that have an analyzer
_NAMES: dict[Part, str] = {
    Part.ABSTRACT: "abstract summary synopsis executivesummary zusammenfassung kurzfassung résumé resumen resumo"
    " riassunto samenvatting sammanfattning sammendrag sammenfatning resumé tiivistelmä streszczenie abstrakt souhrn"
    " özet аннотация реферат резюме 摘要 要旨 抄録 概要 초록 요약 ملخص الملخص सारांश",
    Part.INTRODUCTION: "introduction background einleitung einführung introducción introdução introduzione inleiding"
    " inledning indledning innledning johdanto wstęp wprowadzenie úvod giriş введение 引言 前言 绪论 はじめに 序論 緒言"
    " 서론 مقدمة المقدمة प्रस्तावना",
    Part.CONCLUSION: "conclusion conclusions concludingremarks summaryandconclusion summaryandconclusions"
    " discussionandconclusion discussionandconclusions conclusionandfuturework conclusionsandfuturework"
    " conclusionandoutlook schluss fazit schlussfolgerungen conclusiones conclusión conclusão conclusões conclusioni"
    " conclusie conclusies slutsats slutsatser konklusion konklusjon johtopäätökset päätelmät wnioski podsumowanie"
    " závěr sonuç sonuçlar заключение выводы 结论 结语 おわりに 結論 결론 خاتمة الخاتمة निष्कर्ष",
    Part.OMITTED: "references reference referencesandnotes bibliography literaturecited workscited acknowledgement"
    " acknowledgements acknowledgment acknowledgments contents tableofcontents listoffigures listoftables"
    " listofabbreviations abbreviations supportingonlinematerial supportinginformation authorcontributions"
    " competinginterests conflictofinterest conflictsofinterest funding literatur literaturverzeichnis danksagung"
    " inhaltsverzeichnis inhalt références bibliographie remerciements tabledesmatières sommaire referencias"
    " bibliografía agradecimientos índice referências bibliografia agradecimentos riferimenti ringraziamenti indice"
    " literatuur literatuurlijst dankwoord inhoudsopgave referenser litteratur litteraturförteckning litteraturliste"
    " innehåll indhold innhold lähteet kirjallisuus sisällys piśmiennictwo literatura spistreści obsah kaynakça"
    " kaynaklar içindekiler литература списоклитературы благодарности содержание оглавление 参考文献 致谢 目录 謝辞"
    " 目次 참고문헌 감사의글 목차 المراجع المصادر संदर्भ",
}
_NOT_LETTERS = re.compile(r"[\W\d_]+")  # signs of Hindi's vowels among them
_PART_OF = {_NOT_LETTERS.sub("", name): part for part, names in _NAMES.items() for name in names.split()}
_NUMBERED = re.compile(
    r"\s{0,20}(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|chapter\s{1,20}\w{1,40}:?)\s{0,20}(?=[^\W\d_]|$)", re.I
)
_APPENDIX = re.compile(r"\s{0,20}(?:appendix|annex|anhang|annexe|apéndice)\b", re.I)
_NO_HEADING = re.compile(r"[.,;:?!)\d]\s*$")  # a sentence, or a line of contents with its page
_DIGITS = re.compile(r"\d+")
_SENTENCE = re.compile(r"(?<=[.!?…。！？।])\s+(?=[^\s\d\W_]|[\"“‘«(\d])")
_WORD = re.compile(r"\S+")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_INITIAL = re.compile(r"\b[A-Z]\.")


def passages(text: str, start: int = 0) -> list[Passage]:
    """The passages of a text from `start` on, each of up to `LONGEST_PASSAGE` words, in order.

    Headings are recognised by their names or numbers, lines that pages repeat by being repeated, and lists
    of references by their headings or by their years and initials.
    """
    return list(_passages(text, start))


def _passages(text: str, start: int) -> Iterator[Passage]:
    lines = [one for one in _lines(text, start) if not text[one[0] : one[1]].isspace()]
    repeated = _repeated(text[first:last] for first, last in lines)
    part, prose = Part.FRONT, 0  # words of prose since a part that is to be omitted began
    for first, last in lines:
        line = text[first:last]
        named = _named(line)
        if named is not None:
            part, prose = named, 0
            yield Passage(Part.OMITTED, first, last)
        elif _pattern(line) in repeated or _is_reference(line, listed=part is Part.OMITTED):
            yield Passage(Part.OMITTED, first, last)
        elif _is_heading(line):
            part = _after_heading(part, line)
            yield Passage(Part.HEADING, first, last)
        else:
            prose += line.count(" ") if line.count(" ") >= SHORTEST_PROSE else 0
            if part is Part.OMITTED and prose > MOST_OMITTED:  # the heading of its end was not seen
                part = Part.BODY
            for begin, end in _pieces(text, first, last):
                yield Passage(part, begin, end)


def _lines(text: str, start: int) -> Iterator[tuple[int, int]]:
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if end > start:
            yield start, end
        start = end + 1


def _named(line: str) -> Part | None:
    """The part that a heading names, if it is one of those that are known."""
    if len(line) > LONGEST_HEADING:
        return None
    return _PART_OF.get(_NOT_LETTERS.sub("", _NUMBERED.sub("", line, count=1).lower()))


def _is_heading(line: str) -> bool:
    if len(line) > LONGEST_HEADING or _NO_HEADING.search(line):
        return False
    if _APPENDIX.match(line):
        return True
    words = line.split()
    shown = _NUMBERED.sub("", line, count=1).strip()
    letters = sum(map(str.isalpha, shown)) + shown.count(" ")
    return bool(shown) and len(words) <= 10 and shown[0].isupper() and len(shown) > 3 and letters >= 0.9 * len(shown)


def _after_heading(part: Part, line: str) -> Part:
    """What a heading without a name begins: the body, unless it is that of a subsection."""
    numbered = (_NUMBERED.match(line) or _APPENDIX.match(line)) is not None
    subsection = not numbered or "." in line.split()[0].rstrip(".")
    return part if part is Part.FRONT or (subsection and part is not Part.OMITTED) else Part.BODY


def _repeated(lines: Iterator[str]) -> set[str]:
    """What short lines have in common that stand in a text more than once, but for their numbers."""
    times = Counter(_pattern(line) for line in lines if len(line) <= LONGEST_RUNNING)
    return {pattern for pattern, count in times.items() if count > 1}


def _pattern(line: str) -> str:
    return _DIGITS.sub("#", line.strip().lower())


def _is_reference(line: str, *, listed: bool) -> bool:
    """Whether a line is full of years and initials, as references are; below their heading, whether it has some."""
    words, years, initials = line.count(" ") + 1, len(_YEAR.findall(line)), len(_INITIAL.findall(line))
    if listed:
        return years >= 1 and initials >= 1 and years + initials > SOME * words
    return years >= 2 and initials >= 4 and years + initials > MANY * words


def _pieces(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """A paragraph in pieces that end with sentences, or where a sentence is too long."""
    if text.count(" ", first, last) < LONGEST_PASSAGE:
        yield first, last
        return
    begin = first
    for end in (*(match.end() for match in _SENTENCE.finditer(text, first, last)), last):
        if text.count(" ", begin, end) >= LONGEST_PASSAGE // 2 or end == last:
            yield from _cut(text, begin, end)
            begin = end


def _cut(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    if text.count(" ", first, last) <= 2 * LONGEST_PASSAGE:
        if first < last:
            yield first, last
        return
    words = [match.start() for match in _WORD.finditer(text, first, last)]
    cuts = [*words[::LONGEST_PASSAGE], last]
    yield from pairwise(cuts)
