"""`keyseq serve`: keyphrases over HTTP."""

import os
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import note
from keyseq.errors import KeyseqError


def serve(
    systems: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SYSTEM]...", help="Names or folders, the first is the default; else all that keyseq brings along."
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 is all of this machine's.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8080,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ask clients for the bearer token in this file.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Answer to this name, as a proxy before it passes it on; may be repeated."),
    ] = None,
    cors_origin: Annotated[
        list[str] | None, typer.Option(metavar="ORIGIN", help="Let pages of this origin ask too; may be repeated.")
    ] = None,
    max_body: Annotated[float, typer.Option(min=0.001, help="MiB of a request.")] = 4,
    max_upload: Annotated[float, typer.Option(min=0.001, help="MiB of a file.")] = 32,
    max_text: Annotated[int, typer.Option(min=1, help="Characters of a document.")] = 200_000,
    max_documents: Annotated[int, typer.Option(min=1, help="Documents of a request.")] = 64,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds from a request to its answer.")] = 30,
    arrival: Annotated[float, typer.Option(min=0.1, help="Seconds in which a request must have come in.")] = 20,
    queue: Annotated[int, typer.Option(min=1, help="Documents that may wait; past that the answer is 503.")] = 256,
    batch: Annotated[int, typer.Option(min=1, help="Documents predicted together at most; 1 is no batching.")] = 32,
    gather: Annotated[
        float, typer.Option(min=0, max=1000, help="Milliseconds without a further document that close a batch.")
    ] = 4,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Batches predicted at a time. [default: one for each core]")
    ] = None,
) -> None:
    """Answer over HTTP: POST /v1/keyphrases, and a page to try it at /.

    /docs lists the endpoints. The log goes to standard error, a line of JSON for each request, without the texts. At
    Ctrl-C or SIGTERM it answers what it has, and stops.

    \b
    keyseq serve
    keyseq serve ./catseqd textrank --port 9000
    keyseq serve --host 0.0.0.0 --token-file token.txt
    curl http://127.0.0.1:8080/v1/keyphrases --json '{"text": "Attention is all you need …", "top": 5}'
    """
    from keyseq.imports import require

    for module in ("fastapi", "uvicorn", "prometheus_client", "pypdf"):
        require(module, "serve")
    from keyseq.serving.app import build
    from keyseq.serving.loaded_systems import LoadedSystems
    from keyseq.serving.security import is_loopback, known_hosts, read_token
    from keyseq.serving.server import Address, bind
    from keyseq.serving.server import serve as run
    from keyseq.serving.server_settings import MIB, Gathering, Limits, ServerSettings

    limits = Limits(
        body=round(max_body * MIB),
        upload=round(max_upload * MIB),
        text=max_text,
        documents=min(max_documents, queue),
        seconds=timeout,
        arrival=arrival,
    )
    gathering = Gathering(size=batch, seconds=gather / 1000, threads=threads or os.cpu_count() or 1, queue=queue)
    settings = ServerSettings(
        limits=limits,
        gathering=gathering,
        token=None if token_file is None else read_token(token_file),
        hosts=known_hosts(host, _hosts(allow_host or [])),
        origins=_origins(cors_origin or []),
    )
    listener = bind(Address(host, port))
    app = build(LoadedSystems(systems or ()), settings)
    if not is_loopback(host) and token_file is None:
        note(f"anybody who reaches {host} may ask: --token-file keeps others out")
    shown = f"[{host}]" if ":" in host else host
    note(f"keyseq serves http://{shown}:{listener.getsockname()[1]}/ (Ctrl-C stops it)")
    run(app, listener, limits)


def _hosts(given: list[str]) -> list[str]:
    for name in given:
        if not name.strip() or "/" in name:
            raise KeyseqError(f"--allow-host {name} is no name of a machine; it looks like keys.example.org, or is *")
    return given


def _origins(given: list[str]) -> tuple[str, ...]:
    for origin in given:
        if origin != "*" and not origin.startswith(("http://", "https://")):
            raise KeyseqError(f"--cors-origin {origin} is no origin; it looks like https://example.org, or is *")
    return tuple(given)
