"""Checks of the public benchmarks themselves: where gold is not what is asked (docs/benchmark-audit.md)."""
