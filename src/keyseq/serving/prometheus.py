"""Metrics of a server in Prometheus' text format."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
SIZES = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The counters, histograms and gauges of a server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.requests = Counter(
            "keyseq_requests", "Requests answered.", ["method", "path", "status"], registry=self._registry
        )
        self.seconds = Histogram(
            "keyseq_request_seconds", "Latency of requests.", ["path"], registry=self._registry, buckets=SECONDS
        )
        self.documents = Counter("keyseq_documents", "Documents predicted.", ["system"], registry=self._registry)
        self.batches = Histogram(
            "keyseq_batch_documents", "Documents predicted together.", registry=self._registry, buckets=SIZES
        )

    def watch(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is computed on each scrape."""
        Gauge(name, description, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        """All metrics as text."""
        return generate_latest(self._registry)
