"""The paper's numbers are found where its tables have them."""

import pytest

from keyseq.experiments.published import Question, numbers, score


@pytest.mark.parametrize(
    ("section", "question", "expected"),
    [
        ("present_exhaustive", Question("catseqd", "kp20k", "present.f1@5"), 34.8),
        ("present_exhaustive", Question("copyrnn*", "nus", "present.f1@o"), 40.6),
        ("present_exhaustive", Question("copyrnn", "nus", "present.f1@o"), None),
        ("present_exhaustive", Question("catseqd", "nus", "present.f1@5-padded"), None),
        ("present_exhaustive", Question("one2set", "nus", "present.f1@5-padded"), 40.6),
        # which the table copies from a paper that pads
        ("present_exhaustive", Question("catseqtg-2rf1", "nus", "present.f1@5-padded"), 37.5),
        ("present_exhaustive", Question("catseqtg-2rf1", "nus", "present.f1@5"), 37.5),
        ("absent_exhaustive", Question("catseq", "inspec", "absent.recall@50"), 2.9),
        ("stackex", Question("maui", "stackex", "present.f1@o"), 51.8),
        ("stackex", Question("catseq", "stackex", "absent.recall@10"), 40.7),
        ("stackex", Question("catseq", "inspec", "present.f1@5"), None),
        ("self_terminating_present", Question("catseqd", "stackex", "present.f1@m", "beam"), 57.0),
        ("self_terminating_present", Question("catseq", "kp20k", "present.f1@o", "greedy"), 33.1),
        ("self_terminating_present", Question("catseq", "kp20k", "present.f1@o", "exhaustive"), None),
        ("ablation_f1@o", Question("catseq+semantic", "nus", "present.f1@o"), 40.2),
        ("ablation_f1@o", Question("catseq", "krapivin", "present.f1@o"), 32.3),
    ],
)
def test_a_number_is_that_of_its_table(section, question, expected):
    assert score(section, question) == expected


def test_the_unique_phrases_of_the_paper_come_along():
    assert numbers()["unique_phrases_beam50_kp20k"] == {"catseq": 20.38, "catseqd": 89.7}
