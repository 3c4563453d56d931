"""Tests of the generator of GS-QA questions."""
