"""Files of single documents, written by the libraries that people's programs use, or as those programs write them."""

import zipfile
from html import escape

from tests.data.formats.sample_papers import CITED, SAMPLES

HEAD = "Journal of Invented Results, volume 7"


def pdf(path, paper):
    """A paper as publishers set it: in one column or two, with running heads, page numbers and references."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import BaseDocTemplate, Frame, NextPageTemplate, PageTemplate, Paragraph

    width, height = A4
    style = {
        "text": ParagraphStyle("text", fontName="Times-Roman", fontSize=10, leading=12, spaceAfter=6),
        "title": ParagraphStyle("title", fontName="Times-Bold", fontSize=17, leading=20, spaceAfter=8),
        "names": ParagraphStyle("names", fontName="Times-Italic", fontSize=11, leading=13, spaceAfter=12),
        "heading": ParagraphStyle(
            "heading", fontName="Times-Bold", fontSize=12, leading=14, spaceBefore=9, spaceAfter=5
        ),
        "small": ParagraphStyle("small", fontName="Times-Roman", fontSize=8, leading=9),
    }

    def decorate(canvas, document):
        canvas.setFont("Times-Roman", 8)
        canvas.drawString(60, height - 30, HEAD)
        canvas.drawString(width / 2, 25, str(document.page))

    number = SAMPLES.index(paper) if paper in SAMPLES else 0
    count = 1 + number % 2
    column = (width - 120) / count
    frames = [Frame(60 + column * place, 50, column - 10, height - 100) for place in range(count)]
    document = BaseDocTemplate(
        str(path), pagesize=A4, title=("", paper.title, "Microsoft Word - final.doc")[number % 3]
    )
    document.addPageTemplates([PageTemplate("pages", frames, onPage=decorate)])
    story = [NextPageTemplate("pages"), Paragraph(escape(paper.title), style["title"])]
    story.append(Paragraph("Ada Author and Bea Writer<br/>University of Somewhere, ada@example.org", style["names"]))
    if number % 2:
        story.append(Paragraph(f"<b>Abstract</b>—{escape(paper.abstract)}", style["text"]))
        story.append(Paragraph(f"<b>Index Terms</b>—{', '.join(paper.keywords)}.", style["text"]))
    else:
        story += [Paragraph("Abstract", style["heading"]), Paragraph(escape(paper.abstract), style["text"])]
        story.append(Paragraph(f"<b>Keywords:</b> {'; '.join(paper.keywords)}", style["text"]))
    for heading in ("1. Introduction", "2. Method", "3. Results"):
        story.append(Paragraph(heading, style["heading"]))
        story += [Paragraph(escape(f"{paper.section} " * 12), style["text"]) for _ in range(6)]
    story.append(Paragraph("References", style["heading"]))
    story += [Paragraph(f"[{place}] {CITED}", style["small"]) for place in range(30)]
    document.build(story)


def docx(path, paper):
    from docx import Document

    document = Document()
    number = SAMPLES.index(paper)
    document.sections[0].header.paragraphs[0].text = HEAD
    if number % 3 == 0:
        document.add_paragraph(paper.title, style="Title")
    elif number % 3 == 1:
        document.core_properties.title = paper.title
    else:
        document.core_properties.title = ""
        document.add_heading(paper.title, 1)
    document.add_paragraph(paper.abstract)
    if number % 2:
        document.core_properties.keywords = ", ".join(paper.keywords)
    else:
        document.add_paragraph(f"Keywords: {', '.join(paper.keywords)}")
    document.add_heading("Method", 2)
    begin, end = paper.section.split(" ", 1)
    paragraph = document.add_paragraph(begin)
    paragraph.add_run(f" {end}").bold = True
    document.add_table(1, 1).cell(0, 0).text = "A cell of a table."
    document.add_heading("References", 2)
    document.add_paragraph(CITED)
    document.save(path)


def odt(path, paper):
    from odf import dc, meta, text
    from odf.opendocument import OpenDocumentText
    from odf.style import Style

    document = OpenDocumentText()
    number = SAMPLES.index(paper)
    document.styles.addElement(Style(name="Title", family="paragraph"))
    derived = Style(name="P1", family="paragraph", parentstylename="Title")
    document.automaticstyles.addElement(derived)
    if number % 2:
        document.meta.addElement(dc.Title(text=paper.title))
    else:
        document.text.addElement(text.P(stylename=derived, text=paper.title))
    for keyword in paper.keywords:
        document.meta.addElement(meta.Keyword(text=keyword))
    document.text.addElement(text.P(text=paper.abstract))
    document.text.addElement(text.H(outlinelevel=1, text="Method"))
    begin, end = paper.section.split(" ", 1)
    paragraph = text.P(text=begin)
    paragraph.addElement(text.S(c=2))
    paragraph.addElement(text.Span(text=end))
    note = text.Note(noteclass="footnote")
    body = text.NoteBody()
    body.addElement(text.P(text="A footnote."))
    note.addElement(body)
    paragraph.addElement(note)
    document.text.addElement(paragraph)
    document.text.addElement(text.H(outlinelevel=1, text="References"))
    document.text.addElement(text.P(text=CITED))
    document.save(path)


def html(path, paper):
    """A page with menus around its article."""
    path.write_text(
        f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(paper.title)} | Invented Weekly</title>
<meta property="og:title" content="{escape(paper.title)}">
<meta name="keywords" content="{escape(", ".join(paper.keywords))}"><script>var never = "shown";</script></head>
<body><header><nav><ul><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul></nav></header>
<main><article><h1>{escape(paper.title)}</h1><p>{escape(paper.abstract)}</p><h2>Method</h2>
<p>{escape(paper.section)} {escape(paper.section)}</p></article></main>
<aside><h3>Related</h3><a href="/more">Ten tips for pears</a></aside>
<footer>Copyright {HEAD}. <a href="/privacy">Privacy policy</a></footer></body></html>""",
        encoding="utf-8",
    )


