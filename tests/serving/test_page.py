"""The page in a real browser: Debian's Chromium, headless and offline."""

import json

import pytest
from tests.serving.running import running
from tests.serving.test_uploads import BIB, pdf
from tests.systems.tiny_combined import TEXT as ROBOT

TEXT = (
    "😀 Voice recognition lets a social robot follow spoken commands. "
    "With voice recognition, human-robot interaction becomes easier for older people."
)
STUDY = (
    "We present a method that lets service robots follow spoken commands of older people. The robot listens with four "
    "microphones, removes the noise of its own motors, and recognises a small vocabulary of words. In a study with "
    "thirty participants at home, the robot understood most commands, and people trusted it more than before."
)
LOUD = "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'> voice recognition & social robots"


def phrases(page, list_=0):
    page.wait_for_selector("body:not(.busy) .row")
    return page.locator(f".list-{list_} .phrase").evaluate_all("all => all.map((one) => one.firstChild.textContent)")


def test_typing_a_text_shows_its_keyphrases_marked_in_place(visit):
    page = visit()
    page.fill("#text", TEXT[:-7])
    page.locator("#text").press_sequentially(TEXT[-7:])
    found = phrases(page)
    assert found[0].lower() == "voice recognition"
    marked = page.locator("#marks mark").evaluate_all("all => all.map((one) => one.textContent)")
    assert [mark.lower() for mark in marked].count("voice recognition") == 2  # both places, behind an emoji too
    assert page.locator("#marks").text_content().rstrip("\n") == TEXT
    assert "keyphrases, " in page.locator("#status").text_content()
    widths = page.locator(".bar span").evaluate_all("all => all.map((one) => parseFloat(one.style.width))")
    assert widths[0] == 100
    assert widths == sorted(widths, reverse=True)


def test_phrases_that_the_text_does_not_contain_are_a_group_of_their_own_without_marks(visit, tmp_path):
    with running(tmp_path, "scholar-network") as network:
        [document] = network.keyphrases({"text": STUDY}).json["documents"]
        page = visit(origin=network.url)
        page.fill("#text", STUDY)
        phrases(page)
        groups = page.locator(".list-0 section").evaluate_all(
            """all => all.map((one) => [one.className, one.querySelector(".kind").textContent,
                [...one.querySelectorAll(".phrase")].map((phrase) => phrase.firstChild.textContent)])"""
        )
        marked = set(page.locator("#marks mark").evaluate_all("all => all.flatMap((one) => one.phrases)"))
    said = {present: [one["text"] for one in document["keyphrases"] if one["present"] is present]
            for present in (True, False)}  # fmt: skip
    assert said[True]
    assert said[False]  # the network does say such phrases of this text
    assert groups == [
        ["present", "In the text", said[True]],
        ["absent", "Suggested topics that the text does not name", said[False]],
    ]
    ranks = {f"0-{rank}" for rank, one in enumerate(document["keyphrases"]) if one["present"]}
    assert marked == ranks  # by their ranks among all: each present one is marked, and no other
    assert not page.locator(".absent button").count()  # there is no place to go to, and a network tells no reasons


def test_marks_lie_exactly_under_their_words(visit):
    page = visit()
    page.click("#example")
    phrases(page)
    boxes = page.evaluate(
        "[marks, text].map((one) => { const b = one.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })"
    )
    assert boxes[0] == boxes[1]  # the same box, font and wrapping
    styles = page.evaluate(
        "[marks, text].map((one) => { const s = getComputedStyle(one); return [s.font, s.padding, s.whiteSpace]; })"
    )
    assert styles[0] == styles[1]


def test_the_slider_says_how_many_once_the_model_does_not_decide(visit):
    page = visit()
    page.fill("#text", TEXT)
    assert len(phrases(page)) > 3
    assert page.locator("#top").is_disabled()
    page.locator("label.switch").click()
    page.locator("#top").fill("3")
    page.wait_for_function("() => document.querySelectorAll('.row').length === 3")
    page.locator("#top").press("ArrowLeft")
    page.wait_for_function("() => document.querySelectorAll('.row').length === 2")
    assert page.locator("#top-shown").text_content() == "2"


def test_a_script_in_the_text_is_shown_as_text(visit):
    page = visit()
    page.fill("#text", LOUD)
    phrases(page)
    assert page.locator("#marks").text_content().rstrip("\n") == LOUD
    assert page.evaluate("window.broken") is None
    assert page.locator("#marks img, #marks script, #lists img, #lists script").count() == 0


