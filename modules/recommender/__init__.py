"""Recommends places after Spatial-RAG: hybrid spatial retrieval, Pareto front, trade-offs in words."""
