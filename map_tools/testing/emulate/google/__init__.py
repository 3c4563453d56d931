"""The new services: Places API (New) and Routes API."""
