"""The provider that reaches others through geopy and routingpy."""
