"""The documents of a report: the text with its phrases highlighted, and every prediction judged."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence

from keyseq.evaluation.html.excerpt import SampledDocument
from keyseq.evaluation.html.highlight import KINDS, marked
from keyseq.evaluation.html.markup import Markup, element, join
from keyseq.evaluation.judgement import GoldTarget, Judgement, Verdict
from keyseq.evaluation.matching import Matcher
from keyseq.evaluation.report import shown
from keyseq.evaluation.scoring import Scores
from keyseq.text.presence import SourceText

SYMBOLS = {"hit": "✓", "alarm": "✗", "miss": "○", "passed": "–"}
PARTS = {True: "present in the text", False: "absent from the text"}
OPEN = 1  # documents expanded at first


class Documents:
    """Renders the documents of a report with the judged predictions of each system."""

    def __init__(self, systems: Mapping[str, Scores], metric: str) -> None:
        protocol = next(iter(systems.values())).protocol
        self._systems, self._metric = systems, metric
        self._matcher = Matcher(protocol)
        self._analyzer = protocol.analyzer

    def section(self, entries: Sequence[SampledDocument], chosen: str) -> Markup:
        """Render all documents, lowest score of the first system first."""
        first = next(iter(self._systems.values())).values[self._metric]
        ordered = sorted(entries, key=lambda entry: (math.isnan(first[entry.place]), first[entry.place]))
        blocks = [self._document(entry, opened=number < OPEN) for number, entry in enumerate(ordered)]
        return element(
            "section",
            element("h2", "Documents"),
            element("p", chosen, class_="quiet"),
            legend(),
            self._toolbar(len(entries)),
            element("div", *blocks, id="documents"),
        )

    def _toolbar(self, number: int) -> Markup:
        """Controls to sort and filter; hidden unless JavaScript runs."""
        names = list(self._systems)
        of = "" if len(names) == 1 else f" of {names[0]}"
        orders = [(f"lowest {self._metric}{of} first", "0 1"), (f"highest {self._metric}{of} first", "0 -1")]
        for place, name in enumerate(names[1:], start=1):
            orders += [(f"{name} ahead most", f"{place} -1"), (f"{name} behind most", f"{place} 1")]
        orders.append(("in the order of the corpus", "place 1"))
        options = [element("option", told, value=value) for told, value in orders]
        return element(
            "form",
            element("label", "Order ", element("select", *options, id="order")),
            element("label", "Filter ", element("input", type="search", id="filter", placeholder="a word or phrase")),
            element("output", f"{number} shown", id="shown", aria_live="polite"),
            class_="toolbar",
            hidden=True,
        )

    def _document(self, entry: SampledDocument, opened: bool) -> Markup:
        document = entry.document
        judgements = {name: self._matcher.judge(document, entry.predictions[name]) for name in self._systems}
        values = [scores.values[self._metric][entry.place] for scores in self._systems.values()]
        title = self._marked(document.title, judgements) if document.title else document.body[:100] or "(no text)"
        chips = [self._chip(*pair) for pair in zip(judgements.items(), values, strict=True)]
        return element(
            "details",
            element("summary", element("span", title, class_="title"), element("span", *chips, class_="chips")),
            element("p", self._marked(document.body, judgements), class_="body") if document.body else None,
            element("div", *(self._system(*item) for item in judgements.items()), class_="systems"),
            element("p", f"id {document.id}", class_="quiet"),
            open=opened,
            data_place=entry.place,
            data_values=json.dumps([None if math.isnan(value) else round(value, 4) for value in values]),
        )

    def _chip(self, judged: tuple[str, Judgement], value: float) -> Markup:
        name, judgement = judged
        met = sum(target.met for target in judgement.targets)
        found = f"{met} of {len(judgement.targets)} found"
        label = f"{name} " if len(self._systems) > 1 else ""
        return element(
            "span", label, element("b", shown(self._metric, value), title=self._metric), f" {found}", class_="chip"
        )

    def _marked(self, text: str, judgements: Mapping[str, Judgement]) -> Markup:
        """Highlight targets that any system predicted, those that none did and, for one system, false positives."""
        met = {target.phrase for judgement in judgements.values() for target in judgement.targets if target.met}
        targets = [target.phrase for target in next(iter(judgements.values())).targets]
        phrases = [("hit" if phrase in met else "miss", phrase) for phrase in targets]
        if len(judgements) == 1:
            [judgement] = judgements.values()
            phrases += [("alarm", verdict.phrase) for verdict in judgement.verdicts if _kind(verdict) == "alarm"]
        return marked(SourceText(text, self._analyzer), phrases)

    def _system(self, name: str, judgement: Judgement) -> Markup:
        ranked = list(enumerate(judgement.verdicts, start=1))
        columns = [
            _column(
                part,
                [(rank, verdict) for rank, verdict in ranked if verdict.present == present],
                [target for target in judgement.targets if target.present == present and not target.met],
            )
            for present, part in PARTS.items()
        ]
        if len(self._systems) == 1:
            return element("div", *columns, class_="system parts")
        return element("div", element("h3", name), *columns, class_="system")


def _column(part: str, ranked: Iterable[tuple[int, Verdict]], missed: Sequence[GoldTarget]) -> Markup:
    predictions = [_item(_kind(verdict), verdict.phrase, verdict.problem, rank) for rank, verdict in ranked]
    misses = [_item("miss", target.phrase) for target in missed]
    nothing = None if predictions or misses else element("p", "nothing predicted, nothing to find", class_="quiet")
    return element(
        "div",
        element("h4", part),
        element("ol", *predictions) if predictions else None,
        element("ul", *misses) if misses else None,
        nothing,
    )


def _kind(verdict: Verdict) -> str:
    return "passed" if verdict.problem else "hit" if verdict.hit else "alarm"


def _item(kind: str, phrase: str, reason: str | None = None, rank: int | None = None) -> Markup:
    told = KINDS.get(kind, "passed over")
    return element(
        "li",
        element("span", SYMBOLS[kind], class_="symbol", title=told, aria_hidden="true"),
        element("span", f"{told}: ", class_="spoken"),
        element("span", phrase or "(empty)", class_="phrase"),
        element("span", f" {reason}", class_="reason") if reason else None,
        class_=kind,
        value=rank,
    )


def legend() -> Markup:
    """Explain colours and symbols."""
    words = {
        "hit": "a prediction that is a gold phrase",
        "alarm": "a prediction that is not a gold phrase",
        "miss": "a gold phrase that was not predicted",
        "passed": "a prediction that the protocol ignores, and why",
    }
    return element(
        "ul",
        *(
            element(
                "li", element("span", SYMBOLS[kind], class_="symbol", aria_hidden="true"), join(" ", told), class_=kind
            )
            for kind, told in words.items()
        ),
        class_="legend",
    )
