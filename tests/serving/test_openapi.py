"""The server's own description, played against it: whatever the schema allows or forbids, no defect comes to light."""

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


def test_schemathesis_finds_no_5xx_and_no_answer_that_is_not_described(server):
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) == 6
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
