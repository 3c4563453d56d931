"""The query language: a map question as a small typed program, its checker and its interpreter."""
