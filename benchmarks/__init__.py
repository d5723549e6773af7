"""How fast keyseq is: `python -m benchmarks`, each figure beside a baseline of the same run."""
