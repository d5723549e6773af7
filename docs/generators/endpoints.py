"""The reference of the HTTP interface: the OpenAPI description that the real application gives of itself."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from starlette.types import Message

from keyseq.serving.app import build
from keyseq.serving.loaded_systems import LoadedSystems
from keyseq.serving.openapi import OPENAPI

Schema = dict[str, Any]

INTRODUCTION = """\
# HTTP API

Generated from the OpenAPI description of the server, which a running server gives at `/openapi.json` and shows at
`/docs`. How to start and operate a server: [Serve over HTTP](../how-to/serve.md).
"""


def page() -> str:
    """The page, in Markdown."""
    description = openapi()
    lines = [INTRODUCTION, "## Endpoints", ""]
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            lines += [f"### {method.upper()} {path}", "", *_operation(operation)]
    lines += ["## Objects", ""]
    for name, schema in description["components"]["schemas"].items():
        if schema.get("properties"):
            lines += [f"### {name}", "", schema.get("description", ""), "", *_fields(schema)]
    return "\n".join(lines)


def openapi() -> Schema:
    """The description, asked of the application as a client asks for it."""
    app, body = build(LoadedSystems(["firstphrases"])), bytearray()
    scope = {
        "type": "http",
        "method": "GET",
        "path": OPENAPI,
        "raw_path": OPENAPI.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
        "client": ("127.0.0.1", 1),
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        body.extend(message.get("body", b""))

    async def ask() -> None:
        await app(scope, receive, send)

    asyncio.run(ask())
    description: Schema = json.loads(body)
    return description


def _operation(operation: Schema) -> Iterator[str]:
    yield operation.get("description") or operation.get("summary", "")
    yield ""
    for parameter in operation.get("parameters", ()):
        yield f"- `{parameter['name']}` ({parameter['in']}): {parameter.get('description', '')}"
    if body := operation.get("requestBody"):
        yield f"- body: {_content(body['content'])}"
    yield ""
    yield "| status | meaning | body |"
    yield "|---|---|---|"
    for status, response in operation["responses"].items():
        yield f"| {status} | {response['description']} | {_content(response.get('content', {}))} |"
    yield ""


def _content(content: Schema) -> str:
    """The types of a body; JSON goes without saying."""
    named = ((kind, _type(media.get("schema", {}))) for kind, media in content.items())
    return "; ".join(shown if kind == "application/json" else f"`{kind}`" for kind, shown in named)


def _fields(schema: Schema) -> Iterator[str]:
    yield "| field | type | default | meaning |"
    yield "|---|---|---|---|"
    for name, field in schema["properties"].items():
        default = "required" if name in schema.get("required", ()) else f"`{json.dumps(field.get('default'))}`"
        yield f"| `{name}` | {_type(field)}{_bounds(field)} | {default} | {field.get('description', '')} |"
    yield ""


def _type(schema: Schema) -> str:
    """A schema in words, named ones as a link."""
    if name := schema.get("$ref", "").rpartition("/")[2]:
        return f"[{name}](#{name.lower()})"
    if choices := schema.get("anyOf", schema.get("oneOf")):
        return " or ".join(map(_type, choices))
    if schema.get("type") == "array":
        members = schema.get("prefixItems")
        return f"array of {_type(members[0] if members else schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return str(schema.get("type", "any"))


def _bounds(field: Schema) -> str:
    """The range of a field that has one, whether or not it may be null."""
    bounded: Schema = next(
        (one for one in [field, *field.get("anyOf", ())] if "minimum" in one or "maximum" in one), {}
    )
    bounds = [f"{sign} {bounded[key]:g}" for key, sign in (("minimum", "≥"), ("maximum", "≤")) if key in bounded]
    return f", {', '.join(bounds)}" if bounds else ""
