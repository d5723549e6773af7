import pytest

from keyseq.data.overlap import Overlap
from keyseq.types import Document

KNOWN = Document(id="1", title="How long the legs of robots should be", body="We measured it.")


@pytest.mark.parametrize(
    ("title", "body", "overlaps"),
    [
        ("HOW LONG the legs of robots should be?", "Other.", True),
        ("Other", " we measured it. ", True),
        ("How long", "Other.", False),
        ("", "", False),
    ],
)
def test_title_or_text_case_and_marks_aside(title, body, overlaps):
    overlap = Overlap([KNOWN, Document(id="2", title="How long", body="x")])
    overlap.see(Document(id="3", title=title, body=body))
    assert overlap.count == overlaps
