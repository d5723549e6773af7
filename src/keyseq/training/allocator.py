"""Memory that stays with the process: mapping and unmapping large tensors at every step costs page faults."""

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4  # of glibc's malloc.h
_KEEP = 2**31 - 1  # bytes free at the top of the heap that are not given back


def keep_memory() -> bool:
    """Tell glibc to serve large blocks from its heap and to keep what is freed; elsewhere do nothing."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return bool(mallopt(_M_MMAP_MAX, 0) and mallopt(_M_TRIM_THRESHOLD, _KEEP))
