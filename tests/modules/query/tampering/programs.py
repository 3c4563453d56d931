"""Programs over Helsinki's centre, by what they are about; their derivations are tampered with."""

# Programs stand as they are written.
# ruff: noqa: E501

PROGRAMS = {
    "nested": """
museum = nearest("museum", to=place("Kiasma"))
food = nearest("restaurant", to=museum)
answer(food, museum=museum, walk=travel(museum, food, "walk").duration)
""",
    "wifi": """
found = places("cafe", near="Kino Engel", within="500 m", where=lambda p: p.wifi)
answer(found, many=count(found))
""",
    "wifi nearest": """answer(nearest("cafe", to="Amos Rex", where=lambda p: p.wifi))""",
    "quickest": """
cafes = places("cafe", near="Lilla Teatern", within="250 m")
first = min(cafes, key=lambda p: travel("Lilla Teatern", p, "walk").duration)
answer(first, walk=travel("Lilla Teatern", first, "walk").duration)
""",
    "farthest": """
found = places("pharmacy", near="Bio Rex", within="900 m")
answer(max(found, key=lambda p: distance(p, "Bio Rex")), all=sort(found, key=lambda p: distance(p, "Bio Rex"), reverse=True))
""",
    "counts": """
bars = count(places("bar", near="Kinopalatsi", within="400 m"))
pubs = count(places("pub", near="Kinopalatsi", within="400 m"))
answer(bars + pubs, more=bars > pubs, share=bars / pubs)
""",
    "condition": """
library = place("Rikhardinkadun kirjasto")
answer(library if is_open(library, "Sun 20:00") else nearest("cafe", to=library, where=lambda p: p.wifi))
""",
    "closing": """answer(closes("Ateneum", "Fri") - "15:20", opens=opens("Ateneum", "Fri"), open=is_open("Ateneum", "Mon 12:00"))""",
    "week": """
museum = place("Amos Rex")
days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
answer([d for d in days if not is_open(museum, d)], total=sum([sum([s.duration for s in hours(museum, d)]) for d in days if is_open(museum, d)]))
""",
    "trip": """
day = trip([visit("Amos Rex", stay="45 min"), visit("Kino Engel", stay="30 min")], start="Lilla Teatern", depart="Wed 12:00", mode="walk")
answer(day.arrive, feasible=day.feasible, travel=day.travel, length=day.distance)
""",
    "order": """
day = trip(["Amos Rex", "Kino Engel", "Kinopalatsi"], start="Lilla Teatern", end="Lilla Teatern", mode="bike", order="free")
answer(day.order, travel=day.travel)
""",
    "train": """
day = trip([visit("Kino Engel", stay="10 min")], start="Lilla Teatern", end="Kinopalatsi", arrive="17:05" - "15 min", mode="walk")
answer(day.depart)
""",
    "space": """
answer(direction("Amos Rex", to="Kino Engel").name, north=lies("Hotel Arthur", "north", of="Kino Engel"),
       away=distance("Amos Rex", "Kino Engel"), more=distance("Amos Rex", "Bio Rex") < distance("Amos Rex", "Kino Engel"))
""",
    "park": """
park = area("Esplanadinpuisto")
answer(places("artwork", inside=park), size=park.size, edge=park.perimeter, near=nearest("hotel", to=park))
""",
    "pairs": """
two = min(pairs(places("cinema")), key=lambda p: distance(p[0], p[1]))
answer(two, apart=distance(two[0], two[1]))
""",
    "groups": """
hotels = group([h for h in places("hotel") if known(h.street)], by=lambda h: h.street)
ranked = sort(hotels, key=lambda g: count(g.items), reverse=True)
answer(ranked[0].key, many=count(ranked[0].items), streets=count(hotels))
""",
    "mean": """
ways = [distance("Amos Rex", p) for p in ["Bio Rex", "Kinopalatsi", "Kino Engel"]]
answer(mean(ways), spread=max(ways) - min(ways), all=all([w < "2 km" for w in ways]), any=any([w < "100 m" for w in ways]))
""",
    "stars": """
hotel = places("hotel", where=lambda p: p.stars == 5)[0]
answer(nearest("library", to=hotel), hotel=hotel, street=hotel.street)
""",
    "deep": """
hotels = places("hotel", near="Kinopalatsi", within="300 m")
answer([h for h in hotels if count(places("cafe", near=h, within="100 m")) > 1])
""",
    "none": """answer(nearest("pharmacy", to="Amos Rex", within="100 m"))""",
    "steps": """
way = travel("Amos Rex", "Kino Engel", "walk")
answer(way.streets, turns=count(way.turns), first=way.steps[0].distance)
""",
    "reach": """
near = reachable("Kino Engel", "8 min", "walk")
found = places("museum", inside=near)
answer(found, many=count(found), size=near.size, amos="Amos Rex" in near)
""",
    "between people": """
meet = min(places("cafe", near="Kinopalatsi", within="150 m"), key=lambda c: max([travel(f, c, "walk").duration for f in ["Bio Rex", "Kino Engel"]]))
answer(meet, longest=max([travel(f, meet, "walk").duration for f in ["Bio Rex", "Kino Engel"]]))
""",
    "both": """
close = places("cafe", near="Kinopalatsi", within="400 m")
other = places("cafe", near="Hotel Arthur", within="400 m")
answer([c for c in close if c in other], only=count([c for c in close if c not in other]))
""",
}  # fmt: skip