def epub(path, paper):
    """A book as e-book programs write it; its folder and its version change."""
    number = SAMPLES.index(paper)
    folder = ("OEBPS/", "EPUB/", "")[number % 3]
    subjects = "".join(f"<dc:subject>{escape(keyword)}</dc:subject>" for keyword in paper.keywords)
    package = f"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(paper.title)}</dc:title>{subjects}</metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="one" href="text/one%20.xhtml" media-type="application/xhtml+xml"/>
<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
<item id="cover" href="cover.png" media-type="image/png"/></manifest>
<spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/></spine></package>"""
    page = '<?xml version="1.0"?><!DOCTYPE html><html><head><title>never shown</title></head><body>{}</body></html>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            f'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            f'<rootfile full-path="{folder}content.opf"/></rootfiles></container>',
        )
        archive.writestr(f"{folder}content.opf", package)
        archive.writestr(f"{folder}nav.xhtml", page.format(f"<p>{HEAD}</p>"))
        archive.writestr(f"{folder}text/one .xhtml", page.format(f"<p>{escape(paper.abstract)}</p>"))
        archive.writestr(f"{folder}text/two.xhtml", page.format(f"<p>{paper.section.replace(' ', '&nbsp;', 1)}</p>"))


def jats(path, paper):
    """An article as PubMed Central gives it."""
    keywords = "".join(f"<kwd><italic>{escape(keyword)}</italic></kwd>" for keyword in paper.keywords)
    path.write_text(
        f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.2//EN" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><journal-meta><journal-title-group><journal-title>{HEAD}
</journal-title></journal-title-group></journal-meta><article-meta><article-id pub-id-type="doi">10.1/x</article-id>
<title-group><article-title>{escape(paper.title)}<xref ref-type="fn" rid="n">*</xref></article-title></title-group>
<abstract><p>{escape(paper.abstract)}</p></abstract><abstract abstract-type="graphical"><p>Never.</p></abstract>
<kwd-group kwd-group-type="author">{keywords}</kwd-group></article-meta></front>
<body><sec><title>Method</title><p>{escape(paper.section)}<xref ref-type="bibr">[1]</xref></p>
<fig><caption><p>A figure.</p></caption></fig></sec></body>
<back><ref-list><ref><mixed-citation>{CITED}</mixed-citation></ref></ref-list></back></article>""",
        encoding="utf-8",
    )


def tei(path, paper):
    """A paper as GROBID reads it from a PDF."""
    terms = "".join(f"<term>{escape(keyword)}</term>" for keyword in paper.keywords)
    path.write_text(
        f"""<?xml version="1.0" encoding="UTF-8"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title level="a" type="main">{escape(paper.title)}</title><title type="sub">Never</title></titleStmt>
</fileDesc><profileDesc><textClass><keywords>{terms}</keywords></textClass>
<abstract><div><p>{escape(paper.abstract)}</p></div></abstract></profileDesc></teiHeader>
<text><body><div><head n="1">Method</head><p>{escape(paper.section)} <ref type="bibr">[1]</ref></p>
<note place="foot">A footnote.</note></div></body>
<back><div type="references"><listBibl><biblStruct><analytic><title>{CITED}</title></analytic></biblStruct></listBibl>
</div></back></text></TEI>""",
        encoding="utf-8",
    )


def markdown(path, paper):
    """A page of a site, with front matter in YAML or TOML."""
    number = SAMPLES.index(paper)
    listed = ", ".join(f'"{keyword}"' for keyword in paper.keywords)
    if number % 3 == 0:
        matter = f'---\ntitle: "{paper.title}"\nkeywords: [{listed}]\n---\n\n'
    elif number % 3 == 1:
        matter = f'+++\ntitle = "{paper.title}"\ntags = [{listed}]\n+++\n\n'
    else:
        matter = f"---\nlayout: post\nkeywords: {', '.join(paper.keywords)}\n---\n\n# {paper.title}\n\n"
    path.write_text(f"{matter}{paper.abstract}\n\n## Method\n\n*{paper.section}*\n", encoding="utf-8")


# by format: the suffix, and what writes such a file
WRITERS = {
    "pdf": (".pdf", pdf),
    "docx": (".docx", docx),
    "odt": (".odt", odt),
    "html": (".html", html),
    "epub": (".epub", epub),
    "jats": (".nxml", jats),
    "tei": (".tei.xml", tei),
    "xml": (".xml", jats),
    "markdown": (".md", markdown),
}