def test_a_file_becomes_the_text(visit):
    page = visit()
    for name, content in (("a.txt", b"Social robots talk."), ("b.pdf", pdf("Delivery robots arrive."))):
        page.set_input_files("#file", {"name": name, "mimeType": "application/octet-stream", "buffer": content})
        page.wait_for_function(
            "(start) => text.value.startsWith(start)", arg="Social" if name == "a.txt" else "Delivery"
        )
    assert "Delivery robots" in phrases(page)


def test_a_long_file_is_shown_from_its_beginning(visit):
    page = visit()
    content = b"Social robots talk.\n\n" * 200
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": content})
    phrases(page)
    paper = page.locator(".paper")
    assert paper.evaluate("(paper) => [paper.scrollHeight > paper.clientHeight, paper.scrollTop]") == [True, 0]


def test_a_file_can_be_dropped(visit):
    page = visit()
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["Social robots talk to older people."], "a.md"));
            const options = { dataTransfer: data, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new DragEvent("dragover", options));
            window.shown = !document.getElementById("drop").hidden;
            document.body.dispatchEvent(new DragEvent("drop", options));
        }"""
    )
    assert page.evaluate("window.shown")
    page.wait_for_function("() => text.value.startsWith('Social robots')")


def test_a_library_becomes_a_list_with_a_download(visit):
    page = visit()
    page.set_input_files("#file", {"name": "library.bib", "mimeType": "text/plain", "buffer": BIB})
    page.wait_for_selector("[data-download=csv]:not([disabled])")
    titles = page.locator("#documents .title").all_text_contents()
    assert titles == ["Voice recognition", "Social robots"]
    assert page.locator("#documents .chips li").count() >= 2
    with page.expect_download() as saved:
        page.click("[data-download=json]")
    rows = json.loads(saved.value.path().read_text())
    assert [row["id"] for row in rows] == ["a", "b"]
    assert rows[1]["keyphrases"][0].keys() == {"text", "score", "present"}
    page.click("#documents .title >> nth=1")
    page.wait_for_function("() => text.value === 'Social robots\\n\\nRobots that talk.'")
    assert page.locator("#single").is_visible()


def test_two_systems_stand_side_by_side_and_the_link_holds_it(visit):
    page = visit()
    page.fill("#text", TEXT)
    page.select_option("#compare", "tfidf")
    page.wait_for_selector(".list-1")
    assert page.locator(".list > h3").all_text_contents() == ["textrank", "tfidf"]
    assert page.locator("mark.in-0.in-1").count() > 0
    again = visit(page.evaluate("location.hash"))
    again.wait_for_function("() => compare.value === 'tfidf'")
    assert "text" not in page.evaluate("location.hash").replace("textrank", "")  # the text is nobody's business


def test_a_link_sets_how_many(visit):
    page = visit("#system=tfidf&top=4")
    page.wait_for_function("() => system.value === 'tfidf'")
    page.fill("#text", TEXT)
    assert len(phrases(page)) == 4


def test_more_settings_choose_phrases_and_the_link_holds_them(visit):
    page = visit()
    page.fill("#text", TEXT)
    every = phrases(page)
    assert page.locator("#min-score").is_hidden()
    page.click("#more-button")
    page.locator("#min-score").evaluate(
        "(slider) => { slider.value = 0.5; slider.dispatchEvent(new Event('input', { bubbles: true })) }"
    )
    page.wait_for_function("(before) => document.querySelectorAll('.phrase').length < before", arg=len(every))
    assert phrases(page) == every[: len(phrases(page))] != []
    assert page.locator("#min-score-shown").text_content() == "0.50"
    again = visit(page.evaluate("location.hash"))
    again.wait_for_function("() => document.getElementById('min-score').value === '0.5'")
    assert again.locator("#more").is_visible()
    again.fill("#text", TEXT)
    assert phrases(again) == phrases(page)


def test_phrases_in_the_text_or_not_can_be_chosen(visit):
    page = visit("#present=false")
    page.fill("#text", TEXT)
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('textrank: 0 keyphrases')")
    page.select_option("#present", "true")
    assert phrases(page)


def test_a_decoding_is_asked_of_networks_alone(visit, tmp_path):
    page = visit("#decoding=greedy")
    page.fill("#text", TEXT)
    assert phrases(page)  # textrank, which would refuse it
    assert page.locator("#decoding").is_disabled()
    with running(tmp_path, "scholar-network") as network:
        page = visit(origin=network.url)
        page.click("#more-button")
        with page.expect_request(lambda request: "exhaustive" in (request.post_data or "")):
            page.select_option("#decoding", "exhaustive")
            page.fill("#text", STUDY)
        assert phrases(page)


@pytest.mark.parametrize("format_", ["text", "json", "csv", "bibtex"])
def test_keyphrases_are_copied(visit, format_):
    page = visit("#top=2")
    page.fill("#text", "Voice recognition, R&D and voice recognition of R&D.")
    found = phrases(page)
    page.click(f"[data-copy={format_}]")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('Copied')")
    copied = page.evaluate("navigator.clipboard.readText()")
    match format_:
        case "text":
            assert copied.splitlines() == found
        case "json":
            assert [row["text"] for row in json.loads(copied)] == found
        case "csv":
            assert copied.replace("\r\n", "\n").splitlines()[0] == "system,rank,keyphrase,score,present"
            assert f"textrank,1,{found[0]},1,true" in copied
        case "bibtex":
            assert copied == f"keywords = {{{', '.join(found).replace('&', chr(92) + '&')}}},"


def test_errors_are_told_kindly(visit):
    page = visit()
    page.fill("#text", "a " * 10_001)
    page.wait_for_selector("#problem:not([hidden])")
    assert "20,000 characters" in page.locator("#problem").text_content()
    page.set_input_files("#file", {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"nothing"})
    page.wait_for_function("() => problem.textContent.includes('a.pdf: cannot be read')")
    page.route("**/v1/keyphrases", lambda route: route.abort())
    page.fill("#text", TEXT)
    page.wait_for_function("() => problem.textContent.includes('does not answer')")
    page.unroute("**/v1/keyphrases")
    page.click("#problem button")
    assert phrases(page)
    assert page.locator("#problem").is_hidden()


def test_a_busy_server_is_asked_again(visit):
    page = visit()
    answers = iter([503])

    def busy(route):
        if next(answers, None):
            route.fulfill(status=503, headers={"Retry-After": "1"}, body="{}")
        else:
            route.continue_()

    page.route("**/v1/keyphrases", busy)
    page.fill("#text", TEXT)
    assert phrases(page)


def test_typing_on_aborts_the_request_before(visit):
    page = visit()
    held, failed = [], []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.route("**/v1/keyphrases", lambda route: held.append(route) if not held else route.continue_())
    page.fill("#text", "The first text is about robots.")
    page.wait_for_timeout(600)
    page.fill("#text", TEXT)
    assert phrases(page)[0].lower() == "voice recognition"
    assert len(failed) == 1


def test_a_token_is_asked_for_and_kept_in_the_tab(visit, guarded):
    page = visit(origin=guarded.url)
    page.wait_for_selector("#token-panel:not([hidden])")
    page.fill("#token", "a-wrong-token-for-the-tests")
    page.keyboard.press("Enter")
    page.fill("#token", "a-token-for-the-tests")
    page.keyboard.press("Enter")
    page.wait_for_selector("#token-panel", state="hidden")
    page.fill("#text", TEXT)
    assert phrases(page)
    page.reload()
    page.fill("#text", TEXT)
    assert phrases(page)


def test_the_keyboard_reaches_a_phrase_and_shows_its_places(visit):
    page = visit()
    page.fill("#text", TEXT + "\n\n" * 40 + "Voice recognition again.")
    phrases(page)
    page.locator(".row").first.focus()
    assert page.locator("mark.strong").count() == 3
    seen = []
    for _ in range(3):
        page.keyboard.press("Enter")
        seen.append(
            page.locator("mark").evaluate_all("all => all.findIndex((one) => one.classList.contains('visited'))")
        )
    assert len(set(seen)) == 3  # each press goes to the next place


def test_every_control_has_a_name_and_results_are_announced(visit):
    page = visit("#compare=tfidf")
    page.click("#example")
    phrases(page)
    nameless = page.evaluate(
        """[...document.querySelectorAll("button, input, select, textarea, a")].filter((one) =>
            !one.hidden && !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label"))
        ).map((one) => one.outerHTML)"""
    )
    assert nameless == []
    assert page.locator("#status").get_attribute("aria-live") == "polite"
    assert page.locator("#problem").get_attribute("role") == "alert"


@pytest.mark.parametrize("fragment", ["", "#compare=tfidf"])
def test_a_phone_needs_no_sideways_scrolling(visit, fragment):
    page = visit(fragment, viewport={"width": 360, "height": 740})
    page.fill("#text", f"{TEXT} {'unbreakable' * 30} robots")
    phrases(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def contrast(page, selector):
    """The ratio of luminance between the colour of an element and its surface."""
    return page.evaluate(
        """(selector) => {
            const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number)
                .map((one) => one / 255).map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
                .reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
            let under = document.querySelector(selector);
            const ink = light(getComputedStyle(under).color);
            while (getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)") under = under.parentElement;
            const paper = light(getComputedStyle(under).backgroundColor);
            return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
        }""",
        selector,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_in_light_and_dark(visit, scheme):
    page = visit(color_scheme=scheme)
    page.click("#example")
    phrases(page)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, background[4:-1].split(", "))) > 384) == (scheme == "light")
    for selector in (".phrase", ".score", ".help", "#open", "#status", ".top a", "#text"):
        assert contrast(page, selector) >= 4.5, selector


def test_why_opens_by_the_keyboard_and_tells_what_spoke_for_a_phrase(visit, explaining):
    page = visit(origin=explaining.url)
    page.fill("#text", ROBOT)
    assert phrases(page) == [
        "voice recognition",
        "social robot",
        "spoken commands",
        "Older people",
        "assistive technology",
    ]
    why = page.get_by_role("button", name="why? voice recognition")
    told = page.locator(f"#{why.get_attribute('aria-controls')}")
    assert told.is_hidden()
    why.focus()
    page.keyboard.press("Enter")
    assert why.get_attribute("aria-expanded") == "true"
    assert told.locator("li").all_text_contents()[:2] == [
        "In the title, 2 times in the text",
        "Keyphrase of 14 training documents (22 contain it)",
    ]
    page.keyboard.press("Enter")
    assert told.is_hidden()
    page.locator(".absent .why").click()  # a phrase that no text contains has reasons too, but no place to go to
    assert "Keyphrase of 30 training documents" in page.locator(".absent .reasons").inner_text()
    assert not page.locator(".absent button.row").count()


def test_no_why_beside_the_phrases_of_a_system_without_evidence(visit, explaining):
    page = visit("#system=textrank", origin=explaining.url)
    page.fill("#text", ROBOT)
    assert phrases(page)
    assert page.locator(".why").count() == 0
    assert page.locator("#beta-field").is_hidden()  # which it does not take either


def test_the_dial_gives_fewer_or_more_and_the_link_holds_it(visit, explaining):
    page = visit("#beta=0.25", origin=explaining.url)
    page.fill("#text", ROBOT)
    fewer = phrases(page)
    page.locator("#beta").focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("(before) => document.querySelectorAll('.phrase').length > before", arg=len(fewer))
    assert page.evaluate("location.hash").endswith("beta=4")
    page.locator("#decide").set_checked(False, force=True)
    assert page.locator("#beta").is_disabled()  # then the number of phrases is given


@pytest.mark.parametrize(("fragment", "scheme"), [("", "dark"), ("#compare=textrank", "light")])
def test_reasons_fit_a_narrow_phone_and_can_be_read(visit, explaining, fragment, scheme):
    page = visit(fragment, origin=explaining.url, viewport={"width": 320, "height": 700}, color_scheme=scheme)
    page.fill("#text", ROBOT)
    phrases(page)
    page.locator(".why").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for selector in (".why", ".reasons li", "#beta-field"):
        assert contrast(page, selector) >= 4.5, selector


def test_overlapping_places_are_cut_into_pieces_and_follow_an_edit(visit):
    page = visit()
    result = page.evaluate(
        """async () => {
            const { pieces, moved, toUnits, wellFormed } = await import("/spans.js");
            const marks = [[0, 5], [3, 8], [3, 5]].map(([start, end], phrase) => ({ start, end, phrase }));
            const places = (found) => found.map(({ start, end }) => [start, end]);
            return {
                pieces: pieces("abcdefghij", marks).map(({ text, marks }) => [text, marks.map(({ phrase }) => phrase)]),
                moved: places(moved(marks, "abcdefghij", "abcdefgXXhij")),
                behind: places(moved([{ start: 6, end: 8 }], "abcdefghij", "Xabcdefghij")),
                units: [0, 1, 2, 3].map(toUnits("a😀b😀")),
                whole: wellFormed("a\\ud800b😀\\udc00"),
            };
        }"""
    )
    assert result == {
        "pieces": [["abc", [0]], ["de", [0, 1, 2]], ["fgh", [1]], ["ij", []]],
        "moved": [[0, 5], [3, 5]],
        "behind": [[7, 9]],
        "units": [0, 1, 3, 4],
        "whole": "a\ufffdb😀\ufffd",
    }


def test_the_list_of_endpoints_is_drawn_offline(visit):
    page = visit("docs")
    page.wait_for_selector("text=POST /v1/keyphrases")
    assert page.locator("#endpoints section").count() == 9
    assert "curl" in page.locator("#endpoints pre").first.text_content()
    for path, field in (("/v1/keyphrases", "documents"), ("/v1/keyphrases/stream", "deny"), ("/v1/library", "content")):
        section = page.get_by_role("region", name=f"post {path}", exact=True)
        assert field in section.locator("td code").all_text_contents()  # fields of the body, or of the query
