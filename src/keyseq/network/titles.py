"""Semi-Multi: a second decoder generates titles from the encoder that keyphrases share (Ye and Wang, 2018)."""

from torch import Tensor

from keyseq.config import ModelSettings
from keyseq.data.batching import Batch
from keyseq.network.decoder import HIDDEN, Decoder
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece, teacher_forcing
from keyseq.network.pointer import Pointer, make_switch


class Titles(Piece):
    """A decoder without further pieces and a switch, for titles; embeddings and output layer are shared.

    It is needed in training only. A step trains either decoder, and the encoder.
    """

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.decoder = Decoder(settings.without_pieces)
        self.switch = make_switch(settings)

    def likelihood(self, encoded: Encoded, batch: Batch, embedded: Tensor, pointer: Pointer) -> tuple[Tensor, Tensor]:
        """log p (B, T) of the words of titles, 0 at padding, and the decoder states (B, T, H)."""
        memory = self.decoder.attention.memory(encoded, batch.source_extended)
        state = {HIDDEN: self.decoder.bridge(encoded.final)[:, None]}
        reading = teacher_forcing(batch, embedded, memory)
        decoded, _ = self.decoder(reading, state, {}, (batch.target_lengths, encoded.lengths))
        return pointer.likelihood(decoded, batch, switch=self.switch).words, decoded.states
