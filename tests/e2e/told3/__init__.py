"""Questions over invented contexts, third set."""
