"""A combined system under its settings: lists, limits, beta, evidence; damaged folders."""

import dataclasses
import shutil

import numpy as np
import pytest
from tests.systems.tagged import documents

from keyseq.arrays import map_arrays, write_arrays
from keyseq.data.formats import write_documents
from keyseq.errors import KeyseqError
from keyseq.systems.combined import KEYPHRASENESS, LABELS, MARK, PROFILES, RANKER, CombinedSettings, title_of
from keyseq.systems.combined_settings import USUAL_BETA
from keyseq.systems.combined_training import train_combined
from keyseq.systems.registry import load
from keyseq.systems.training_job import TrainingJob
from keyseq.types import Document

TEXT = "On the comet orbit\nThe comet orbit is near the planet; nobody knows why. A planet and the comet orbit."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("combined")
    every = list(documents())
    write_documents(every[:160], place / "train.jsonl")
    write_documents(every[160:], place / "valid.jsonl")
    train_combined(
        TrainingJob(
            system="combined",
            train=[place / "train.jsonl"],
            valid=place / "valid.jsonl",
            out=place / "mine",
            overrides=["combined.trees=20", "combined.leaf=10"],
        )
    )
    return place / "mine"


def phrases(folder, text=TEXT, **settings):
    [found] = load(str(folder), **settings).predict([text])
    return found


def texts(folder, text=TEXT, **settings):
    return [phrase.text for phrase in phrases(folder, text, **settings)]


def test_a_text_gets_its_subject_and_its_tag(folder):
    assert set(texts(folder)) == {"comet orbit", "astronomy"}


def test_several_threads_give_each_document_what_one_gives_it(folder):
    given = [f"{TEXT} {'A bridge over a river. ' * (number % 5)}" for number in range(21)]
    assert load(str(folder), threads=3).predict(given) == load(str(folder), threads=1).predict(given)
    assert load(str(folder), threads=3).predict([]) == []


def test_scores_are_probabilities_in_falling_order(folder):
    scores = [phrase.score for phrase in phrases(folder, top=10)]
    assert scores == sorted(scores, reverse=True)
    assert 0 <= min(scores) <= max(scores) <= 1


def test_present_or_absent_phrases_alone(folder):
    assert all(phrase.present and phrase.spans for phrase in phrases(folder, present=True, top=5))
    absent = phrases(folder, present=False, top=5)
    assert absent[0].text == "astronomy"
    assert not any(phrase.present or phrase.spans for phrase in absent)


def test_phrases_can_be_denied_in_any_form(folder):
    assert "comet orbit" not in texts(folder, deny=["Comet orbits"], top=5)


def test_only_allowed_phrases_are_given_as_the_list_writes_them(folder):
    assert set(texts(folder, allow=["Astronomy", "Comet Orbits", "cooking"], top=5)) <= {
        "Astronomy",
        "Comet Orbits",
        "cooking",
    }
    assert texts(folder, allow=["Astronomy"]) == ["Astronomy"]
    assert texts(folder, allow=["nothing of it"]) == []


def test_top_says_how_many_and_min_score_from_where_on(folder):
    every = phrases(folder, top=6)
    assert len(every) == 6
    assert phrases(folder, top=1) == every[:1]
    least = round(every[1].score, 6)
    kept = phrases(folder, top=6, min_score=least)
    assert kept == [phrase for phrase in every if round(phrase.score, 6) >= least]
    assert len(kept) < 6


