"""Whether the page shows scores and judged documents, and nothing that a document brings along runs in it."""

import json
import re
from html.parser import HTMLParser

import pytest

from keyseq.evaluation import evaluate
from keyseq.evaluation.html.page import html_report, leading_metric
from keyseq.evaluation.resampling import Resampling
from keyseq.evaluation.significance import compare
from keyseq.predictions.pairing import given, pair
from keyseq.types import Document

VOID = {"input", "meta"}
METRICS = ["predictions.count", "present.f1@5", "absent.recall@10"]
EVIL = "<script>alert(1)</script>"

DOCUMENTS = [
    Document(
        id=f"d{number}",
        title="Neural networks",
        body="We train robust neural nets & such for speech.",
        keyphrases=("neural network", "speech", "image processing"),
    )
    for number in range(3)
] + [Document(id='"><b>', title=f"About {EVIL}", body=f"{EVIL} text", keyphrases=(EVIL,))]
SAID = {
    "ours": [
        ["neural networks", "robust", "Neural network", "a, b"],
        ["speech", "image processing"],
        [],
        [EVIL, "text"],
    ],
    "theirs": [["vision"], ["neural network"], ["speech"], [f"x {EVIL}"]],
}


class Tree(HTMLParser):
    """Checks that tags close in order; keeps tags with their attributes, and the text by the class of its element."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("class", "")))

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        self.texts.append((".".join(name for pair in self.open for name in pair if name), data))

    def under(self, path):
        return [text for place, text in self.texts if path in place]


def report(*names, limit=10, protocol="yuan2020"):
    said = {name: SAID[name] for name in names}
    systems = {name: evaluate(DOCUMENTS, phrases, protocol=protocol, metrics=METRICS) for name, phrases in said.items()}
    comparison = compare(systems, METRICS, Resampling(samples=50))
    return comparison, html_report(comparison, {name: pair(DOCUMENTS, given(said[name])) for name in names}, limit)


@pytest.fixture(scope="module")
def one():
    return report("ours")


@pytest.fixture(scope="module")
def two():
    return report("ours", "theirs")


@pytest.mark.parametrize("names", [("ours",), ("ours", "theirs")])
def test_the_page_is_well_formed_and_fetches_nothing(names):
    _, page = report(*names)
    tags = Tree(page).tags
    assert not [tag for tag, attributes in tags if {"src", "href"} & attributes.keys()]
    assert not re.search(r"url\(|@import|https?:", page)


def test_nothing_of_a_document_becomes_markup(two):
    _, page = two
    assert "<script>alert" not in page
    assert page.count("<script>") == 1
    tree = Tree(page)
    assert EVIL in "".join(tree.under("span.phrase"))
    assert any('id "><b>' in text for text in tree.under("p.quiet"))


def test_scores_intervals_and_signatures_are_there(one):
    comparison, page = one
    tree = Tree(page)
    numbers = tree.under("td.number")
    for metric, result in zip(METRICS, comparison.results, strict=True):
        scale = 1 if metric == "predictions.count" else 100
        assert f"{scale * result.score:.2f}" in numbers
        assert comparison.systems["ours"].signature(metric) in tree.under("code")


def test_a_comparison_shows_differences_and_p(two):
    comparison, page = two
    numbers = Tree(page).under("td.number")
    for result in comparison.results:
        if result.difference:
            assert f"{result.difference.corrected['randomization']:.4f}" in numbers
    assert page.count(">baseline<") == len(METRICS)


def items(page, kind):
    """The phrases of one kind in the first document's lists."""
    return re.findall(rf'<li class="{kind}"[^>]*>.*?<span class="phrase">(.*?)</span>', page)


def test_predictions_are_judged_and_misses_listed(one):
    _, page = one
    document = page[page.index('data-place="0"') :].split("</details>")[0]
    assert items(document, "hit") == ["neural networks"]
    assert items(document, "alarm") == ["robust"]
    assert items(document, "passed") == ["Neural network", "a, b"]
    assert items(document, "miss") == ["speech", "image processing"]
    assert "duplicate of an earlier prediction" in document
    assert "contains punctuation" in document
    assert '<mark class="hit" title="hit">Neural networks</mark>' in document
    assert '<mark class="miss" title="missed">speech</mark>' in document
    assert '<mark class="alarm" title="false alarm">robust</mark>' in document


