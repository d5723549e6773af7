"""The connection to a server: its address, how requests are made, and which of them are sent again."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from keyseq.client.wire import AGAIN, Call, failure
from keyseq.errors import KeyseqError
from keyseq.version import __version__

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, kw_only=True)
class Connection:
    """The address of a server, the token it requires, and the limits of a client."""

    url: str
    token: str | None
    batch: int
    concurrency: int
    retries: int
    timeout: float

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise KeyseqError(f"'{self.url}' is not the address of a server; write one such as http://127.0.0.1:8080")
        for name, least in (("batch", 1), ("concurrency", 1), ("retries", 0)):
            if getattr(self, name) < least:
                raise KeyseqError(f"{name} must be at least {least}, not {getattr(self, name)}")

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of httpx2's clients; paths are relative, so that the server may lie under a prefix."""
        authorization = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        return {
            "base_url": f"{self.url.rstrip('/')}/",
            "headers": {"User-Agent": f"keyseq/{__version__}", **authorization},
            "timeout": self.timeout,
        }

    def request(self, http: "httpx2.Client | httpx2.AsyncClient", call: Call) -> "httpx2.Request":
        """The request of a call."""
        return http.build_request(call.method, call.path, json=call.json, content=call.content, params=call.params)

    def check_repeatable(self, error: "httpx2.TransportError", attempt: int) -> None:
        """Refuse to go on after a failure that would come again, and after the last attempt."""
        import httpx2

        lost = (httpx2.ConnectError, httpx2.RemoteProtocolError, httpx2.ReadError)  # a server that starts or stops
        if attempt > self.retries or not isinstance(error, lost):
            reason = str(error) or type(error).__name__
            raise KeyseqError(f"{self.url} does not answer ({reason}); is keyseq serve running there?") from None

    def is_final(self, response: "httpx2.Response", attempt: int) -> bool:
        """Whether there is nothing to be gained by another attempt."""
        return response.status_code not in AGAIN or attempt > self.retries

    def checked(self, response: "httpx2.Response", first: int) -> "httpx2.Response":
        """The response, if it is not an error; `first` is the number of documents in earlier requests."""
        if response.is_success:
            return response
        try:
            answer = response.json()
        except ValueError:
            answer = None
        raise failure(response.status_code, answer, first)
