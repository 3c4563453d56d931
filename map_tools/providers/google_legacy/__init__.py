"""The provider `google-legacy`: Google's older services by the `googlemaps` client."""
