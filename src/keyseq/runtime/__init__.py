"""The engines of a search: PyTorch wherever it runs, and ONNX Runtime for a network that was exported."""
