"""Learning from feedback: a small combined system, corrected by its users."""

import json
import shutil

import pytest
from tests.systems.tiny_combined import train_tiny
from typer.testing import CliRunner

import keyseq
from keyseq.adapting.feedback import Feedback
from keyseq.adapting.feedback_learning import Learning, NothingToLearnError
from keyseq.cli import app
from keyseq.errors import KeyseqError

ROBOTS = ("voice recognition", "social robot", "spoken commands", "older people")
KITCHENS = ("copper pan", "sharp knife", "warm oven", "wooden spoon")  # a topic that the system was not trained on
CITIES = ("public transport", "bicycle lane", "city centre", "traffic light")


def text(phrases, number=0):
    first, second, third = (phrases[(number + place) % 4] for place in range(3))
    return f"Note {number}: we study the {first} and a {second}. The {first} meets the {second} and the {third}."


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("learning"), trees=20)


@pytest.fixture
def folder(trained, tmp_path):
    shutil.copytree(trained, tmp_path / "mine")
    return tmp_path / "mine"


def given(folder, text):
    [phrases] = keyseq.load(str(folder)).predict([text])
    return [phrase.text.lower() for phrase in phrases]


def corrections(count=10, **verdicts):
    verdicts = verdicts or {"rejected": ("copper pan",), "added": ("cooking at home",)}
    return [Feedback(text=text(KITCHENS, 4 * number), **verdicts) for number in range(count)]


def test_after_ten_corrections_of_one_kind_the_next_such_document_shows_the_effect(folder):
    new, other = text(KITCHENS, 44), text(CITIES)
    before, elsewhere = given(folder, new), given(folder, other)
    assert "copper pan" in before
    assert "cooking at home" not in before
    version = Learning(folder).learn(corrections())
    after = given(folder, new)
    assert "copper pan" not in after
    assert "cooking at home" in after
    assert given(folder, other) == elsewhere
    assert (version.number, version.documents, version.verdicts, version.refused) == (1, 10, 20, "")


def test_concepts_of_a_vocabulary_are_corrected_by_their_labels(folder, tmp_path):
    terms = tmp_path / "terms.txt"
    terms.write_text("copper pans\nsharp knives\nwarm ovens\ncooking at home\n")

    def subjects():
        system = keyseq.load(str(folder), vocabulary=terms, min_score=0.001, top=4)
        return {phrase.text for phrase in system.predict([text(KITCHENS, 44)])[0]}

    assert "copper pans" in subjects()
    assert "cooking at home" not in subjects()
    Learning(folder).learn(corrections())
    assert "copper pans" not in subjects()
    assert {"sharp knives", "cooking at home"} <= subjects()


