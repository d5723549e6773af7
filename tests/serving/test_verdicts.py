"""The tick and the cross beside each phrase, in a real browser."""

import pytest
from tests.serving.running import running
from tests.serving.test_accessibility import barriers
from tests.serving.test_page import phrases
from tests.systems.tiny_combined import TEXT

from keyseq.adapting.feedback_log import FeedbackLog


@pytest.fixture
def learning(mine, tmp_path):
    """A server of a system that learns and of one that does not, and the log of the first."""
    with running(tmp_path, "textrank", "--learn", mine) as server:
        yield server, FeedbackLog(mine)


def said(log):
    return [(entry.feedback.text, list(entry.feedback.verdicts())) for entry in log.read()]


def taken(page, phrase):
    page.wait_for_function("(words) => document.getElementById('status').textContent.includes(words)", arg=phrase)


def test_a_click_sends_feedback_once_and_shows_that_it_was_taken(visit, learning):
    server, log = learning
    page = visit(origin=server.url)
    page.fill("#text", TEXT)
    first, second = phrases(page)[:2]
    assert page.locator("#verdict-note").is_visible()
    assert "read by this server and kept only if you judge its keyphrases." in page.locator("#text-help").inner_text()
    right = page.get_by_role("button", name=f"right: {first}", exact=True)
    assert right.get_attribute("aria-pressed") == "false"
    right.dblclick()
    taken(page, f"Taken: “{first}” is right.")
    assert right.get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name=f"wrong: {second}", exact=True).click()
    taken(page, f"Taken: “{second}” is wrong.")
    assert said(log) == [(TEXT, [(first, True)]), (TEXT, [(second, False)])]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_no_barrier_in_ticks_and_crosses(visit, learning, scheme, width):
    page = visit(origin=learning[0].url, color_scheme=scheme, viewport={"width": width, "height": 800})
    page.fill("#text", TEXT)
    first, second = phrases(page)[:2]
    page.get_by_role("button", name=f"right: {first}", exact=True).click()
    taken(page, "is right.")
    page.get_by_role("button", name=f"wrong: {second}", exact=True).click()
    taken(page, "is wrong.")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_works_by_keyboard_and_a_change_of_mind_is_sent_too(visit, learning):
    server, log = learning
    page = visit(origin=server.url)
    page.fill("#text", TEXT)
    first = phrases(page)[0]
    row = page.locator(".list-0 .row").first
    row.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"right: {first}"
    page.keyboard.press("Enter")
    taken(page, "is right.")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    taken(page, "is wrong.")
    pressed = (
        page.locator(".list-0 .verdicts")
        .first.locator("button")
        .evaluate_all("all => all.map((one) => one.getAttribute('aria-pressed'))")
    )
    assert pressed == ["false", "true"]
    assert [verdicts for _, verdicts in said(log)] == [[(first, True)], [(first, False)]]


def test_what_was_said_stays_with_the_text(visit, learning):
    server, log = learning
    page = visit(origin=server.url)
    page.fill("#text", TEXT)
    first = phrases(page)[0]
    page.get_by_role("button", name=f"right: {first}", exact=True).click()
    taken(page, "is right.")
    for other in ("A bicycle lane leads to the city centre.", TEXT):
        page.fill("#text", other)
        page.wait_for_function("() => !document.body.classList.contains('busy')")
        page.wait_for_timeout(600)
    phrases(page)
    right = page.get_by_role("button", name=f"right: {first}", exact=True)
    assert right.get_attribute("aria-pressed") == "true"
    right.click()
    assert len(said(log)) == 1


def test_systems_that_do_not_learn_have_no_ticks(visit, learning, server):
    page = visit(origin=learning[0].url)
    page.select_option("#compare", "textrank")
    page.fill("#text", TEXT)
    phrases(page)
    assert page.locator(".list-0 .verdicts").count() > 0
    assert page.locator(".list-1 .verdicts").count() == 0
    plain = visit(origin=server.url)
    plain.fill("#text", TEXT)
    phrases(plain)
    assert plain.locator(".verdicts").count() == 0
    assert plain.locator("#verdict-note").is_hidden()


def test_feedback_that_cannot_be_stored_is_not_shown_as_taken(visit, learning):
    server, _ = learning
    page = visit(origin=server.url)
    page.fill("#text", TEXT)
    first = phrases(page)[0]
    server.process.kill()
    server.process.wait()
    right = page.get_by_role("button", name=f"right: {first}", exact=True)
    right.click()
    page.wait_for_selector("#problem:not([hidden])")
    assert "The server does not answer" in page.locator("#problem").text_content()
    assert right.get_attribute("aria-pressed") == "false"
