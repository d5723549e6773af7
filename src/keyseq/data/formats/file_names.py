"""Ids of documents as names of files, and back."""

import re
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from keyseq.files import COMPRESSIONS

_UNFIT = re.compile(r"""^\.|[\x00-\x1f\x7f"#%*/:<>?\\|\ud800-\udfff]""")


def id_to_name(id: str) -> str:
    """The file name of a document's id: characters that file systems do not allow are percent-encoded."""
    return _UNFIT.sub(lambda unfit: "%2E" if unfit[0] == "." else quote(unfit[0], "", errors="surrogatepass"), id)


def name_to_id(name: str) -> str:
    """The id of a file name."""
    return unquote(name, errors="surrogatepass") if "%" in name else name


def bare_name(name: str) -> str:
    """A file's name, possibly with the folders around it, without suffix and compression."""
    path = PurePosixPath(name)
    if path.suffix.lower() in COMPRESSIONS:
        path = path.with_suffix("")
    return str(path.with_suffix(""))
