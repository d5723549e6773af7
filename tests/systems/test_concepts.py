"""Controlled vocabularies under the default system: only what fits, and nothing where nothing does."""

import pytest
from tests.vocabularies.thesauri import PREFIX

import keyseq
from keyseq.errors import KeyseqError
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.concepts import LEAST
from keyseq.vocabularies.building import vocabulary_of_labels
from keyseq.vocabularies.vocabulary_file import read_vocabulary

QUANTUM = (
    "Quantum surface codes. We show that surface codes correct errors of qubits with a high threshold. The surface "
    "code is a topological code in which qubits lie on a plane, and it tolerates noise in quantum computers."
)
MONEY = (
    "Monetary policy after the crisis. The central bank raised interest rates in order to fight inflation. Households "
    "pay more for loans, and the policy of the bank is debated."
)
CAKE = "How to bake a cake. Mix flour, butter and sugar, and put it in the oven. Those who like chocolate may add it."
TEAMS = "Communication in teams. People communicate better when messages are transformed into short notes."

# Terms that begin or end as words of these texts do, and terms that fit them
TRAPS = [
    "surface roughness",
    "surface tension",
    "surface water",
    "household archaeology",
    "household pests",
    "community",
    "community ecology",
    "transformers",
    "policy",
    "monetary history",
    "code of conduct",
    "bank voles",
    "interest groups",
    "rate of climb",
    "error analysis",
    "IT",
    "WHO",
    "may",
    "it",
    "inflation (cosmology)",
    "noise pollution",
    "sugar beet",
    "butterflies",
    "chocolate spot",
    "computer games",
    "planes",
    "thresholds of hearing",
]
FITTING = ["topological codes", "quantum error correction", "monetary policy", "central banks", "interest rates"]


def texts(found):
    return [phrase.text for phrase in found]


@pytest.fixture(scope="module")
def system():
    return keyseq.load(allow=[*TRAPS, *FITTING])


@pytest.mark.parametrize("text", [QUANTUM, MONEY, CAKE, TEAMS], ids=["quantum", "money", "cake", "teams"])
def test_a_list_of_traps_gives_nothing(text):
    traps = [trap for trap in TRAPS if not trap.startswith("inflation")]
    assert texts(keyseq.load(allow=traps).predict([text])[0]) == []
    assert texts(keyseq.load(allow=traps, top=5).predict([text])[0]) == []


def test_terms_that_fit_are_found_among_the_traps(system):
    quantum, money, cake, teams = system.predict([QUANTUM, MONEY, CAKE, TEAMS])
    assert "topological codes" in texts(quantum)
    assert texts(money)[0] == "monetary policy"
    assert {*texts(quantum), *texts(money)} <= set(FITTING) | {"inflation (cosmology)"}
    assert texts(cake) == texts(teams) == []
    assert all(phrase.score >= LEAST for phrase in [*quantum, *money])


def test_a_text_gets_none_of_a_vocabulary_of_another_field():
    sailing = [
        f"{what} {part}" for what in ("yacht", "sail", "mast", "rudder") for part in ("design", "repair", "races")
    ]
    assert keyseq.load(allow=sailing).predict([QUANTUM, MONEY, CAKE]) == [[], [], []]


def test_concepts_that_the_text_does_not_name_are_found_by_profiles():
    [found] = keyseq.load("scholar", allow=["reinforcement learning", "knitting"], min_score=0.001, top=5).predict(
        ["Agents that get rewards. An agent acts in a Markov decision process and learns a policy by Q-learning."]
    )
    assert texts(found) == ["reinforcement learning"]
    assert (found[0].present, found[0].spans, found[0].matched) == (False, (), "reinforcement learning")
    assert "profiles" in found[0].evidence.sources or "network" in found[0].evidence.sources


@pytest.fixture(scope="module")
def thesaurus(tmp_path_factory):
    path = tmp_path_factory.mktemp("thesaurus") / "economics.ttl"
    path.write_text(
        PREFIX
        + """
        ex:mp a skos:Concept ; skos:prefLabel "Geldpolitik"@de , "monetary economics"@en ;
            skos:altLabel "monetary policy"@en , "policies, monetary"@en ; skos:related ex:cb .
        ex:cb a skos:Concept ; skos:prefLabel "banks of issue"@en ; skos:altLabel "central banks"@en .
        ex:mercury a skos:Concept ; skos:prefLabel "Mercury (planet)"@en .
        ex:hg a skos:Concept ; skos:prefLabel "Mercury (metal)"@en .
        """
    )
    return path


