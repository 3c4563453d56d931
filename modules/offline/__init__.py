"""The embedded reasoner: a semantic parser of map questions that needs no language model."""
