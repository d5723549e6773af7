"""Start a training run: a new one, a resumed one, or one that fine-tunes another network."""

import logging
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from filelock import FileLock, Timeout

from keyseq.config import Settings
from keyseq.data.batching import Batches
from keyseq.data.corpus import EncodedCorpus
from keyseq.data.examples import example, title_example
from keyseq.data.formats import read_documents
from keyseq.data.network_inputs import RETRIEVED
from keyseq.data.overlap import Overlap
from keyseq.data.parallel import Work
from keyseq.data.preparation import ExampleMaker, Words, prepare
from keyseq.data.vectors import fitted, read_vectors
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.files import make_folder
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import VOCABULARY, Stored, load_grown
from keyseq.training.allocator import keep_memory
from keyseq.training.checkpoint import Checkpoint, Progress, clear, latest
from keyseq.training.curves import draw_curves
from keyseq.training.logs import LOG
from keyseq.training.loop import LAST, Event, Loop, Run
from keyseq.training.policy_gradient import PolicySteps
from keyseq.training.retrieving import RetrievingExamples, keep_index, training_index
from keyseq.training.steps import Steps, make_accelerator
from keyseq.training.tasks import TitleBatches
from keyseq.training.validation_scores import Validation
from keyseq.types import Document

_logger = logging.getLogger(__name__)

