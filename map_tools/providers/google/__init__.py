"""The provider `google`: Places API (New) and Routes API."""
