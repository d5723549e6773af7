"""The server's own description, played against it: whatever the schema allows or forbids, no defect comes to light."""

import json

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

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 25


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
        case.validate_response(response, checks=CHECKS)

    play()
    return seen


def operations(server):
    described = server.ask("/openapi.json").json
    paths = described["paths"].items()
    return described, {f"{method} {path}": one for path, methods in paths for method, one in methods.items()}


def test_openapi_has_the_token_as_a_security_scheme_where_it_is_needed(server, guarded):
    described, found = operations(guarded)
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    secured = {name for name, one in found.items() if one.get("security") == [{"token": []}]}
    assert secured == {name for name in found if " /v1/" in name or name.endswith(" /metrics")}
    for name in secured:
        assert "401" in found[name]["responses"]
    _, found = operations(server)
    assert not any("security" in one or "401" in one["responses"] for one in found.values())


def test_openapi_has_examples_that_the_server_accepts(server):
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
