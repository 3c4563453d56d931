"""Sources of map facts; found through the entry-point group `mapagent.providers`."""
