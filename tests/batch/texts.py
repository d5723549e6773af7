"""Small corpora, and what one process makes of them."""

import io
import json
import random

from keyseq.data.formats import read_documents
from keyseq.predictions.writers import write_jsonl

NOUNS = ["robot", "graph", "speech", "network", "corpus", "keyphrase", "search", "decoder", "language", "planet"]
OTHERS = ["learns", "finds", "the", "a", "of", "quickly", "and", "small", "neural", "distant"]


def write_corpus(path, count, bad=()):
    """Documents of made-up sentences, with lines that are no JSON after those with these numbers."""
    draw = random.Random(count)
    lines = []
    for number in range(count):
        words = [draw.choice(NOUNS if draw.random() < 0.4 else OTHERS) for _ in range(20)]
        lines.append(json.dumps({"id": f"d{number}", "title": " ".join(words[:4]), "abstract": " ".join(words[4:])}))
        if number in bad:
            lines.append("{broken")
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def by_one_process(corpus, recipe):
    """What `keyseq generate --json` writes."""
    out = io.StringIO()
    write_jsonl(recipe.predictions(recipe.load(), read_documents(corpus, skipped=[])), out)
    return out.getvalue()


def joined(folder):
    """The parts one after the other, as `cat` puts them."""
    return "".join(path.read_text() for path in sorted(folder.glob("part-*.jsonl")))
