import pytest

from keyseq.runtime.exporting import export

from .networks import make


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """An exported network in float32."""
    made = tmp_path_factory.mktemp("exported") / "network"
    export(make(), made)
    return made
