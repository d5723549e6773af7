"""Whether a file or folder has changed, by size and modification time."""

import hashlib
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError


def content_key(path: Path) -> dict[str, Any]:
    """A path with its size and modification time; for a folder, a digest of those of all its files."""
    path = path.absolute()
    try:
        if path.is_dir():
            return _folder_key(path)
        status = path.stat()
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be read ({error.strerror or error})") from None
    return {"path": str(path), "bytes": status.st_size, "modified": status.st_mtime_ns}


def _folder_key(folder: Path) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        status = file.stat()
        size += status.st_size
        digest.update(f"{file.relative_to(folder)}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return {"path": str(folder), "bytes": size, "sha256": digest.hexdigest()}
