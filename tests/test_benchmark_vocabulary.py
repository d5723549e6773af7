"""The benchmark of a large vocabulary, with a small one: what it generates and what it measures."""

from benchmarks import vocabulary as benchmark

from keyseq.vocabularies.vocabulary_file import read_vocabulary

TEXTS = ["Green parks and lawns of old towns.", "Small birds nest in hedges."]


def test_the_generated_concepts_are_as_many_as_asked_for_and_the_same_every_time(tmp_path):
    first, second = (benchmark.generated(200, TEXTS, seed=1) for _ in range(2))
    assert len(first) == 200
    assert list(first.labels) == list(second.labels)
    assert len(set(first.labels)) == len(first.labels)
    assert not first.remarks  # no cycles, no relations that lead nowhere
    benchmark.write_table(first, tmp_path / "terms.tsv")
    assert len(read_vocabulary(tmp_path / "terms.tsv")) == 200


def test_texts_have_labels_of_the_generated_vocabulary_or_else_looking_for_them_would_cost_nothing():
    made = benchmark.generated(200, TEXTS, seed=1)
    assert {"parks", "birds", "hedges"} <= set(made.labels)


def test_a_quick_run_measures_loading_and_what_a_text_costs():
    figures = {one.name: one.value for one in benchmark.run(quick=True)}
    assert sum(name.startswith("load") for name in figures) == 2
    assert "added to a text by 2,000 concepts" in figures
