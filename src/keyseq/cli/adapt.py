"""`keyseq adapt`: make a system of your own from documents with tags."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note, reading_report, tell_read, track_steps
from keyseq.cli.flag_groups import grouped
from keyseq.cli.reading_flags import FLAGS
from keyseq.cli.vocabulary_flags import read_with_notes

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading


def _reading(**options: str | None) -> "CorpusReading":
    from keyseq.data.formats import CorpusReading

    return CorpusReading.of(**options)


# --from is the system to begin with, so that the format of the corpus has another name here
_FLAGS = {
    "format": Annotated[
        str | None,
        typer.Option(
            "--corpus-format", metavar="FORMAT", help="The format of the corpus, if its name does not show it."
        ),
    ],
    **{name: flag for name, flag in FLAGS.items() if name != "from_format"},
}


@grouped("reading", _FLAGS, _reading)
def adapt(
    corpus: Annotated[list[str], typer.Argument(metavar="CORPUS...", help="Documents with tags, in any format.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the new system.")],
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SYSTEM",
            help="A combined system to begin with: scholar, questions, general, a folder; none for the corpus alone. "
            "[default: scholar; none for other languages]",
        ),
    ] = None,
    network: Annotated[
        str, typer.Option(metavar="NETWORK", help="A network as a source of candidates: a name, a folder, or none.")
    ] = "none",
    vocabulary: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Controlled vocabulary whose concepts the tags are, by URI or label."),
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="CODE", help="Language of the texts, by its ISO 639-1 code. [default: en]")
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", metavar="adapt.KEY=VALUE", help="Change a setting; may be repeated.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """Make a system of your own from documents with tags, without PyTorch; a run that was stopped is resumed.

    It learns which words of a text are evidence for each tag, reuses the tables of SYSTEM as far as that helps, and
    trains a ranker with calibrated probabilities. Finally, it compares SYSTEM and the new system on a part of the
    corpus that was held out. Needs the extra combined: pip install 'keyseq[combined]'.

    \b
    keyseq adapt articles.jsonl --out mine
    keyseq adapt tickets.csv --text-column body --keywords-column tags --from none --out mine
    keyseq adapt records.jsonl --vocabulary thesaurus.ttl --out indexer
    keyseq adapt kysymykset.jsonl --language fi --out finnish
    keyseq adapt papers.jsonl --network scholar-network --out mine --json
    keyseq generate new.txt --system ./mine
    """
    from keyseq.adapting.adaptation import AdaptationJob, run_adaptation
    from keyseq.adapting.adaptation_settings import AdaptationSettings
    from keyseq.config.single import build, override_values

    report = reading_report(skip_bad=skip_bad, textless=True)
    given = override_values("adapt", AdaptationSettings, [*(overrides or ()), *_as_override(language)])
    settings = build("adapt", AdaptationSettings, given)
    done = run_adaptation(
        AdaptationJob(
            corpus=list(corpus),
            out=out,
            start=start,
            network=network,
            vocabulary=None if vocabulary is None else read_with_notes(vocabulary, None),
            settings=settings,
            given=frozenset(given),
            reading=reading,
            report=report,
            track=track_steps,
            note=note,
        )
    )
    typer.echo(json.dumps(done.record) if as_json else done.table(), nl=as_json)
    note(_summary(done.record))
    tell_read(report)


def _as_override(language: str | None) -> list[str]:
    return [f"adapt.language={language}"] if language else []


def _summary(record: dict[str, object]) -> str:
    weight = f", its profiles weighed {record['weight']:g}" if record["weight"] else ""
    return (
        f"before is {record['compared_with']} as it is, after is {record['out']}: "
        f"{record['labels']:,} labels of {record['documents']:,} documents, begun with "
        f"{record['from']}{weight}; network: {record['network'] or 'none'}; "
        f"keyseq generate --system {record['out']} uses it"
    )
