"""Runs a method over a suite: records, resume, summary."""
