"""What programs can call: one function an operator, with a typed signature and a short docstring."""
