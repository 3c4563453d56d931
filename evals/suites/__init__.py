"""Benchmarks as suites (`evals.ports.Suite`)."""
