"""Files of many records, written by the libraries that people's programs use, or as those programs write them."""

import csv
import json
from html import escape

from tests.data.formats.sample_papers import SAMPLES

ZOTERO = ["Key", "Item Type", "Publication Year", "Author", "Title", "Abstract Note", "Manual Tags", "Automatic Tags"]
SCOPUS = ["Authors", "Title", "Year", "Source title", "DOI", "Abstract", "Author Keywords", "Index Keywords", "EID"]
WOS_COLUMNS = ["Authors", "Article Title", "Abstract", "Author Keywords", "Keywords Plus", "UT (Unique WOS ID)"]
WOS_TAGS = ["PT", "AU", "TI", "SO", "DE", "ID", "AB", "UT"]
PUBMED = ["PMID", "Title", "Authors", "Citation", "First Author", "Journal/Book", "Publication Year", "DOI"]
OPENALEX = ["id", "doi", "display_name", "authorships.author.display_name", "abstract", "keywords.display_name"]


def _cells(paper, separator="; "):
    """The value of every column of every export."""
    joined = separator.join(paper.keywords)
    return {
        **dict.fromkeys(("Title", "Article Title", "TI", "display_name"), paper.title),
        **dict.fromkeys(("Abstract Note", "Abstract", "AB", "abstract"), paper.abstract),
        **dict.fromkeys(("Manual Tags", "Author Keywords", "DE", "keywords.display_name"), joined),
        **dict.fromkeys(("Key", "EID", "UT (Unique WOS ID)", "UT", "PMID", "id"), paper.name),
        **dict.fromkeys(("Authors", "Author", "AU", "First Author"), "Author, A.; Writer, B."),
        **dict.fromkeys(("Automatic Tags", "Index Keywords", "Keywords Plus", "ID"), "never; read"),
    }


def _delimited(columns, delimiter=",", separator="; ", encoding="utf-8-sig"):
    def write(path, papers):
        with path.open("w", newline="", encoding=encoding) as file:
            writer = csv.DictWriter(file, columns, restval="x", extrasaction="ignore", delimiter=delimiter)
            writer.writeheader()
            writer.writerows(_cells(paper, separator) for paper in papers)

    return write


def xlsx(path, papers):
    """A workbook with another sheet before, and a line above the header."""
    from openpyxl import Workbook

    workbook = Workbook()
    workbook.active.append(["Notes", "of the library"])
    sheet = workbook.create_sheet("savedrecs")
    sheet.append(["Exported from a database"])
    sheet.append(["Times Cited", *WOS_COLUMNS])
    for number, paper in enumerate(papers):
        cells = _cells(paper)
        sheet.append([number, *(cells.get(name) for name in WOS_COLUMNS)])
    workbook.save(path)


def parquet(path, papers):
    import pyarrow as pa
    import pyarrow.parquet

    table = pa.table({
        "id": [paper.name for paper in papers],
        "year": [2020 for _ in papers],
        "title": [paper.title for paper in papers],
        "abstract": [paper.abstract for paper in papers],
        "keywords": [list(paper.keywords) for paper in papers],
    })  # fmt: skip
    pyarrow.parquet.write_table(table, path)


def csl_json(path, papers):
    """Items as Zotero exports them."""
    items = [
        {
            "id": paper.name,
            "type": "article-journal",
            "title": paper.title.replace("Rvi6", "<i>Rvi6</i>"),
            "abstract": paper.abstract.replace("Rvi6", "<i>Rvi6</i>"),
            "keyword": ", ".join(paper.keywords),
            "author": [{"family": "Author", "given": "A."}],
            "issued": {"date-parts": [[2021]]},
        }
        for paper in papers
    ]
    path.write_text(json.dumps(items, indent=1, ensure_ascii=False), encoding="utf-8")


def openalex_json(path, papers):
    """An answer of the API, whose abstracts are inverted indexes."""

    def index(text):
        words = text.split()
        return {word: [place for place, other in enumerate(words) if other == word] for word in words}

    works = [
        {
            "id": f"https://openalex.org/W{paper.name}",
            "display_name": paper.title,
            "abstract_inverted_index": index(paper.abstract),
            "keywords": [{"id": "https://openalex.org/keywords/x", "display_name": one} for one in paper.keywords],
        }
        for paper in papers
    ]
    path.write_text(json.dumps({"meta": {"count": len(works)}, "results": works}), encoding="utf-8")


def _folded(text, indent):
    """A text in lines, as these exports break long values."""
    words, lines = text.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 60:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return f"\n{indent}".join(lines)


def nbib(path, papers):
    records = []
    for paper in papers:
        keywords = "".join(f"OT  - {keyword}\n" for keyword in paper.keywords)
        records.append(
            f"PMID- {paper.name}\nOWN - NLM\nTI  - {_folded(paper.title, ' ' * 6)}\n"
            f"AB  - {_folded(paper.abstract, ' ' * 6)}\nFAU - Author, A\n{keywords}MH  - *Never read\n"
        )
    path.write_text("\n".join(records), encoding="utf-8")


