import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from keyseq.config import Settings, TargetSettings, load_settings
from keyseq.data import preparation
from keyseq.data.parallel import Work
from keyseq.data.preparation import Words, prepare
from keyseq.data.vocabulary import SPECIALS, Vocabulary
from keyseq.errors import DataError, KeyseqError

SETTINGS = Settings()
ONE = Work(processes=1)


def write(path, *documents):
    lines = [json.dumps({"id": str(number), **document}) for number, document in enumerate(documents)]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def document(body, *keywords):
    return {"title": "", "abstract": body, "keywords": list(keywords)}


@pytest.fixture
def corpus_file(tmp_path):
    return write(
        tmp_path / "corpus.jsonl",
        document("deep nets learn", "deep nets", "kernels"),
        document("no keyphrases at all"),
        document("nets of nets", "nets", "a = b"),
    )


def test_documents_are_counted_encoded_and_reported(corpus_file, tmp_path):
    corpus = prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", ONE)
    # target counts: nets 2, deep 1, kernels 1; deep is in a source, kernels is not
    assert corpus.vocabulary.words == (*SPECIALS, "nets", "deep", "kernels")
    assert len(corpus) == 2
    assert corpus.source(0).tolist() == [6, 5, 8]  # learn is the first unknown word of its document
    assert [target.tolist() for target in corpus.targets(0)] == [[6, 5], [7]]
    assert corpus.positions(0).tolist() == [0, -1]
    assert corpus.source(1).tolist() == [5, 8, 5]
    assert corpus.source_lengths().tolist() == [3, 3]
    assert corpus.phrase_counts().tolist() == [2, 1]
    assert corpus.report.dropped_documents == {"no keyphrases": 1}
    assert corpus.report.dropped_phrases == {"punctuation": 1}
    assert (corpus.report.documents, corpus.report.source_words, corpus.report.phrases) == (2, 6, 3)
    assert "2 documents, 3 keyphrases (left out: 1 with no keyphrases" in str(corpus.report)


def test_a_corpus_is_built_once(corpus_file, tmp_path, monkeypatch):
    first = prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", ONE)
    monkeypatch.delattr(preparation, "read_documents")
    assert prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", ONE).name == first.name


def test_runs_that_begin_together_share_one_corpus(corpus_file, tmp_path):
    def open_corpus(_):
        return prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", replace(ONE, see=seen.append))

    seen = []
    with ThreadPoolExecutor(4) as pool:
        names = {corpus.name for corpus in pool.map(open_corpus, range(4))}
    assert len(names) == 1
    assert len(seen) == 3  # each of the three documents was encoded by one of the runs


def test_a_corpus_is_never_stale(corpus_file, tmp_path):
    """Each of these changes what is encoded, so each has a corpus of its own."""

    def name(settings=SETTINGS, words=None, work=ONE):
        return prepare([corpus_file], settings, words or Words(size=8), tmp_path / "cache", work).name

    known = Vocabulary.from_words(["deep"])
    names = [
        name(),
        name(Settings(target=TargetSettings(source_words=2))),
        name(Settings(target=TargetSettings(phrase_words=1))),
        name(Settings(target=TargetSettings(filter=False))),
        name(Settings(target=TargetSettings(order="length"))),
        name(Settings(target=TargetSettings(tokenizer="unicode"))),
        name(words=Words(size=7)),
        name(words=Words(known=known)),
        name(words=Words(known=known, new=1)),
        name(work=Work(processes=1, skip_bad=True)),
    ]
    # the file changes in place: same name, same size, same time even
    content = corpus_file.read_text()
    corpus_file.write_text(content.replace("learn", "learm"))
    names.append(name())
    assert len(set(names)) == len(names)
    corpus_file.write_text(content)
    assert name() == names[0]
    # what is decided when batches are made needs no other corpus
    assert name(Settings(target=TargetSettings(phrases=1, shuffle_absent=False, paradigm="one2one"))) == names[0]


def test_a_known_vocabulary_is_kept_or_extended(corpus_file, tmp_path):
    known = Vocabulary.from_words(["learn", "deep"])
    kept = prepare([corpus_file], SETTINGS, Words(known=known), tmp_path, ONE).vocabulary
    assert kept == known
    extended = prepare([corpus_file], SETTINGS, Words(known=known, new=2), tmp_path, ONE).vocabulary
    assert extended.words == (*known.words, "nets", "kernels")


