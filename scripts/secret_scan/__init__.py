"""Looks for secrets before anybody else does."""
