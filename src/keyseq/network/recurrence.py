"""A GRU over whole sequences that trains faster on a CPU than PyTorch's, with the same weights and results.

On a CPU, PyTorch runs a GRU as many small operations per step, and accumulates the gradients of weights step by step.
Here the steps of a block share one matrix product wherever they do not depend on each other, and a block is small
enough for the processor's cache.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from keyseq.network.products import product, tanh_

BLOCK = 1024  # rows (steps × batch) processed at a time


def recurrent(gru: nn.GRU, inputs: Tensor, start: Tensor) -> tuple[Tensor, Tensor]:
    """States (B, T, H) of a one-layer GRU over inputs (B, T, E) from `start` (B, H), and the last state (B, H)."""
    if inputs.device.type != "cpu" or not torch.is_grad_enabled():
        states, last = gru(inputs, start[None])
        return states, last[0]
    weights = list(gru.parameters())  # W, U, b, c
    inputs, start = inputs.to(weights[0].dtype), start.to(weights[0].dtype)
    with torch.autocast("cpu", enabled=False):
        states = _Recurrence.apply(inputs.transpose(0, 1), start, *weights)  # type: ignore[no-untyped-call]
    return states.transpose(0, 1), states[-1]


def gru_step(gru: nn.GRU, inputs: Tensor, hidden: Tensor) -> Tensor:
    """One step of a GRU as matrix products, which an engine runs faster on a few rows than its GRU operator."""
    weights = dict(gru.named_parameters())
    of_input = functional.linear(inputs, weights["weight_ih_l0"], weights["bias_ih_l0"])
    of_state = functional.linear(hidden, weights["weight_hh_l0"], weights["bias_hh_l0"])
    size = gru.hidden_size
    gates_of_input, new_of_input = torch.split_with_sizes(of_input, [2 * size, size], dim=-1)
    gates_of_state, new_of_state = torch.split_with_sizes(of_state, [2 * size, size], dim=-1)
    reset, keep = torch.split_with_sizes((gates_of_input + gates_of_state).sigmoid(), [size, size], dim=-1)
    new = torch.tanh(new_of_input + reset * new_of_state)
    return new + keep * (hidden - new)


class _Recurrence(torch.autograd.Function):
    """h' = (1 − z) · n + z · h with r, z = σ(…) and n = tanh(W x + b + r · m), m = U h + c; time-major."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, start: Tensor, *weights: Tensor) -> Tensor:
        from_input, from_state, input_bias, state_bias = weights
        steps, rows, size = *inputs.shape[:2], start.shape[1]
        states = inputs.new_empty(steps + 1, rows, size)  # before each step, and after the last
        gates = inputs.new_empty(steps, rows, 3 * size)  # r, z, n
        memory = inputs.new_empty(steps, rows, size)  # m
        states[0] = start
        for block in _blocks(steps, rows):
            of_inputs = product(inputs[block].reshape(-1, inputs.shape[2]), from_input, input_bias)
            gates[block] = of_inputs.view(-1, rows, 3 * size)
            parts = (*_gates(gates[block]), memory[block], states[block], states[1:][block])
            for reset_update, reset, update, candidate, m, before, after in zip(*parts, strict=True):
                of_state = product(before, from_state, state_bias)
                reset_update.add_(of_state[:, : 2 * size]).sigmoid_()
                tanh_(candidate.addcmul_(reset, m.copy_(of_state[:, 2 * size :])))
                torch.lerp(candidate, before, update, out=after)
        ctx.save_for_backward(inputs, states, gates, memory, from_input, from_state)
        return states[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        inputs, states, gates, memory, from_input, from_state = ctx.saved_tensors
        steps, rows, size = memory.shape
        to_inputs = torch.empty_like(inputs) if ctx.needs_input_grad[0] else None
        of_input, of_state = (part.new_zeros(part.shape[1] + 1, 3 * size) for part in (from_input, from_state))
        carried, to_state = torch.zeros_like(states[0]), from_state.t()
        for block in reversed(_blocks(steps, rows)):
            slopes, of_candidate = _slopes(gates[block], memory[block], states[1:][block])
            arrived = torch.empty_like(of_candidate)
            flat = slopes.view(-1, 3 * size)
            parts = (
                arrived,
                slopes,
                flat.view(-1, rows, 3 * size),
                gates[block][..., size : 2 * size],
                gradient[block],
            )
            for total, slope, flat_slope, update, new in reversed(list(zip(*parts, strict=True))):
                slope.mul_(torch.add(carried, new, out=total)[:, None])
                torch.mul(total, update, out=carried).add_(product(flat_slope, to_state))
            of_state.add_(product(_with_ones(states[block]).t(), flat.t()))
            torch.mul(of_candidate, arrived, out=slopes[:, :, 2])
            of_input.add_(product(_with_ones(inputs[block]).t(), flat.t()))
            if to_inputs is not None:
                to_inputs[block] = product(flat, from_input.t()).view_as(inputs[block])
        weights = (of_input[:-1].t(), of_state[:-1].t(), of_input[-1], of_state[-1])
        return to_inputs, carried, *(weight.contiguous() for weight in weights)


def _with_ones(rows: Tensor) -> Tensor:
    """(steps, rows, H) as one matrix with a column of ones, by which the bias is a row of the weights."""
    return functional.pad(rows.reshape(-1, rows.shape[-1]), (0, 1), value=1.0)


def _blocks(steps: int, rows: int) -> list[slice]:
    length = max(1, BLOCK // rows)
    return [slice(first, min(first + length, steps)) for first in range(0, steps, length)]


def _gates(gates: Tensor) -> tuple[Tensor, ...]:
    """Views of r with z, r, z, and n, of which all steps are made at once."""
    size = gates.shape[2] // 3
    return gates[..., : 2 * size], gates[..., :size], gates[..., size : 2 * size], gates[..., 2 * size :]


def _slopes(gates: Tensor, memory: Tensor, after: Tensor) -> tuple[Tensor, Tensor]:
    """The derivatives of h' by the pre-activations of r, z and m, (…, 3, H), and by that of n, (…, H)."""
    reset, update, candidate = gates.chunk(3, dim=-1)
    slopes = gates.new_empty(*after.shape[:2], 3, after.shape[2])
    of_reset, of_update, of_memory = slopes.unbind(dim=2)
    new = 1 - update
    torch.mul(after - candidate, new, out=of_update)  # h' − n = z · (h − n)
    of_candidate = torch.addcmul(new, new, candidate.square(), value=-1)
    torch.mul(reset, of_candidate, out=of_memory)
    torch.addcmul(memory, memory, reset, value=-1, out=of_reset).mul_(of_memory)
    return slopes, of_candidate
