"""What SKOS files say beside plain labels: extended labels, deprecated concepts, names of schemes."""

import io

from tests.vocabularies.thesauri import PREFIX

from keyseq.vocabularies.skos import read_skos

XL = "@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n" + PREFIX


def concepts(turtle):
    return {one.uri.rpartition("/")[2]: one for one in read_skos(io.BytesIO((XL + turtle).encode()), "v.ttl", "Turtle")}


def test_extended_labels_are_labels_too():
    found = concepts('ex:a xl:prefLabel ex:l . ex:l a xl:Label ; xl:literalForm "cats"@en . ex:a xl:altLabel ex:none .')
    assert found["a"].labels == (("cats", 0, "en"),)
    assert set(found) == {"a"}


def test_deprecated_concepts_schemes_and_collections_are_no_concepts():
    found = concepts(
        'ex:a skos:prefLabel "old" ; owl:deprecated true . ex:b a skos:Collection ; skos:prefLabel "all" .'
        'ex:s a skos:ConceptScheme ; skos:prefLabel "scheme" . ex:c skos:prefLabel "kept" ; owl:deprecated false .'
    )
    assert set(found) == {"c"}


def test_a_concept_may_be_named_by_rdfs_alone():
    found = concepts(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        'ex:a a skos:Concept ; rdfs:label "cats" . ex:b a skos:Concept ; rdfs:label "x" ; skos:prefLabel "dogs" .'
        'ex:c rdfs:label "no concept" .'
    )
    assert {name: [label.text for label in one.labels] for name, one in found.items()} == {"a": ["cats"], "b": ["dogs"]}


def test_relative_addresses_are_those_of_the_file_and_tell_no_folder():
    [found] = read_skos(io.BytesIO(f'{PREFIX}<#a> skos:prefLabel "a" .'.encode()), "/home/me/my terms.ttl", "Turtle")
    assert found.uri == "file:///my%20terms.ttl#a"
