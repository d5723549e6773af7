"""A small thesaurus as files of every format, with the same concepts in all of them."""

EX = "http://example.org/"
PREFIX = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix ex: <http://example.org/> .\n"

TURTLE = f"""{PREFIX}
ex:scheme a skos:ConceptScheme ; skos:prefLabel "Traffic"@en .
ex:vehicles a skos:Concept ; skos:prefLabel "vehicles"@en , "Fahrzeuge"@de ; skos:narrower ex:cars .
ex:cars a skos:Concept ; skos:prefLabel "automobiles"@en-GB , "Autos"@de ; skos:altLabel "motor cars"@en , "cars"@en ;
    skos:hiddenLabel "automobils"@en ; skos:broader ex:vehicles ; skos:related ex:roads .
ex:roads a skos:Concept ; skos:prefLabel "roads"@en , "Straßen"@de .
"""

RDF_XML = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:ConceptScheme rdf:about="http://example.org/scheme"><skos:prefLabel>Traffic</skos:prefLabel></skos:ConceptScheme>
  <skos:Concept rdf:about="http://example.org/vehicles">
    <skos:prefLabel xml:lang="en">vehicles</skos:prefLabel><skos:prefLabel xml:lang="de">Fahrzeuge</skos:prefLabel>
  </skos:Concept>
  <skos:Concept rdf:about="http://example.org/cars">
    <skos:prefLabel xml:lang="en-GB">automobiles</skos:prefLabel><skos:prefLabel xml:lang="de">Autos</skos:prefLabel>
    <skos:altLabel xml:lang="en">motor cars</skos:altLabel><skos:altLabel xml:lang="en">cars</skos:altLabel>
    <skos:hiddenLabel xml:lang="en">automobils</skos:hiddenLabel>
    <skos:broader rdf:resource="http://example.org/vehicles"/><skos:related rdf:resource="http://example.org/roads"/>
  </skos:Concept>
  <skos:Concept rdf:about="http://example.org/roads">
    <skos:prefLabel xml:lang="en">roads</skos:prefLabel><skos:prefLabel xml:lang="de">Straßen</skos:prefLabel>
  </skos:Concept>
</rdf:RDF>
"""

JSON_LD = """{
  "@context": {"skos": "http://www.w3.org/2004/02/skos/core#", "ex": "http://example.org/",
    "prefLabel": {"@id": "skos:prefLabel", "@container": "@language"},
    "altLabel": {"@id": "skos:altLabel", "@container": "@language"},
    "hiddenLabel": {"@id": "skos:hiddenLabel", "@container": "@language"},
    "broader": {"@id": "skos:broader", "@type": "@id"}, "related": {"@id": "skos:related", "@type": "@id"}},
  "@graph": [
    {"@id": "ex:vehicles", "@type": "skos:Concept", "prefLabel": {"en": "vehicles", "de": "Fahrzeuge"}},
    {"@id": "ex:cars", "@type": "skos:Concept", "prefLabel": {"en-GB": "automobiles", "de": "Autos"},
     "altLabel": {"en": ["motor cars", "cars"]}, "hiddenLabel": {"en": "automobils"},
     "broader": "ex:vehicles", "related": "ex:roads"},
    {"@id": "ex:roads", "@type": "skos:Concept", "prefLabel": {"en": "roads", "de": "Straßen"}}
  ]
}
"""

CSV = """uri,label_en,label_de,altLabel_en,hiddenLabel_en,broader,related,notation
<http://example.org/vehicles>,vehicles,Fahrzeuge,,,,,1
<http://example.org/cars>,automobiles,Autos,motor cars; cars,automobils,<http://example.org/vehicles>,roads,1.1
<http://example.org/roads>,roads,Straßen,,,,,2
"""

FILES = {
    "terms.ttl": TURTLE,
    "terms.rdf": RDF_XML,
    "terms.jsonld": JSON_LD,
    "terms.csv": CSV,
    "terms.tsv": "\n".join("\t".join(line.split(",")) for line in CSV.splitlines()),
}


def write(folder, name, content=None):
    """A file of the thesaurus, or of something else."""
    path = folder / name
    path.write_text(FILES[name] if content is None else content, encoding="utf-8")
    return path
