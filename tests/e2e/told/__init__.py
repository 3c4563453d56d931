"""Questions over supplied texts, end to end."""
