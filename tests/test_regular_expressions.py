"""Row 10: every regular expression of the package takes time that grows with the text, not with its square."""

import importlib
import pkgutil
import re
import time
from functools import cache
from itertools import product
from pathlib import Path

import pytest
import regex

import keyseq
from keyseq.data.keyphrases import clean_keyphrases
from keyseq.text.presence import without_brackets

try:  # what Python's own compiler parses with; its name changed in 3.11
    from re import _constants as kinds
    from re import _parser as parser
except ImportError:
    pytest.skip("this Python parses regular expressions elsewhere", allow_module_level=True)

SMALL, LARGE = 600, 4_800
SLOWER = 24  # times for eight times the text: 8 for linear work, 64 for quadratic
SHORT = 0.001  # seconds in which nothing can be measured
MOST = 8  # characters of an expression that are combined with each other
SOURCES = "\n".join(path.read_text() for path in Path(keyseq.__file__).parent.rglob("*.py"))
FILLERS = [
    " ",
    "\t",
    "\n",
    "a",
    "A",
    "1",
    ".",
    ",",
    "(",
    "[",
    "{",
    "<",
    "$",
    "\\",
    "-",
    "'",
    '"',
    "a ",
    "a-",
    "a.",
    "\n ",
]


def patterns(value, depth=0):
    if isinstance(value, re.Pattern | regex.Pattern):
        yield value
    elif depth < 3 and isinstance(value, dict):
        for inner in value.values():
            yield from patterns(inner, depth + 1)
    elif depth < 3 and isinstance(value, list | tuple | frozenset | set) and len(value) < 2_000:
        for inner in value:
            yield from patterns(inner, depth + 1)


@cache
def collected():
    found = {}
    for info in pkgutil.walk_packages(keyseq.__path__, "keyseq."):
        if info.name.endswith("__main__"):
            continue
        for name, value in list(vars(importlib.import_module(info.name)).items()):
            for pattern in patterns(value):
                found.setdefault((pattern.pattern, pattern.flags), (f"{info.name}.{name}", pattern))
    return list(found.values())


BOUNDED = {  # expressions that never meet a long text, and why
    "keyseq.data.boilerplate._LIST": "the last 800 characters of a text",
    "keyseq.data.boilerplate._NOTICE": "the last characters of a text",
    "keyseq.data.boilerplate._PUBLISHED": "the last characters of a text",
    "keyseq.data.formats.web_page._CHARSET": "the head of a page",
    "keyseq.vocabularies.label_matching._JOINT": "up to 12 characters",
}
LITERALS = re.findall(r"\bre\.(sub|split|match|search|findall|fullmatch|finditer)\(r\"([^\"]+)\"", SOURCES)


def sample(tokens, pumped, count):  # noqa: C901  # a case for each kind of token
    """A text for a parsed pattern; the repetition with the number `pumped` repeats so often, and ends it."""
    made, state = [], {"number": 0, "over": False}

    def walk(nodes):
        for kind, value in nodes:
            if state["over"]:
                return
            step(kind, value)

    def step(kind, value):
        match kind:
            case kinds.LITERAL:
                made.append(chr(value))
            case kinds.NOT_LITERAL:
                made.append("b" if value != ord("b") else "c")
            case kinds.ANY:
                made.append("x")
            case kinds.IN:
                made.append(one_of(value))
            case kinds.BRANCH:
                walk(value[1][0])
            case kinds.SUBPATTERN:
                walk(value[-1])
            case kinds.ATOMIC_GROUP:
                walk(value)
            case kinds.ASSERT:
                pass
            case kinds.MAX_REPEAT | kinds.MIN_REPEAT | kinds.POSSESSIVE_REPEAT:
                repeat(*value)

    def repeat(least, most, inner):
        state["number"] += 1
        if state["number"] == pumped and most > 50:
            before = len(made)
            walk(inner)
            made[before:] = ["".join(made[before:])] * count
            state["over"] = True
            return
        for _ in range(max(least, 1 if most else 0)):
            walk(inner)

    walk(tokens)
    return "".join(made), state["number"]


def named(tokens):
    """The characters that a parsed pattern names, and one of each of its classes."""
    for kind, value in tokens:
        match kind:
            case kinds.LITERAL:
                yield chr(value)
            case kinds.IN:
                yield one_of(value)
                yield from (chr(one) for option, one in value if option is kinds.LITERAL)
            case kinds.BRANCH:
                for branch in value[1]:
                    yield from named(branch)
            case kinds.SUBPATTERN | kinds.MAX_REPEAT | kinds.MIN_REPEAT | kinds.POSSESSIVE_REPEAT:
                yield from named(value[-1])
            case kinds.ATOMIC_GROUP:
                yield from named(value)
            case kinds.ASSERT | kinds.ASSERT_NOT:
                yield from named(value[1])


def pairs(tokens):
    """Any two of these characters; those that are no letters come first."""
    characters = sorted(dict.fromkeys(named(tokens)), key=lambda one: (one.isascii() and one.isalpha(), one))
    return ["".join(both) for both in product(characters[:MOST], repeat=2)]


