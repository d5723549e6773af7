"""Arrays in one file: they come back as they were, from the disk and not from memory; damage is told."""

import errno
import json
import mmap

import numpy as np
import pytest
import safetensors.numpy

from keyseq.arrays import map_arrays, write_arrays
from keyseq.errors import KeyseqError

ARRAYS = {
    "bytes": np.array([0, 255], dtype=np.uint8),
    "weights": np.array([-127, 3], dtype=np.int8),
    "labels": np.array([65_535], dtype=np.uint16),
    "hashes": np.array([1, 2**32 - 1], dtype=np.uint32),
    "counts": np.array([[-1, 2], [3, 4]], dtype=np.int32),
    "offsets": np.array([2**40], dtype=np.int64),
    "half": np.array([0.5], dtype=np.float16),
    "single": np.array([np.inf, 1.5], dtype=np.float32),
    "double": np.array([0.1], dtype=np.float64),
    "nothing": np.zeros((0, 3), dtype=np.float32),
}


@pytest.fixture
def path(tmp_path):
    write_arrays(tmp_path / "arrays.safetensors", ARRAYS)
    return tmp_path / "arrays.safetensors"


def test_every_type_of_array_comes_back_as_it_was(path):
    found = map_arrays(path)
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tolist() == array.tolist()


def test_the_file_is_one_that_other_programs_read(path):
    assert safetensors.numpy.load_file(path)["counts"].tolist() == [[-1, 2], [3, 4]]


def test_a_transposed_array_is_written_in_the_order_of_its_rows(tmp_path):
    write_arrays(tmp_path / "t", {"t": np.arange(6).reshape(2, 3).T})
    assert map_arrays(tmp_path / "t")["t"].tolist() == [[0, 3], [1, 4], [2, 5]]


def test_arrays_stay_on_disk_and_cannot_be_changed(path):
    hashes = map_arrays(path)["hashes"]
    base = hashes
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    assert isinstance(base if isinstance(base, mmap.mmap) else base.obj, mmap.mmap | np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        hashes[0] = 7


def damaged(path, **changes):
    """The file with another specification of its array `hashes`."""
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    header["hashes"] |= changes
    new = json.dumps(header).encode()
    path.write_bytes(len(new).to_bytes(8, "little") + new + content[8 + size :])


@pytest.mark.parametrize(
    "changes",
    [
        {"shape": [3]},
        {"shape": [-1, -2]},
        {"shape": [10**30]},
        {"data_offsets": [0, 10**6]},
        {"data_offsets": [8, 0]},
        {"data_offsets": "ab"},
        {"dtype": "BOOL"},
        {"dtype": ["U32"]},
    ],
)
def test_an_array_that_is_not_where_the_header_says_is_refused(changes, path):
    damaged(path, **changes)
    with pytest.raises(KeyseqError, match=r"arrays\.safetensors: missing or damaged .*; train the system again$"):
        map_arrays(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"short",
        b"\xff" * 100,
        (2).to_bytes(8, "little") + b"[]",
        (7).to_bytes(8, "little") + b'{"a":1}',
        (100_000).to_bytes(8, "little") + b"[" * 100_000,
    ],
)
def test_a_file_that_is_none_of_ours_is_refused(content, tmp_path):
    (tmp_path / "arrays").write_bytes(content)
    with pytest.raises(KeyseqError, match="missing or damaged") as error:
        map_arrays(tmp_path / "arrays")
    assert "\n" not in str(error.value)


def test_a_file_cut_short_is_refused(path):
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(KeyseqError, match="missing or damaged"):
        map_arrays(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(KeyseqError, match=r"^.*gone: missing or damaged"):
        map_arrays(tmp_path / "gone")


def test_row_14_a_lack_of_memory_is_none_of_the_file(path, monkeypatch):
    def unmapped(*_, **__):
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(np, "memmap", unmapped)
    with pytest.raises(MemoryError):
        map_arrays(path)
