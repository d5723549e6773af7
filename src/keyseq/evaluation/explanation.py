"""All rules of all protocols and all metrics as Markdown, generated from their definitions."""

from keyseq.evaluation.metrics import METRICS, PARTS, Metric
from keyseq.evaluation.protocols import PROTOCOLS, RULES
from keyseq.tables import render

_AGGREGATES = {
    "variance": "The score is its variance.",
    "micro": "The score is that of the sums over all documents.",
    "subjects": "The score is the mean over subjects.",
    "weighted": "The score is the mean over subjects, weighted by the number of their gold documents.",
}
_CUTOFFS = {"needed": "@K", "possible": "[@K]", "none": ""}


def explain() -> str:
    """Describe the rules of each protocol, what each rule means, and how each metric is defined."""
    return "\n".join([_protocols(), _rules(), _metrics()])


def _protocols() -> str:
    rows = [[f"`{rule}`", *(_value(getattr(one, rule)) for one in PROTOCOLS.values())] for rule in RULES]
    return render(["rule", *(f"`{name}`" for name in PROTOCOLS)], rows, "markdown")


def _value(value: str) -> str:
    return f"`{value}`" if value else "none"


def _rules() -> str:
    return "".join(f"- `{rule}`: {meaning}.\n" for rule, meaning in RULES.items())


def _metrics() -> str:
    rows = [[_pattern(name, metric), _definition(metric)] for name, metric in METRICS.working().items()]
    table = render(["metric", "of one document"], rows, "markdown")
    return f"{table}\nK is a number, `o` (as many as targets) or `m` (all predictions).\n"


def _pattern(name: str, metric: Metric) -> str:
    parts = "all parts" if metric.parts == PARTS else ", ".join(metric.parts)
    return f"`{name}{_CUTOFFS[metric.cutoff]}{'[-padded]' if metric.paddable else ''}` of {parts}"


def _definition(metric: Metric) -> str:
    told = (metric.score.__doc__ or "").strip()
    return f"{told} {_AGGREGATES[metric.aggregate]}" if metric.aggregate in _AGGREGATES else told
