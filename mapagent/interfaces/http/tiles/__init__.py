"""Vector tiles of the maps on this machine: the base map that the page draws on, without any network."""
