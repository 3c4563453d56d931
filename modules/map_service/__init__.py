"""The map-tool agent: rounds of map-tool calls (MapAgent paper, section 3.4)."""
