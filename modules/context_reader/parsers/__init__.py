"""One file for each form in which supplied texts tell of places and of the ways between them."""
