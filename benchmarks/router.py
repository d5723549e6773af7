"""Train the classifier by which the default system chooses, and print how often it is right on validation parts.

python -m benchmarks.router --data DIR [--out src/keyseq/pretrained/auto/router.safetensors]
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from keyseq.data.formats import read_documents
from keyseq.systems.router import Router, accuracy, fit_router
from keyseq.types import Document

TRAIN = {
    "scholar": (("scholar", 9_000), ("elife", 1_000)),
    "questions": (("questions", 5_000), ("questions-sites", 4_000)),
    "general": (("web", 8_000), ("techdocs", 1_500)),
    "news": (("news", 350),),
}
TIMES = {"news": 12}  # how often documents of the smallest class are learnt from
VALID = {
    "scholar": ("scholar", "kp20k_1000", "krapivin", "inspec", "semeval"),
    "questions": ("questions",),
    "general": ("web",),
    "news": ("news",),
}
# Abstracts of other fields and decades than the training corpus has: of these, every second document is learnt from
HALVED = ("kp20k_1000", "krapivin", "inspec")
UNTITLED = 4  # every fourth document is read without its title, another as a short text of one piece


def main() -> None:
    """Train, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    examples = [
        (_varied(number, document), name)
        for name, parts in TRAIN.items()
        for part, count in parts
        for number, document in enumerate(islice(_documents(options.data / "train", part), count))
        for _ in range(TIMES.get(part, 1))
    ]
    halves = [one for part in HALVED for one in islice(_documents(options.data / "valid", part), 0, None, 2)]
    examples += [(_varied(number, document), "scholar") for number, document in enumerate(halves)]
    router = fit_router(examples)
    for name, parts in VALID.items():
        for part in parts:
            step = 2 if part in HALVED else 1
            _print(router, list(_documents(options.data / "valid", part))[step - 1 :: step], name, part)
    if options.out:
        options.out.parent.mkdir(exist_ok=True)
        router.save(options.out)


def _print(router: Router, documents: list[Document], name: str, part: str) -> None:
    right = accuracy(router, [(document, name) for document in documents])
    chosen = Counter(map(router.choose, documents))
    print(f"valid/{part:12} {100 * right:5.1f} % of {len(documents)} to {name}; {dict(chosen)}")


def _documents(folder: Path, part: str) -> Iterator[Document]:
    [path] = folder.glob(f"{part}.jsonl*")
    return read_documents(path)


def _varied(number: int, document: Document) -> Document:
    """A document as users have them: some without a title, some short and of one piece."""
    if number % UNTITLED == 0:
        return Document(id=document.id, body=document.body)
    if number % UNTITLED == 1:
        return Document(id=document.id, body=f"{document.title}\n{document.body[:300]}")
    return document


if __name__ == "__main__":
    main()
