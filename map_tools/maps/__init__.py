"""The embedded map: an immutable, versioned folder built from an OpenStreetMap extract."""
