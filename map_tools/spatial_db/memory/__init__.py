"""A spatial database in memory: tables as arrays, asked by verbs instead of SQL."""
