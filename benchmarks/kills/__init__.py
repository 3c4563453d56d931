"""`python -m benchmarks.kills`: whether a kill at any moment loses, doubles or damages anything."""
