"""Tables of questions in, tables of answers out."""
