"""Tests of the language-model reasoner."""
