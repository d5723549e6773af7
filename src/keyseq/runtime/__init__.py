"""The engines of a search: PyTorch, and ONNX Runtime for exported networks."""
