"""Add keyphrases to an uploaded library in a separate process, as `upload_reader` reads one.

`python -m keyseq.serving.library_tagger FILE KEYPHRASES OUT`, where KEYPHRASES is a file with a JSON array of an array
per document.
"""

import json
import sys
from pathlib import Path

from keyseq.data.libraries import annotate
from keyseq.errors import KeyseqError
from keyseq.serving.upload_reader import BAD, bound


def main(name: str, phrases: str, out: str) -> None:
    """Write the library with its keyphrases, or print the error."""
    bound()
    try:
        with Path(out).open("w", encoding="utf-8", newline="") as file:
            annotate(Path(name), json.loads(Path(phrases).read_bytes()), file)
    except ValueError:
        sys.stderr.write(f"{name}: keyphrases must have one list for each document that was read from it")
        sys.exit(BAD)
    except KeyseqError as error:
        sys.stderr.write(str(error))
        sys.exit(BAD)


if __name__ == "__main__":
    main(*sys.argv[1:])
