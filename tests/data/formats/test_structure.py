"""What files say of the structure of a long text reaches its reader: abstract, headings, and references left out."""

from html import escape

import pytest

from keyseq.data.formats import read_documents
from keyseq.ranking.long_text import LongText, is_long
from keyseq.text.analyzer import ENGLISH
from keyseq.text.hashing import stem_hashes
from keyseq.text.sections import Part

TITLE = "Moths and lamps"
CITED = "Smith, J., Brown, K. (2015). Glowworms of the north. Journal of Insects 3, 12-19."


def prose(subject):
    kinds = ("white", "amber", "red", "green", "warm", "cold", "dim", "bright")
    return [
        f"A {kind} lamp near {subject} draws many moths away from the flowers of a hedgerow, so that much less pollen"
        f" is carried in a {kind} night, and the seed set of {kind} flowers beside {subject} falls. "
        for kind in kinds
    ]


SECTIONS = {
    "Abstract": ["".join(prose("a road"))],
    "1 Introduction": prose("a village"),
    "2 Methods": prose("a field"),
    "2.1 Study sites": prose("a river"),
    "3 Results": prose("a forest"),
    "Conclusion": prose("a town"),
    "References": [CITED.replace("2015", str(year)) for year in range(1990, 2010)],
}


def markdown(path):
    body = ("\n\n".join([f"## {heading}", *texts]) for heading, texts in SECTIONS.items())
    path.write_text("\n\n".join([f"# {TITLE}", *body]), encoding="utf-8")


def html(path):
    body = "".join(f"<h2>{head}</h2>{_paragraphs(texts)}" for head, texts in SECTIONS.items())
    page = f"<html><head><title>{TITLE}</title></head><body><article><h1>{TITLE}</h1>{body}</article></body></html>"
    path.write_text(page, encoding="utf-8")


def jats(path):
    abstract, *sections, references = SECTIONS.items()
    body = "".join(f"<sec><title>{head}</title>{_paragraphs(texts)}</sec>" for head, texts in sections)
    cited = "".join(f"<ref><mixed-citation>{one}</mixed-citation></ref>" for one in references[1])
    head = f"<title-group><article-title>{TITLE}</article-title></title-group><abstract>{_paragraphs(abstract[1])}"
    front = f"<front><article-meta>{head}</abstract></article-meta></front>"
    path.write_text(
        f"<article>{front}<body>{body}</body><back><ref-list>{cited}</ref-list></back></article>", encoding="utf-8"
    )


def pdf(path):
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    style = getSampleStyleSheet()
    story = [Paragraph(TITLE, style["Title"])]  # as large as a heading
    for head, texts in SECTIONS.items():
        story += [Paragraph(head, style["Heading1"]), *(Paragraph(escape(text), style["BodyText"]) for text in texts)]
    SimpleDocTemplate(str(path)).build(story)


def _paragraphs(texts):
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


WRITERS = {"paper.md": markdown, "paper.html": html, "paper.xml": jats, "paper.pdf": pdf}


@pytest.mark.parametrize("name", WRITERS)
def test_the_parts_of_a_file_are_those_of_the_long_text(tmp_path, name):
    WRITERS[name](tmp_path / name)
    [document] = read_documents(tmp_path / name)
    assert document.title == TITLE
    whole = LongText(document, ENGLISH)
    assert is_long(document)
    found = dict.fromkeys(Part, "")
    for passage in whole.passages:
        found[passage.part] += " ".join(document.text[passage.start : passage.end].split()) + "\n"
    headings = found[Part.HEADING].splitlines()
    assert [one for one in headings if one != TITLE] == ["2 Methods", "2.1 Study sites", "3 Results"]
    lead = found[Part.ABSTRACT] or found[Part.FRONT]  # JATS marks an abstract without a heading
    assert lead.count("beside a road") == 8
    assert found[Part.INTRODUCTION].count("beside a village") == 8
    assert found[Part.CONCLUSION].count("beside a town") == 8
    assert "Glowworms" not in "".join(found[part] for part in Part if part is not Part.OMITTED)


def test_a_list_of_references_below_its_heading_is_left_out_of_short_texts_too(tmp_path):
    (tmp_path / "a.md").write_text(f"# {TITLE}\n\nText.\n\n## References\n\n{CITED}\n\n## Appendix\n\nMore.")
    section = f"<sec><title>References</title><p>{CITED}</p></sec>"
    (tmp_path / "a.nxml").write_text(f"<article><body><p>Text.</p>{section}<p>More.</p></body></article>")
    [[page], [article]] = [list(read_documents(tmp_path / name)) for name in ("a.md", "a.nxml")]
    assert page.body == "Text.\n\nAppendix\n\nMore."
    assert article.body == "Text.\n\nMore."


def test_what_references_say_is_not_counted(tmp_path):
    markdown(tmp_path / "paper.md")
    [document] = read_documents(tmp_path / "paper.md")
    whole = LongText(document, ENGLISH)
    assert whole.counts(stem_hashes(["glowworm"])).tolist() == [0]
    assert whole.counts(stem_hashes(["moth"])).tolist() == [49]  # eight in each of six parts, and one in the title
