"""From words to features of a spatial database: names, kinds, streets (Geo-ReAct's grounding)."""
