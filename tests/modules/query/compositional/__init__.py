"""Questions put together of several steps, with answers worked out from the raw map."""