def one_of(options):
    for candidate in "a1 \t\nA.-_(<[{$x\\é—":
        if re.match(
            "[" + "".join(map(spelled, options)) + "]"
            if options[0][0] is not kinds.NEGATE
            else "[^" + "".join(map(spelled, options[1:])) + "]",
            candidate,
        ):
            return candidate
    kind, value = options[0]
    return chr(value if kind is kinds.LITERAL else value[0])


CATEGORIES = {
    kinds.CATEGORY_DIGIT: r"\d",
    kinds.CATEGORY_NOT_DIGIT: r"\D",
    kinds.CATEGORY_SPACE: r"\s",
    kinds.CATEGORY_NOT_SPACE: r"\S",
    kinds.CATEGORY_WORD: r"\w",
    kinds.CATEGORY_NOT_WORD: r"\W",
}


def spelled(option):
    kind, value = option
    if kind is kinds.LITERAL:
        return re.escape(chr(value))
    if kind is kinds.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    return CATEGORIES[value]


def worst_cases(pattern, count):
    """Texts of about so many characters on which this pattern, or one that begins like it, may try again and again."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    for filler in FILLERS:
        yield filler * (count // len(filler)) + "\0"
    if isinstance(pattern, regex.Pattern):
        return
    tokens = parser.parse(
        source,
        pattern.flags & ~re.UNICODE & ~re.LOCALE if isinstance(pattern.pattern, bytes) else pattern.flags & ~re.UNICODE,
    )
    whole, repetitions = sample(tokens, 0, 1)
    for number in range(1, repetitions + 1):
        pumped, _ = sample(tokens, number, count)
        yield f"{pumped[: 2 * count]}\0"
        once, _ = sample(tokens, number, 1)
        for begun in (once, f"{once} ", once[:-1]):
            if begun:
                yield begun * (count // len(begun)) + "\0"
    if whole:
        yield whole * (count // len(whole)) + "\0"
    for both in pairs(tokens):
        yield both * (count // 2) + "\0"


def how(name, pattern):
    """How the package applies it: from every place of a text, or from its beginning alone."""
    module, _, short = name.rpartition(".")
    if not module:
        anchored = short in ("match", "fullmatch")
    else:
        source = Path(importlib.import_module(module).__file__).read_text() if short.startswith("_") else SOURCES
        searched = re.search(rf"\b{short}(?:\[[^\]]*\])?\.(?:search|sub|subn|split|findall|finditer)\(", source)
        anchored = not searched and re.search(rf"\b{short}\.(?:match|fullmatch)\(", source)
    if anchored:
        return lambda text: (pattern.match(text), pattern.fullmatch(text))
    return lambda text: sum(1 for _ in pattern.finditer(text))


def seconds(apply, text):
    start = time.process_time()
    apply(text)
    return time.process_time() - start


def slow_case(name, pattern):
    """A text that takes more than linear time, in three tries of three: other work disturbs the clock."""
    return slow_once(name, pattern) and slow_once(name, pattern) and slow_once(name, pattern)


def slow_once(name, pattern):
    apply = how(name, pattern)
    for small, large in zip(worst_cases(pattern, SMALL), worst_cases(pattern, LARGE), strict=True):
        texts = (small.encode(), large.encode()) if isinstance(pattern.pattern, bytes) else (small, large)
        long = seconds(apply, texts[1])
        if long < SHORT:
            continue
        again = min(seconds(apply, texts[1]) for _ in range(2))
        ratio = again / max(1e-5, min(seconds(apply, texts[0]) for _ in range(3)))
        if ratio > SLOWER:
            return f"{large[:30]!r}…: {long:.2f} s, {ratio:.0f} times as long for 8 times the text"
    return None


def test_row_10_every_regular_expression_takes_linear_time():
    named = [*collected(), *((method, re.compile(text)) for method, text in LITERALS)]
    assert len(named) > 90
    slow = {
        f"{name} {pattern.pattern[:80]!r}": case
        for name, pattern in named
        if name not in BOUNDED and (case := slow_case(name, pattern))
    }
    assert not slow, "\n".join(f"{name}: {case}" for name, case in slow.items())


@pytest.mark.parametrize(
    "quadratic",
    [r"\(.*?\)", r"\s+$", r"<meta[^>]+charset", r"(?:a|b)*c", r"\s*[\r\n]\s*", r'"(?:[^"\\\n]|\\.)*"'],
)
def test_a_quadratic_expression_would_be_found(quadratic):
    assert any(slow_once("x", re.compile(quadratic)) for _ in range(5))


@pytest.mark.parametrize("linear", [r"\w+", r"\([^()]{0,80}\)", r"(?<!\s)\s++$"])
def test_a_linear_one_is_none(linear):
    assert slow_case("x", re.compile(linear)) is None


def test_row_10_a_phrase_of_80_000_brackets_and_one_of_80_000_tabs_are_read_at_once():
    start = time.process_time()
    assert without_brackets("(" * 80_000) == "(" * 80_000
    assert without_brackets("machine (SVM) [a]{b}") == "machine  "
    for phrase in ("\t" * 80_000, "a\t" * 40_000, "(" * 80_000, " " * 80_000 + "x", "a, " * 30_000, "[(" * 40_000):
        clean_keyphrases([phrase], "Social robots.", lambda _: None)
    assert time.process_time() - start < 4
