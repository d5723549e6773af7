"""The language of a text: short, mixed, romanised, in capitals, and in no script that is known."""

import subprocess
import sys

import pytest

from keyseq.text.detection import detect

GERMAN = "Die Stadtwerke bauen einen Speicher für Abwärme, und die Fernwärme wird dadurch im Winter billiger. "
ENGLISH = "The city builds a storage for waste heat, and with it the heating of houses is cheaper in winter. "


@pytest.mark.parametrize(
    ("text", "code", "script"),
    [
        (ENGLISH, "en", "Latin"),
        (ENGLISH.upper(), "en", "Latin"),
        (GERMAN.upper(), "de", "Latin"),
        ("Windenergie in der Nordsee", "de", "Latin"),
        ("graph mining", "en", "Latin"),
        ("robots", "en", "Latin"),
        ("今日は天気がいいです", "ja", "Han"),
        ("深度学习的应用", "zh", "Han"),
        ("언어 모델", "ko", "Hangul"),
        ("Енергетика України та її майбутнє в Європі", "uk", "Cyrillic"),
        ("الطاقة الشمسية في المدن", "ar", "Arabic"),
        ("", "und", ""),
        ("12 % -- 34", "und", ""),
        ("ᚠᚢᚦᚨᚱᚲ", "und", "other"),
    ],
)
def test_language_and_script(text, code, script):
    assert detect(text)[:2] == (code, script)


def test_of_a_mixed_text_the_longer_part_counts():
    assert detect(GERMAN * 12 + ENGLISH).code == "de"
    assert detect(GERMAN + ENGLISH * 12).code == "en"


def test_what_is_not_sure_says_so():
    assert detect(ENGLISH).confidence == 1
    assert detect(GERMAN).confidence > 0.9
    assert detect("mujhe yeh film bahut pasand aayi lekin gaane theek nahi lage").confidence < 0.5
    assert detect("Bitcoin") < ("en", "Latin", 0.5)
    assert detect("").confidence == 0


def test_no_model_is_read_for_an_english_text():
    code = f"import sys; from keyseq.text.detection import detect; detect({ENGLISH!r})"
    done = subprocess.run([sys.executable, "-c", f"{code}; sys.exit('fasttext' in sys.modules)"])
    assert done.returncode == 0


def test_half_of_a_surrogate_pair_does_no_harm():
    assert detect("\ud83d die Roboter fahren auf dem Gehweg").code == "de"