def test_several_processes_make_the_same_corpus(tmp_path, monkeypatch):
    monkeypatch.setattr(preparation, "CHUNK", 5)
    documents = [document(f"word{number} and nets", "nets", f"word{number % 7}") for number in range(23)]
    file = write(tmp_path / "many.jsonl", *documents)
    one = prepare([file], SETTINGS, Words(size=12), tmp_path / "one", ONE)
    two = prepare([file], SETTINGS, Words(size=12), tmp_path / "two", Work(processes=2))
    names = [path.name for path in (tmp_path / "one" / one.name).iterdir()]
    assert sorted(names) == ["corpus.json", "documents.arrow", "vocabulary.txt"]
    for name in names:
        assert (tmp_path / "one" / one.name / name).read_bytes() == (tmp_path / "two" / two.name / name).read_bytes()


def test_several_files_are_one_corpus(corpus_file, tmp_path):
    other = write(tmp_path / "other.jsonl", document("trees", "trees"))
    assert len(prepare([corpus_file, other], SETTINGS, Words(size=9), tmp_path / "cache", ONE)) == 3


def test_bad_records_stop_or_are_counted(corpus_file, tmp_path):
    with corpus_file.open("a") as file:
        file.write("{broken\n")
    with pytest.raises(DataError, match=r"corpus\.jsonl:4"):
        prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", ONE)
    corpus = prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", Work(processes=1, skip_bad=True))
    assert corpus.report.skipped_records == 1


def test_nothing_is_left_of_a_corpus_that_could_not_be_built(tmp_path):
    file = write(tmp_path / "empty.jsonl", document("no keyphrases"), document("none either"))
    with pytest.raises(DataError, match=r"empty\.jsonl: no document to train on \(2 with no keyphrases\)"):
        prepare([file], SETTINGS, Words(size=8), tmp_path / "cache", ONE)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [preparation.LOCK]


def test_a_damaged_corpus_says_how_to_get_another(corpus_file, tmp_path):
    corpus = prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", ONE)
    arrow = tmp_path / "cache" / corpus.name / "documents.arrow"
    arrow.write_bytes(arrow.read_bytes()[:-20])
    with pytest.raises(DataError, match="delete this folder to build it again"):
        prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", ONE)


def test_a_vocabulary_without_room_is_refused(corpus_file, tmp_path):
    with pytest.raises(KeyseqError, match="a vocabulary of 5 has no room"):
        prepare([corpus_file], SETTINGS, Words(size=5), tmp_path / "cache", ONE)


def test_the_arrow_file_is_read_by_others_as_it_is(corpus_file, tmp_path):
    import pyarrow as pa

    corpus = prepare([corpus_file], SETTINGS, Words(size=8), tmp_path / "cache", ONE)
    with pa.ipc.open_file(tmp_path / "cache" / corpus.name / "documents.arrow") as file:
        assert file.read_all().to_pylist()[1] == {"source": [5, 8, 5], "targets": [[5]], "positions": [0]}


def test_one_title_in_ten_is_no_input_in_training_and_its_first_sentence_stands_in(tmp_path):
    """Else a network would meet its first text without a title when it is used."""
    records = [{"title": "deep nets", "abstract": f"a{n} learns . more", "keywords": ["nets"]} for n in range(200)]
    settings = load_settings("tg-net")
    corpus = prepare([write(tmp_path / "corpus.jsonl", *records)], settings, Words(size=400), tmp_path / "cache", ONE)
    titles = [
        [corpus.vocabulary.words[word] for word in corpus.input(number).further["title"]] for number in range(200)
    ]
    without = [number for number, title in enumerate(titles) if title != ["deep", "nets"]]
    assert 8 <= len(without) <= 35
    assert all(titles[number] == [f"a{number}", "learns", "."] for number in without)
    assert all(corpus.vocabulary.words[corpus.source(number)[0]] == "deep" for number in without)  # the source keeps it
    other = replace(settings, target=replace(settings.target, untitled=0.0))
    again = prepare([tmp_path / "corpus.jsonl"], other, Words(size=400), tmp_path / "cache", ONE)
    assert {len(again.input(number).further["title"]) for number in range(200)} == {2}
