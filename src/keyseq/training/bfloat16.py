"""Whether a processor can train in bfloat16: tried in a separate process, since some claim support and crash."""

import subprocess
import sys
from functools import cache

import torch

_CLAIMS = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")  # of torch.cpu
_TRIAL = """
import torch
from keyseq.network.likelihood import log_likelihood
generator = torch.Generator().manual_seed(0)
tensors = [torch.rand(shape, generator=generator).requires_grad_() for shape in ((70, 150), (500, 150), (500,))]
gold = torch.arange(70)
exact, rounded = (log_likelihood(*tensors, gold, precision) for precision in (torch.float32, torch.bfloat16))
wanted, found = (torch.autograd.grad(one.sum(), tensors) for one in (exact, rounded))
assert (rounded - exact).abs().max() < 0.5
assert all((one - other).norm() < 0.05 * one.norm() for one, other in zip(wanted, found))
"""


@cache
def bfloat16_problem() -> str | None:
    """Why training on this processor cannot use bfloat16, or None."""
    if not any(getattr(torch.cpu, name, bool)() for name in _CLAIMS):
        return "this processor has no instructions for it (AVX-512 BF16 or AMX)"
    return trial_problem(_TRIAL)


def trial_problem(trial: str) -> str | None:
    """What went wrong when a separate process ran some code, or None."""
    try:
        done = subprocess.run([sys.executable, "-c", trial], capture_output=True, timeout=600, check=False)  # noqa: S603 - our own code
    except (OSError, subprocess.TimeoutExpired):
        return "the trial of this processor's instructions for it did not end"
    if done.returncode < 0:
        return "this processor claims to have instructions for it, but crashes on them"
    return "this processor's instructions for it do not compute what they should" if done.returncode else None
