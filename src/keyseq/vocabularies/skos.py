"""Concepts of SKOS files: Turtle, RDF/XML, JSON-LD and N-Triples, through pyoxigraph; nothing is fetched."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, BinaryIO

from keyseq.errors import DataError, shown
from keyseq.imports import require
from keyseq.vocabularies.concept import (
    ALTERNATIVE,
    BROADER,
    HIDDEN,
    NARROWER,
    PREFERRED,
    RELATED,
    Concept,
    ConceptLabel,
)

SKOS, SKOS_XL = "http://www.w3.org/2004/02/skos/core#", "http://www.w3.org/2008/05/skos-xl#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"

RDF_FORMATS = {"Turtle": "TURTLE", "RDF/XML": "RDF_XML", "JSON-LD": "JSON_LD", "N-Triples": "N_TRIPLES"}
_LABELS = {"prefLabel": PREFERRED, "altLabel": ALTERNATIVE, "hiddenLabel": HIDDEN}
_RELATIONS = {
    f"{SKOS}{name}": kind for name, kind in (("broader", BROADER), ("narrower", NARROWER), ("related", RELATED))
}
_PLAIN = {f"{SKOS}{name}": kind for name, kind in _LABELS.items()}
_EXTENDED = {f"{SKOS_XL}{name}": kind for name, kind in _LABELS.items()}
_NO_CONCEPTS = {f"{SKOS}{name}" for name in ("ConceptScheme", "Collection", "OrderedCollection")} | {f"{SKOS_XL}Label"}


class _Statements:
    """The statements of a file by their subjects."""

    def __init__(self) -> None:
        self.labels: defaultdict[str, list[ConceptLabel]] = defaultdict(list)
        self.extended: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)  # labels that are subjects (SKOS-XL)
        self.forms: dict[str, ConceptLabel] = {}
        self.relations: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        self.names: defaultdict[str, list[ConceptLabel]] = defaultdict(
            list
        )  # rdfs:label, where there is nothing better
        self.concepts: dict[str, None] = {}  # in the order of the file
        self.others: set[str] = set()

    def add(self, subject: str, predicate: str, value: Any) -> None:
        """Take a statement in; those of other predicates mean nothing here."""
        if predicate in _PLAIN:
            self.concepts[subject] = None
            self.labels[subject].append(ConceptLabel(value.value, _PLAIN[predicate], _language(value)))
        elif predicate in _RELATIONS:
            self.relations[subject].append((_RELATIONS[predicate], value.value))
        elif predicate == RDF_TYPE:
            self._add_type(subject, value.value)
        elif predicate == RDFS_LABEL:
            self.names[subject].append(ConceptLabel(value.value, PREFERRED, _language(value)))
        elif predicate in _EXTENDED:
            self.concepts[subject] = None
            self.extended[subject].append((_EXTENDED[predicate], value.value))
        elif predicate == f"{SKOS_XL}literalForm":
            self.forms[subject] = ConceptLabel(value.value, PREFERRED, _language(value))
        elif predicate == DEPRECATED and value.value in ("true", "1"):
            self.others.add(subject)

    def _add_type(self, subject: str, kind: str) -> None:
        if kind == f"{SKOS}Concept":
            self.concepts[subject] = None
        elif kind in _NO_CONCEPTS:
            self.others.add(subject)

    def found(self, name: str) -> Iterator[Concept]:
        """The concepts that were described."""
        for uri in self.concepts:
            if uri not in self.others:
                forms = ((kind, self.forms.get(node)) for kind, node in self.extended[uri])
                labels = [*self.labels[uri], *(form._replace(kind=kind) for kind, form in forms if form is not None)]
                yield Concept(uri, tuple(labels or self.names[uri]), tuple(self.relations[uri]), name)


def read_skos(file: BinaryIO, name: str, format: str) -> Iterator[Concept]:
    """Read the concepts of a file in one of `RDF_FORMATS`."""
    ox = require("pyoxigraph", "skos")
    statements = _Statements()
    # relative addresses are those of the file itself, whatever folder it lies in
    options = {"base_iri": f"file:///{name.rpartition('/')[2].replace(' ', '%20')}", "lenient": True}
    try:
        for triple in ox.parse(file, getattr(ox.RdfFormat, RDF_FORMATS[format]), **options):
            statements.add(triple.subject.value, triple.predicate.value, triple.object)
    except (SyntaxError, ValueError) as error:
        raise _broken(name, format, error) from None
    return statements.found(name)


def _language(value: Any) -> str:
    return getattr(value, "language", None) or ""


def _broken(name: str, format: str, error: SyntaxError | ValueError) -> DataError:
    message, line = getattr(error, "msg", None) or str(error), getattr(error, "lineno", None)
    if "LoadDocumentCallback" in message:
        return DataError(
            f"{name}: its JSON-LD context is on the web, where nothing is fetched; write the context into the file, or "
            "convert it to Turtle"
        )
    reason = message.split(": ", 1)[-1] if message.startswith("Parser error at line") else message
    return DataError(f"{name}{f':{line}' if line else ''}: broken {format} ({shown(reason, 160)}); repair it there")
