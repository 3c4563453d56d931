"""The legacy services: Places, Directions, Distance Matrix, Geocoding, Time Zone."""
