"""Questions over invented contexts, second set."""