def test_a_larger_beta_gives_more_phrases(folder):
    counts = [len(texts(folder, beta=beta)) for beta in (0.1, 1, 5, 20)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def says(folder, beta, tmp_path):
    """The system with another weight of recall in its settings, or with none."""
    copy = shutil.copytree(folder, tmp_path / f"says-{beta}")
    kept = [line for line in (copy / MARK).read_text().splitlines() if not line.startswith("beta")]
    (copy / MARK).write_text("\n".join([*kept, *([f"beta = {beta}"] if beta else []), ""]))
    return copy


def test_a_folder_says_its_own_weight_of_recall_and_a_request_another(folder, tmp_path):
    long = says(folder, 20, tmp_path)
    assert texts(long) == texts(folder, beta=20) != texts(folder)
    assert texts(long, beta=0.1) == texts(folder, beta=0.1)


def test_a_folder_of_before_has_the_usual_weight_of_recall(folder, tmp_path):
    assert load(str(says(folder, None, tmp_path))).beta == USUAL_BETA


def test_a_weight_of_recall_that_makes_no_sense_is_refused(folder, tmp_path):
    with pytest.raises(KeyseqError, match=r"combined\.beta must be at least 0\.05, not 0\.0"):
        load(str(says(folder, "0.0", tmp_path)))


def test_evidence_says_where_a_phrase_came_from(folder):
    evidence = {phrase.text: phrase.evidence for phrase in phrases(folder)}
    subject, tag = evidence["comet orbit"], evidence["astronomy"]
    assert ("text" in subject.sources, subject.occurrences, subject.in_title) == (True, 3, True)
    assert (tag.sources, tag.occurrences, tag.in_title, tag.share) == (("profiles",), 0, False, None)
    assert 1 <= tag.rank <= 3  # "comet orbit" and "planet" are labels too
    assert tag.keyphrase_of > 10
    assert tag.contained_in == 0
    assert tag.terms[0] in {"comet", "orbit", "planet", "comet orbit"}


@pytest.mark.parametrize("text", ["", "...", "the", "12 34 56"])
def test_a_text_with_nothing_to_say_gets_no_phrase_of_it(text, folder):
    assert not any(phrase.present for phrase in phrases(folder, text))


def test_other_settings_share_what_was_learnt(folder):
    system = load(str(folder))
    other = system.with_settings(top=1)
    assert other.parts is system.parts
    assert len(other.predict([TEXT])[0]) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"top": 0}, "top must be at least 1, not 0"),
        ({"top": "5"}, "top must be a whole number, not '5'"),
        ({"min_score": 1.5}, "min_score must be at most 1, not 1.5"),
        ({"beta": 0}, "beta must be at least 0.05, not 0.0"),
        ({"allow": "cats"}, "allow must be a list of texts, not 'cats'"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(settings, message):
    with pytest.raises(KeyseqError) as error:
        CombinedSettings(**settings)
    assert str(error.value) == message


def test_a_first_line_is_taken_for_a_title_if_it_can_be_one():
    def of(text):
        return title_of(Document(id="1", body=text))

    assert of("A title\nThe text.") == "A title"
    assert of("A title\n\n") == ""
    assert of("One line alone") == ""
    assert of("A list:\nof things") == ""
    assert of(" ".join(["word"] * 26) + "\nmore") == ""
    assert title_of(Document(id="1", title="Given", body="First line\nmore")) == "Given"


def test_a_system_without_profiles_ranks_what_the_text_has(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "mine")
    (tmp_path / "mine" / PROFILES).unlink()
    assert all(phrase.present for phrase in phrases(tmp_path / "mine"))


def _short_labels(folder):
    (folder / LABELS).write_text("one\n")


def _other_ranker(folder):
    arrays = dict(map_arrays(folder / RANKER))
    write_arrays(folder / RANKER, arrays | {"slopes": np.array([np.nan, 1.0])})


def _short_counts(folder):
    arrays = {name: np.array(array) for name, array in map_arrays(folder / KEYPHRASENESS).items()}
    write_arrays(folder / KEYPHRASENESS, arrays | {"containing": arrays["containing"][:-1]})


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / RANKER).unlink(),
        lambda folder: (folder / RANKER).write_bytes(b"x" * 50),
        lambda folder: (folder / MARK).write_text("[other]"),
        lambda folder: (folder / MARK).write_text("[combined]\nnets = 3"),
        lambda folder: (folder / KEYPHRASENESS).write_bytes(b""),
        lambda folder: (folder / LABELS).unlink(),
        _short_labels,
        _other_ranker,
        _short_counts,
    ],
)
def test_a_damaged_folder_is_told_in_one_sentence(damage, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "mine")
    damage(tmp_path / "mine")
    with pytest.raises(KeyseqError) as error:
        load(str(tmp_path / "mine"))
    assert str(tmp_path / "mine") in str(error.value)
    assert "\n" not in str(error.value)


def test_documents_with_a_title_are_read_as_such(folder):
    [found] = load(str(folder), top=10).predict([Document(id="1", title="On the comet orbit", body="A planet.")])
    evidence = {phrase.text: dataclasses.asdict(phrase.evidence) for phrase in found}
    assert evidence["comet orbit"]["in_title"]
