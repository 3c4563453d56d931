"""Benchmarks of speed and memory: medians and ratios in one run, never timed tests."""
