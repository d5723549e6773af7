"""keyseq turns a text into its keyphrases.

import keyseq

system = keyseq.load()
[phrases] = system.predict(["Attention is all you need. The dominant sequence transduction models …"])
"""

import os
from typing import TYPE_CHECKING, Any

from keyseq.version import __version__

if TYPE_CHECKING:
    from keyseq.data.formats.reading import read
    from keyseq.evaluation import evaluate
    from keyseq.systems import load
    from keyseq.types import Document, Phrase, System
    from keyseq.vocabularies.vocabulary_file import read_vocabulary

# ONNX Runtime reads this when it is first imported, which no module of keyseq does before this one. Without it, an
# identifier is written under HOME and telemetry is sent; `disable_telemetry_events()` comes too late for both.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__all__ = ["Document", "Phrase", "System", "__version__", "evaluate", "load", "read", "read_vocabulary"]

_HOMES = {
    "Document": "keyseq.types",
    "Phrase": "keyseq.types",
    "System": "keyseq.types",
    "evaluate": "keyseq.evaluation",
    "load": "keyseq.systems",
    "read": "keyseq.data.formats.reading",
    "read_vocabulary": "keyseq.vocabularies.vocabulary_file",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that `import keyseq` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'keyseq' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
