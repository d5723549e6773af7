"""catSeq as one writes it first: packed encoder, decoder step by step, copies spread over the whole vocabulary."""

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from keyseq.data.batching import Batch
from keyseq.data.vocabulary import PAD
from keyseq.network.encoder import Encoder, final
from keyseq.network.pointer import Switch
from keyseq.network.seq2seq import Seq2Seq


class PlainEncoder(nn.Module):
    """PyTorch's bidirectional GRU over a packed sequence, with the weights of keyseq's encoder."""

    def __init__(self, network: Seq2Seq) -> None:
        super().__init__()
        encoder = cast(Encoder, network.encoder)
        forwards, backwards = encoder.forwards, encoder.backwards
        self.gru = nn.GRU(forwards.input_size, forwards.hidden_size, batch_first=True, bidirectional=True)
        for name, weight in self.gru.named_parameters():
            one = backwards if name.endswith("_reverse") else forwards
            weight.data.copy_(getattr(one, name.removesuffix("_reverse")))
        self.dropout = nn.Dropout(network.dropout.rate)

    def forward(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States (B, S, 2H) and final states (B, 2H) of embedded words (B, S, E)."""
        packed = pack_padded_sequence(self.dropout(embedded), lengths, batch_first=True, enforce_sorted=False)
        states = self.dropout(pad_packed_sequence(self.gru(packed)[0], batch_first=True)[0])
        return states, final(states, lengths, self.gru.hidden_size)


class PlainSeq2Seq(nn.Module):
    """The equations and the weights of a `Seq2Seq` without target encoder, so that the losses agree.

    Without `packed` the encoder is keyseq's own, and only the decoder is plain.
    """

    def __init__(self, network: Seq2Seq, packed: bool = True) -> None:
        super().__init__()
        decoder = network.decoder
        self.embedding = network.embedding
        self.encoder = PlainEncoder(network) if packed else network.encoder
        self.bridge, self.attention, self.readout = decoder.bridge, decoder.attention, decoder.readout.joint
        self.cell = nn.GRUCell(decoder.gru.input_size, decoder.gru.hidden_size)
        for name, weight in self.cell.named_parameters():
            weight.data.copy_(getattr(decoder.gru, f"{name}_l0"))
        self.output, self.switch = network.pointer.vocabulary, cast(Switch, network.pointer.switch)
        self.dropout = nn.Dropout(network.dropout.rate)

    def forward(self, batch: Batch) -> Tensor:
        """The mean negative log-likelihood of the gold words."""
        memory, last = self.encoder(self.embedding(batch.source), batch.source_lengths)
        keys = self.attention.key(memory)
        padding = torch.arange(memory.shape[1]) >= batch.source_lengths[:, None]
        embedded = self.dropout(self.embedding(batch.target_input))
        state = self.bridge(last)
        size = max(int(batch.source_extended.max()) + 1, self.output.out_features)
        steps = []
        for step in range(embedded.shape[1]):
            state = self.cell(embedded[:, step], state)
            seen = self.dropout(state)
            attention = self._attend(seen, keys, padding)
            generated, share = self._generate(seen, (attention[:, None] @ memory)[:, 0])
            missing = generated.new_zeros(len(state), size - generated.shape[1])
            extended = torch.cat([generated * share, missing], dim=-1)
            steps.append(extended.scatter_add(1, batch.source_extended, (1 - share) * attention))
        gold = batch.target_output
        likelihood = torch.stack(steps, dim=1).gather(2, gold[:, :, None])[:, :, 0]
        return -(likelihood + 1e-20).log()[gold != PAD].mean()

    def _attend(self, state: Tensor, keys: Tensor, padding: Tensor) -> Tensor:
        inner = torch.tanh(self.attention.query(state)[:, None] + keys)
        energies: Tensor = self.attention.squash(inner)[:, :, 0]
        return energies.masked_fill(padding, -1e30).softmax(dim=-1)

    def _generate(self, state: Tensor, context: Tensor) -> tuple[Tensor, Tensor]:
        """p over the vocabulary (B, V), and the share of it that is generated (B, 1)."""
        readout = torch.tanh(self.readout(torch.cat([state, context], dim=-1)))
        switch = self.switch
        share = torch.sigmoid(switch.squash(torch.tanh(switch.context(context) + switch.state(state))))
        return self.output(readout).softmax(dim=-1), share
