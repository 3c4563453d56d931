"""The language: its form, its types, and what holds of every program."""
