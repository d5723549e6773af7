import pytest

from keyseq.data.leaks import Held, find_leaks
from keyseq.types import Document

BODY = (
    "We built four robots that walk on ice without falling, and compared how much energy each of them needs for a "
    "hundred metres. The robot with the longest legs fell least often but needed the most energy of all. We conclude "
    "that legs should be as long as the ice is thin, and give a rule by which builders can choose them."
)
OTHER = (
    "Bread that is kept in a box stays fresh longer than bread in a bag, as everybody knows, but nobody has measured "
    "by how much. We asked thirty families to keep both for a week and to tell us every day how fresh they found it."
)
TITLE = "How long the legs of walking robots should be"


def document(title, body, id="1"):
    return Document(id=id, title=title, body=body, keyphrases=("x",))


def leaks(training, held, **options):
    return list(find_leaks([training], Held([("test", held)], **options)))


@pytest.mark.parametrize(
    ("training", "held", "leaks_", "reason"),
    [
        ((TITLE, BODY), (TITLE, BODY), True, "the same"),
        ((TITLE.upper(), BODY), ("Legs", BODY.lower().replace(",", " , ")), True, "another typesetting and title"),
        ((TITLE, BODY), ("", BODY[:150]), True, "a cut abstract"),
        (("", f"{OTHER} {BODY}"), ("", BODY), True, "within a longer text"),
        ((TITLE, OTHER), (TITLE, BODY), True, "a title that is not given twice by chance"),
        (("Editorial", OTHER), ("Editorial", BODY), False, "one that is"),
        (("Editorial", BODY), ("Editorial", f"{BODY[:180]} {OTHER}"), True, "a short title and part of the text"),
        (
            ("Reports of the 14th workshop on ice", OTHER),
            ("Reports of the 15th workshop on ice", BODY),
            False,
            "series",
        ),
        ((TITLE, BODY), ("Bread in boxes", OTHER), False, "nothing in common"),
        (("", "Ice is cold."), ("", "Ice is cold"), True, "equal short texts"),
        (("", "Ice is cold."), ("", "Ice is warm"), False, "different short texts"),
        ((TITLE, BODY), (TITLE, BODY.replace("We", "&#87;e")), True, "damage is repaired before"),
    ],
)
def test_copies_are_known(training, held, leaks_, reason):
    assert bool(leaks(document(*training), document(*held))) is leaks_, reason


def test_a_leak_says_of_what_and_how_much():
    held = Held([("a", document("Bread", OTHER, "7")), ("b", document("Legs", BODY, "8"))])
    [leak] = find_leaks([document(TITLE, BODY), document("Bread in bags", "We like it very much indeed.", "2")], held)
    assert (leak.id, leak.file, leak.copy_of, leak.alike, leak.same_title) == ("1", "b", "8", 1.0, False)


def test_the_threshold_decides():
    words = BODY.split()
    edited = " ".join([*words[:30], *(word[::-1] for word in words[30:])])
    assert leaks(document("", edited), document("", BODY), threshold=0.3)
    assert not leaks(document("", edited), document("", BODY), threshold=0.9)


def test_nothing_is_a_copy_of_nothing():
    assert not list(find_leaks([document(TITLE, BODY)], Held([])))
