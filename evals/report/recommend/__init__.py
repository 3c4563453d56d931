"""Tables of runs over wishes for recommendations, as Spatial-RAG has them (tables 2 to 6)."""
