"""The provider `osm-web`: OpenStreetMap's services on the network, public ones or one's own."""
