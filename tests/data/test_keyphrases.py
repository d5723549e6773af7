import pytest

from keyseq.data.keyphrases import clean_keyphrases

TEXT = (
    "Walking on ice . We study walking robots, ice mechanics and Orson Welles in northern Sweden, with protein B12 and "
    "14-3-3 proteins. Insects eat supply chains. Keywords matter in general terms."
)


def clean(*keyphrases, text=TEXT):
    return list(clean_keyphrases(keyphrases, text, lambda _: None))


@pytest.mark.parametrize(
    ("given", "expected", "reason"),
    [
        (["ice; snow;legs"], ["ice", "snow", "legs"], "semicolons part"),
        (["ice\nsnow"], ["ice", "snow"], "lines part"),
        (["ice • snow"], ["ice", "snow"], "bullets part"),
        (["ice | snow"], ["ice", "snow"], "bars part"),
        (["ice mechanics|legs"], ["ice mechanics legs"], "a bar without spaces is the end of a line"),
        (["|ice"], ["ice"], "and at the beginning nothing"),
        (["snow, legs, feet"], ["snow", "legs", "feet"], "all keyphrases in one text"),
        (["Insects, supply chains", "x"], ["Insects", "supply chains", "x"], "both are in the text"),
        (["nursing, education", "x"], ["nursing, education", "x"], "a heading of a thesaurus"),
        (["Welles, Orson", "x"], ["Orson Welles", "x"], "turned round as it is in the text"),
        (["Sweden, northern", "x"], ["northern Sweden", "x"], "and a place"),
        (["1,4-quinones", "x"], ["1,4-quinones", "x"], "a chemical name"),
        (["f(ice, robots)", "x"], ["f(ice, robots)", "x"], "brackets hold it together"),
        (["iNOS/Arg1 balance"], ["iNOS/Arg1 balance"], "a slash belongs to a name"),
        (["human-robot interaction"], ["human-robot interaction"], "and a hyphen"),
        (["π•••π stacking"], ["π•••π stacking"], "a bond is no bullet"),
    ],
)
def test_lists_are_split_and_names_are_not(given, expected, reason):
    assert clean(*given) == expected, reason


@pytest.mark.parametrize(
    ("code", "kept", "reason"),
    [
        ("C45", False, "JEL"),
        ("B12", True, "a vitamin, which is in the text"),
        ("68T05", False, "MSC"),
        ("21.60.Gx", False, "PACS"),
        ("I.2.7", False, "ACM"),
        ("D.2.5 [Software]: Testing", False, "ACM with its heading"),
        ("H.264", True, "a standard"),
        ("General Terms: Design", False, "a category"),
        ("JEL classification O3", False, "JEL in words"),
        ("Index Terms", False, "a heading"),
        ("3D", True, "has a letter"),
        ("1915", False, "no letter"),
        ("14-3-3", True, "a protein, which is in the text"),
        ("one two three four five six seven eight nine ten eleven", False, "a sentence"),
        ("one two three four five six seven eight nine ten", True, "long, but not absurd"),
        ("...", False, "marks alone"),
    ],
)
def test_codes_headings_and_absurd_phrases_go(code, kept, reason):
    assert clean("ice", code) == (["ice", code] if kept else ["ice"]), reason


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Keywords: Ice", "Ice"),
        ("Index Terms—ice age", "ice age"),
        ("Keywords Social construction", "Social construction"),
        ("keyword spotting", "keyword spotting"),
        ("[JEL:Q30] Natural Resources", "Natural Resources"),
        ("C12: Testing", "Testing"),
        ("  ice,  ", "ice"),
        ("ice mechanics.", "ice mechanics"),
        ("Daphnia spp.", "Daphnia spp."),
        ("“ice age”", "ice age"),
        ("*Algorithms", "Algorithms"),
        ("social comparison)", "social comparison"),
        ("(ice)", "ice"),
        (".NET", ".NET"),
        ("C++", "C++"),
        ("C#", "C#"),
        ("A* search", "A* search"),
        ("Quercus robur L.", "Quercus robur L."),
        ("U.S.", "U.S."),
        ("neural network (NN)", "neural network (NN)"),
        ("Alzheimer's disease", "Alzheimer's disease"),
        ("Rag-/-", "Rag-/-"),
        ("iPhone Use", "iPhone Use"),
    ],
)
def test_marks_around_a_phrase_go_and_those_that_belong_to_it_stay(given, expected):
    assert clean(given) == [expected]


@pytest.mark.parametrize(
    ("given", "expected", "reason"),
    [
        (["walking robot", "Walking robots"], ["walking robot"], "the same stems"),
        (["neural network", "Neural networks (NN)"], ["neural network"], "the same with its short form"),
        (["ISO 9001", "ISO 14001"], ["ISO 9001", "ISO 14001"], "numbers tell them apart"),
        (["poly(lactic acid)", "poly(ethylene)"], ["poly(lactic acid)", "poly(ethylene)"], "brackets as well"),
        (["C", "C++"], ["C", "C++"], "and signs"),
        (["ßeta", "γamma"], ["ßeta", "γamma"], "and letters of other scripts"),
    ],
)
def test_a_phrase_is_given_once(given, expected, reason):
    assert clean(*given) == expected, reason


def test_every_change_is_told():
    told = []
    clean_keyphrases(["ice; snow", "Ice", "C12", "legs,", "Keywords: feet", "Welles, Orson"], TEXT, told.append)
    assert told == [
        "split",
        "dropped: duplicate",
        "dropped: subject code or category",
        "trimmed",
        "heading removed",
        "inverted",
    ]
