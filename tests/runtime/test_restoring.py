import pytest
import torch

from keyseq.errors import KeyseqError
from keyseq.runtime.exporting import export
from keyseq.runtime.onnx import WEIGHTS
from keyseq.runtime.restoring import PARAMETER, restored

from .networks import VARIANTS, make


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_a_network_comes_back_as_it_was_exported(variant, tmp_path):
    stored = make(variant)
    export(stored, tmp_path / "out")
    again = restored(tmp_path / "out")
    assert again.settings == stored.settings
    assert again.vocabulary == stored.vocabulary
    ours, theirs = again.network.state_dict(), stored.network.state_dict()
    # every logit may have been moved by the same amount, which a softmax takes no notice of
    moved = ours.pop("pointer.vocabulary.bias") - theirs.pop("pointer.vocabulary.bias")
    assert torch.allclose(moved, moved[0].expand_as(moved), atol=1e-5)
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


@pytest.mark.parametrize("storage", ["float16", "int8"])
def test_it_is_as_precise_as_it_was_stored(storage, tmp_path):
    stored = make()
    export(stored, tmp_path / "out", storage)
    ours, theirs = restored(tmp_path / "out").network.state_dict(), stored.network.state_dict()
    assert all(torch.allclose(ours[name], theirs[name], rtol=1e-2, atol=1e-2) for name in theirs)


def test_a_folder_without_the_parameters_says_so(tmp_path):
    from safetensors import safe_open
    from safetensors.numpy import save_file

    export(make(), tmp_path / "out")
    path = tmp_path / "out" / WEIGHTS
    with safe_open(path, framework="numpy") as file:
        weights = {name: file.get_tensor(name) for name in file.keys() if not name.startswith(PARAMETER)}  # noqa: SIM118
        metadata = file.metadata()
    save_file(weights, path, metadata)
    with pytest.raises(KeyseqError, match="cannot be fine-tuned"):
        restored(tmp_path / "out")
