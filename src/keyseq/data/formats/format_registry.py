"""The table of formats: to add one, write its reader and enter it here, or offer it from a package of your own.

Readers and writers are imported when a file asks for them, so that a format costs nothing at start.
"""

from keyseq.data.formats.format import Format
from keyseq.imports import later
from keyseq.plugins import Table

_HERE = "keyseq.data.formats"

FORMATS = Table(
    "keyseq.formats",
    Format,
    {
        "jsonl": Format(
            read=later(f"{_HERE}.jsonl:read"),
            write=later(f"{_HERE}.jsonl:write"),
            suffixes=(".jsonl", ".json", ".ndjson"),
        ),
        "midas": Format(
            read=later(f"{_HERE}.jsonl:read_midas"),
            write=later(f"{_HERE}.jsonl:write_midas"),
            loses=("separate titles", "line breaks and runs of spaces", "the order of keyphrases", "subjects"),
        ),
        "csv": Format(
            read=later(f"{_HERE}.delimited:read_csv"),
            write=later(f"{_HERE}.delimited:write_csv"),
            suffixes=(".csv",),
            loses=("spaces around keyphrases", "empty keyphrases", "whether keyphrases are known", "subjects"),
        ),
        "tsv": Format(
            read=later(f"{_HERE}.delimited:read_tsv"),
            write=later(f"{_HERE}.delimited:write_tsv"),
            suffixes=(".tsv", ".tab"),
            loses=("spaces around keyphrases", "empty keyphrases", "whether keyphrases are known", "subjects"),
        ),
        "pairs": Format(
            read=later(f"{_HERE}.pairs:read"),
            write=later(f"{_HERE}.pairs:write"),
            suffixes=(".src", "_src.txt"),
            loses=(
                "ids",
                "line breaks and runs of spaces",
                "spaces around keyphrases",
                "empty keyphrases",
                "whether keyphrases are known",
                "subjects",
            ),
        ),
        "keyword-extractor": Format(
            read=later(f"{_HERE}.keyword_extractor:read"),
            write=later(f"{_HERE}.keyword_extractor:write"),
            loses=(
                "separate titles",
                "spaces around keyphrases",
                "empty keyphrases",
                "whether keyphrases are known",
                "subjects",
            ),
        ),
        "annif-folder": Format(
            read=later(f"{_HERE}.annif:read_folder"),
            write=later(f"{_HERE}.annif:write_folder"),
            loses=("separate titles", "spaces around keyphrases", "empty keyphrases"),
        ),
        "annif-tsv": Format(
            read=later(f"{_HERE}.annif:read_table"),
            write=later(f"{_HERE}.annif:write_table"),
            loses=("ids", "separate titles", "line breaks and runs of spaces", "keyphrases"),
        ),
        "ake": Format(
            read=later(f"{_HERE}.ake:read"),
        ),
        "bibtex": Format(
            read=later(f"{_HERE}.bibtex:read"),
            write=later(f"{_HERE}.bibtex:write"),
            suffixes=(".bib", ".bibtex"),
            loses=(
                "ids with spaces or marks",
                "line breaks and runs of spaces",
                "spaces around keyphrases",
                "empty keyphrases",
                "subjects",
            ),
        ),
        "ris": Format(
            read=later(f"{_HERE}.ris:read"),
            write=later(f"{_HERE}.ris:write"),
            suffixes=(".ris",),
            loses=("line breaks and runs of spaces", "spaces around keyphrases", "empty keyphrases", "subjects"),
        ),
        "csl-json": Format(
            read=later(f"{_HERE}.csl_json:read"),
            suffixes=(".csljson", ".csl.json"),
        ),
        "pubmed": Format(
            read=later(f"{_HERE}.tagged_records:read_pubmed"),
            suffixes=(".nbib",),
        ),
        "wos": Format(
            read=later(f"{_HERE}.tagged_records:read_wos"),
            suffixes=(".ciw",),
        ),
        "marc": Format(
            read=later(f"{_HERE}.marc:read"),
            suffixes=(".mrc", ".marc"),
        ),
        "marcxml": Format(
            read=later(f"{_HERE}.marc:read_xml"),
            suffixes=(".marcxml", ".marc.xml"),
        ),
        "xlsx": Format(
            read=later(f"{_HERE}.sheet:read"),
            suffixes=(".xlsx", ".xlsm"),
        ),
        "parquet": Format(
            read=later(f"{_HERE}.parquet:read"),
            suffixes=(".parquet",),
        ),
        "txt": Format(
            read=later(f"{_HERE}.plain:read_text"),
            write=later(f"{_HERE}.plain:write_text"),
            suffixes=(".txt", ".text"),
            loses=("ids", "separate titles", "keyphrases", "subjects"),
            one_document=True,
        ),
        "markdown": Format(
            read=later(f"{_HERE}.markdown:read"),
            suffixes=(".md", ".markdown"),
            one_document=True,
        ),
        "pdf": Format(
            read=later(f"{_HERE}.pdf:read"),
            suffixes=(".pdf",),
            one_document=True,
        ),
        "docx": Format(
            read=later(f"{_HERE}.docx:read"),
            suffixes=(".docx", ".docm"),
            one_document=True,
        ),
        "odt": Format(
            read=later(f"{_HERE}.odt:read"),
            suffixes=(".odt",),
            one_document=True,
        ),
        "html": Format(
            read=later(f"{_HERE}.web_page:read"),
            suffixes=(".html", ".htm", ".xhtml"),
            one_document=True,
        ),
        "epub": Format(
            read=later(f"{_HERE}.epub:read"),
            suffixes=(".epub",),
            one_document=True,
        ),
        "jats": Format(
            read=later(f"{_HERE}.jats:read"),
            suffixes=(".nxml", ".jats"),
            one_document=True,
        ),
        "tei": Format(
            read=later(f"{_HERE}.tei:read"),
            suffixes=(".tei", ".tei.xml"),
            one_document=True,
        ),
        "xml": Format(
            read=later(f"{_HERE}.any_xml:read"),
            suffixes=(".xml",),
            one_document=True,
        ),
        "folder": Format(
            read=later(f"{_HERE}.folder:read"),
            write=later(f"{_HERE}.folder:write"),
            loses=("separate titles", "keyphrases", "subjects"),
        ),
    },
)
