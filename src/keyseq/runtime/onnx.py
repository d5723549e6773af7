"""The engine on ONNX Runtime: an exported network in a folder, loaded without PyTorch and treated as untrusted.

A folder contains graphs without weights, and one file of their shared weights. Nothing in it is unpickled, paths must
not lead out of it, and sizes are checked before memory is allocated.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from safetensors import SafetensorError, safe_open

from keyseq.config import Settings, load_settings
from keyseq.data.network_inputs import InputField, input_fields
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.overwriting import reading
from keyseq.runtime.state import Layout

ENCODER, STEP, NARROWED = "encoder.onnx", "step.onnx", "narrowed.onnx"
WEIGHTS, SETTINGS, VOCABULARY = "weights.safetensors", "settings.toml", "vocabulary.txt"
FILES = (ENCODER, STEP, NARROWED, WEIGHTS, SETTINGS, VOCABULARY)

ENCODED = 4  # documents encoded at a time
MEGABYTE = 1 << 20
_LARGEST = {WEIGHTS: 16_384, VOCABULARY: 256}  # megabytes; graphs and settings are small

# A graph names the file of an external weight in a field "location"; in ours, it is always this one
_LOCATION = b"\x0a\x08location\x12" + bytes([len(WEIGHTS)]) + WEIGHTS.encode()


class SessionGraph:
    """An exported graph; it is thread-safe."""

    def __init__(self, session: onnxruntime.InferenceSession) -> None:
        self._session = session
        self.shapes = {given.name: given.shape for given in session.get_inputs()}
        self.inputs = list(self.shapes)
        self.outputs = [found.name for found in session.get_outputs()]

    def __call__(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Run on what it takes of the given arrays."""
        found = self._session.run(self.outputs, {name: given[name] for name in self.inputs})
        return dict(zip(self.outputs, found, strict=True))

    def profile(self) -> list[dict[str, Any]]:
        """The events of a profiled network since it was loaded, with times in microseconds."""
        file = Path(self._session.end_profiling())
        events: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
        file.unlink()
        return events


