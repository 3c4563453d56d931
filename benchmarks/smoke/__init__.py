"""Smoke runs: forty questions over two small maps, answered without a model, with one, and by the cascade."""
