"""Which of the options: the value is worked out, and the option that says it is chosen."""

import random

from tests.e2e.truth import MARGIN_M, NotClearError, best_order
from tests.modules.query.compositional.asking import Option, World, on

FOUR = {
    "helsinki": ("Amos Rex", "Kino Engel", "Hotel Arthur", "Lilla Teatern"),
    "porto": ("Cinema da Trindade", "Farmácia Vitália", "LeYa na Latina", "The Yeatman"),
}


def _first(values: list[float], margin: float) -> int:
    """The place of the least value, if it is clearly the least."""
    ordered = sorted(values)
    if ordered[1] - ordered[0] < margin:
        raise NotClearError("two options are as good")
    return values.index(ordered[0])


@on(helsinki="Savoy-teatteri", porto="Museu dos Clérigos")
def test_nearest_option(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    world.check(
        f"Which of these is nearest to {start}?",
        f"""answer(nearest(options, to="{start}"))""",
        Option(_first([raw.metres(start, one) for one in four], MARGIN_M)),
        options=four,
    )


@on(helsinki="Rikhardinkadun kirjasto", porto="Livraria Lopes da Silva")
def test_quickest_option_on_foot(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    times = [world.travel("walk", raw.one(start), raw.one(one)).total_seconds() for one in four]
    world.check(
        f"Which of these is quickest to reach on foot from {start}?",
        f"""answer(min(options, key=lambda o: travel("{start}", o, "walk").duration))""",
        Option(_first(times, 5)),
        options=four,
    )


@on(helsinki="bar", porto="cinema")
def test_option_with_most_around(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    counts = [-len(raw.near(raw.one(one), 200, amenity=start)) for one in four]
    world.check(
        f"Around which of these are the most {start} entries within 200 m?",
        f"""answer(max(options, key=lambda o: count(places("{start}", near=o, within="200 m"))))""",
        Option(_first([float(one) for one in counts], 1)),
        options=four,
    )


@on(helsinki="Kinopalatsi", porto="Being Porto")
def test_number_among_options(world: World, start: str) -> None:
    many = len(world.raw.near(world.raw.one(start), 400, amenity="pub"))
    options = [str(many + step) for step in (-4, 0, 5, 11)]
    world.check(
        f"How many pubs are there within 400 m of {start}?",
        f"""answer(count(places("pub", near="{start}", within="400 m")))""",
        Option(1),
        options=options,
    )


@on(helsinki="Bio Rex", porto="Armazém 14")
def test_true_statement(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    a, b = raw.metres(start, four[0]), raw.metres(start, four[1])
    if abs(a - b) < MARGIN_M:
        raise NotClearError("as far away")
    pharmacies = len(raw.near(raw.one(start), 600, amenity="pharmacy"))
    farther, nearer = (four[0], four[1]) if a > b else (four[1], four[0])
    world.check(
        "Which statement is true?",
        f"""
        a = distance("{start}", "{farther}") < distance("{start}", "{nearer}")
        b = count(places("pharmacy", near="{start}", within="600 m")) > {pharmacies}
        c = count(places("pharmacy", near="{start}", within="600 m")) >= {pharmacies}
        d = lies("{start}", "north", of="{start}")
        answer(judge([a, b, c, False]))
        """.replace(f'        d = lies("{start}", "north", of="{start}")\n', ""),
        Option(2),
        options=(
            f"{farther} is nearer to {start} than {nearer}",
            f"There are more than {pharmacies} pharmacies within 600 m",
            f"There are at least {pharmacies} pharmacies within 600 m",
            "There is a beach",
        ),
    )


@on(helsinki="Hotel Kämp", porto="Arquivo Histórico Distrital do Porto")
def test_only_option_on_one_side(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    turns = [min(raw.bearing(start, one), 360 - raw.bearing(start, one)) for one in four]
    if any(40 < turn < 50 for turn in turns) or sum(turn <= 45 for turn in turns) != 1:
        raise NotClearError("not one of them alone lies clearly north")
    world.check(
        f"Which of these lies north of {start}?",
        f"""answer([o for o in options if lies(o, "north", of="{start}")][0])""",
        Option([turn <= 45 for turn in turns].index(True)),
        options=four,
    )


@on(helsinki="Amos Rex", porto="Cinema da Trindade")
def test_best_order(world: World, start: str) -> None:
    raw, stops = world.raw, FOUR[world.name][1:]
    order = best_order(
        lambda a, b: world.travel("walk", raw.one(a), raw.one(b)).total_seconds(), start, stops
    )
    shuffled = [
        list(order),
        [order[1], order[0], order[2]],
        [order[2], order[1], order[0]],
        [order[0], order[2], order[1]],
    ]
    random.Random(7).shuffle(shuffled)
    world.check(
        f"In which order do I visit these on foot from {start} with the least walking?",
        f"""
        day = trip({list(stops)}, start="{start}", mode="walk", order="free")
        answer(day.order, walking=day.travel)
        """.replace("'", '"'),
        Option(shuffled.index(order)),
        parts={"walking": world.travel("walk", raw.one(start), *(raw.one(one) for one in order))},
        options=[", ".join(one) for one in shuffled],
    )


@on(helsinki="Apteekki Bulevardia", porto="Descobertas")
def test_option_that_is_the_second_nearest(world: World, start: str) -> None:
    raw = world.raw
    found = raw.nearest_few(start, raw.others(raw.one(start), amenity="theatre"), 4)
    names = sorted(one.name for one in found)
    world.check(
        f"Which is the second nearest theatre to {start}?",
        f"""answer(places("theatre", near="{start}")[1])""",
        Option(names.index(found[1].name)),
        options=names,
    )
