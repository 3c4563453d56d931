"""The provider `geopy-routingpy`: any geocoder that geopy knows, and any router that routingpy knows."""
