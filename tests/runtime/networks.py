"""Small networks with weights large enough for their words to differ in probability."""

import torch

from keyseq.config import load_settings
from keyseq.data.vocabulary import Vocabulary
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored

torch.set_num_threads(1)  # the tensors are tiny: a second thread would only spin

WORDS = 300
VARIANTS = {
    "catseqd": [],
    "catseq": ["model.target_encoder=false", "loss.semantic=0"],
    "generated-words": ["model.target_encoder=false", "loss.semantic=0", "model.generated_words=true"],
    "few-outputs": ["model.output_vocabulary=150"],  # the others can only be copied
    "released": [
        "model.encoder_size=12",
        "model.bridge=relu",
        "model.switch=output",
        "model.input_feeding=true",
        "model.coverage=true",
        "model.context_gate=both",
    ],
}


def make(variant="catseqd", *overrides, scale=1.5) -> Stored:
    torch.manual_seed(3)
    settings = load_settings("tiny", [f"model.vocabulary={WORDS}", *VARIANTS[variant], *overrides])
    network = Seq2Seq(settings.model, WORDS).eval()
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(scale)
        network.pointer.vocabulary.weight.mul_(4)
        network.pointer.vocabulary.bias[3:5] += 2.5  # </s> and <sep>: sequences of several phrases that end
    return Stored(network, settings, Vocabulary.from_words([f"w{number}" for number in range(WORDS - 5)]))
