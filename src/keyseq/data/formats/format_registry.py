"""The table of formats: to add one, write its reader and enter it here, or offer it from a package of your own."""

from keyseq.data.formats import ake, bibtex, delimited, jsonl, keyword_extractor, pairs, plain, ris
from keyseq.data.formats.format import Format
from keyseq.plugins import Table

FORMATS = Table(
    "keyseq.formats",
    Format,
    {
        "jsonl": Format(
            read=jsonl.read,
            write=jsonl.write,
            suffixes=(".jsonl", ".json", ".ndjson"),
        ),
        "midas": Format(
            read=jsonl.read_midas,
            write=jsonl.write_midas,
            loses=("separate titles", "line breaks and runs of spaces", "the order of keyphrases"),
        ),
        "csv": Format(
            read=delimited.read_csv,
            write=delimited.write_csv,
            suffixes=(".csv",),
            loses=("spaces around keyphrases", "empty keyphrases", "whether keyphrases are known"),
        ),
        "tsv": Format(
            read=delimited.read_tsv,
            write=delimited.write_tsv,
            suffixes=(".tsv", ".tab"),
            loses=("spaces around keyphrases", "empty keyphrases", "whether keyphrases are known"),
        ),
        "pairs": Format(
            read=pairs.read,
            write=pairs.write,
            suffixes=pairs.SUFFIXES,
            loses=(
                "ids",
                "line breaks and runs of spaces",
                "spaces around keyphrases",
                "empty keyphrases",
                "whether keyphrases are known",
            ),
        ),
        "keyword-extractor": Format(
            read=keyword_extractor.read,
            write=keyword_extractor.write,
            loses=(
                "separate titles",
                "spaces around keyphrases",
                "empty keyphrases",
                "whether keyphrases are known",
            ),
        ),
        "ake": Format(
            read=ake.read,
        ),
        "bibtex": Format(
            read=bibtex.read,
            write=bibtex.write,
            suffixes=(".bib", ".bibtex"),
            loses=(
                "ids with spaces or marks",
                "line breaks and runs of spaces",
                "spaces around keyphrases",
                "empty keyphrases",
            ),
        ),
        "ris": Format(
            read=ris.read,
            write=ris.write,
            suffixes=(".ris",),
            loses=("line breaks and runs of spaces", "spaces around keyphrases", "empty keyphrases"),
        ),
        "txt": Format(
            read=plain.read_text,
            write=plain.write_text,
            suffixes=plain.TEXT_SUFFIXES,
            loses=("ids", "separate titles", "keyphrases"),
        ),
        "markdown": Format(
            read=plain.read_markdown,
            suffixes=plain.MARKDOWN_SUFFIXES,
        ),
        "folder": Format(
            read=plain.read_folder,
            write=plain.write_folder,
            loses=("separate titles", "keyphrases"),
        ),
    },
)
