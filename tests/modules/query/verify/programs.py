"""Programs over the town, by what they are about; together they use every operator and every kind of node."""

# Tables stand as they are read.
# ruff: noqa: E501

OPTIONS = ("Opera", "Castle", "Zoo", "Library")
"""The options of the programs that speak of options."""

PROGRAMS = {
    "nesting": """
museum = nearest("museum", to=place("Town Hall"))
food = nearest("restaurant", to=museum)
answer(food, museum=museum, walk=travel(museum, food, "walk").duration)
""",
    "filter": """
found = places("cafe", near="Town Hall", within="800 m", where=lambda p: p.wifi)
answer(found, many=count(found))
""",
    "best-rated": """
found = places("cafe", inside=area("Old Town"), where=lambda p: p.rating >= 4.1)
answer(max(found, key=lambda p: p.rating), all=found)
""",
    "open-nearest": """answer(nearest("cafe", to="Opera", where=lambda p: is_open(p, "Sun 20:00")))""",
    "condition": """
library = place("Library")
answer(library if is_open(library, "Sun 20:00") else nearest("cafe", to=library, where=lambda p: p.wifi))
""",
    "latest": """
cafes = places("cafe", near="Town Hall", within="1 km")
answer(count(cafes), latest=max(cafes, key=lambda p: closes(p, "Fri")), first=opens(cafes[0], "Mon"))
""",
    "trip": """
day = trip([visit("City Museum", stay="45 min"), visit("Opera", stay="30 min")], start="Station", depart="10:00", mode="walk")
answer(day.arrive, legs=day.legs, feasible=day.feasible, wait=day.wait, length=day.distance)
""",
    "train": """
day = trip([visit("Library", stay="10 min")], start=place("Grand Hotel"), end=place("Station"), arrive="17:05" - "15 min", mode="walk")
answer(day.depart, spare=day.depart - "15:00")
""",
    "free-order": """
day = trip(["Castle", "Opera", "Zoo", "Library"], start="Town Hall", end="Town Hall", mode="bike", order="free")
answer(day.order, time=day.travel, distance=day.distance)
""",
    "skip": """
day = trip([visit("Castle", stay="1 h"), visit("City Museum", stay="1 h"), visit("Zoo", stay="2 h"), visit("Opera", stay="30 min")], start="Town Hall", depart="Wed 13:00", arrive="Wed 17:00", mode="bike", order="free", skip=True)
answer(count(day.order), which=day.order, back=day.arrive)
""",
    "window": """
day = trip([visit("Castle", stay="90 min"), visit("Osteria Uno", stay="1 h", window=["12:00", "14:00"])], start="Town Hall", depart="Wed 9:30", mode="walk")
answer(day.feasible, at_table=day.visits[1].begin, leave=day.visits[1].leave, in_time=day.arrive <= "15:00")
""",
    "impossible": """
day = trip([visit("Castle", stay="90 min"), visit("Zoo", stay="3 h")], start="Town Hall", depart="Wed 15:00", mode="walk")
answer(day.feasible, arrive=day.arrive)
""",
    "options": """answer(min(options, key=lambda o: travel("Station", o, "drive").duration))""",
    "statements": """
a = lies("Opera", "north", of="Town Hall")
b = count(places("cafe", inside=area("Old Town"))) > 6
c = not is_open("Castle", "Mon")
d = distance("Zoo", "Town Hall") < distance("Castle", "Town Hall")
answer(judge([a, b, c, d]))
""",
    "sums": """
way = travel("Grand Hotel", "Zoo", "walk")
rest = after(way.steps, "Long Street")
answer(sum([s.distance for s in rest]), first=way.turns[0].turn, streets=way.streets, exit=[s.exit for s in way.steps if known(s.exit)])
""",
    "alternatives": """
ways = routes("Station", "Opera", "drive")
answer(min(ways, key=lambda w: w.distance), slowest=max([w.duration for w in ways]), many=count(ways))
""",
    "via": """
way = travel("Zoo", "Opera", "bike", via=["Town Hall"])
answer(way.duration, length=way.distance, lanes=features(way, "turn"), long=uses(way, "Long Street"))
""",
    "districts": """
schools = group(places("school"), by=lambda s: s in area("Old Town"))
ranked = sort(schools, key=lambda g: count(g.items), reverse=True)
answer([g.key for g in ranked], many=[count(g.items) for g in ranked], most=ranked[0].key)
""",
    "suburbs": """
cafes = group(places("cafe", near="Town Hall", within="3 km"), by=lambda c: c.district)
answer([g.key for g in cafes if known(g.key)], many=[count(g.items) for g in cafes])
""",
    "pairs": """
two = min(pairs(places("museum")), key=lambda p: distance(p[0], p[1]))
answer(two, apart=distance(two[0], two[1]))
""",
    "prices": """
museums = places("museum", near="Town Hall", within="2 km")
answer(sum([m.charge for m in museums]), mean=mean([m.charge for m in museums]), dear=[m for m in museums if m.charge > "5 EUR"])
""",
    "north": """answer(direction("Town Hall", to="Opera").name, exact=direction("Castle", to="Zoo").degrees, turn=abs(direction("Opera", to="Zoo") - direction("Opera", to="Station")))""",
    "park": """
park = area("City Park")
answer(nearest("restaurant", to=park), size=park.size, edge=park.perimeter, away=distance(park, "Castle"), reaches=park.size.ha > 10)
""",
    "outlines": """
lake = area("Duck Lake")
answer(touches(area("Old Town"), area("New Town")), cut=intersects(lake, area("New Town")), apart=disjoint(area("City Park"), lake), over=crosses(line("Long Street"), area("Old Town")))
""",
    "corridor": """
strip = between(place("Castle"), place("Zoo"))
answer(places("cafe", inside=strip), size=strip.size, museum=place("Tram Museum") in strip)
""",
    "buffer": """
ring = buffer(area("City Park"), "300 m")
answer(count(places("restaurant", inside=ring)), which=places("restaurant", inside=ring), size=ring.size)
""",
    "street": """
lane = line("Long Street")
answer(places("restaurant", along=lane), part=clip(lane, area("Old Town")).length, whole=lane.length, on=places("cafe", on=lane))
""",
    "names": """answer([h.name for h in places("hotel", inside=area("Old Town"))], stars=[h.stars for h in places("hotel") if known(h.stars)])""",
    "phones": """
p = nearest("pharmacy", to="Opera")
answer(p.phone, address=p.address, hours=hours(p, "Sat"), kind=p.kind, at=p.lat)
""",
    "unknowns": """
cheap = places("hotel", where=lambda h: h.price <= 2 and h.rating >= 4)
answer(cheap, left=cheap.unstated, whole=cheap.complete, any=any([h.stars > 3 for h in places("hotel")]))
""",
    "none": """answer(nearest("cafe", to="Town Hall", within="400 m", where=lambda p: p.rating > 4.9))""",
    "empty": """
found = places("museum", near="Zoo", within="200 m")
answer(found, many=count(found), none=not found)
""",
    "now": """answer(is_open("Library"), until=closes("Library") - now, late=now > "18:00", cafes=places("cafe", near="Town Hall", within="700 m", where=lambda p: is_open(p, now, "19:30")))""",
    "here": """answer(nearest("museum", to=here), way=travel(here, nearest("museum", to=here), "bike").distance)""",
    "tall": """answer(place("Town Hall").height, yes=place("Town Hall").height > "40 m", km=distance("Zoo", "Opera").km * 2)""",
    "arithmetic": """
walk = travel("Zoo", "Opera", "walk").duration
ride = travel("Zoo", "Opera", "bike").duration
answer(walk - ride, share=ride / walk, both=walk + ride + "10 min", less=-walk < ride)
""",
    "arrive": """
way = travel("Zoo", "Opera", "walk", depart="Fri 17:30")
answer(way.arrive, open=is_open("Opera", way.arrive), later=way.arrive + "2 h", mode=way.mode)
""",
    "quickest": """
found = places("museum", near="Station")
answer(min(found, key=lambda p: travel("Station", p, "walk").duration), times=[travel("Station", p, "walk").duration for p in found])
""",
    "words": """answer("wifi" in "free wifi here", listed="cafe" in ["museum", "cafe"], order=sort(["b", "a", "c"]), tail=before(["x", "y", "z"], "z"), cut=["x", "y", "z"][:2])""",
    "choose": """
best = nearest([h for h in places("hotel") if h.stars >= 3], to="Station")
answer(best, others=[h.name for h in places("hotel") + places("pharmacy")][1:4])
""",
    "all-open": """
museums = places("museum", inside=area("Old Town"))
answer(all([is_open(m, "Wed 12:00") for m in museums]), monday=any([is_open(m, "Mon") for m in museums]))
""",
    "ambiguous": """answer(place("Market"))""",
    "near-name": """
market = place("Market", near="Castle")
answer(market.lat, away=distance(market, "Castle"))
""",
    "spans": """
spans = hours("Osteria Uno", "Fri")
answer(spans[0].start, evening=spans[1].duration, many=count(spans), off=hours("Library", "Sun"))
""",
    "kleene": """answer([c for c in places("cafe", near="Town Hall", within="900 m") if c.wifi or travel("Opera", c, "walk").duration < "9 min"])""",
    "deep": """
hotels = places("hotel", where=lambda h: count(places("restaurant", near=h, within="700 m", where=lambda r: distance(r, h) < "600 m" and r.rating > 4)) >= 1)
answer(hotels, food=[nearest("restaurant", to=h) for h in hotels])
""",
    "position": """answer(nearest("cafe", to="48.2005, 16.301"), off=distance("48.2005, 16.301", "Town Hall"))""",
    "mixed": """answer(places("cafe", near="Opera", inside=area("Old Town"), within="700 m"), benches=count(places("bench", near="Town Hall", within="1 km")))""",
    "refusal": """unanswerable("fares are on no map")""",
    "late-bar": """
bar = place("Cafe Corso")
answer(closes(bar, "Fri 23:00"), night=is_open(bar, "Sat 01:30"), after_eleven=closes(bar, "Fri") > "23:00", next=opens(bar, "Sun 12:00"))
""",
}  # fmt: skip
