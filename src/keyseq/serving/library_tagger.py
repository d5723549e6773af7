"""Add keyphrases to an uploaded library in a separate process, as `upload_reader` reads one.

`python -m keyseq.serving.library_tagger FILE KEYPHRASES OUT OPTIONS RULES`, where KEYPHRASES is a file with a JSON
array of an array per document; the options of reading and the rules of tagging are JSON objects.
"""

import json
import sys
from pathlib import Path

from keyseq.data.formats import CorpusReading, ReadingReport
from keyseq.data.tagging import TAGGERS, Tagging, format_of, tag
from keyseq.errors import DataError, KeyseqError
from keyseq.serving.upload_reader import BAD, bound


def main(name: str, phrases: str, out: str, options: str, rules: str) -> None:
    """Write the library with its keyphrases, or print the error."""
    bound()
    reading = CorpusReading.of(**json.loads(options))
    try:
        source = reading.source(name, ReadingReport(skipped=[]))  # what is skipped has no list of keyphrases
        kind = reading.format or format_of(source)
        if kind not in TAGGERS:
            raise DataError(f"{name}: keyphrases cannot be added to this file; it is none of {', '.join(TAGGERS)}")
        with Path(out).open("wb") as file:
            tag(kind, source, json.loads(Path(phrases).read_bytes()), file, Tagging(**json.loads(rules)))
    except ValueError:
        sys.stderr.write(f"{name}: keyphrases must have one list for each document that was read from it")
        sys.exit(BAD)
    except KeyseqError as error:
        sys.stderr.write(str(error))
        sys.exit(BAD)


if __name__ == "__main__":
    main(*sys.argv[1:])
