"""What is known of places outside of any map: the port of external knowledge, and a client of MediaWiki."""
