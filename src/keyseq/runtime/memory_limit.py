"""The memory that ONNX Runtime computes in: bounded, so that no graph takes that of the whole machine."""

import os
from functools import cache

import onnxruntime

GIGABYTE = 1 << 30


@cache
def limit_memory() -> int:
    """The bytes that all graphs of this process share from the first call on: several times what searches need."""
    largest = GIGABYTE + (os.cpu_count() or 1) * GIGABYTE // 4
    kind = onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR
    where = onnxruntime.OrtMemoryInfo("Cpu", kind, 0, onnxruntime.OrtMemType.DEFAULT)
    onnxruntime.create_and_register_allocator(where, onnxruntime.OrtArenaCfg({"max_mem": largest}))
    return largest
