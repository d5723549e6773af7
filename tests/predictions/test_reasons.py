"""The evidence for a phrase as short sentences."""

from keyseq.predictions.reasons import reasons
from keyseq.types import Evidence


def test_all_that_spoke_for_a_phrase_is_named_in_order():
    evidence = Evidence(
        sources=("text", "network", "profiles"),
        occurrences=3,
        in_title=True,
        keyphrase_of=412,
        contained_in=1930,
        share=0.618,
        rank=2,
        terms=("black hole", "merger"),
    )
    assert reasons(evidence) == [
        "in the title, 3 times in the text",
        "generated (share 0.62)",
        "keyphrase of 412 training documents (1,930 contain it)",
        "profile rank 2: words black hole, merger",
    ]


def test_one_of_anything_is_singular():
    evidence = Evidence(sources=("text",), occurrences=1, keyphrase_of=1, contained_in=1)
    assert reasons(evidence) == ["once in the text", "keyphrase of 1 training document (1 contains it)"]


def test_what_did_not_speak_for_a_phrase_is_not_named():
    assert reasons(Evidence(sources=("network",), share=0.0)) == ["generated (share 0.00)"]
    assert reasons(Evidence(sources=("profiles",), contained_in=9, rank=4)) == ["profile rank 4"]
    assert reasons(Evidence(sources=("profiles",), terms=("robot",))) == ["a known keyphrase: words robot"]
