"""The settings of a server: limits, batching and access."""

from dataclasses import dataclass, field

MIB = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits on what clients may send. Sizes are in bytes, times in seconds."""

    body: int = 4 * MIB  # of a request for keyphrases
    upload: int = 32 * MIB  # of a file
    held: int = 256 * MIB  # of all bodies in memory
    text: int = 200_000  # characters of a document, title included
    documents: int = 64  # of a request
    listed: int = 10_000  # phrases of an allow-list or deny-list
    read: int = 5_000  # documents that a file may hold
    seconds: float = 30.0  # from the complete request to its answer
    arrival: float = 20.0  # to send the headers, to send the body, and to read each part of the answer
    idle: int = 10  # between requests on one connection
    connections: int = 2_000
    client: int = 1_000  # connections of one address; those of a reverse proxy all come from its own
    streams: int = 16  # requests that stream documents, at a time
    drain: float = 0.0  # between the signal to stop and closing the port


@dataclass(frozen=True, kw_only=True)
class Gathering:
    """How documents of concurrent requests become batches.

    A batch has up to `size` documents or `characters`. It begins as soon as a thread is free; but just after one was
    answered, when as many documents have come again, none has come for `seconds`, or the oldest has waited for five
    times that. `threads` batches are predicted at a time, and `queue` documents may wait.
    """

    size: int = 32
    characters: int = 200_000
    seconds: float = 0.004
    threads: int = 1
    queue: int = 256


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """A server: limits, batching, bearer token, accepted host names, CORS origins, and the path it is reached under.

    Without `hosts` it answers to any name. `root_path` is empty or begins with a slash.
    """

    limits: Limits = field(default_factory=Limits)
    gathering: Gathering = field(default_factory=Gathering)
    token: str | None = None
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    root_path: str = ""
