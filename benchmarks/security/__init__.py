"""Texts that want to be obeyed, put wherever an agent reads the words of strangers."""
