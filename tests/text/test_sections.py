"""The parts of long texts: by what headings say, by their numbers, and without references and running heads."""

import pytest

from keyseq.text.sections import LONGEST_PASSAGE, Part, passages

PROSE = "Moths carry pollen between the plants of farmland hedgerows at night, when other pollinators rest."
REFERENCE = "Knop, E., Zoller, L. (2017). Artificial light. Nature 548. Macgregor, C. J., Evans, D. M. (2015). Ecol."


def parts(*lines):
    text = "\n".join(lines)
    return [(one.part, text[one.start : one.end]) for one in passages(text)]


@pytest.mark.parametrize(
    ("heading", "part"),
    [
        ("Abstract", Part.ABSTRACT),
        ("A B S T R A C T", Part.ABSTRACT),
        ("1 Introduction", Part.INTRODUCTION),
        ("5.5 Conclusions", Part.CONCLUSION),
        ("VII. CONCLUSIONS", Part.CONCLUSION),
        ("Zusammenfassung", Part.ABSTRACT),
        ("Références", Part.OMITTED),
        ("Acknowledgements", Part.OMITTED),
        ("Список литературы", Part.OMITTED),
        ("2. Johdanto", Part.INTRODUCTION),
        ("1 引言", Part.INTRODUCTION),
        ("参考文献", Part.OMITTED),
        ("감사의 글", Part.OMITTED),
        ("निष्कर्ष", Part.CONCLUSION),
        ("İçindekiler", Part.OMITTED),
    ],
)
def test_a_heading_names_what_stands_below_it(heading, part):
    assert parts(heading, PROSE) == [(Part.OMITTED, heading), (part, PROSE)]


def test_text_before_any_known_heading_is_the_front():
    assert parts(PROSE) == [(Part.FRONT, PROSE)]


def test_a_numbered_heading_ends_a_part_but_that_of_a_subsection_does_not():
    found = parts("1 Introduction", "1.1 Moths and lamps", PROSE, "2 Method", f"{PROSE} Then it rains.")
    assert [part for part, _ in found] == [
        Part.OMITTED,
        Part.HEADING,
        Part.INTRODUCTION,
        Part.HEADING,
        Part.BODY,
    ]


def test_an_appendix_ends_the_references():
    assert parts("References", REFERENCE, "Appendix A", PROSE)[-1] == (Part.BODY, PROSE)


def test_references_are_known_by_years_and_initials_without_a_heading_too():
    assert parts(PROSE, REFERENCE) == [(Part.FRONT, PROSE), (Part.OMITTED, REFERENCE)]


def test_acknowledgements_whose_end_was_not_seen_do_not_swallow_the_text():
    found = parts("Acknowledgements", *(f"{PROSE} And again, in summer {number}." for number in "abcdefghijklmnop"))
    assert found[1][0] is Part.OMITTED
    assert found[-1][0] is Part.BODY


def test_lines_that_pages_repeat_are_left_out_whatever_their_numbers():
    lines = PROSE, "Nature | vol 428 | 493", "Night falls.", "Nature | vol 428 | 494"
    found = {line: part for part, line in parts(*lines)}
    assert found["Nature | vol 428 | 493"] is Part.OMITTED
    assert found["Night falls."] is Part.FRONT


def test_a_line_of_contents_is_no_heading():
    assert parts(PROSE, "Method and study sites 12")[-1][0] is Part.FRONT


def test_a_long_paragraph_is_cut_between_sentences_and_nothing_of_it_is_lost():
    text = " ".join([PROSE] * 12)
    found = passages(text)
    assert "".join(text[one.start : one.end] for one in found) == text
    assert all(text[one.start :].startswith("Moths") for one in found)
    assert max(text[one.start : one.end].count(" ") for one in found) <= 2 * LONGEST_PASSAGE


def test_words_without_sentences_are_cut_too():
    text = " ".join(f"word{number}" for number in range(1_000))
    found = passages(text)
    assert "".join(text[one.start : one.end] for one in found) == text
    assert max(text[one.start : one.end].count(" ") for one in found) <= 2 * LONGEST_PASSAGE


def test_what_stands_before_the_start_is_not_read():
    assert passages("Title . Night falls.", 8)[0] == (Part.FRONT, 8, 20)
