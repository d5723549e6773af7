"""The page without barriers: axe-core, the keyboard, and what a screen reader is told, in every state of the page."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.serving.test_page import phrases
from tests.serving.test_uploads import BIB
from tests.systems.tiny_combined import TEXT as ROBOT

AXE = Axe()


def offered(page):
    page.fill("#text", ROBOT)
    phrases(page)


def explained(page):
    page.locator(".why").first.click()


def compared(page):
    page.select_option("#compare", "textrank")
    page.wait_for_selector(".list-1 .row")


def dialled(page):
    page.click("#more-button")
    with page.expect_response("**/v1/keyphrases"):
        page.locator("#decide").set_checked(False, force=True)
    page.wait_for_selector("#how-many:not([hidden])")


def remembered(page):
    page.click("#history summary")
    page.check("#keep-history")
    page.wait_for_selector("#history-list button")


def told_off(page):
    page.set_input_files("#file", {"name": "a.docx", "mimeType": "text/plain", "buffer": b"nothing"})
    page.wait_for_selector("#problem:not([hidden])")


def reread(page):
    table = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"Nr,Heading\n1,Robots\n"}
    page.set_input_files("#file", table)
    page.wait_for_selector("#reading[open]")


def empty(page):
    page.click("#clear")
    page.wait_for_selector("#empty:not([hidden])")


def library(page):
    bib = BIB + b"@misc{c, note = {no text}}\n"
    page.set_input_files("#file", {"name": "library.bib", "mimeType": "text/plain", "buffer": bib})
    page.wait_for_selector("#download-library:not([disabled])")
    page.click("#library-skipped summary")


def dropping(page):
    page.evaluate("document.getElementById('drop').hidden = false")


STATES = (offered, explained, compared, dialled, remembered, told_off, reread, empty, library, dropping)


def barriers(page):
    page.wait_for_selector("body:not(.busy)")  # while which results fade
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    found = AXE.run(page).response["violations"]
    return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_no_barrier_in_any_state_of_the_page(visit, explaining, scheme, width):
    page = visit(origin=explaining.url, color_scheme=scheme, viewport={"width": width, "height": 800})
    page.wait_for_selector("#system option", state="attached")
    assert barriers(page) == []
    for state in STATES:
        state(page)
        assert (state.__name__, barriers(page)) == (state.__name__, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_barrier_where_a_token_is_asked_for_nor_in_the_list_of_endpoints(visit, guarded, scheme):
    page = visit(origin=guarded.url, color_scheme=scheme)
    page.wait_for_selector("#token-panel:not([hidden])")
    assert barriers(page) == []
    page = visit("docs", origin=guarded.url, color_scheme=scheme)
    page.wait_for_selector("text=POST /v1/keyphrases")
    assert barriers(page) == []


def test_a_screen_reader_is_told_what_is_seen(visit, explaining):
    page = visit(origin=explaining.url)
    offered(page)
    tree = page.locator("body").aria_snapshot()
    for line in (
        'heading "keyseq" [level=1]',
        'form "Settings"',
        'combobox "System"',
        'switch "Model decides how many" [checked]',
        'slider "Fewer or more keyphrases"',
        'button "More settings"',
        'textbox "Text"',
        'heading "Keyphrases" [level=2]',
        'region "In the text"',
        'button "why? voice recognition"',
        "contentinfo",
    ):
        assert line in tree, tree
    explained(page)
    assert 'button "why? voice recognition" [expanded]' in page.locator("body").aria_snapshot()


def test_every_control_that_is_seen_is_reached_with_the_tab_key_in_the_order_of_the_page(visit, explaining):
    page = visit(origin=explaining.url)
    offered(page)
    page.click("#more-button")
    wanted = page.evaluate(
        """[...document.querySelectorAll("a, button, input, select, textarea, summary")]
            .filter((one) => one.checkVisibility() && !one.disabled).map((one) => one.id || one.textContent.trim())"""
    )
    page.locator(".skip").focus()
    seen = wanted[:1]
    for _ in wanted[1:]:
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    assert seen == wanted
