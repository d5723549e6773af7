import json

import pytest

from keyseq.adapting.feedback import Feedback
from keyseq.adapting.feedback_log import read_feedback
from keyseq.errors import DataError

TEXT = "Robots talk."


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "feedback must be a JSON object"),
        ({"accepted": ["robots"]}, "needs the text of its document"),
        ({"text": "…", "accepted": ["robots"]}, "needs the text of its document"),
        ({"text": TEXT}, "needs at least one phrase that is accepted, rejected or added"),
        ({"text": TEXT, "accepted": "robots"}, "'accepted' must be a list of phrases"),
        ({"text": TEXT, "rejected": [1]}, "'rejected' must be a list of phrases"),
        ({"text": 5, "rejected": ["robots"]}, "'title' and 'text' must be texts"),
        ({"text": TEXT, "abstract": TEXT, "rejected": ["robots"]}, "the text is given twice, as text and abstract"),
        ({"text": TEXT, "added": ["…"]}, "'…' is not a phrase"),
        ({"text": TEXT, "added": ["a\nb"]}, "'a b' is not a phrase"),
        ({"text": TEXT, "added": ["long " * 50]}, "is not a phrase"),
        (
            {"text": TEXT, "accepted": ["robots"], "rejected": [" Robots"]},
            "'Robots' cannot be both accepted and rejected",
        ),
        ({"text": TEXT, "rejected": [f"robot {n}" for n in range(1001)]}, "has at most 1,000 phrases"),
    ],
)
def test_what_is_no_feedback_is_refused_in_a_sentence(values, message):
    with pytest.raises(DataError, match=message):
        Feedback.of(values)


@pytest.mark.parametrize("name", ["text", "abstract", "body"])
def test_feedback_survives_being_written(name):
    feedback = Feedback.of({"title": "Röbots", name: TEXT, "accepted": ["robots"], "added": ["speech"]})
    assert Feedback.of(json.loads(feedback.to_json())) == feedback
    assert "\n" not in feedback.to_json()
    assert list(feedback.verdicts()) == [("robots", True), ("speech", True)]


def test_the_first_bad_line_of_a_file_is_named(tmp_path):
    file = tmp_path / "corrections.jsonl"
    file.write_text('{"text": "Robots talk.", "rejected": ["talk"]}\n\n{"text": \n')
    with pytest.raises(DataError, match=r"corrections.jsonl:3: not JSON; write one object per line"):
        read_feedback(file)
    file.write_text('{"text": "Robots talk."}\n')
    with pytest.raises(DataError, match=r"corrections.jsonl:1: feedback needs at least one phrase"):
        read_feedback(file)
    file.write_text("\n")
    with pytest.raises(DataError, match="holds no feedback"):
        read_feedback(file)
