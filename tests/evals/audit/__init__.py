"""Tests of the audits of public benchmarks."""