def test_a_system_for_another_language_learns_from_phrases_of_that_language(tmp_path):
    subjects = ("железная дорога", "городской парк", "речной порт", "детский театр")
    rows = [
        {
            "id": str(n),
            "abstract": f"{subjects[n % 4].title()} открыли снова, номер {n}.",
            "keywords": [subjects[n % 4]],
        }
        for n in range(80)
    ]
    (tmp_path / "ru.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    flags = [part for one in ("trees=8", "leaves=4", "leaf=5", "held_out=0.4") for part in ("--set", f"combined.{one}")]
    command = ["train", "combined", "--language", "ru", "--train", tmp_path / "ru.jsonl", "--out", tmp_path / "mine"]
    ran = CliRunner().invoke(app, [*map(str, command), *flags])
    assert ran.exit_code == 0, ran.output
    new = "Медный котёл и острый нож на кухне, запись 99."
    assert "домашняя кухня" not in given(tmp_path / "mine", new)
    said = [
        Feedback(text=f"Медный котёл и острый нож на кухне, запись {n}.", added=("домашняя кухня",)) for n in range(10)
    ]
    held_out = {"id": "1", "abstract": rows[0]["abstract"], "keywords": ["железные дороги"]}
    (tmp_path / "held-out.jsonl").write_text(json.dumps(held_out))
    version = Learning(tmp_path / "mine", tmp_path / "held-out.jsonl").learn(said)
    assert "домашняя кухня" in given(tmp_path / "mine", new)
    assert version.scores["before"] > 0, "железная дорога was compared with железные дороги by English stems"


def test_the_evidence_says_that_a_phrase_was_accepted(folder):
    Learning(folder).learn(corrections())
    [phrases] = keyseq.load(str(folder)).predict([text(KITCHENS, 44)])
    [one] = [phrase for phrase in phrases if phrase.text == "cooking at home"]
    assert one.evidence.sources == ("feedback",)
    assert not one.present


def test_a_rollback_takes_back_one_version_and_what_it_learnt_stays_set_aside(folder):
    learning, new = Learning(folder), text(KITCHENS, 44)
    before = given(folder, new)
    learning.learn(corrections())
    learning.learn(corrections(added=("quiet machines",)))
    assert {"cooking at home", "quiet machines"} <= set(given(folder, new))
    assert learning.rollback().number == 1
    assert "cooking at home" in given(folder, new)
    assert "quiet machines" not in given(folder, new)
    assert learning.rollback().number == 0
    assert given(folder, new) == before
    with pytest.raises(KeyseqError, match="nothing to roll back: it is as it was trained"):
        learning.rollback()
    with pytest.raises(NothingToLearnError, match="no feedback since version 2"):
        learning.learn()
    third = learning.learn(corrections(added=("gentle helpers",)))
    assert (third.number, third.parent) == (3, 0)
    assert "gentle helpers" in given(folder, new)
    assert "cooking at home" not in given(folder, new)
    assert learning.use(2).number == 2
    assert "quiet machines" in given(folder, new)


def test_a_version_whose_process_was_killed_before_it_was_activated_is_activated_by_the_next_run(folder, monkeypatch):
    learning, new = Learning(folder), text(KITCHENS, 44)
    learn_but_end_before_it_is_activated(learning, monkeypatch)
    assert (learning.versions.current, learning.versions.pending) == (0, 1)
    assert "cooking at home" not in given(folder, new)
    assert learning.learn().number == 1
    assert (learning.versions.current, learning.versions.pending) == (1, 0)
    assert "cooking at home" in given(folder, new)
    with pytest.raises(NothingToLearnError, match="no feedback since version 1"):
        learning.learn()


def test_more_feedback_after_such_a_kill_is_learnt_on_top(folder, monkeypatch):
    learning, new = Learning(folder), text(KITCHENS, 44)
    learn_but_end_before_it_is_activated(learning, monkeypatch)
    second = learning.learn(corrections(added=("quiet machines",)))
    assert (second.number, second.parent) == (2, 1)
    assert {"cooking at home", "quiet machines"} <= set(given(folder, new))


def learn_but_end_before_it_is_activated(learning, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("keyseq.systems.learnt_versions.Versions.use", killed)
        with pytest.raises(KeyboardInterrupt):
            learning.learn(corrections())


def test_the_same_corrections_again_change_nothing(folder):
    learning, new = Learning(folder), text(KITCHENS, 44)
    learning.learn(corrections())
    scores = [phrase.score for phrase in keyseq.load(str(folder)).predict([new])[0]]
    assert learning.learn(corrections()).verdicts == 20
    assert [phrase.score for phrase in keyseq.load(str(folder)).predict([new])[0]] == scores


def test_of_two_verdicts_on_a_phrase_of_a_document_the_later_counts(folder):
    learning, new = Learning(folder), text(KITCHENS, 44)
    learning.learn(corrections(rejected=("copper pan",)))
    assert "copper pan" not in given(folder, new)
    assert learning.learn(corrections(accepted=("copper pan",))).verdicts == 10
    assert "copper pan" in given(folder, new)


def test_what_is_learnt_in_two_steps_is_what_is_learnt_in_one(folder, trained, tmp_path):
    first, second = corrections(4), corrections(10)[4:]
    Learning(folder).learn(first)
    Learning(folder).learn(second)
    shutil.copytree(trained, tmp_path / "other")
    Learning(tmp_path / "other").learn([*first, *second])
    ones, others = (
        [(phrase.text, round(phrase.score, 6)) for phrase in keyseq.load(str(place)).predict([text(KITCHENS, 44)])[0]]
        for place in (folder, tmp_path / "other")
    )
    assert ones == others


def test_feedback_that_makes_the_system_worse_is_refused_and_kept_as_a_version(folder):
    topics = ("machine learning", "assistive technology", "urban planning")
    spoilt = [
        Feedback(text=json.loads(line)["abstract"], rejected=tuple(json.loads(line)["keywords"]), added=(f"noise {n}",))
        for n, line in enumerate((folder / "held-out.jsonl").read_text().splitlines())
    ]
    before = [given(folder, text(phrases)) for phrases in (ROBOTS, CITIES)]
    version = Learning(folder).learn(spoilt)
    assert "F1@M on 40 held-out documents" in version.refused
    assert version.scores["after"] < version.scores["before"]
    assert [given(folder, text(phrases)) for phrases in (ROBOTS, CITIES)] == before
    assert any(topic in before[0] for topic in topics)
    assert Learning(folder).use(version.number).refused
    assert [given(folder, text(phrases)) for phrases in (ROBOTS, CITIES)] != before


def test_a_system_without_held_out_documents_learns_and_says_that_nothing_was_checked(folder):
    (folder / "held-out.jsonl").unlink()
    notes = []
    version = Learning(folder, note=notes.append).learn(corrections())
    assert version.scores == {}
    assert "has no held-out documents" in notes[0]
    assert "cooking at home" in given(folder, text(KITCHENS, 44))


def test_lines_that_were_cut_short_are_reported_and_the_others_learnt(folder):
    learning, notes = Learning(folder), []
    learning.log.append(corrections()[:5])
    with learning.log.path.open("ab") as file:
        file.write(b'{"text": "cut')
    learning.log.append(corrections()[5:])
    with learning.log.path.open("ab") as file:
        file.write(b"{")
    version = Learning(folder, note=notes.append).learn()
    assert version.documents == 10
    assert "skipped a line that was cut short, or is not JSON" in notes[0]
    assert "the last line was cut short and is skipped" in notes[1]


def test_a_damaged_version_is_one_sentence_and_a_rollback_away(folder):
    learning = Learning(folder)
    learning.learn(corrections())
    (folder / "feedback/versions/1/corrections.safetensors").write_bytes(b"x")
    with pytest.raises(KeyseqError, match="missing or damaged"):
        keyseq.load(str(folder))
    assert learning.rollback().number == 0
    assert given(folder, text(ROBOTS))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("scholar", "scholar: a system of the package; name the folder of a combined system"),
        ("nowhere", "nowhere: no such folder; name the folder of a combined system"),
        ("kea", "which cannot learn from feedback; combined systems can"),
    ],
)
def test_what_cannot_learn_is_refused(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kea").mkdir()
    (tmp_path / "kea/ranker.toml").write_text("[kea]")
    with pytest.raises(KeyseqError, match=message):
        Learning(type(tmp_path)(name))
