"""`mapagent batch`: a table of questions in, a table of answers out."""
