"""Questions of MapQA's nine types over any map, with true gold from the map's raw content."""
