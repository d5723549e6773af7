"""What users stumbled over on the page, and what it offers beside keyphrases: libraries, history, paper, sharing."""

import pytest
from tests.serving.test_page import TEXT, phrases
from tests.serving.test_uploads import BIB
from tests.systems.tiny_combined import TEXT as ROBOT

WIDTHS = (320, 390, 768, 1024, 1280, 1440)


@pytest.mark.parametrize("fragment", ["", "#compare=textrank&top=5&min_score=0.1"])
def test_finding_27_no_button_is_alone_in_its_row_and_nothing_is_cut_off_at_any_width(visit, explaining, fragment):
    page = visit(fragment, origin=explaining.url)
    page.fill("#text", ROBOT)
    phrases(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        rows, outside = page.evaluate(
            """() => {
                const form = document.getElementById("settings");
                const edge = form.getBoundingClientRect();
                const controls = [...form.querySelectorAll("label, button")].filter((one) => one.checkVisibility());
                const rows = new Map();
                for (const one of controls) {
                    const box = one.getBoundingClientRect();
                    const row = Math.round((box.top + box.bottom) / 2 / 10);
                    rows.set(row, [...(rows.get(row) ?? []), one.tagName]);
                }
                const parts = [...form.querySelectorAll("label, button, select, input, output")];
                const outside = parts.filter((one) => one.checkVisibility() && one.id !== "decide" &&
                    one.getBoundingClientRect().right > edge.right).map((one) => one.outerHTML);
                return [[...rows.values()], outside];
            }"""
        )
        assert outside == [], width
        if width > 544:  # on a phone, every control has a row of its own
            assert ["BUTTON"] not in rows, (width, rows)


def test_finding_27_the_message_of_reading_a_file_does_not_stay_after_its_error(visit):
    page = visit()
    page.fill("#text", TEXT)
    phrases(page)
    page.set_input_files("#file", {"name": "report.docx", "mimeType": "text/plain", "buffer": b"nothing"})
    page.wait_for_selector("#problem:not([hidden])")
    assert page.locator("#problem").inner_text().startswith("report.docx: ")  # the name as it is
    assert page.locator("#status").inner_text() == ""
    assert phrases(page)  # of the text, which is still there


def test_the_error_of_a_file_is_seen_on_a_phone(visit):
    page = visit(viewport={"width": 360, "height": 640})
    page.set_input_files("#file", {"name": "report.docx", "mimeType": "text/plain", "buffer": b"nothing"})
    page.wait_for_selector("#problem:not([hidden])")
    place = page.locator("#problem").bounding_box()
    assert 0 <= place["y"] <= 640 - place["height"]


def test_finding_27_no_old_phrases_stand_beside_a_text_that_is_too_long_or_refused(visit):
    page = visit()
    page.fill("#text", TEXT)
    phrases(page)
    page.fill("#text", "a " * 10_001)
    page.wait_for_selector("#problem:not([hidden])")
    assert page.locator(".row, mark").count() == 0
    page.fill("#text", TEXT)
    phrases(page)
    page.route("**/v1/keyphrases", lambda route: route.fulfill(status=422, body="{}"))
    page.fill("#text", f"{TEXT} More.")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.locator(".row, mark").count() == 0


def test_finding_27_a_library_comes_back_in_its_own_format_with_everything_else_unchanged(visit):
    page = visit("#top=1")
    content = BIB.replace(b"@article{a,", b"% my notes\n@article{a, year = 2020,")
    page.set_input_files("#file", {"name": "my library.bib", "mimeType": "text/plain", "buffer": content})
    page.wait_for_selector("#download-library:not([disabled])")
    cut = "one => { const shown = one.offsetWidth; one.style.maxWidth = 'none'; return one.offsetWidth > shown; }"
    assert not page.locator("#existing").evaluate(cut)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download my library.bib").click()
    assert saved.value.suggested_filename == "my library.bib"
    tagged = saved.value.path().read_bytes()
    for phrase in ("Voice recognition", "Social robots"):
        assert f", keywords = {{{phrase}}}".encode() in tagged
        tagged = tagged.replace(f", keywords = {{{phrase}}}".encode(), b"")
    assert tagged == content


def test_a_table_comes_back_with_a_column_more(visit):
    page = visit("#top=1")
    table = "Key;Title;Abstract\r\n1;Social robots;They talk.\r\n2;Delivery robots;They drive.\r\n"
    page.set_input_files("#file", {"name": "zotero.csv", "mimeType": "text/csv", "buffer": table.encode()})
    page.wait_for_selector("#download-library:not([disabled])")
    with page.expect_download() as saved:
        page.click("#download-library")
    expected = table.replace("Abstract", "Abstract;keyphrases").replace("talk.", "talk.;Social robots")
    assert saved.value.path().read_bytes().decode() == expected.replace("drive.", "drive.;Delivery robots")


def test_a_file_that_the_server_cannot_tag_is_offered_as_csv_and_json_alone(visit):
    page = visit()
    rows = b'{"title": "Robots", "abstract": "They talk."}\n{"title": "Parcels", "abstract": "They arrive."}\n'
    page.set_input_files("#file", {"name": "l.jsonl", "mimeType": "text/plain", "buffer": rows})
    page.wait_for_selector("[data-download=csv]:not([disabled])")
    assert page.locator("#download-library").is_hidden()


def test_finding_7_the_columns_of_a_table_can_be_named_where_an_error_asks_for_them(visit):
    page = visit("#top=1")
    table = "Nr;Überschrift;Inhalt;Ort\r\n1;Social robots;They talk.;Rom\r\n2;Delivery robots;They drive.;Ulm\r\n"
    page.set_input_files("#file", {"name": "mine.csv", "mimeType": "text/csv", "buffer": table.encode("cp1252")})
    page.get_by_text("name its encoding with encoding, such as cp1252").wait_for()
    page.get_by_label("Encoding").fill("cp1252")
    page.get_by_role("button", name="Read the file again").click()
    page.get_by_text("choose one with title_column or text_column").wait_for()
    page.get_by_label("Title column").fill("Überschrift")
    page.get_by_label("Text column").fill("Inhalt")
    page.get_by_label("Id column").fill("Nr")
    page.get_by_role("button", name="Read the file again").click()
    page.wait_for_selector("#download-library:not([disabled])")
    assert page.locator("#library-notes").inner_text() == (
        "mine.csv: id from 'Nr', title from 'Überschrift', text from 'Inhalt'"
    )
    assert page.locator("#existing-field").is_hidden()  # a table has a column for each
    with page.expect_download() as saved:
        page.click("#download-library")
    rows = saved.value.path().read_bytes().decode("cp1252").splitlines()
    assert rows[1] == "1;Social robots;They talk.;Rom;Social robots"


def test_a_library_says_for_which_languages_no_system_is_trained(visit):
    page = visit()
    note = "no system is trained for German; multilingual, learnt from other languages, answered"
    found = [{"id": str(number), "keyphrases": [], "note": told} for number, told in enumerate((note, None, note))]
    page.route("**/v1/keyphrases", lambda route: route.fulfill(json={"system": "auto", "documents": found}))
    rows = "".join(f"{title}\n" for title in ("Title", "Gletscherseen", "Robots", "Kunst"))
    page.set_input_files("#file", {"name": "l.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    page.wait_for_selector("#download-library:not([disabled])")
    assert page.locator("#library-notes").inner_text() == f"N{note[1:]} (2 documents)."


@pytest.mark.parametrize(
    ("choice", "keywords"), [("merge", "mine, social robots"), ("keep", "mine"), ("replace", "social robots")]
)
def test_keywords_that_entries_have_are_kept_added_to_or_replaced(visit, choice, keywords):
    page = visit("#top=1")
    entry = "@article{{{}, title = {{Social robots}}, keywords = {{mine}}}}\n"
    content = (entry.format("a") + entry.format("b")).encode()
    page.set_input_files("#file", {"name": "my.bib", "mimeType": "text/plain", "buffer": content})
    page.wait_for_selector("#download-library:not([disabled])")
    page.get_by_label("Keywords that entries have").select_option(choice)
    with page.expect_download() as saved:
        page.click("#download-library")
    tagged = saved.value.path().read_text().lower()
    assert tagged.count(f"keywords = {{{keywords}}}") == 2


def test_finding_27_scores_are_explained_and_one_above_zero_does_not_look_like_zero(visit, explaining):
    page = visit("#compare=textrank", origin=explaining.url)
    answered = {"system": "tiny", "version": "1", "documents": [{"id": "1", "keyphrases": [
        {"text": text, "score": score, "present": False, "spans": [], "title_spans": []}
        for text, score in (("voice recognition", 0.7), ("robots", 0.004), ("parcels", 0.0))]}]}  # fmt: skip
    page.fill("#text", ROBOT)
    page.wait_for_selector(".list-1 .row")
    assert page.locator("#scores").inner_text() == (
        "Score of tiny: the estimated probability that an author would choose the phrase. "
        "Score of textrank: relative to the other phrases of the same text."
    )
    page.select_option("#compare", "")
    page.route("**/v1/keyphrases", lambda route: route.fulfill(json=answered))
    page.fill("#text", f"{ROBOT} More.")
    page.wait_for_function("() => document.querySelectorAll('.score').length === 3")
    assert page.locator(".score").all_text_contents() == ["0.70", "<0.01", "0.00"]
    assert page.locator("#scores").inner_text().startswith("Score: the estimated probability")


def test_the_language_of_a_text_is_said_and_how_sure_it_is_unless_it_is_english(visit):
    page = visit()
    phrase = {"text": "Wärmespeicher", "score": 0.7, "present": False, "spans": [], "title_spans": []}
    told = {"language": "de", "language_confidence": 0.987, "note": "no system is trained for German"}
    document = {"id": "1", "keyphrases": [phrase]}
    page.route("**/v1/keyphrases", lambda route: route.fulfill(json={"system": "auto", "documents": [document]}))
    for said, expected in (
        (told, "Language: German (98 % sure). No system is trained for German."),
        ({"language": "fr"}, "Language: French."),
        ({"note": "no language was recognised"}, "No language was recognised."),
        ({"language": "en", "language_confidence": 1}, ""),
    ):
        document.clear()
        document.update({"id": "1", **said, "keyphrases": [phrase]})
        page.fill("#text", f"Der Wärmespeicher. {said}")
        page.wait_for_selector(".row")
        page.wait_for_function("told => document.getElementById('read-in').textContent === told", arg=expected)
        assert page.locator("#read-in").is_visible() == bool(expected)


def test_the_history_is_off_until_asked_for_and_can_be_forgotten(visit):
    page = visit()
    page.fill("#text", TEXT)
    phrases(page)
    assert page.evaluate("localStorage.length") == 0  # off by default
    page.click("#history summary")
    page.check("#keep-history")
    assert page.locator("#history-list button").count() == 1  # the text that is there
    page.locator("#text").press_sequentially(" And more.")
    page.wait_for_function("() => JSON.parse(localStorage['keyseq-history'])[0].text.endsWith('And more.')")
    page.click("#example")
    page.wait_for_function(
        "() => document.querySelectorAll('#history-list button').length === 2"
    )  # an edit is no other
    page.reload()
    page.click("#history summary")
    page.locator("#history-list button").nth(1).click()
    page.wait_for_function("() => text.value.endsWith('And more.')")
    assert phrases(page)[0].lower() == "voice recognition"
    page.click("#clear-history")
    assert page.evaluate("localStorage['keyseq-history']") == "[]"
    page.uncheck("#keep-history")
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_there_are_the_text_with_its_marks_and_the_keyphrases(visit, scheme):
    page = visit(color_scheme=scheme)
    page.fill("#text", TEXT)
    phrases(page)
    page.emulate_media(media="print")
    for hidden in ("#settings", "#text", ".actions", "footer", "#history"):
        assert page.locator(hidden).first.is_hidden(), hidden
    assert page.locator("#marks").is_visible()
    assert page.locator(".row").first.is_visible()
    inks = page.evaluate("['mark', '.phrase', 'h2'].map((one) => getComputedStyle(document.querySelector(one)).color)")
    assert set(inks) == {"rgb(29, 31, 33)"}  # dark, whatever the screen has
    assert page.locator(".phrase").first.bounding_box()["x"] >= 0


def test_the_link_can_be_shared_where_the_browser_has_a_way_to(visit):
    page = visit("#top=3")
    assert page.locator("#share").is_hidden()
    page.add_init_script("navigator.share = async (what) => { window.shared = what.url; }")
    page.reload()
    page.click("#share")
    assert page.evaluate("window.shared").endswith("/#system=textrank&top=3")


def test_a_language_is_asked_of_rankers_alone_and_the_link_holds_it(visit):
    page = visit()
    page.click("#more-button")
    page.select_option("#language", "de")
    with page.expect_request(lambda request: '"language":"de"' in (request.post_data or "")):
        page.fill("#text", "Die Spracherkennung des Roboters versteht Befehle.")
    assert phrases(page)
    assert "language=de" in page.evaluate("location.hash")
