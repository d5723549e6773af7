"""The server's own description, played against it: whatever the schema allows or forbids, no defect comes to light."""

import json
import re
from inspect import signature

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from keyseq.cli import app
from keyseq.cli.reading_flags import FLAGS as READING_FLAGS
from keyseq.serving.requests import Choice

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 25
# row 14: of texts and settings that the schema allows, only this is rejected: it depends on the system
REJECTED = re.compile("has no setting|system|vocabular|language")

# options that are about files and processes; columns and encodings are those of POST /v1/documents
OF_FILES = {
    "files",
    "format",
    "json",
    "out",
    "existing",
    "column",
    "skip_bad",
    "workers",
    "ray",
    "part_size",
    "compress",
    "overwrite",
    "together",
    "background",
}
OF_FILES |= {"frequencies", *READING_FLAGS}  # a path of the server: keyseq serve --set tfidf.frequencies=FILE


@schemathesis.serializer("application/x-ndjson")
def ndjson(_context, value):
    """A stream of one line."""
    return value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n"


@schemathesis.deserializer("application/x-ndjson")
def first_line(_context, response):
    """The first line of a stream."""
    return json.loads(response.content.splitlines()[0]) if response.content else {}


def test_schemathesis_finds_no_5xx_and_no_answer_that_is_not_described(server):
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) == 9
    seen = set()
    for operation in operations:
        seen |= played(operation, GenerationMode.POSITIVE)
        if operation.method == "post":  # the others take nothing that could be wrong
            seen |= played(operation, GenerationMode.NEGATIVE)
    assert {200, 422} <= seen  # both what is right and what is wrong was tried
    assert server.ask("/healthz").status == 200


def played(operation, mode):
    """The statuses of generated requests, each answer checked."""
    seen = set()

    @settings(
        max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(data=st.data())
    def play(data):
        case = data.draw(operation.as_strategy(generation_mode=mode))
        response = case.call()
        seen.add(response.status_code)
        if mode is GenerationMode.POSITIVE and response.status_code == 422 and operation.path == "/v1/keyphrases":
            assert REJECTED.search(response.text), response.text
        case.validate_response(response, checks=CHECKS)

    play()
    return seen


def operations(server):
    described = server.ask("/openapi.json").json
    paths = described["paths"].items()
    return described, {f"{method} {path}": one for path, methods in paths for method, one in methods.items()}


def test_finding_10_every_option_of_generate_is_a_field_of_a_request():
    [generate] = [one for one in app.registered_commands if one.callback.__name__ == "generate"]
    named = {"allow_list": "allow", "deny_list": "deny", "absent": "present", "every": "present"}
    asked = {named.get(one, one) for one in signature(generate.callback).parameters} - OF_FILES
    assert asked == set(Choice.model_fields)


def test_finding_29_openapi_has_the_token_as_a_security_scheme_where_it_is_needed(server, guarded):
    described, found = operations(guarded)
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    secured = {name for name, one in found.items() if one.get("security") == [{"token": []}]}
    assert secured == {name for name in found if " /v1/" in name or name.endswith(" /metrics")}
    for name in secured:
        assert "401" in found[name]["responses"]
    _, found = operations(server)
    assert not any("security" in one or "401" in one["responses"] for one in found.values())


def test_finding_29_openapi_has_examples_that_the_server_accepts(server):
    _, found = operations(server)
    examples = found["post /v1/keyphrases"]["requestBody"]["content"]["application/json"]["examples"]
    assert len(examples) == 3
    for example in examples.values():
        assert server.keyphrases({**example["value"], "system": "textrank"}).status == 200
    lines = found["post /v1/keyphrases/stream"]["requestBody"]["content"]["application/x-ndjson"]["example"]
    answer = server.ask("/v1/keyphrases/stream", lines.encode(), Content_Type="application/x-ndjson")
    assert [json.loads(line)["id"] for line in answer.body.splitlines()] == ["a", "b"]


def test_openapi_gives_every_error_a_shape_an_example_and_retry_after_where_it_is_sent(server):
    _, found = operations(server)
    errors = [(status, one) for each in found.values() for status, one in each["responses"].items() if status != "200"]
    assert errors
    for status, one in errors:
        content = one["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/ErrorAnswer"}
        assert set(content["example"]["error"]) == {"message", "place"}
        assert ("Retry-After" in one.get("headers", {})) == (status == "503")
