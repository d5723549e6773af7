"""`keyseq vocabulary compile`: read a vocabulary once, so that it loads at once."""

import json
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import declared, note
from keyseq.overwriting import refuse_existing


def compile_vocabulary(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="SKOS (.ttl, .rdf, .jsonld, .nt), a table (.tsv, .csv) or a list.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where to write it. [default: FILE with the suffix .vocabulary]", callback=declared
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Compile a controlled vocabulary: 100,000 concepts then load in milliseconds, without an RDF library.

    Prints a summary of its content. Harmless errors, such as cyclic broader relations, are reported.

    \b
    keyseq vocabulary compile thesaurus.ttl
    keyseq vocabulary compile terms.tsv --out terms.vocabulary --json
    keyseq generate paper.txt --vocabulary thesaurus.vocabulary
    """
    from keyseq.vocabularies.vocabulary_file import SUFFIX, read_vocabulary, write_compiled

    path = out or source.with_name(source.name.split(".")[0] + SUFFIX)
    if out is None:
        refuse_existing(path)
    vocabulary = read_vocabulary(source)
    for remark in vocabulary.remarks:
        note(remark)
    write_compiled(vocabulary, path)
    held = {
        "out": str(path),
        "concepts": len(vocabulary),
        "labels": len(vocabulary.labels),
        "languages": vocabulary.languages,
        "relations": len(vocabulary.relations) // 2,  # stored in both directions
    }
    if as_json:
        typer.echo(json.dumps(held, ensure_ascii=False))
        return
    languages = ", ".join(f"{code or 'no language'} {count:,}" for code, count in vocabulary.languages.items())
    labels = f"labels: {len(vocabulary.labels):,} ({languages})"
    typer.echo(f"{path}: concepts: {len(vocabulary):,}, {labels}, relations: {held['relations']:,}")