def pubmed_xml(path, papers):
    """An answer of PubMed's E-utilities."""
    articles = "".join(
        f"<PubmedArticle><MedlineCitation Status='MEDLINE'><PMID Version='1'>{escape(paper.name)}</PMID><Article>"
        f"<Journal><Title>Never</Title></Journal><ArticleTitle>{escape(paper.title).replace('Rvi6', '<i>Rvi6</i>')}"
        f"</ArticleTitle><Abstract><AbstractText Label='ALL'>{escape(paper.abstract).replace('Rvi6', '<i>Rvi6</i>')}"
        "</AbstractText><CopyrightInformation>Never</CopyrightInformation></Abstract></Article>"
        "<MeshHeadingList><MeshHeading><DescriptorName>Never</DescriptorName></MeshHeading></MeshHeadingList>"
        f"<KeywordList>{''.join(f'<Keyword>{escape(one)}</Keyword>' for one in paper.keywords)}</KeywordList>"
        "</MedlineCitation><PubmedData><ReferenceList><Reference><Citation>Never</Citation></Reference>"
        "</ReferenceList></PubmedData></PubmedArticle>"
        for paper in papers
    )
    head = '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "pubmed.dtd">\n'
    path.write_text(f"{head}<PubmedArticleSet>{articles}</PubmedArticleSet>", encoding="utf-8")


ENTRY = r"""
@article{KEY,
  title = {TITLE},
  author = {Author, J{\"u}rgen and Writer, B.},
  year = {2021},
  month = mar,
  abstract = {ABSTRACT},
  langid = {english},
  keywords = {KEYWORDS},
  file = {C\:\\Users\\me\\Zotero\\storage\\paper.pdf}
}
"""


def bibtex(path, papers):
    """Entries as Zotero exports them: capitals in braces, keywords between commas, files of Windows."""
    entries = (
        ENTRY.replace("KEY,", f"k{SAMPLES.index(paper)},")
        .replace("TITLE", _braced(paper.title))
        .replace("ABSTRACT", _braced(paper.abstract))
        .replace("KEYWORDS", ", ".join(paper.keywords))
        for paper in papers
    )
    path.write_text("".join(entries), encoding="utf-8")


def _braced(text):
    words = text.replace("&", r"\&").split()
    return " ".join(f"{{{{{word}}}}}" if word[0].isupper() else word for word in words)


def ris(path, papers):
    """References as EndNote and Zotero export them, with the line ends of Windows."""
    records = (
        f"TY  - JOUR\nTI  - {paper.title}\nAU  - Author, A.\nAB  - {paper.abstract}\nPY  - 2021\n"
        + "".join(f"KW  - {keyword}\n" for keyword in paper.keywords)
        + f"ID  - {paper.name}\nL1  - file:///home/me/{paper.name}.pdf\nER  - \n"
        for paper in papers
    )
    path.write_text("\n".join(records), encoding="utf-8-sig", newline="\r\n")


def wos(path, papers):
    records = [
        f"PT J\nAU Author, A\n   Writer, B\nTI {_folded(paper.title, '   ')}\nSO JOURNAL\n"
        f"DE {_folded('; '.join(paper.keywords), '   ')}\nID NEVER; READ\nAB {_folded(paper.abstract, '   ')}\n"
        f"UT {paper.name}\nER\n"
        for paper in papers
    ]
    path.write_text("\ufeffFN Clarivate Analytics Web of Science\nVR 1.0\n" + "\n".join(records) + "\nEF\n")


def marc_records(papers, keywords="653"):
    from pymarc import Field, Indicators, Record, Subfield

    for paper in papers:
        record = Record(force_utf8=True)
        record.add_field(Field("001", data=paper.name))
        begin, colon, end = paper.title.partition(": ")
        parts = [Subfield("a", f"{begin} :"), Subfield("b", f"{end} /")] if colon else [Subfield("a", f"{begin} /")]
        record.add_field(Field("245", Indicators("1", "0"), [*parts, Subfield("c", "A. Author.")]))
        record.add_field(Field("520", Indicators(" ", " "), [Subfield("a", paper.abstract)]))
        for keyword in paper.keywords:
            record.add_field(Field(keywords, Indicators(" ", "0"), [Subfield("a", f"{keyword}.")]))
        yield record


def marc(path, papers):
    path.write_bytes(b"".join(record.as_marc() for record in marc_records(papers)))


def marcxml(path, papers):
    from pymarc import record_to_xml

    records = b"".join(record_to_xml(record, namespace=False) for record in marc_records(papers, "650"))
    path.write_bytes(
        b'<?xml version="1.0" encoding="UTF-8"?><collection xmlns="http://www.loc.gov/MARC21/slim">%s</collection>'
        % records
    )


# by what it is: the format, the suffix, and what writes such a file
WRITERS = {
    "Zotero CSV": ("csv", ".csv", _delimited(ZOTERO)),
    "Scopus CSV": ("csv", ".csv", _delimited(SCOPUS)),
    "Web of Science CSV": ("csv", ".csv", _delimited(WOS_COLUMNS, ";")),
    "Web of Science tabs": ("tsv", ".txt", _delimited(WOS_TAGS, "\t")),
    "Web of Science UTF-16": ("tsv", ".tsv", _delimited(WOS_TAGS, "\t", encoding="utf-16")),
    "OpenAlex CSV": ("csv", ".csv", _delimited(OPENALEX, separator="|")),
    "PubMed CSV": ("csv", ".csv", _delimited(PUBMED)),
    "PubMed": ("pubmed", ".nbib", nbib),
    "PubMed text": ("pubmed", ".txt", nbib),
    "PubMed XML": ("xml", ".xml", pubmed_xml),
    "BibTeX": ("bibtex", ".bib", bibtex),
    "RIS": ("ris", ".ris", ris),
    "Web of Science": ("wos", ".ciw", wos),
    "Web of Science text": ("wos", ".txt", wos),
    "CSL-JSON": ("csl-json", ".json", csl_json),
    "OpenAlex JSON": ("jsonl", ".json", openalex_json),
    "MARC 21": ("marc", ".mrc", marc),
    "MARCXML": ("marcxml", ".xml", marcxml),
    "Excel": ("xlsx", ".xlsx", xlsx),
    "Parquet": ("parquet", ".parquet", parquet),
}
TWO = SAMPLES[:2]
