"""Questions over a spatial database: Geo-ReAct's concept tools and what drives them."""
