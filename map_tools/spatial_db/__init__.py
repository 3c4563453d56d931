"""Spatial databases: SQL in PostGIS dialect over the features of a map, behind one port."""
