"""Tests of the unanswerable twins."""
