"""The systems of a server, under the options of each request."""

import shutil

import pytest
from tests.systems.test_neural import WORDS, made

from keyseq.errors import KeyseqError
from keyseq.runtime.exporting import export
from keyseq.serving.loaded_systems import LoadedSystems
from keyseq.systems import DEFAULT, SYSTEMS, load
from keyseq.types import Document

TEXT = Document(id="1", body=" ".join(WORDS[:60]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("networks") / "small"
    export(made(), out)
    return out


@pytest.fixture(scope="module")
def catalogue(folder):
    return LoadedSystems([str(folder), "textrank"])


def predicted(catalogue, name, options):
    asked, selection = catalogue.resolve(name, options)
    [found] = catalogue.predict(asked, [TEXT])
    return [phrase.text for phrase in selection.select(found)]


def test_without_names_all_that_need_no_other_package_are_served_the_librarys_default_first():
    names = [entry.name for entry in LoadedSystems().entries()]
    assert names[0] == DEFAULT
    assert set(names) == {name for name, entry in SYSTEMS.items() if not entry.package}


def test_a_folder_is_called_by_its_last_part_and_is_the_default_if_it_comes_first(catalogue, folder):
    first, second = catalogue.entries()
    assert (first.name, first.default, first.absent) == ("small", True, True)
    assert (second.name, second.default, second.absent) == ("textrank", False, False)
    assert str(folder.parent) not in first.model_dump_json()


def test_two_folders_of_one_name_cannot_be_told_apart(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "small")
    with pytest.raises(KeyseqError, match="'small'; rename"):
        LoadedSystems([str(folder), str(tmp_path / "small")])


def test_a_network_under_options_says_what_the_library_says(catalogue, folder):
    [expected] = load(str(folder), top=3, present=True).predict([TEXT])
    assert predicted(catalogue, "small", {"top": 3, "present": True}) == [phrase.text for phrase in expected]


def test_an_allow_list_binds_a_network_and_is_refused_by_others(catalogue):
    allowed = (f"{WORDS[0]} {WORDS[1]}", WORDS[5])
    assert set(predicted(catalogue, "small", {"allow": allowed})) <= set(allowed)
    with pytest.raises(KeyseqError, match="textrank has no setting 'allow'"):
        catalogue.resolve("textrank", {"allow": allowed})


def test_equal_options_share_a_batch_and_others_do_not(catalogue):
    asked = [catalogue.resolve(None, {"top": top, "min_score": score})[0] for top, score in ((3, 0), (3, 0.5), (4, 0))]
    assert asked[0] == asked[1]  # which scores are wanted does not change what is predicted
    assert asked[0] != asked[2]


def test_an_unknown_system_is_told_the_nearest(catalogue):
    with pytest.raises(KeyseqError, match="did you mean 'textrank'"):
        catalogue.resolve("texrank", {})


def test_a_server_sets_each_system_unless_a_request_has_its_own_settings():
    overrides = ["textrank.top=1", "textrank.deny=voice recognition, robots", "tfidf.min_score=1"]
    systems = LoadedSystems(["textrank", "tfidf"], overrides=overrides)
    assert [entry.defaults for entry in systems.entries()] == [
        {"top": 1, "deny": ("voice recognition", "robots")},
        {"min_score": 1.0},
    ]
    text = Document(id="1", body="Voice recognition lets robots follow spoken commands in noisy rooms.")

    def found(name, **settings):
        asked, selection = systems.resolve(name, settings)
        [phrases] = systems.predict(asked, [text])
        return [phrase.text for phrase in selection.select(phrases)]

    assert len(found("textrank")) == 1
    assert len(found("textrank", top=2)) == 2
    assert "Voice recognition" not in found("textrank", top=9)
    assert "Voice recognition" in found("textrank", top=9, deny=("x",))
    assert len(found("tfidf")) == 1 < len(found("tfidf", min_score=0.0))


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("top=5", "'top=5' is not a setting; use section.key=value, such as textrank."),
        ("tfidf.top=5", "unknown section of settings 'tfidf'; the only one is textrank"),
        ("textrank.tpo=5", "unknown setting 'textrank.tpo'; did you mean 'top'?"),
        ("textrank.top=x", "textrank.top must be a whole number, not 'x'"),
        ("textrank.top=0", "top must be at least 1, not 0"),
        ("textrank.language=xx", "unknown language 'xx'"),
    ],
)
def test_a_bad_setting_of_a_server_is_refused_when_it_starts(override, said):
    with pytest.raises(KeyseqError) as refused:
        LoadedSystems(["textrank"], overrides=[override])
    assert said in str(refused.value)