def test_an_answer_has_the_uri_the_preferred_label_and_the_label_that_matched(thesaurus):
    [found] = keyseq.load("scholar", vocabulary=thesaurus, top=5).predict([MONEY])
    policy = found[0]
    assert (policy.text, policy.uri, policy.matched, policy.new) == (
        "monetary economics",
        "http://example.org/mp",
        "monetary policy",
        False,
    )
    assert [MONEY[start:end] for start, end in policy.spans] == ["Monetary policy"]
    assert (policy.evidence.label, policy.evidence.related, policy.evidence.sharing) == (
        "alternative",
        ("banks of issue",),
        0,
    )
    assert policy.evidence.system == "scholar"


def test_the_context_tells_which_of_two_concepts_an_ambiguous_label_means(thesaurus):
    text = "The orbit of Mercury. Mercury is the planet nearest to the sun; its perihelion precesses slowly."
    [[found]] = keyseq.load("scholar", vocabulary=thesaurus).predict([text])
    assert (found.text, found.evidence.sharing) == ("Mercury (planet)", 1)
    [[metal]] = keyseq.load("scholar", vocabulary=thesaurus).predict([text.replace("planet", "metal")])
    assert metal.text == "Mercury (metal)"


def test_new_terms_are_mixed_in_and_marked(thesaurus):
    [found] = keyseq.load("scholar", vocabulary=thesaurus, also_new=True, top=6).predict([MONEY])
    new = [phrase for phrase in found if phrase.new]
    assert new
    assert {phrase.uri for phrase in new} == {phrase.matched for phrase in new} == {None}
    assert "monetary economics" in texts(found)
    assert not {"monetary policy", "central bank", "central banks"} & {phrase.text.lower() for phrase in new}
    assert [phrase.score for phrase in found] == sorted((phrase.score for phrase in found), reverse=True)


def test_top_min_score_present_and_deny_hold_for_concepts_too(system):
    [few] = system.with_settings(allow=FITTING, top=1).predict([MONEY])
    assert texts(few) == ["monetary policy"]
    [more] = system.with_settings(allow=FITTING, min_score=0.01, top=9).predict([MONEY])
    assert len(more) > 1
    assert all(phrase.score >= 0.01 for phrase in more)
    [absent] = system.with_settings(allow=FITTING, present=False, min_score=0.001, top=9).predict([MONEY])
    assert not any(phrase.present for phrase in absent)
    [denied] = system.with_settings(allow=FITTING, deny=["monetary policies"], top=9).predict([MONEY])
    assert "monetary policy" not in texts(denied)
    assert len(more) >= len(texts(system.with_settings(allow=FITTING, beta=5).predict([MONEY])[0]))


def test_a_vocabulary_can_be_given_by_its_path_or_as_it_is(thesaurus):
    read = read_vocabulary(thesaurus)
    for given in (thesaurus, str(thesaurus), read):
        assert CombinedSettings(vocabulary=given).vocabulary is read


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"vocabulary": 7}, "vocabulary must be the path of a file or a ControlledVocabulary, not 7"),
        ({"vocabulary": "none.ttl"}, "none.ttl: no such file"),
        ({"also_new": True}, "also_new adds phrases that a vocabulary lacks: give a vocabulary too"),
        (
            {"allow": ["a"], "vocabulary": "a.txt"},
            "allow and vocabulary exclude each other: a list of phrases is a vocabulary too",
        ),
        ({"allow": [" "]}, "the list of allowed phrases: holds no concept with a label"),
    ],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused_at_once(settings, message):
    with pytest.raises(KeyseqError) as error:
        keyseq.load(**settings)
    assert str(error.value) == message


def test_a_vocabulary_in_another_language_is_refused(tmp_path):
    path = tmp_path / "terms.ttl"
    path.write_text(f'{PREFIX}ex:a skos:prefLabel "Geld"@de .')
    with pytest.raises(KeyseqError) as error:
        keyseq.load(vocabulary=path)
    assert str(error.value) == (
        f"{path}: none of its labels is in English (en), the language of the texts; they are in de (1)"
    )


def test_one_vocabulary_serves_all_systems_that_the_default_chooses_from():
    system = keyseq.load(vocabulary=vocabulary_of_labels(["monetary policy", "bread"], "list"))
    money, bread = system.predict([MONEY, "Why does my sourdough bread not rise? I fed the starter twice a day."])
    assert (texts(money), texts(bread)) == (["monetary policy"], ["bread"])
    assert money[0].evidence.system != bread[0].evidence.system
