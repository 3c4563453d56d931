"""Tests of the generator of MapQA questions."""
