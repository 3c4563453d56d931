"""The HTTP face: `mapagent serve`, an API and a web page over it."""
