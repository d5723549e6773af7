"""Named arrays in one memory-mapped file, in the format of safetensors."""

import errno
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from keyseq.errors import KeyseqError

_LARGEST_HEADER = 1 << 20
_DTYPES = {
    "U8": "u1",
    "I8": "i1",
    "U16": "<u2",
    "U32": "<u4",
    "I32": "<i4",
    "I64": "<i8",
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
}


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays, not atomically: the caller writes the whole folder atomically."""
    path.write_bytes(safetensors.numpy.save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))


def map_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Memory-map the arrays of a file."""
    try:
        return _mapped(path)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOMEM:
            raise MemoryError(str(error)) from None
        raise KeyseqError(f"{path}: missing or damaged ({error}); train the system again") from None


def check_finite(arrays: Mapping[str, NDArray[Any]]) -> None:
    """ValueError if a number is NaN or infinite."""
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"'{name}' holds what is not a finite number")


def _mapped(path: Path) -> dict[str, NDArray[Any]]:
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > _LARGEST_HEADER:
            raise ValueError("the header is too long")
        header = json.loads(file.read(size))
    content = np.memmap(path, dtype=np.uint8, mode="r")[8 + size :]
    return {name: _array(content, spec) for name, spec in header.items() if name != "__metadata__"}


def _array(content: NDArray[np.uint8], spec: Mapping[str, Any]) -> NDArray[Any]:
    start, end = spec["data_offsets"]
    dtype, shape = np.dtype(_DTYPES[spec["dtype"]]), tuple(spec["shape"])
    if not 0 <= start <= end <= len(content) or end - start != dtype.itemsize * int(np.prod(shape, dtype=np.int64)):
        raise ValueError("the size of an array does not match its offsets")
    return np.frombuffer(content[start:end], dtype=dtype).reshape(shape)