CORPUS, CURVES, LOCK = "corpus", "curves.png", ".lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The inputs and the output folder of a run.

    `corpus` is a folder of encoded corpora that several runs may share, by default in `out`. `start` is the folder of
    a network to fine-tune; `vectors` is a file of word vectors that initialise the embeddings of a new network. If the
    validation documents were `held_out` of the training files, these and their copies are left out in training.
    `titles` are documents whose titles are learnt, by default those of `train`.
    """

    train: Sequence[Path]
    valid: Path
    out: Path
    corpus: Path | None = None
    start: Path | None = None
    vectors: Path | None = None
    held_out: bool = False
    titles: Sequence[Path] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of a run.

    `new_words` is the number of words to add to the vocabulary of a fine-tuned network. A run that `fine_tunes` also
    validates the network it starts from, and selects the best one by F1@M over all phrases.
    """

    work: Work = field(default_factory=Work)
    report: Callable[[Event], None] = lambda _: None
    new_words: int = 0
    fine_tunes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a run, and the records it skipped; with several processes, one is the main one."""

    progress: Progress
    skipped: int
    is_main_process: bool


def train(settings: Settings, files: Files, options: RunOptions | None = None) -> Outcome:
    """Train a network, or resume the run of the same folder."""
    options = options or RunOptions()
    if settings.loss.reward != "none" and not files.start:
        raise KeyseqError("loss.reward fine-tunes a network that is trained already; name it with --from")
    if files.titles and not settings.training.titles:
        raise KeyseqError(
            "--titles needs training.titles, the share of steps that learn titles; set it, or leave --titles out"
        )
    keep_memory()
    with (
        _nothing_left(files.out),
        _writable(files.out),
        _processes(settings) as accelerator,
        _alone(files.out, accelerator),
    ):
        skipped: list[str] = []
        documents = _documents(settings, files, skipped if options.work.skip_bad else None)
        run = _run(settings, files, options, accelerator, documents)
        progress = Loop(run).complete()
        if accelerator.is_main_process:
            draw_curves(files.out / LOG, files.out / CURVES)
        count = len(skipped) + run.batches.corpus.report.skipped_records
        return Outcome(progress=progress, skipped=count, is_main_process=accelerator.is_main_process)


def _run(
    settings: Settings, files: Files, options: RunOptions, accelerator: Accelerator, documents: Sequence[Document]
) -> Run:
    with accelerator.main_process_first():
        index = _index(settings, files, options, documents)
        corpus = _corpus(settings, files, options, documents, index)
        titles = _titles(settings, files, options, corpus.vocabulary)
    network = _network(settings, files, corpus.vocabulary)
    steps = _steps(network, settings, accelerator, corpus.vocabulary)
    stored = Stored(network, settings, corpus.vocabulary)
    read = f"{corpus.name}+{titles.corpus}" if titles else corpus.name
    checkpoint = Checkpoint(stored, steps.optimizer, Progress(), read, accelerator.scaler)
    earlier = latest(files.out / LAST)
    return Run(
        checkpoint=checkpoint.restored(earlier) if earlier else checkpoint,
        steps=steps,
        batches=Batches(corpus, settings),
        validation=Validation(documents, settings, corpus.vocabulary, _maker(index, copies=True)),
        accelerator=accelerator,
        out=files.out,
        report=options.report,
        fine_tunes=options.fine_tunes,
        titles=titles,
    )


def _index(settings: Settings, files: Files, options: RunOptions, validation: Sequence[Document]) -> Path | None:
    """The index of the training documents, for networks that read what similar documents have; a run keeps its own."""
    if RETRIEVED not in settings.model.reads:
        return None
    work = replace(options.work, without=Overlap(validation)) if files.held_out else options.work
    index = training_index(files.train, settings, files.corpus or files.out / CORPUS, work)
    keep_index(index, files.out)
    return index


def _maker(index: Path | None, copies: bool = False) -> ExampleMaker:
    """How examples are made, with what they retrieve if there is an index."""
    return RetrievingExamples(index, copies) if index else example


def _corpus(
    settings: Settings, files: Files, options: RunOptions, validation: Sequence[Document], index: Path | None
) -> EncodedCorpus:
    """The encoded corpus; copies of validation documents are counted, or left out, while it is being encoded."""
    overlap = Overlap(validation)
    work = replace(options.work, without=overlap) if files.held_out else replace(options.work, see=overlap.see)
    words = Words(size=settings.model.vocabulary)
    if files.start:
        known = Vocabulary.load(files.start / VOCABULARY)
        words = Words(known=known, new=options.new_words)
    corpus = prepare(files.train, settings, words, files.corpus or files.out / CORPUS, work, _maker(index))
    if overlap.count and not files.held_out:
        train = " ".join(map(str, files.train))
        _logger.warning(
            f"{overlap.count:,} training documents have the title or text of a validation document, which inflates "
            f"validation scores; keyseq data leaks {train} --against {files.valid} lists them"
        )
    return corpus


def _titles(settings: Settings, files: Files, options: RunOptions, vocabulary: Vocabulary) -> TitleBatches | None:
    """The batches of titles, if some steps learn them."""
    share = settings.training.titles
    if not share:
        return None
    target = replace(settings.target, paradigm="one2seq", divided=False, drop=0.0)
    of_titles = replace(settings, target=target)
    cache = files.corpus or files.out / CORPUS
    words, given = Words(known=vocabulary), files.titles or files.train
    corpus = prepare(given, of_titles, words, cache, options.work, title_example)
    return TitleBatches(Batches(corpus, of_titles), share)


def _documents(settings: Settings, files: Files, skipped: list[str] | None) -> list[Document]:
    """The first documents of the validation file that have keyphrases."""
    documents = read_documents(files.valid, skipped=skipped)
    with_keyphrases = (document for document in documents if document.keyphrases)
    return list(islice(with_keyphrases, settings.training.validate_documents))


def _steps(
    network: Seq2Seq, settings: Settings, accelerator: Accelerator, vocabulary: Vocabulary
) -> Steps | PolicySteps:
    if settings.loss.reward == "none":
        return Steps(network, settings, accelerator)
    return PolicySteps(network, settings, accelerator, vocabulary)


def _network(settings: Settings, files: Files, vocabulary: Vocabulary) -> Seq2Seq:
    torch.manual_seed(settings.training.seed)
    network = Seq2Seq(settings.model, len(vocabulary))
    if files.start:
        try:
            load_grown(network, files.start)
        except KeyseqError as error:
            raise KeyseqError(
                f"{error}; train with the settings of that network, which keyseq train does if SYSTEM is left out"
            ) from None
    elif files.vectors:
        ids, vectors = read_vectors(files.vectors, vocabulary)
        with torch.no_grad():
            network.embedding.weight[ids] = torch.from_numpy(fitted(vectors, settings.model.embedding_size))
    return network


@contextmanager
def _nothing_left(out: Path) -> Iterator[None]:
    """Make the folder of a run; a mistake of the user that is found before anything is in it leaves none behind."""
    is_new = not out.exists()
    make_folder(out)
    try:
        yield
    except KeyseqError:
        if is_new and {one.name for one in out.iterdir()} <= {LOCK}:
            shutil.rmtree(out, ignore_errors=True)
        raise


@contextmanager
def _writable(out: Path) -> Iterator[None]:
    """Report a full or missing disk as a user error, whichever file it concerns."""
    try:
        yield
    except OSError as error:
        raise KeyseqError(f"{error.filename or out}: cannot be written ({error.strerror or error})") from error


@contextmanager
def _alone(out: Path, accelerator: Accelerator) -> Iterator[None]:
    """Lock a folder for this run; the lock ends with the process."""
    if not accelerator.is_main_process:
        yield
        return
    try:
        with FileLock(out / LOCK, timeout=0):
            clear(out)
            yield
    except Timeout:
        raise KeyseqError(f"{out}: another run is training into this folder") from None


@contextmanager
def _processes(settings: Settings) -> Iterator[Accelerator]:
    """The accelerator of a run; its global state is reset afterwards."""
    accelerator = make_accelerator(settings)
    try:
        yield accelerator
    finally:
        accelerator.end_training()
        AcceleratorState._reset_state(reset_partial_state=True)
