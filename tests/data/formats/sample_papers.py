"""Ten invented papers of many fields, with the characters that real ones have."""

from typing import NamedTuple


class SamplePaper(NamedTuple):
    """What a reader must find in a file."""

    name: str
    title: str
    abstract: str
    keywords: tuple[str, ...]
    section: str


SAMPLES = [
    SamplePaper(
        "robots-2021",
        "Voice recognition for social robots in the homes of older people",
        "We integrate a voice recognition system into a social robot. Spoken commands make human-robot "
        "interaction easier for older people, as a study with forty participants shows.",
        ("voice recognition", "social robots", "human-robot interaction"),
        "The recogniser runs on the robot itself, so that no recording leaves the flat.",
    ),
    SamplePaper(
        "Müller et al. 2019",
        "Über die Größe von Gletscherseen: eine Vermessung aus der Luft",
        "Gletscherseen wachsen, seit das Eis schmilzt. Wir vermessen zweihundert Seen der Alpen aus "
        "Luftbildern und finden, dass ihre Fläche sich verdoppelt hat.",
        ("Gletscherseen", "Fernerkundung", "Klimawandel"),
        "Die Bilder stammen aus vier Jahrzehnten und wurden von Hand ausgewertet.",
    ),
    SamplePaper(
        "10.1000_xyz.17",
        "L’érosion des côtes bretonnes et la mémoire des tempêtes",
        "Cette étude relie les archives paroissiales aux mesures récentes du trait de côte. Les tempêtes du "
        "passé expliquent une part étonnante de l’érosion actuelle.",
        ("érosion côtière", "archives paroissiales", "tempêtes"),
        "Les registres décrivent les dégâts avec une précision surprenante.",
    ),
    SamplePaper(
        "lattice",
        "Short vectors in ideal lattices & a bound of O(n log n) for their search",
        "We show that short vectors of ideal lattices can be found in quasi-linear time under a plausible "
        "assumption, and discuss what this means for post-quantum cryptography.",
        ("ideal lattices", "shortest vector problem", "post-quantum cryptography"),
        "The proof reduces the search to a walk on a Cayley graph with small diameter.",
    ),
    SamplePaper(
        "scab",
        "Apple scab resistance after three years without fungicides",
        "Orchards of resistant cultivars were left unsprayed for three years. Scab returned in two of nine "
        "orchards, and in both of them the Rvi6 gene had been overcome.",
        ("apple scab", "plant resistance", "fungicides"),
        "Leaves were inspected every second week from April until harvest.",
    ),
    SamplePaper(
        "interest",
        "Do central banks listen? Interest rates and the words of committees",
        "Minutes of monetary policy committees predict interest rates better than surveys of economists do, "
        "but only in years without a crisis.",
        ("monetary policy", "interest rates", "text analysis"),
        "We collect the minutes of eleven central banks between 1999 and 2020.",
    ),
    SamplePaper(
        "vector-db",
        "Rate limiting for vector databases under bursty load",
        "A vector database that serves embeddings suffers when queries come in bursts. Token buckets per "
        "tenant keep its tail latency below fifty milliseconds.",
        ("vector databases", "rate limiting", "tail latency"),
        "Each bucket is refilled by a clock that all shards share.",
    ),
    SamplePaper(
        "merger",
        "A binary black hole merger seen with three detectors",
        "We report the gravitational waves of a binary black hole merger. Three detectors together confine "
        "its position in the sky to sixty square degrees.",
        ("gravitational waves", "binary black hole merger", "sky localisation"),
        "The signal lasts for a quarter of a second and sweeps up in frequency.",
    ),
    SamplePaper(
        "deposit",
        "Tenancy deposits and the disputes that end a lease",
        "Disputes at the end of a lease are mostly about the deposit. Photographs of rooms at the beginning "
        "settle four of five disputes before they reach a court.",
        ("tenancy deposits", "dispute resolution", "housing law"),
        "Landlords and tenants of three cities took part in the trial.",
    ),
    SamplePaper(
        "weights",
        "Weights, standards and trade in a Bronze Age harbour",
        "Balance weights of stone from a Bronze Age harbour follow two standards at once. Merchants from the "
        "east and the west seem to have weighed for each other.",
        ("balance weights", "Bronze Age", "maritime trade"),
        "All weights were cleaned and weighed three times on the same scale.",
    ),
]
CITED = "Cited, C.: A paper of another author that must not be read. Journal of Citing 3 (2019)."