def test_present_and_absent_phrases_stand_apart_with_the_rank_of_the_whole_list(one):
    _, page = one
    document = page[page.index('data-place="1"') :].split("</details>")[0]
    present, absent = document.split("absent from the text")
    assert re.findall(r'<li class="hit" value="(\d)"', present) == ["1"]
    assert re.findall(r'<li class="hit" value="(\d)"', absent) == ["2"]


def test_colour_is_not_the_only_carrier(one):
    _, page = one
    spoken = set(Tree(page).under("span.spoken"))
    assert spoken == {"hit: ", "false alarm: ", "missed: ", "passed over: "}


def test_of_several_systems_a_target_that_any_found_is_marked_as_a_hit(two):
    _, page = two
    document = page[page.index('data-place="2"') :].split("</details>")[0]
    assert '<mark class="hit" title="hit">speech</mark>' in document
    assert '<mark class="miss" title="missed">Neural networks</mark>' in document
    assert '"alarm" title' not in document.split('class="systems"')[0]


def test_documents_come_lowest_first_and_carry_the_values_that_the_script_orders_by(one):
    comparison, page = one
    *values, last = [json.loads(found)[0] for found in re.findall(r'data-values="(.*?)"', page)]
    assert values == sorted(values)
    assert last is None  # has no present target
    assert values == pytest.approx(sorted(comparison.systems["ours"].values["present.f1@5"][:3]), abs=1e-4)


def test_no_more_documents_than_asked_for_and_the_page_says_so():
    _, page = report("ours", limit=3)
    assert page.count("data-place=") == 3
    assert "3 of 4 documents" in page


def test_the_rules_of_the_protocol_are_told(one):
    _, page = one
    rules = Tree(page).under("table.rules")
    assert {"tokenizer", "meng17", "average", "mean-of-f1"} <= set(rules)
    assert "set otherwise" not in page


def test_documents_are_ordered_by_the_first_metric_that_is_a_share():
    assert leading_metric(METRICS) == "present.f1@5"
    assert leading_metric(["predictions.count"]) == "predictions.count"


def test_a_report_of_counts_alone_has_no_histogram_of_shares():
    systems = {"ours": evaluate(DOCUMENTS, SAID["ours"], metrics=["predictions.count"])}
    comparison = compare(systems, ["predictions.count"], Resampling(samples=9))
    page = html_report(comparison, {"ours": pair(DOCUMENTS, given(SAID["ours"]))}, 10)
    assert "<figure>" not in page
    assert "lowest predictions.count first" in page


def test_a_corpus_of_one_document_is_told_in_the_singular():
    scores = {"ours": evaluate(DOCUMENTS[:1], SAID["ours"][:1], metrics=METRICS)}
    pairs = {"ours": pair(DOCUMENTS[:1], given(SAID["ours"][:1]))}
    page = html_report(compare(scores, METRICS, Resampling(samples=20), tests=()), pairs, 10)
    assert "1 document ·" in page
    assert "1 documents" not in page


def test_finding_28_percents_and_counts_stand_on_scales_of_their_own_with_units(one):
    _, page = one
    rows = dict(zip(METRICS, page.split("<tbody>")[1:], strict=False))
    labels = {
        metric: re.findall(r"<text [^>]*>([^<]*)</text>", rows[metric].split("</tbody>")[0]) for metric in METRICS
    }
    assert labels["present.f1@5"][0] == "0 %"
    assert labels["present.f1@5"][1].endswith(" %")
    assert labels["present.f1@5"] == labels["absent.recall@10"]
    assert all(label.replace(".", "").isdecimal() for label in labels["predictions.count"])  # phrases, no percent


@pytest.mark.parametrize("names", [("ours",), ("ours", "theirs")])
@pytest.mark.parametrize("width", [320, 390, 768, 1000, 1280])
def test_finding_28_no_score_is_cut_off_at_any_width(browser, tmp_path, names, width):
    (tmp_path / "report.html").write_text(report(*names)[1], encoding="utf-8")
    view = browser.new_page(viewport={"width": width, "height": 800})
    view.goto((tmp_path / "report.html").as_uri())
    cut = view.evaluate(
        """[...document.querySelectorAll(".scores *, .figures *, header *")].filter((one) =>
            one.checkVisibility() && !one.closest("thead") && one.getBoundingClientRect().right > innerWidth
        ).map((one) => one.outerHTML.slice(0, 100))"""
    )
    scrolled = view.evaluate("[...document.querySelectorAll('.wide')].map((one) => one.scrollWidth - one.clientWidth)")
    view.close()
    assert cut == []
    assert scrolled[0] <= 0
