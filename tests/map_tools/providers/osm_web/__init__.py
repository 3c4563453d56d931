"""The provider over OpenStreetMap's services."""
