"""For tests of providers: the contract they keep, with a kit to check it, and stand-ins for map services."""
