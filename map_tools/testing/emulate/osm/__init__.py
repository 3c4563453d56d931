"""OpenStreetMap's services on this machine: Nominatim, Overpass, OSRM and Valhalla over a map."""
