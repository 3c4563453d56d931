"""Trains the embedded reader from the example bank; `make reader`."""