class EncoderGraph(SessionGraph):
    """The encoder, run on a few documents at a time: ONNX Runtime's GRU is slower on larger batches."""

    def __call__(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Run on what it takes of the given arrays."""
        parts = []
        for start in range(0, len(given["lengths"]), ENCODED):
            some = slice(start, start + ENCODED)
            parts.append(super().__call__({name: given[name][some] for name in self.inputs}))
        if len(parts) == 1:
            return parts[0]
        return {name: np.concatenate([part[name] for part in parts]) for name in self.outputs}


class ExportedNetwork:
    """The settings, the vocabulary and the graphs of a folder.

    `threads` is the number of threads per graph; for many documents, several searches in parallel are faster. Paths
    must not lead out of `root`, by default the folder. With `profile`, graphs record the time of their operations.
    """

    def __init__(self, folder: Path, threads: int = 1, root: Path | None = None, profile: bool = False) -> None:
        self.folder, self._threads, self._profile = folder, threads, profile
        _check_files(folder, root or folder)
        self.settings = load_settings(folder / SETTINGS)
        self.vocabulary = Vocabulary.load(folder / VOCABULARY)
        self.words = len(self.vocabulary)
        self._check_weights(folder / WEIGHTS)
        self.encoder, self.step = EncoderGraph(self._session(ENCODER)), SessionGraph(self._session(STEP))
        self.layout, self.fields = self._layout(), self._fields()

    @cached_property
    def narrowed(self) -> SessionGraph:
        """The step of constrained decoding, loaded on first use."""
        return SessionGraph(self._session(NARROWED))

    def _fields(self) -> list[InputField]:
        """The inputs, besides the source, that the graph of the encoder declares."""
        known = input_fields(self.settings.model)
        declared = set(self.encoder.inputs) - {"source", "lengths"}
        if unknown := declared.difference(*(one.arrays for one in known)):
            raise KeyseqError(
                f"{self.folder / ENCODER}: reads '{min(unknown)}', which these settings do not name;"
                " export it again with this version of keyseq"
            )
        return [one for one in known if declared & one.arrays.keys()]

    def _layout(self) -> Layout:
        """The blocks of the output layer in the graph of the step, which must match this version of keyseq."""
        generable = min(self.settings.model.output_vocabulary or self.words, self.words)
        shapes = self.step.shapes
        if {"places", "foreign"} <= shapes.keys() and isinstance(count := shapes["places"][1], int):
            layout = Layout(generable, count)
            if shapes["foreign"][1] == layout.count * layout.columns:
                return layout
        raise KeyseqError(
            f"{self.folder / STEP}: does not match its settings or this version of keyseq; export it again"
        )

    def _check_weights(self, path: Path) -> None:
        size, largest = path.stat().st_size, _largest_weights(self.settings, self.words)
        network = f"a network of these settings and {self.words:,} words"
        if size > largest:
            raise KeyseqError(f"{path}: {size:,} bytes, but {network} has at most {largest:,}")
        if _metadata(path).get("words") != str(self.words):
            raise KeyseqError(f"{path}: not the weights of {network}")

    def _session(self, name: str) -> onnxruntime.InferenceSession:
        path = self.folder / name
        graph = path.read_bytes()
        if graph.count(b"location") != graph.count(_LOCATION):
            raise KeyseqError(f"{path}: reads weights from other files than {WEIGHTS}, which is not safe to load")
        weights = _read_weights(self.folder / WEIGHTS, name)
        options = _session_options(self._threads, self._profile)
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(self.folder))
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in weights.values()]
        options.add_external_initializers(list(weights), values)
        try:
            return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime raises many kinds, none of them public
            raise KeyseqError(f"{path}: damaged, or not a graph of this network ({_first_line(error)})") from None


def _session_options(threads: int, profile: bool) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    if profile:
        options.enable_profiling = True
        options.profile_file_prefix = str(Path(tempfile.gettempdir()) / "keyseq")
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_mem_pattern = False  # it is computed for each shape, and shapes change at every step
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def _check_files(folder: Path, root: Path) -> None:
    for name in FILES:
        path = folder / name
        if not path.is_file():
            raise KeyseqError(f"{folder}: not an exported network, since it has no {name}; see keyseq export")
        if not path.resolve().is_relative_to(root.resolve()):
            raise KeyseqError(f"{path}: leads out of its folder, which is not safe to load")
        if path.stat().st_size > _LARGEST.get(name, 8) * MEGABYTE:
            raise KeyseqError(f"{path}: {path.stat().st_size:,} bytes exceed the limit for this file")
        reading(path)


def _largest_weights(settings: Settings, words: int) -> int:
    """An upper bound of the bytes of weights: the two vocabulary tables in float32, and all other matrices."""
    model = settings.model
    tables = words * (model.embedding_size + model.output_size + 4)
    side = max(value for name, value in vars(model).items() if name.endswith("_size"))
    return int(4 * (tables + 64 * side**2)) + MEGABYTE


def _read_weights(path: Path, graph: str) -> dict[str, Any]:
    """The weights of a graph; float16 is converted to float32."""
    with opened(path) as file:
        weights = {name: file.get_tensor(name) for name in json.loads(file.metadata()[graph])}
    return {name: value.astype(np.float32) if value.dtype == np.float16 else value for name, value in weights.items()}


def _metadata(path: Path) -> dict[str, str]:
    with opened(path) as file:
        return file.metadata() or {}


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """A file of weights; any defect is reported as a user error."""
    try:
        with safe_open(path, framework="numpy") as file:
            yield file
    except (SafetensorError, OSError, KeyError, ValueError, TypeError) as error:
        raise KeyseqError(f"{path}: truncated, or not a file of weights ({_first_line(error)})") from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
