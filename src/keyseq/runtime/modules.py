"""The two graphs of inference: reading a source, and one step of all hypotheses with their best next words.

They are made of the network's own parts. PyTorch runs them as they are, and they are what is exported.
"""

import torch
from torch import Tensor, nn

from keyseq.network.attention import lowest
from keyseq.network.decoder import Decoded
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.state import CHUNK, SPECIAL

NEVER = -1e4  # a logit whose exponential is zero, and which float16 can hold


def carried_names(network: Seq2Seq) -> list[str]:
    """The parts of a decoder's state that a network has."""
    present = {
        "hidden": True,
        "target": network.target_encoder is not None,
        "fed": network.decoder.feeds > 0,
        "covered": network.decoder.coverage,
    }
    return [name for name, is_there in present.items() if is_there]


class EncoderModule(nn.Module):
    """From source words (D, S) to what steps need of the documents, and the state before the first word."""

    def __init__(self, network: Seq2Seq) -> None:
        super().__init__()
        self.network = network
        self.inputs = ["source", "lengths"]
        self.outputs = ["states", "keys", "mask", *carried_names(network)]

    def forward(self, source: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
        """The `outputs`."""
        memory = self.network.encode(source, lengths)
        state = self.network.start(memory)
        parts = [getattr(state, name) for name in carried_names(self.network)]
        return memory.states, memory.keys, memory.mask, *parts


class StepModule(nn.Module):
    """From a word of each hypothesis (D, B) to the k best words that may follow it.

    Hypotheses of a document share its memory: they stand where the attention expects the words of a target.
    A `narrowed` step chooses only among what is allowed.
    """

    def __init__(self, network: Seq2Seq, narrowed: bool = False) -> None:
        super().__init__()
        self.network = network
        self.narrowed = narrowed
        self.generable = network.pointer.vocabulary.out_features
        self.output = nn.Parameter(_output_matrix(network.pointer.vocabulary), requires_grad=False)
        carried = carried_names(network)
        self.inputs = ["tokens", "k", "states", "keys", "mask", "extended", "slots", "foreign", *carried]
        self.inputs += ["first", "begins", "allowed", "open"] if narrowed else []
        self.outputs = ["log_probabilities", "ids", *(f"next_{name}" for name in carried)]

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """The `outputs` for the `inputs`."""
        given = dict(zip(self.inputs, tensors, strict=True))
        decoded, carried = self._decode(given)
        readout = nn.functional.pad(decoded.readout.flatten(0, 1), (0, 1), value=1.0)  # (D · B, O + 1)
        probabilities = (readout @ self.output).softmax(dim=-1).view(*given["tokens"].shape, -1)
        switch = self.network.pointer.switch(decoded).sigmoid()[:, :, None]
        copied = self._copied(given, probabilities, switch, decoded.log_attention.exp())
        chosen, generated = self._generated(given, probabilities)
        chances = [generated * switch, copied]
        if self.narrowed:
            chances.append(self._listed(given, probabilities) * switch)
        best, places = _largest(torch.cat(chances, dim=-1), given["k"])
        return best.log(), self._ids(given, chosen, places), *carried

    def _decode(self, given: dict[str, Tensor]) -> tuple[Decoded, list[Tensor]]:
        """Read the words: what the decoder comes to, and the state after them."""
        network, decoder = self.network, self.network.decoder
        shape = given["tokens"].shape
        inputs = network.embedding(given["tokens"].flatten())[:, None]  # (D·B, 1, E)
        after = {}
        if network.target_encoder is not None:
            said, after["target"] = network.target_encoder(inputs, given["target"].flatten(0, 1))
            inputs = torch.cat([inputs, said], dim=-1)
        if decoder.feeds:
            inputs = torch.cat([inputs, given["fed"].flatten(0, 1)[:, None]], dim=-1)
        states, hidden = decoder.gru(inputs, given["hidden"].flatten(0, 1)[None])
        after["hidden"] = hidden[0]
        states, inputs = states.view(*shape, -1), inputs.view(*shape, -1)
        log_attention = self._attend(given, states)
        context = log_attention.exp() @ given["states"]
        readout = decoder.readout(inputs, states, context)
        if decoder.feeds:
            after["fed"] = readout
        if decoder.coverage:
            after["covered"] = given["covered"] + log_attention.exp()
        decoded = Decoded(states, states, context, log_attention, readout)
        return decoded, [after[name].view(*shape, -1) for name in carried_names(network)]

    def _attend(self, given: dict[str, Tensor], states: Tensor) -> Tensor:
        """log α (D, B, S) (equations 9 and 10), all hypotheses against the keys of their document."""
        attention = self.network.decoder.attention
        keys = given["keys"][:, None]
        if attention.covered is not None:
            keys = keys + attention.covered(given["covered"][..., None])
        energies: Tensor = attention.squash(torch.tanh(attention.query(states)[:, :, None] + keys))[..., 0]
        return energies.masked_fill(~given["mask"][:, None], lowest(energies)).log_softmax(dim=-1)

    def _copied(self, given: dict[str, Tensor], probabilities: Tensor, switch: Tensor, attention: Tensor) -> Tensor:
        """The probability of each of the source's words (D, B, S), generated or copied, where it stands first."""
        slots, extended = given["slots"][:, None], given["extended"][:, None]
        mass = torch.zeros_like(attention).scatter_add(-1, slots.expand_as(attention), attention)
        index = extended.clamp(max=self.generable - 1).expand_as(attention)
        generated = probabilities.gather(-1, index) * (extended < self.generable)
        is_first = slots == torch.arange(attention.shape[-1], device=slots.device)
        wanted = is_first & given["mask"][:, None] & (extended >= SPECIAL)
        if self.narrowed:
            wanted = wanted & given["open"]
        return (switch * generated + (1 - switch) * mass) * wanted

    def _generated(self, given: dict[str, Tensor], probabilities: Tensor) -> tuple[Tensor, Tensor]:
        """The chunks that hold the best words by p_a (D, B, C), and p_a of their words that the source does not have.

        Only chunks whose largest value is among the k largest of all can hold one of the k best. Words of the source
        are taken out after that: they can only gain by being copied too, so what is best of all is either among the
        best generated or in the source.
        """
        choices = probabilities
        if self.narrowed:
            first = nn.functional.pad(given["first"], (0, self.output.shape[1] - self.generable))
            choices = probabilities * (given["begins"][:, :, None] * first)
        largest = choices.view(*choices.shape[:2], -1, CHUNK).amax(dim=-1)
        _, chosen = _largest(largest, given["k"] + SPECIAL, is_sorted=False)
        kept = _chunks(choices.flatten(0, 1), chosen.flatten(0, 1))
        foreign = _chunks(given["foreign"], chosen.flatten(1))
        return chosen, kept.view(*chosen.shape[:2], -1) * foreign.view(*chosen.shape[:2], -1)

    def _listed(self, given: dict[str, Tensor], probabilities: Tensor) -> Tensor:
        """p_a of the words that are allowed one by one (D, B, A), of the source's words apart."""
        index = given["allowed"].clamp(min=0, max=self.generable - 1)
        foreign = given["foreign"].gather(-1, index.flatten(1)).view_as(index)
        return probabilities.gather(-1, index) * (foreign & (given["allowed"] == index))

    def _ids(self, given: dict[str, Tensor], chosen: Tensor, places: Tensor) -> Tensor:
        """The ids of places among the chosen chunks, the source and, if the choice is narrowed, the allowed words."""
        generated, copied = chosen.shape[-1] * CHUNK, given["extended"].shape[-1]
        chunk = chosen.gather(-1, torch.clamp(places // CHUNK, max=chosen.shape[-1] - 1))
        place = torch.clamp(places - generated, min=0, max=copied - 1)
        extended = given["extended"][:, None].expand(-1, chosen.shape[1], -1)
        ids = torch.where(places < generated, chunk * CHUNK + places % CHUNK, extended.gather(-1, place))
        if not self.narrowed:
            return ids
        place = torch.clamp(places - generated - copied, min=0)
        return torch.where(places < generated + copied, ids, given["allowed"].gather(-1, place).clamp(min=0))


def _chunks(table: Tensor, chosen: Tensor) -> Tensor:
    """Of each row of a table (N, V) some chunks (N, C): (N, C, CHUNK)."""
    rows = torch.arange(table.shape[0], device=table.device)[:, None] * (table.shape[1] // CHUNK)
    return table.view(-1, CHUNK)[rows + chosen]


def _largest(values: Tensor, k: Tensor, is_sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest of the last dimension, or all if it is shorter; `k` is a tensor to stay open in an export."""
    fitting = torch.minimum(k, torch.tensor(values.shape[-1]))
    return torch.topk(values, fitting, dim=-1, sorted=is_sorted)  # type: ignore[arg-type]


def _output_matrix(layer: nn.Linear) -> Tensor:
    """An output layer as one matrix (O + 1, V), its bias in the last row, filled up with words of no probability."""
    missing = -layer.out_features % CHUNK
    matrix = torch.cat([layer.weight.detach().T, layer.bias.detach()[None]])
    filled = nn.functional.pad(matrix, (0, missing))
    filled[-1, layer.out_features :] = NEVER
    return filled
