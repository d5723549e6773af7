import pytest

from keyseq.data.language import is_english


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We measured how often robots fall when the floor is covered with ice.", True),
        ("WE MEASURED HOW OFTEN ROBOTS FALL WHEN THE FLOOR IS COVERED WITH ICE.", True),
        ("Wir haben gemessen, wie oft Roboter stürzen, wenn der Boden vereist ist.", False),
        ("Nous avons mesuré combien de fois les robots tombent sur la glace.", False),
        ("Medimos cuántas veces se caen los robots cuando el suelo está helado.", False),
    ],
)
def test_the_language_of_a_sentence(text, expected):
    assert is_english(text) is expected


def test_a_long_quotation_at_the_beginning_does_not_decide():
    quotation = "Wir haben gemessen, wie oft Roboter stürzen, wenn der Boden vereist ist. " * 5
    english = "We measured how often robots fall when the floor is covered with ice, and why they do. " * 20
    assert is_english(quotation + english)


@pytest.mark.parametrize(
    "text",
    [
        "Meaning of this code? static void set(Param& p) { p.a = 0.4; p.b = 8; }",
        "How does one find the next number? 1469356 352428 1413795 1656764 347481",
        "What does oleracea mean? Brassica oleracea, Portulaca oleracea, Spinacia oleracea",
    ],
)
def test_code_numbers_and_names_of_species_are_not_another_language(text):
    assert is_english(text)


def test_an_english_title_does_not_make_a_text_english():
    assert not is_english(
        "Robots on the ice . Wir haben gemessen, wie oft Roboter auf dem Eis stürzen, und haben dafür dreißig Roboter "
        "gebaut, die auf vier Beinen gehen, sowie zehn weitere, die auf Rädern fahren."
    )
