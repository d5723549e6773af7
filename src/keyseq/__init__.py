"""keyseq turns a text into its keyphrases.

import keyseq

phrases = keyseq.generate("Attention is all you need. The dominant sequence transduction models …")

system = keyseq.load("textrank", top=5)
predictions = system.predict([first, second])  # a list of phrases for each text
"""

import os
from typing import TYPE_CHECKING, Any

from keyseq.version import __version__

if TYPE_CHECKING:
    from keyseq.adapting.adaptation import adapt
    from keyseq.client.async_client import AsyncClient
    from keyseq.client.blocking_client import Client
    from keyseq.data.formats.document_reading import read
    from keyseq.errors import KeyseqError
    from keyseq.evaluation import Scores, evaluate
    from keyseq.evaluation.comparing import compare
    from keyseq.ranking.reliability_diagram import reliability
    from keyseq.systems import load
    from keyseq.systems.collection import together
    from keyseq.systems.generating import Keyphrases, generate
    from keyseq.types import Document, Phrase, System
    from keyseq.vocabularies.vocabulary_file import read_vocabulary

# ONNX Runtime reads this when it is first imported, which no module of keyseq does before this one. Without it, an
# identifier is written under HOME and telemetry is sent; `disable_telemetry_events()` comes too late for both.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__all__ = [
    "AsyncClient",
    "Client",
    "Document",
    "Keyphrases",
    "KeyseqError",
    "Phrase",
    "Scores",
    "System",
    "__version__",
    "adapt",
    "compare",
    "evaluate",
    "generate",
    "load",
    "read",
    "read_vocabulary",
    "reliability",
    "together",
]

_HOMES = {
    "AsyncClient": "keyseq.client.async_client",
    "Client": "keyseq.client.blocking_client",
    "Document": "keyseq.types",
    "KeyseqError": "keyseq.errors",
    "Keyphrases": "keyseq.systems.generating",
    "Phrase": "keyseq.types",
    "Scores": "keyseq.evaluation",
    "System": "keyseq.types",
    "adapt": "keyseq.adapting.adaptation",
    "compare": "keyseq.evaluation.comparing",
    "evaluate": "keyseq.evaluation",
    "generate": "keyseq.systems.generating",
    "load": "keyseq.systems",
    "read": "keyseq.data.formats.document_reading",
    "read_vocabulary": "keyseq.vocabularies.vocabulary_file",
    "reliability": "keyseq.ranking.reliability_diagram",
    "together": "keyseq.systems.collection",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that `import keyseq` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'keyseq' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, for completion, before they are imported."""
    return sorted(__all__)
