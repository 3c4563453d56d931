"""Suites, rival methods, metrics, generators, the runner and its reports."""
