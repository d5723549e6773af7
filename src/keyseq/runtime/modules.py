"""The two graphs of inference: reading a source, and one step of all hypotheses with their best next words.

They are made of the network's own parts. PyTorch runs them as they are, and they are what is exported.
"""

import torch
from torch import Tensor, nn

from keyseq.network.attention import lowest
from keyseq.network.decoder import Decoded
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.output import Generated, OutputLayer, largest
from keyseq.runtime.state import CHUNK, SPECIAL


def carried_names(network: Seq2Seq) -> list[str]:
    """The parts of a decoder's state that a network has."""
    present = {
        "hidden": True,
        "target": network.target_encoder is not None,
        "fed": network.decoder.feeds > 0,
        "covered": network.decoder.coverage,
        "said": network.decoder.attention.said is not None,
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
        return memory.states, memory.keys.transpose(1, 2).contiguous(), memory.mask, *parts


class StepModule(nn.Module):
    """From the last word of each hypothesis (D, B) to the k best ways for a document to go on.

    Hypotheses of a document share its memory: they stand where the attention expects the words of a target. The best
    words are chosen in two rounds, first among chunks of words, then among the words of the best chunks and of the
    source. A `narrowed` step chooses only among what is allowed.
    """

    def __init__(self, network: Seq2Seq, narrowed: bool = False) -> None:
        super().__init__()
        self.network = network
        self.narrowed = narrowed
        self.output = OutputLayer(network.pointer.vocabulary)
        carried = carried_names(network)
        self.inputs = ["tokens", "scores", "k", "states", "keys", "mask", "extended", "slots", "foreign", "places"]
        self.inputs += [
            *(["words"] if "said" in carried else []),
            *carried,
            *(["first", "begins", "allowed", "allowed_places", "open"] if narrowed else []),
        ]
        self.outputs = ["best", "beams", "ids", *(f"next_{name}" for name in carried)]

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """The `outputs` for the `inputs`."""
        given = dict(zip(self.inputs, tensors, strict=True))
        decoded, carried = self._decode(given)
        switch = self.network.pointer.switch(decoded).sigmoid()[:, :, None]
        generated = self.output(decoded.readout, switch)
        copied = self._copied(given, generated, (1 - switch) * decoded.log_attention.exp())
        scores = given["scores"][:, :, None]
        chosen, of_chunks = self._of_chunks(given, generated)
        totals = [of_chunks.flatten(1), (copied.log() + scores).flatten(1)]
        if self.narrowed:
            totals.append((self._listed(given, generated).log() + scores).flatten(1))
        best, places = largest(torch.cat(totals, dim=-1), given["k"])
        return best, *self._meant(given, chosen, places), *carried

    def _decode(self, given: dict[str, Tensor]) -> tuple[Decoded, list[Tensor]]:
        """Read the words: what the decoder comes to, and the state after them."""
        network, decoder = self.network, self.network.decoder
        inputs = network.embedding(given["tokens"])  # (D, B, E)
        after = {}
        if network.target_encoder is not None:
            after["target"] = gru_step(network.target_encoder.gru, inputs, given["target"])
            inputs = torch.cat([inputs, after["target"]], dim=-1)
        if decoder.feeds:
            inputs = torch.cat([inputs, given["fed"]], dim=-1)
        if "said" in given:
            read = given["words"][:, :, None] == given["extended"][:, None]
            given["said"] = after["said"] = torch.maximum(given["said"], read.to(given["said"].dtype))
        states = after["hidden"] = gru_step(decoder.gru, inputs, given["hidden"])
        log_attention = self._attend(given, states)
        context = log_attention.exp() @ given["states"]
        after["fed"] = readout = decoder.readout(inputs, states, context)
        if decoder.coverage:
            after["covered"] = given["covered"] + log_attention.exp()
        decoded = Decoded(states, states, context, log_attention, readout)
        return decoded, [after[name] for name in carried_names(network)]

    def _attend(self, given: dict[str, Tensor], states: Tensor) -> Tensor:
        """log α (D, B, S) (equations 9 and 10), all hypotheses against the keys of their document."""
        attention = self.network.decoder.attention
        keys = given["keys"][:, None]  # (D, 1, A, S): the longer dimension last is faster
        if attention.covered is not None:
            keys = keys + attention.covered.weight * given["covered"][:, :, None]
        energies = (attention.squash.weight @ torch.tanh(attention.query(states)[..., None] + keys))[:, :, 0]
        if attention.said is not None:
            energies = energies + attention.said(states) * given["said"]
        return energies.masked_fill(~given["mask"][:, None], lowest(energies)).log_softmax(dim=-1)

    def _copied(self, given: dict[str, Tensor], generated: Generated, attention: Tensor) -> Tensor:
        """The probability of each of the source's words (D, B, S), generated or copied, where it stands first."""
        slots, extended = given["slots"][:, None], given["extended"][:, None]
        mass = torch.zeros_like(attention).scatter_add(-1, slots.expand_as(attention), attention)
        is_first = slots == torch.arange(attention.shape[-1], device=slots.device)
        wanted = is_first & given["mask"][:, None] & (extended >= SPECIAL)
        if self.narrowed:
            wanted = wanted & given["open"]
        places = given["places"][:, :, None].expand(-1, -1, attention.shape[1], -1)
        return (mass + generated.at(places)) * wanted

    def _of_chunks(self, given: dict[str, Tensor], generated: Generated) -> tuple[Tensor, Tensor]:
        """The best chunks (D, C) by number, beams' chunks one after the other, and what their words come to (D, C, …).

        Only chunks whose largest value is among the k largest of all can hold one of the k best, special words apart,
        which are never said and all in the first chunk of a hypothesis. Words of the source are taken out after that:
        they can only gain by being copied too, so what is best of all is either among the best generated or in the
        source.
        """
        if self.narrowed:
            generated = generated.masked(given["begins"][:, :, None] * given["first"])
        totals = generated.of_chunks().log() + given["scores"][:, :, None]  # (D, B, chunks)
        _, chosen = largest(totals.flatten(1), given["k"] + totals.shape[1], is_sorted=False)
        beams, chunks = chosen // totals.shape[2], chosen % totals.shape[2]
        foreign = given["foreign"].view(beams.shape[0], -1, CHUNK)
        kept = generated.chunks(beams, chunks) * _rows(foreign, chunks)
        return chosen, kept.log() + given["scores"].gather(1, beams)[:, :, None]

    def _listed(self, given: dict[str, Tensor], generated: Generated) -> Tensor:
        """The probability of words that are allowed one by one (D, B, A), those of the source apart."""
        places = given["allowed_places"]
        columns = (
            torch.arange(places.shape[1], device=places.device)[:, None, None] * self.output.layout.columns + places
        )
        foreign = given["foreign"].gather(1, columns.flatten(1)).view_as(places).any(dim=1)
        return generated.at(places) * foreign

    def _meant(self, given: dict[str, Tensor], chosen: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
        """The hypotheses and words (D, k) of places among the chosen chunks, the source, and the allowed words."""
        per_beam, extended = self.output.chunks, given["extended"]
        before = chosen.shape[1] * CHUNK
        chunk = chosen.gather(1, (places // CHUNK).clamp(max=chosen.shape[1] - 1))
        beams, ids = chunk // per_beam, self.output.first_id(chunk % per_beam) + places % CHUNK
        segments = [extended[:, None].expand(-1, given["tokens"].shape[1], -1)]
        segments += [given["allowed"].clamp(min=0)] if self.narrowed else []
        for words in segments:
            place = (places - before).clamp(min=0, max=words.shape[1] * words.shape[2] - 1)
            beams = torch.where(places < before, beams, place // words.shape[2])
            ids = torch.where(places < before, ids, words.flatten(1).gather(1, place))
            before = before + words.shape[1] * words.shape[2]
        return beams, ids


def gru_step(gru: nn.GRU, inputs: Tensor, hidden: Tensor) -> Tensor:
    """One step of a GRU as plain products, which an engine runs faster on some rows than its own GRU."""
    weights = dict(gru.named_parameters())
    of_input = nn.functional.linear(inputs, weights["weight_ih_l0"], weights["bias_ih_l0"])
    of_state = nn.functional.linear(hidden, weights["weight_hh_l0"], weights["bias_hh_l0"])
    size = gru.hidden_size
    gates_of_input, new_of_input = torch.split_with_sizes(of_input, [2 * size, size], dim=-1)
    gates_of_state, new_of_state = torch.split_with_sizes(of_state, [2 * size, size], dim=-1)
    reset, keep = torch.split_with_sizes((gates_of_input + gates_of_state).sigmoid(), [size, size], dim=-1)
    new = torch.tanh(new_of_input + reset * new_of_state)
    return new + keep * (hidden - new)


def _rows(table: Tensor, chosen: Tensor) -> Tensor:
    """Some rows (D, C) of a table for each document (D, R, X): (D, C, X)."""
    starts = torch.arange(table.shape[0], device=table.device)[:, None] * table.shape[1]
    return table.flatten(0, 1)[starts + chosen]
