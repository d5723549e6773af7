"""The page of a report: scores, how they were computed, and documents."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from math import isnan

from keyseq.evaluation.html import charts
from keyseq.evaluation.html.documents import Documents
from keyseq.evaluation.html.excerpt import SampledDocument, choose, gather
from keyseq.evaluation.html.markup import Markup, element, join
from keyseq.evaluation.metrics import parse
from keyseq.evaluation.protocols import RULES
from keyseq.evaluation.report import explanation, shown, shown_interval, shown_p, units
from keyseq.evaluation.significance import Comparison, Result
from keyseq.predictions.pairing import Pair
from keyseq.version import __version__


def html_report(comparison: Comparison, pairs: Mapping[str, Iterable[Pair]], limit: int) -> str:
    """Write a report as one HTML file, with at most `limit` documents.

    `pairs` streams, for each system, the documents that were scored with its predictions.
    """
    choice = choose(comparison.systems, leading_metric(comparison.metrics), limit)
    return _page(comparison, gather(pairs, choice.places), choice.words)


def _page(comparison: Comparison, entries: Sequence[SampledDocument], chosen: str) -> str:
    systems = comparison.systems
    scores = next(iter(systems.values()))
    corpus = scores.data.rpartition(":")[0]
    title = f"{', '.join(systems)} on {corpus}"
    metric = leading_metric(comparison.metrics)
    size = _documents(f"{len(scores.ids):,}")
    body = [
        element(
            "header",
            element("h1", title),
            element("p", f"{size} · protocol {scores.protocol.name} · keyseq {__version__}"),
        ),
        element(
            "main",
            _scores(comparison),
            _rules(comparison),
            _spread(comparison, metric),
            Documents(systems, metric).section(entries, chosen),
        ),
        element("script", Markup(_asset("script.js"))),
    ]
    return shell(title, *body)


def shell(title: str, *body: Markup) -> str:
    """Write a self-contained HTML file: a title, the style of reports and a body."""
    return f"<!doctype html>\n{element('html', _head(title), element('body', *body), lang='en')}\n"


def leading_metric(metrics: Sequence[str]) -> str:
    """The metric that documents are sorted by: the first that lies between 0 and 1."""
    return next((metric for metric in metrics if parse(metric).definition.share), metrics[0])


def _head(title: str) -> Markup:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} – keyseq"),
        element("style", Markup(_asset("style.css"))),
    )


def _asset(name: str) -> str:
    return files("keyseq.evaluation.html").joinpath(name).read_text(encoding="utf-8")


def _scores(comparison: Comparison) -> Markup:
    level = f"{100 * comparison.resampling.level:g} % interval"
    heads = ["metric", "score", level, "", "documents"]
    if len(comparison.systems) > 1:
        heads = ["metric", "system", "score", level, "", "difference", level]
        heads += [f"p {test}" for test in comparison.tests]
    head = element("thead", element("tr", *(element("th", name, scope="col") for name in heads)))
    kind = "scores compared" if len(comparison.systems) > 1 else "scores"
    table = element("table", head, *(_group(comparison, metric) for metric in comparison.metrics), class_=kind)
    notes = [element("p", line, class_="quiet") for line in [*explanation(comparison), units(comparison.metrics)]]
    return element("section", element("h2", "Scores"), element("div", table, class_="wide", tabindex="0"), *notes)


def _documents(number: str) -> str:
    return "1 document" if number == "1" else f"{number} documents"


def _group(comparison: Comparison, metric: str) -> Markup:
    """The rows of one metric."""
    results = comparison.of(metric)
    numbers = dict.fromkeys(f"{scores.documents(metric):,}" for scores in comparison.systems.values())
    documents = " or ".join(numbers)
    if len(results) == 1:
        row = [element("th", metric, scope="row"), *_score(results[0], comparison), _number(documents, "documents")]
        return element("tbody", element("tr", *row))
    told = element("span", _documents(documents), class_="quiet")
    name = element("th", metric, told, scope="rowgroup", rowspan=len(results))
    rows = [
        [
            element("td", result.system, class_="name"),
            *_score(result, comparison),
            *_difference(result, comparison.tests),
        ]
        for result in results
    ]
    return element("tbody", *(element("tr", None if number else name, *row) for number, row in enumerate(rows)))


def _score(result: Result, comparison: Comparison) -> list[Markup]:
    return [
        element("td", shown(result.metric, result.score), class_="number strong", data_label="score"),
        _number(shown_interval(result.metric, result.interval), "interval"),
        element("td", _range(result, comparison)),
    ]


def _difference(result: Result, tests: Sequence[str]) -> list[Markup]:
    if result.difference is None:
        return [element("td", "baseline", class_="quiet", colspan=2 + len(tests))]
    value, interval = result.difference.value, result.difference.interval
    told = {
        "difference": shown(result.metric, value, "+"),
        "its interval": shown_interval(result.metric, interval, "+"),
    }
    told |= {f"p {test}": shown_p(result.difference.corrected[test]) for test in tests}
    return [_number(text, label) for label, text in told.items()]


def _number(text: str, label: str) -> Markup:
    """A cell; on a narrow screen, where the head of the table is not shown, it has the label beside it."""
    return element("td", text, class_="number", data_label=label)


def _range(result: Result, comparison: Comparison) -> Markup | None:
    """Draw an interval: for several systems on the scale of the metric, for one on that of all comparable metrics."""
    if isnan(result.score):
        return None
    if len(comparison.systems) > 1:
        beside = comparison.of(result.metric)
        scale = (min(other.interval.low for other in beside), max(other.interval.high for other in beside))
        return charts.interval(result.score, result.interval, scale, _ends(result.metric, scale), beside[0].score)
    share = parse(result.metric).definition.share
    alike = [other.interval.high for other in comparison.results if parse(other.metric).definition.share == share]
    whole = (0.0, max(end for end in alike if not isnan(end)))
    return charts.interval(result.score, result.interval, whole, _ends(result.metric, whole))


def _ends(metric: str, scale: tuple[float, float]) -> tuple[str, str]:
    """The ends of a scale with their unit: percent, or a number of phrases."""
    factor, unit = (100, " %") if parse(metric).definition.share else (1, "")
    low, high = (f"{factor * end:.4g}{unit}" for end in scale)
    return low, high


def _rules(comparison: Comparison) -> Markup:
    """List the rules of the protocol, and every signature in full."""
    protocol = next(iter(comparison.systems.values())).protocol
    rules = [
        element(
            "tr",
            element("th", rule, scope="row"),
            element("td", element("code", getattr(protocol, rule) or "none")),
            element("td", _coded(told)),
        )
        for rule, told in RULES.items()
    ]
    signatures = dict.fromkeys(
        scores.signature(metric) for metric in comparison.metrics for scores in comparison.systems.values()
    )
    changed = f", with {', '.join(protocol.overrides)} overridden" if protocol.overrides else ""
    return element(
        "section",
        element("h2", "How the scores were computed"),
        element(
            "details",
            element("summary", f"The rules of {protocol.name}{changed}"),
            element("div", element("table", element("tbody", *rules), class_="rules"), class_="wide"),
        ),
        element(
            "details",
            element("summary", "Signatures, in full"),
            *(element("p", element("code", signature)) for signature in signatures),
        ),
    )


def _coded(text: str) -> Markup:
    """Render text between backticks as code."""
    return join(*(element("code", part) if number % 2 else part for number, part in enumerate(text.split("`"))))


def _spread(comparison: Comparison, metric: str) -> Markup | None:
    if not parse(metric).definition.share:
        return None
    figures = [charts.histogram(scores.values[metric], name, metric) for name, scores in comparison.systems.items()]
    return element(
        "section",
        element("h2", f"Documents by {metric}"),
        element("p", f"Number of documents by their {metric}, in percent.", class_="quiet"),
        element("div", *figures, class_="figures"),
    )
