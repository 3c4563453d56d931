"""Reports on finished runs: terminal table and a self-contained page."""
