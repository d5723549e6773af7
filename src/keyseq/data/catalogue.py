"""The datasets of the field by name: content, size, licence, and where to get them."""

from dataclasses import dataclass, field

from keyseq.plugins import Table

_HUB = "https://huggingface.co/datasets"
_MENG = "download it from the hub's memray/keyphrase, as one JSON object per line"
_AKE = "clone the repository and run `keyseq data convert` on the dataset's folder"


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A published corpus. `splits` are its documents by split, as published, some rounded."""

    title: str
    about: str
    home: str
    how_to_get: str
    format: str = "jsonl"
    splits: dict[str, int] = field(default_factory=dict)
    licence: str = "not stated"
    aliases: tuple[str, ...] = ()


# The first seven are the paper's, with its sizes; of krapivin, nus and semeval it uses title and abstract only.
# The sizes of the others are from their home pages.
DATASETS = Table(
    "keyseq.datasets",
    Dataset,
    {
        "kp20k": Dataset(
            title="KP20k",
            about="computer science abstracts, authors' keyphrases",
            splits={"train": 514_000, "valid": 19_992, "test": 19_987},
            home=f"{_HUB}/memray/keyphrase",
            how_to_get=_MENG,
        ),
        "inspec": Dataset(
            title="Inspec",
            about="abstracts, indexers' uncontrolled keyphrases",
            splits={"valid": 1_500, "test": 500},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_MENG,
            aliases=("hulth2003",),
        ),
        "krapivin": Dataset(
            title="Krapivin",
            about="ACM papers, authors' keyphrases",
            splits={"valid": 1_844, "test": 460},
            home=f"{_HUB}/memray/keyphrase",
            how_to_get=_MENG,
            aliases=("krapivin2009", "acm"),
        ),
        "nus": Dataset(
            title="NUS",
            about="papers, authors' and readers' keyphrases",
            splits={"test": 211},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_MENG,
        ),
        "semeval": Dataset(
            title="SemEval-2010 Task 5",
            about="ACM papers, authors' and readers' keyphrases",
            splits={"valid": 144, "test": 100},
            home="https://github.com/boudinfl/semeval-2010-pre",
            how_to_get=_MENG,
            aliases=("semeval2010",),
        ),
        "stackex": Dataset(
            title="StackEx",
            about="computer science questions, their tags",
            splits={"train": 298_965, "valid": 16_000, "test": 16_000},
            licence="CC BY-SA",
            home="https://archive.org/details/stackexchange",
            how_to_get="download the sites' archives and run `keyseq data stackexchange`",
            aliases=("stackexchange",),
        ),
        "duc": Dataset(
            title="DUC-2001",
            about="news, readers' keyphrases",
            splits={"test": 308},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_MENG,
            aliases=("duc2001",),
        ),
        "kptimes": Dataset(
            title="KPTimes",
            about="New York and Japan Times, editors' keyphrases",
            splits={"train": 259_923, "valid": 10_000, "test": 20_000},
            licence="CC BY 4.0",
            home="https://github.com/ygorg/KPTimes",
            how_to_get=f"download it from {_HUB}/taln-ls2n/kptimes, or from their sites with the repository's scripts",
        ),
        "jptimes": Dataset(
            title="JPTimes",
            about="the half of kptimes' test that is Japan Times",
            splits={"test": 10_000},
            licence="CC BY 4.0",
            home="https://github.com/ygorg/KPTimes",
            how_to_get="as kptimes",
        ),
        "openkp": Dataset(
            title="OpenKP",
            about="web pages, experts' one to three keyphrases",
            splits={"train": 134_894, "valid": 6_616, "test": 6_614},
            licence="MIT (the repository)",
            home="https://github.com/microsoft/OpenKP",
            how_to_get=_MENG,
        ),
        "kpbiomed": Dataset(
            title="KP-Biomed",
            about="PubMed abstracts, authors' keyphrases",
            splits={"train": 5_600_000, "valid": 20_000, "test": 20_000},
            licence="CC BY-NC 4.0",
            home=f"{_HUB}/taln-ls2n/kpbiomed",
            how_to_get="download it from its home page; there are smaller training sets of 500,000 and 2,000,000",
        ),
        "ldkp3k": Dataset(
            title="LDKP3K",
            about="whole papers, authors' keyphrases",
            splits={"train": 90_019, "valid": 3_339, "test": 3_413},
            home=f"{_HUB}/midas/ldkp3k",
            how_to_get="download it from its home page and join each document's sections",
        ),
        "ldkp10k": Dataset(
            title="LDKP10K",
            about="whole papers, authors' keyphrases",
            splits={"train": 1_296_613, "valid": 10_000, "test": 10_000},
            home=f"{_HUB}/midas/ldkp10k",
            how_to_get="download it from its home page and join each document's sections",
        ),
        "oagkx": Dataset(
            title="OAGKX",
            about="23 million abstracts of all fields, keywords",
            home="https://arxiv.org/abs/2002.04689",
            how_to_get="the paper links to the download",
            aliases=("oagk",),
        ),
        "magkp": Dataset(
            title="MagKP",
            about="computer science abstracts, authors' keyphrases",
            home=f"{_HUB}/memray/keyphrase",
            how_to_get=_MENG,
        ),
        "kpcrowd": Dataset(
            title="500N-KPCrowd",
            about="news, readers' keyphrases",
            format="ake",
            splits={"train": 450, "test": 50},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_AKE,
            aliases=("500n-kpcrowd",),
        ),
        "cstr": Dataset(
            title="CSTR",
            about="technical reports, authors' keyphrases",
            format="ake",
            splits={"train": 130, "test": 500},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_AKE,
        ),
        "pubmed": Dataset(
            title="PubMed",
            about="whole biomedical papers, authors' keyphrases",
            format="ake",
            splits={"test": 1_320},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_AKE,
        ),
        "citeulike": Dataset(
            title="Citeulike-180",
            about="whole papers, readers' tags",
            format="ake",
            splits={"test": 182},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_AKE,
            aliases=("citeulike-180",),
        ),
        "www": Dataset(
            title="WWW",
            about="abstracts of a web conference, authors' keyphrases",
            format="ake",
            splits={"test": 1_330},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_AKE,
        ),
        "kdd": Dataset(
            title="KDD",
            about="abstracts on data mining, authors' keyphrases",
            format="ake",
            splits={"test": 755},
            home="https://github.com/boudinfl/ake-datasets",
            how_to_get=_AKE,
        ),
    },
)
