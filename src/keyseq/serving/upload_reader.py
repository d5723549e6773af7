"""Read the documents of an uploaded file in a separate process.

`python -m keyseq.serving.upload_reader FILE MOST OPTIONS`, where the options of reading are a JSON object.

Untrusted files, PDF above all, can keep a parser busy forever or exhaust memory: a process can be limited and killed,
a thread cannot.
"""

import json
import sys
from itertools import islice
from pathlib import Path

from keyseq.data.formats import CorpusReading, ReadingReport
from keyseq.data.formats.document_reading import ReadingOptions
from keyseq.data.tagging import TAGGERS, format_of
from keyseq.errors import DataError, KeyseqError

MEMORY = 1 << 30  # bytes that the process may use
SECONDS = 60  # of CPU time, in case the parent is gone and cannot kill it
BAD = 2  # the exit code of a file that cannot be read


def read(path: Path, most: int, options: ReadingOptions) -> dict[str, list[object] | bool]:
    """The first `most` documents of a file, what was skipped, notes, and whether keyphrases can be added to it."""
    skipped: list[str] = []
    notes: list[str] = []
    report = ReadingReport(skipped=skipped, tell=notes.append)
    reading = CorpusReading.of(**options)
    documents = reading.documents(path, report)
    found = [
        {"id": document.id, "title": document.title, "text": document.body} for document in islice(documents, most)
    ]
    skipped += report.unread
    if not found:
        raise DataError(skipped[0] if skipped else f"{path}: holds no documents")
    is_cut = next(documents, None) is not None
    if is_cut:
        skipped.append(f"{path}: all after the first {most:,} documents")
    is_library = (reading.format or format_of(reading.source(str(path)))) in TAGGERS
    return {
        "documents": list(found),
        "skipped": list(skipped),
        "notes": list(notes),
        "taggable": is_library and not is_cut,
    }


def bound() -> None:
    """Limit the memory and the time of this process."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main(name: str, most: str, options: str) -> None:
    """Print the documents of a file as JSON, or the error."""
    bound()
    try:
        content = json.dumps(read(Path(name), int(most), json.loads(options)))
    except KeyseqError as error:
        sys.stderr.write(str(error))
        sys.exit(BAD)
    except MemoryError:
        sys.stderr.write(f"{name}: takes too much memory to read")
        sys.exit(BAD)
    sys.stdout.write(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
