"""Tuning of glibc's allocator: mapping and unmapping large tensors at every step causes page faults."""

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4  # of glibc's malloc.h
_KEEP = 2**31 - 1  # free bytes at the top of the heap that are not returned to the system


def keep_memory() -> bool:
    """Make glibc allocate large blocks on its heap and keep freed memory; without glibc, do nothing."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return bool(mallopt(_M_MMAP_MAX, 0) and mallopt(_M_TRIM_THRESHOLD, _KEEP))
