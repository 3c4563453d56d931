"""Generators of benchmarks over any map, with answers computed apart from the code they test."""
