"""Agents of other projects over the same four tools; runs in the environment of `requirements.txt`."""
