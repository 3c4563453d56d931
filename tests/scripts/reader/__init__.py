"""Tests of what trains the reader."""
