"""Public transport: a GTFS feed kept with a map, and journeys by its timetable."""
