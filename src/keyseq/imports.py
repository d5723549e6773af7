"""Imports of single modules of slow packages, and of optional extras."""

import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

from keyseq.errors import MissingExtraError

_lock = threading.Lock()


def import_leaf(name: str) -> ModuleType:
    """Import one module of a package without running its parents' `__init__`.

    snowballstemmer's `__init__` imports the stemmers of all languages. Empty placeholders replace the parents during
    the import and are removed afterwards, so that a later ordinary import still imports the whole package.
    """
    with _lock:  # first, since another thread may be importing it
        if name in sys.modules:
            return sys.modules[name]
        parents = [parent for parent in _parents(name) if parent not in sys.modules]
        before = set(sys.modules)
        try:
            for parent in parents:
                sys.modules[parent] = _stand_in(parent)
            return importlib.import_module(name)
        finally:
            if parents:
                for added in set(sys.modules) - before:
                    if added.split(".")[0] == parents[0].split(".")[0]:
                        del sys.modules[added]


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts))]


def _stand_in(package: str) -> ModuleType:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"no package named {package!r}", name=package)
    module = ModuleType(package)
    module.__spec__ = spec
    module.__path__ = list(spec.submodule_search_locations)
    return module


def require(module: str, extra: str) -> ModuleType:
    """Import an optional module, or name the extra of keyseq that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if error.name is not None and error.name.split(".")[0] != module.split(".")[0]:
            raise
        package = module.split(".")[0]
        raise MissingExtraError(f"this needs {package}: install it with pip install 'keyseq[{extra}]'") from error


def referred(reference: str) -> Any:
    """Import what `module:name` refers to."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def later(reference: str) -> Callable[..., Any]:
    """The function that `module:name` refers to, imported when it is first called."""

    def call(*arguments: Any, **named: Any) -> Any:
        return referred(reference)(*arguments, **named)

    return call
