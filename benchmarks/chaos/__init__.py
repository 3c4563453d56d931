"""Chaos: servers that fail on purpose, and a soak of the whole product behind them."""
