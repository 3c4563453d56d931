"""Tests of the module that looks at map pictures."""
