"""The paper's two tables of dataset statistics, recomputed, and the scores of gold phrases in its introduction."""

from collections.abc import Iterator, Mapping

from keyseq.data.formats import read_documents
from keyseq.data.statistics import Statistics, measure
from keyseq.evaluation import evaluate, oracle
from keyseq.evaluation.protocols import DEFAULT, find
from keyseq.experiments.corpora import LocatedCorpus, locate
from keyseq.experiments.definition import Experiment
from keyseq.experiments.published import numbers
from keyseq.experiments.table import Section, Value
from keyseq.experiments.workspace import MissingPartError, Workspace

# The paper's column names by ours
COUNTS = {
    "documents": "#Doc",
    "keyphrases": "#KP",
    "documents_with_present": "#PreDoc",
    "present_keyphrases": "#PreKP",
    "documents_with_absent": "#AbsDoc",
    "absent_keyphrases": "#AbsKP",
}
SPLITS = {"valid": "#Valid", "test": "#Test"}
MEANS = {
    "mean_keyphrases": ("Mean", "mean"),
    "variance": ("Var", "variance"),
    "percent_present": ("%Pre", "percent_present"),
}


def sections(experiment: Experiment, workspace: Workspace) -> Iterator[Section]:
    """Table 1, the table of the appendix, and the oracle's scores. All documents are counted, at any scale."""
    counted = {
        (name, split): _counted(name, split, workspace) for name in experiment.test_sets for split in ("valid", "test")
    }
    stand_ins = dict.fromkeys(
        sentence for corpus, _ in counted.values() if corpus is not None for sentence in corpus.told
    )
    yield Section(
        title="Table 1",
        values=[
            value for name in experiment.test_sets for value in (*_learnt_from(name, workspace), *_first(name, counted))
        ],
        corner="corpus",
        long=True,
        notes=[
            "Mean and Var are of the validation set if there is one, as probably in the paper; %Pre of the test set.",
            *stand_ins,
        ],
    )
    yield Section(
        title="Test sets (appendix)",
        values=[value for name in experiment.test_sets for value in _appendix(name, counted)],
        corner="corpus",
        long=True,
    )
    yield Section(
        title="Gold phrases as predictions (introduction)",
        values=list(_oracle("kp20k", workspace)),
        corner="corpus",
        long=True,
        notes=["Of present and absent phrases together; lists of fewer than 5 or 10 are padded with wrong ones."],
    )


Counted = Mapping[tuple[str, str], tuple[LocatedCorpus | None, Statistics | None]]


def _counted(name: str, split: str, workspace: Workspace) -> tuple[LocatedCorpus | None, Statistics | None]:
    try:
        corpus = locate(name, split, workspace.data)
    except MissingPartError:
        return None, None
    return corpus, measure(workspace.progress.track(corpus.documents(), f"counting {name}"))


def _learnt_from(name: str, workspace: Workspace) -> Iterator[Value]:
    """The size of the training set where the paper has one; its documents are only counted."""
    published = numbers()["dataset_statistics"].get(name, {}).get("train")
    if published is None:
        return
    try:
        corpus = locate(name, "train", workspace.data)
    except MissingPartError:
        yield _value(name, "#Train", None, published, 0)
        return
    documents = workspace.progress.track(read_documents(corpus.path), f"counting {corpus.name} for training")
    yield _value(name, "#Train", sum(1 for _ in documents), published, 0)


def _first(name: str, counted: Counted) -> Iterator[Value]:
    published = numbers()["dataset_statistics"].get(name, {})
    for split, column in SPLITS.items():
        if split in published:
            found = counted[name, split][1]
            yield _value(name, column, None if found is None else found.documents, published[split], 0)
    for key, (column, attribute) in MEANS.items():
        if key in published:
            splits = ("test",) if key == "percent_present" else ("valid", "test")
            found = next((counted[name, split][1] for split in splits if counted[name, split][1]), None)
            yield _value(name, column, None if found is None else getattr(found, attribute), published[key], 1)


def _appendix(name: str, counted: Counted) -> Iterator[Value]:
    published = numbers()["test_set_statistics"].get(name, {})
    found = counted[name, "test"][1]
    for key, column in COUNTS.items():
        yield _value(name, column, None if found is None else getattr(found, key), published.get(key), 0)


def _oracle(name: str, workspace: Workspace) -> Iterator[Value]:
    """F1@5 and F1@10 of the gold phrases themselves, by which the introduction argues against a fixed number."""
    published = numbers()[f"oracle_f1_{name}"]
    metrics = {metric: f"all.{metric}-padded" for metric in published}
    try:
        documents = list(locate(name, "test", workspace.data).documents())
    except MissingPartError:
        scores = None
    else:
        scores = evaluate(documents, oracle(documents, find(DEFAULT)), metrics=tuple(metrics.values()))
    for metric, column in metrics.items():
        measured = None if scores is None else 100 * scores.aggregate(column)
        yield _value(name, column, measured, published[metric], 1)


def _value(name: str, column: str, measured: float | None, published: float | None, digits: int) -> Value:
    missing = f"no data: {name}.jsonl" if measured is None else None
    return Value(row=name, column=column, measured=measured, published=published, digits=digits, missing=missing)
