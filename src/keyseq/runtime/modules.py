"""The two graphs of inference: encoding sources, and one decoder step with the choice of the best next words.

They are built from the modules of the network. PyTorch runs them directly, and they are what is exported.
"""

import torch
from torch import Tensor, nn

from keyseq.data.network_inputs import input_fields
from keyseq.network.memory import Memory
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.output import Generated, OutputLayer, largest
from keyseq.runtime.state import CHUNK, SPECIAL


class EncoderModule(nn.Module):
    """From source words (D, S) to the encoder memory and the initial decoder state."""

    def __init__(self, network: Seq2Seq) -> None:
        super().__init__()
        self.network = network
        further = [name for one in input_fields(network.settings) for name in one.arrays]
        self.inputs = ["source", "lengths", *further]
        self.outputs = ["states", "keys", "mask", *network.remembered, *network.carried]

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """The `outputs` for the `inputs`."""
        source, lengths, *further = tensors
        encoded = self.network.encode(source, lengths, dict(zip(self.inputs[2:], further, strict=True)))
        memory, state = self.network.remember(encoded, source), self.network.start(encoded)
        carried = [state[name][:, 0] for name in self.network.carried]
        extra = [memory.extra[name] for name in self.network.remembered]
        return memory.states, memory.keys.contiguous(), memory.mask, *extra, *carried


class StepModule(nn.Module):
    """From the last word of each hypothesis (D, B) to the k best continuations of each document.

    The step is that of the network. The best words are selected in two rounds: chunks of words first, then the words
    of the best chunks and of the source. A `narrowed` step selects among allowed words only.
    """

    def __init__(self, network: Seq2Seq, narrowed: bool = False) -> None:
        super().__init__()
        self.network = network
        self.narrowed = narrowed
        self.output = OutputLayer(network.pointer.vocabulary)
        carried = network.carried
        self.inputs = ["words", "scores", "k", "states", "keys", "mask", "extended", "slots", "foreign", "places"]
        self.inputs += [*network.remembered, *carried]
        self.inputs += ["first", "begins", "allowed", "allowed_places", "open"] if narrowed else []
        self.outputs = ["best", "beams", "ids", *(f"next_{name}" for name in carried)]

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """The `outputs` for the `inputs`."""
        given = dict(zip(self.inputs, tensors, strict=True))
        extra = {name: given[name] for name in self.network.remembered}
        memory = Memory(given["states"], given["keys"], given["mask"], given["extended"], extra)
        decoded, after = self.network.step(given["words"], {name: given[name] for name in self.network.carried}, memory)
        switch = self.network.pointer.switch(decoded).sigmoid()[:, :, None]
        generated = self.output(decoded.readout, switch)
        copied = self._copied(given, generated, (1 - switch) * decoded.log_copying.exp())
        scores = given["scores"][:, :, None]
        chosen, of_chunks = self._of_chunks(given, generated)
        totals = [of_chunks.flatten(1), (copied.log() + scores).flatten(1)]
        if self.narrowed:
            totals.append((self._listed(given, generated).log() + scores).flatten(1))
        best, places = largest(torch.cat(totals, dim=-1), given["k"])
        return best, *self._resolved(given, chosen, places), *after.values()

    def _copied(self, given: dict[str, Tensor], generated: Generated, attention: Tensor) -> Tensor:
        """The probability (D, B, S) of each source word, generated or copied, at its first position."""
        slots, extended = given["slots"][:, None], given["extended"][:, None]
        mass = torch.zeros_like(attention).scatter_add(-1, slots.expand_as(attention), attention)
        is_first = slots == torch.arange(attention.shape[-1], device=slots.device)
        wanted = is_first & given["mask"][:, None] & (extended >= SPECIAL)
        if self.narrowed:
            wanted = wanted & given["open"]
        places = given["places"][:, :, None].expand(-1, -1, attention.shape[1], -1)
        return (mass + generated.at(places)) * wanted

    def _of_chunks(self, given: dict[str, Tensor], generated: Generated) -> tuple[Tensor, Tensor]:
        """The best chunks (D, C), numbered over all hypotheses of a document, and the scores of their words (D, C, …).

        Only chunks whose maximum is among the k largest can contain one of the k best words, except for special tokens,
        which are never generated and all in the first chunk of a hypothesis. Source words are excluded afterwards:
        copying only adds to their probability, so each of the best words is either among the best generated ones or in
        the source.
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
        """The probability of the allowed words (D, B, A), except those of the source."""
        places = given["allowed_places"]
        columns = (
            torch.arange(places.shape[1], device=places.device)[:, None, None] * self.output.layout.columns + places
        )
        foreign = given["foreign"].gather(1, columns.flatten(1)).view_as(places).any(dim=1)
        return generated.at(places) * foreign

    def _resolved(self, given: dict[str, Tensor], chosen: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
        """The hypotheses and words (D, k) of indices into the concatenated chunks, source and allowed words."""
        per_beam, extended = self.output.chunks, given["extended"]
        before = chosen.shape[1] * CHUNK
        chunk = chosen.gather(1, (places // CHUNK).clamp(max=chosen.shape[1] - 1))
        beams, ids = chunk // per_beam, self.output.first_id(chunk % per_beam) + places % CHUNK
        segments = [extended[:, None].expand(-1, given["words"].shape[1], -1)]
        segments += [given["allowed"].clamp(min=0)] if self.narrowed else []
        for words in segments:
            place = (places - before).clamp(min=0, max=words.shape[1] * words.shape[2] - 1)
            beams = torch.where(places < before, beams, place // words.shape[2])
            ids = torch.where(places < before, ids, words.flatten(1).gather(1, place))
            before = before + words.shape[1] * words.shape[2]
        return beams, ids


def _rows(table: Tensor, chosen: Tensor) -> Tensor:
    """Some rows (D, C) of a table for each document (D, R, X): (D, C, X)."""
    starts = torch.arange(table.shape[0], device=table.device)[:, None] * table.shape[1]
    return table.flatten(0, 1)[starts + chosen]
