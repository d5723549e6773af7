"""The engine on ONNX Runtime: an exported network in a folder, loaded without PyTorch and treated as untrusted.

A folder contains graphs without weights, and one file of their shared weights. Nothing in it is unpickled, paths must
not lead out of it, sizes are checked before memory is allocated. A graph consists of known operators, and computes in
bounded memory.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
from safetensors import SafetensorError, safe_open

from keyseq.arrays import check_finite, map_arrays
from keyseq.config import Settings, load_settings
from keyseq.data.network_inputs import NEIGHBOURS, InputField, input_fields
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.overwriting import reading
from keyseq.runtime.engine import STEP_INPUTS
from keyseq.runtime.graph_check import Signature, check_graph
from keyseq.runtime.graph_fields import NotOurs
from keyseq.runtime.memory_limit import limit_memory
from keyseq.runtime.state import Layout
from keyseq.runtime.step_loop import NEXT, step_loop

ENCODER, STEP, NARROWED = "encoder.onnx", "step.onnx", "narrowed.onnx"
WEIGHTS, SETTINGS, VOCABULARY = "weights.safetensors", "settings.toml", "vocabulary.txt"
FILES = (ENCODER, STEP, NARROWED, WEIGHTS, SETTINGS, VOCABULARY)
FURTHER = (NEIGHBOURS,)  # files that only some networks have

ENCODED = 4  # documents encoded at a time
MEGABYTE = 1 << 20
_LARGEST = {WEIGHTS: 16_384, NEIGHBOURS: 16_384, VOCABULARY: 256, SETTINGS: 0.25}  # megabytes; graphs are small
_BEST = {"best", "beams", "ids"}  # outputs of a step, besides the state that the next one reads


class Loaded(NamedTuple):
    """A graph that can be run, and the weights that it reads where they are: they must live as long as it does."""

    path: Path
    session: onnxruntime.InferenceSession
    tables: list[onnxruntime.OrtValue]


class SessionGraph:
    """An exported graph; it is thread-safe."""

    def __init__(self, loaded: Loaded) -> None:
        self.path, self._session, self._tables = loaded
        session = self._session
        self.inputs = [given.name for given in session.get_inputs()]
        self.outputs = [found.name for found in session.get_outputs()]

    def __call__(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Run on what it takes of the given arrays."""
        try:
            found = self._session.run(self.outputs, {name: given[name] for name in self.inputs})
        except Exception as error:  # ONNX Runtime raises many kinds, none of them public
            raise KeyseqError(
                f"{self.path}: cannot be run on this text with {limit_memory() // MEGABYTE:,} MB of memory"
                f" ({_first_line(error)})"
            ) from None
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
        self.encoder = EncoderGraph(self._session(ENCODER))
        self._step, signature = self._read(STEP)
        self.inputs, self.outputs = signature
        self.layout, self.fields = self._layout(), self._fields()
        self._check_outputs(STEP, signature)
        self._loops: dict[bool, SessionGraph] = {}
        self._loading = Lock()

    @cached_property
    def step(self) -> SessionGraph:
        """The step of searches that go step by step, loaded on first use."""
        return SessionGraph(self._session(STEP, self._step))

    @cached_property
    def narrowed(self) -> SessionGraph:
        """The step of constrained decoding, loaded on first use."""
        content, signature = self._read(NARROWED)
        self._check_outputs(NARROWED, signature)
        return SessionGraph(self._session(NARROWED, content))

    def loop(self, chooses: bool) -> SessionGraph:
        """Many steps at once, made around the step and loaded on first use."""
        with self._loading:
            if chooses not in self._loops:
                content = step_loop(self._step, self.inputs, self.words, chooses)
                self._loops[chooses] = SessionGraph(self._session(STEP, content))
        return self._loops[chooses]

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

    def _check_outputs(self, name: str, graph: Signature) -> None:
        """Refuse the graph of a step that lacks what the search reads, or reads a state that nothing makes."""
        carried = {name.removeprefix(NEXT) for name in graph.outputs if name.startswith(NEXT)}
        wanted = _BEST | {NEXT + name for name in carried & set(graph.inputs)}
        lacking = (wanted - set(graph.outputs)) | (carried - set(self.encoder.outputs))
        given = {*STEP_INPUTS, *self.encoder.outputs, *(name for one in self.fields for name in one.arrays)}
        if lacking := lacking | (set(graph.inputs) - given):
            path = self.folder / name
            raise KeyseqError(f"{path}: does not fit its encoder: '{min(lacking)}' is missing; export it again")

    def _layout(self) -> Layout:
        """The blocks of the output layer in the graph of the step, which must match this version of keyseq."""
        generable = self.settings.model.generable(self.words)
        places, foreign = (self.inputs.get(name, ()) for name in ("places", "foreign"))
        if len(places) > 1 and len(foreign) > 1 and isinstance(count := places[1], int) and 0 < count <= generable:
            layout = Layout(generable, count)
            if foreign[1] == layout.count * layout.columns:
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

    def _read(self, name: str) -> tuple[bytes, Signature]:
        """A graph that may be run, with its inputs and outputs."""
        path = self.folder / name
        content, shapes = path.read_bytes(), _shapes(self.folder / WEIGHTS, name)
        try:
            return content, check_graph(content, shapes, WEIGHTS)
        except NotOurs as error:
            raise KeyseqError(f"{path}: damaged, or not a graph of this network: {error}") from None

    def _session(self, name: str, graph: bytes | None = None) -> Loaded:
        """A session of the graph of a file, or of one made of it, with its weights."""
        path = self.folder / name
        graph = graph or self._read(name)[0]
        weights = _read_weights(self.folder / WEIGHTS, name)
        options = _session_options(self._threads, self._profile)
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(self.folder))
        values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(value) for name, value in weights.items()}
        tables = {name: value for name, value in values.items() if weights[name].dtype == np.int8}
        for name, value in tables.items():  # read where they are; others are copied, so that graphs can be optimized
            options.add_initializer(name, value)
        others = {name: value for name, value in values.items() if name not in tables}
        options.add_external_initializers([*others], [*others.values()])
        try:
            session = onnxruntime.InferenceSession(
                graph,
                options,
                providers=["CPUExecutionProvider"],
                enable_fallback=0,  # which prints, and tries again
            )
            return Loaded(path, session, list(tables.values()))
        except Exception as error:  # ONNX Runtime raises many kinds, none of them public
            if "bad_alloc" in str(error):
                raise MemoryError(str(error)) from None
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
    limit_memory()
    options.add_session_config_entry("session.use_env_allocators", "1")
    return options


