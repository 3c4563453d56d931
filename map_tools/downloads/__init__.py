"""What is published of OpenStreetMap for everybody: extracts by region, and what changed since they were made."""

from typing import Final

GEOFABRIK_INDEX: Final = "https://download.geofabrik.de/index-v1-nogeom.json"
"""Where Geofabrik says which regions it has, without their outlines."""
