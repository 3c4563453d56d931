"""Questions of GS-QA's 28 templates over any map, with gold from the map's raw content."""