def _check_files(folder: Path, root: Path) -> None:
    if not folder.is_dir():
        raise KeyseqError(f"{folder}: not an exported network, since there is no such folder; see keyseq export")
    for name in (*FILES, *(further for further in FURTHER if (folder / further).exists())):
        path = folder / name
        if not path.is_file():
            raise KeyseqError(f"{folder}: not an exported network, since it has no {name}; see keyseq export")
        if not path.resolve().is_relative_to(root.resolve()):
            raise KeyseqError(f"{path}: leads out of its folder, which is not safe to load")
        if path.stat().st_size > _LARGEST.get(name, 8) * MEGABYTE:
            raise KeyseqError(f"{path}: {path.stat().st_size:,} bytes exceed the limit for this file")
        reading(path)


def _largest_weights(settings: Settings, words: int) -> int:
    """An upper bound of the bytes of weights: the two vocabulary tables in float32, and all other matrices.

    Small matrices are stored twice, and a piece may have an encoder of its own.
    """
    model = settings.model
    tables = words * (model.embedding_size + model.output_size + 4)
    side = max(value for name, value in vars(model).items() if name.endswith("_size"))
    return int(4 * (tables + (64 + 96 * len(model.pieces)) * side**2)) + MEGABYTE


def _read_weights(path: Path, graph: str) -> dict[str, Any]:
    """The weights of a graph; float16 is converted to float32.

    Others stay in the file, mapped: of an embedding in int8, only the rows of words that occur take memory.
    """
    with opened(path) as file:
        stored = map_arrays(path)
        weights = {name: stored[name] for name in json.loads(file.metadata()[graph])}
    found = {name: value.astype(np.float32) if value.dtype == np.float16 else value for name, value in weights.items()}
    try:
        check_finite(found)
    except ValueError as error:
        raise KeyseqError(f"{path}: {error}; export or train the network again") from None
    return found


def _shapes(path: Path, graph: str) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights of a graph."""
    with opened(path) as file:
        return {name: tuple(file.get_slice(name).get_shape()) for name in json.loads(file.metadata()[graph])}


def _metadata(path: Path) -> dict[str, str]:
    with opened(path) as file:
        return file.metadata() or {}


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """A file of weights; any defect is reported as a user error."""
    try:
        with safe_open(path, framework="numpy") as file:
            yield file
    except (SafetensorError, OSError, KeyError, ValueError, TypeError, RecursionError) as error:
        raise KeyseqError(f"{path}: truncated, or not a file of weights ({_first_line(error)})") from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
