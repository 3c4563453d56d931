"""Overture Maps places as a second source of places beside OpenStreetMap (https://docs.overturemaps.org)."""
