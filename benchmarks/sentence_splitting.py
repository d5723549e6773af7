"""The parameters by which Annif splits sentences, learnt where NLTK's own cannot be had.

Annif asks NLTK for its package `punkt_tab`, which is downloaded. Without it, NLTK's own trainer learns such parameters
from the training documents; they are kept in the folder of work, and NLTK_DATA names it.
"""

import os
import subprocess
from pathlib import Path

from keyseq.errors import KeyseqError

PACKAGE = "tokenizers/punkt_tab"
DOCUMENTS = 5_000  # to learn from
_LOOK = f"import nltk; nltk.data.find({PACKAGE!r})"
_LEARN = """
import itertools, pathlib, sys
import nltk.data
from nltk.tokenize.punkt import PunktTrainer, save_punkt_params
source, target, count = sys.argv[1:]
trainer = PunktTrainer()
with open(source, encoding="utf-8") as lines:
    for line in itertools.islice(lines, int(count)):
        trainer.train(line.partition("\\t")[0], finalize=False)
trainer.finalize_training()
pathlib.Path(target).mkdir(parents=True)
nltk.data.path.append(str(pathlib.Path(target).parents[2]))  # newer ones write nowhere else
save_punkt_params(trainer.get_params(), dir=target)
"""


def split_sentences(annif: Path, corpus: Path, folder: Path) -> bool:
    """Learn from Annif's corpus if its Python has no parameters; whether they were learnt, now or before."""
    python, learnt = annif.parent / "python", folder / "nltk"
    target = learnt / PACKAGE / "english"
    if not python.exists() or (not target.is_dir() and _runs(python, _LOOK)):
        return False
    if not target.is_dir() and not _runs(python, _LEARN, str(corpus), str(target), str(DOCUMENTS)):
        raise KeyseqError("NLTK's punkt_tab is not there and cannot be learnt; download it and name it by NLTK_DATA")
    os.environ["NLTK_DATA"] = str(learnt)
    return True


def _runs(python: Path, program: str, *arguments: str) -> bool:
    done = subprocess.run([str(python), "-c", program, *arguments], capture_output=True, check=False)
    return done.returncode == 0
