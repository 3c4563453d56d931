"""Tables of runs over the spatial suites: tolerance, tools, ablation, queries, cost (Geo-ReAct, part 7)."""
