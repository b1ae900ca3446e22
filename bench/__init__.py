"""Benchmarks, run on request: `python -m bench.tensors`. Nothing here is a test."""
