"""How map engines grow: the same invented city and the same tasks for ours, PostGIS, pyrosm and OSMnx."""
