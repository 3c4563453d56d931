"""The model client, on mocks of other people's clouds, on real loopback servers and on a real tiny model."""
