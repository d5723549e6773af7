"""`keyseq serve`: serve keyphrases over HTTP."""

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary


def serve(
    systems: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SYSTEM]...",
            help="Names or folders, of which the first is the default; without any, all built-in systems.",
        ),
    ] = None,
    vocabulary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]FILE", help="Controlled vocabulary that requests can name; may be repeated. See generate."
        ),
    ] = None,
    settings_given: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SYSTEM.KEY=VALUE",
            help="Setting of a system, such as scholar.top=5, unless a request has its own; may be repeated.",
        ),
    ] = None,
    learn: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Take feedback for the combined system in DIR, for keyseq learn."),
    ] = None,
    learn_every: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=1, help="With --learn: interval of learning from feedback.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is every interface.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 chooses a free one.")] = 8080,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Require the bearer token in this file.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Host name to answer to, such as that of a proxy; may be repeated."),
    ] = None,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="Allow pages of this origin (CORS); may be repeated."),
    ] = None,
    root_path: Annotated[
        str, typer.Option(metavar="PATH", help="Path under which a reverse proxy offers the server, such as /keyseq.")
    ] = "",
    max_body: Annotated[float, typer.Option(min=0.001, help="Maximum size of a request in MiB.")] = 4,
    max_upload: Annotated[float, typer.Option(min=0.001, help="Maximum size of a file in MiB.")] = 32,
    max_text: Annotated[int, typer.Option(min=1, help="Maximum characters of a document.")] = 200_000,
    max_documents: Annotated[int, typer.Option(min=1, help="Maximum documents of a request.")] = 64,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds from a request to its answer.")] = 30,
    arrival: Annotated[float, typer.Option(min=0.1, help="Seconds within which a request must arrive.")] = 20,
    queue: Annotated[int, typer.Option(min=1, help="Maximum queued documents; beyond that the answer is 503.")] = 256,
    batch: Annotated[int, typer.Option(min=1, help="Maximum batch size; 1 disables batching.")] = 32,
    gather: Annotated[
        float, typer.Option(min=0, max=1000, help="Milliseconds to wait for the clients of a batch to return.")
    ] = 4,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Batches predicted in parallel. [default: one per core]")
    ] = None,
    drain: Annotated[
        float,
        typer.Option(min=0, max=3600, help="Seconds from SIGTERM, with /readyz answering 503, to closing the port."),
    ] = 0,
) -> None:
    """Serve keyphrases over HTTP: POST /v1/keyphrases, and a web page at /.

    /docs lists the endpoints. The log goes to standard error, one line of JSON per request, without the texts. On
    Ctrl-C or SIGTERM it keeps serving for --drain seconds, finishes pending requests, and stops.

    \b
    keyseq serve
    keyseq serve ./catseqd textrank --port 9000
    keyseq serve --vocabulary economics=thesaurus.vocabulary
    keyseq serve --learn ./mine --learn-every 600
    keyseq serve scholar textrank --set scholar.top=5 --set textrank.language=de
    keyseq serve --host 0.0.0.0 --token-file token.txt
    keyseq serve --root-path /keyseq --allow-host keys.example.org
    curl http://127.0.0.1:8080/v1/keyphrases --json '{"text": "Attention is all you need …", "top": 5}'
    """
    from keyseq.imports import require

    for module in ("fastapi", "uvicorn", "prometheus_client"):
        require(module, "serve")
    from keyseq.serving.app import build
    from keyseq.serving.learner import Learner
    from keyseq.serving.loaded_systems import LoadedSystems
    from keyseq.serving.root_path import checked_root_path
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
        drain=drain,
    )
    gathering = Gathering(size=batch, seconds=gather / 1000, threads=threads or os.cpu_count() or 1, queue=queue)
    settings = ServerSettings(
        limits=limits,
        gathering=gathering,
        token=None if token_file is None else read_token(token_file),
        hosts=known_hosts(host, _hosts(allow_host or [])),
        origins=_origins(cors_origin or []),
        root_path=checked_root_path(root_path),
    )
    listener, stopping = bind(Address(host, port)), threading.Event()
    if learn_every is not None and learn is None:
        raise KeyseqError("--learn-every needs --learn DIR, the folder of the system that learns")
    learner, names = None if learn is None else Learner(learn, learn_every), _names(systems or [], learn)
    loaded = LoadedSystems(names, _vocabularies(vocabulary or [], names), settings_given or ())
    app = build(loaded, settings, stopping, learner)
    if not is_loopback(host) and token_file is None:
        note(f"anyone who can reach {host} may use this server; require a token with --token-file")
    shown = f"[{host}]" if ":" in host else host
    note(f"keyseq serves http://{shown}:{listener.getsockname()[1]}/ (Ctrl-C stops it)")
    run(app, listener, limits, stopping)


def _names(systems: list[str], learn: Path | None) -> list[str]:
    """The systems to serve, that which learns among them."""
    if learn is None or any(Path(name).resolve() == learn.resolve() for name in systems):
        return systems
    return [str(learn.resolve()), *systems]


def _vocabularies(given: list[str], systems: list[str] | None) -> "dict[str, ControlledVocabulary]":
    """Vocabularies by the names that requests use: those given, or else the names of their files."""
    from keyseq.cli.vocabulary_flags import read_with_notes
    from keyseq.systems.registry import analyzer_of

    analyzer = analyzer_of(systems[0] if systems else None)
    found: dict[str, ControlledVocabulary] = {}
    for one in given:
        name, _, file = one.partition("=") if "=" in one and not Path(one).exists() else ("", "", one)
        name = name or Path(file).name.split(".")[0]
        if name in found:
            raise KeyseqError(f"--vocabulary: two vocabularies are called {name}; write NAME=FILE for one of them")
        found[name] = read_with_notes(Path(file), analyzer)
    return found


def _hosts(given: list[str]) -> list[str]:
    for name in given:
        if not name or "/" in name or any(character.isspace() for character in name):
            raise KeyseqError(f"--allow-host {name} is not a host name; write one such as keys.example.org, or *")
    return given


def _origins(given: list[str]) -> tuple[str, ...]:
    for origin in given:
        if origin != "*" and not origin.startswith(("http://", "https://")):
            raise KeyseqError(f"--cors-origin {origin} is not an origin; write one such as https://example.org, or *")
    return tuple(given)
