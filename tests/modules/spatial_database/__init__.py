"""Tests of questions over a spatial database."""
