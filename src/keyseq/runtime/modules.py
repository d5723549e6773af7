"""The two graphs of inference: reading a source, and one step of all hypotheses with their best next words.

They are made of the network's own parts. PyTorch runs them as they are, and they are what is exported.
"""

import torch
from torch import Tensor, nn

from keyseq.data.network_inputs import input_fields
from keyseq.network.memory import Memory
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.output import Generated, OutputLayer, largest
from keyseq.runtime.state import CHUNK, SPECIAL


class EncoderModule(nn.Module):
    """From source words (D, S) to what steps need of the documents, and the state before the first word."""

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
    """From the last word of each hypothesis (D, B) to the k best ways for a document to go on.

    The step itself is the network's. The best words are chosen in two rounds, first among chunks of words, then among
    the words of the best chunks and of the source. A `narrowed` step chooses only among what is allowed.
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
        copied = self._copied(given, generated, (1 - switch) * decoded.log_attention.exp())
        scores = given["scores"][:, :, None]
        chosen, of_chunks = self._of_chunks(given, generated)
        totals = [of_chunks.flatten(1), (copied.log() + scores).flatten(1)]
        if self.narrowed:
            totals.append((self._listed(given, generated).log() + scores).flatten(1))
        best, places = largest(torch.cat(totals, dim=-1), given["k"])
        return best, *self._meant(given, chosen, places), *after.values()

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
        which are never generated and all in the first chunk of a hypothesis. Words of the source are taken out after
        that: they can only gain by being copied too, so what is best of all is either among the best generated or in
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
