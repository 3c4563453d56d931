"""`mapagent generate KIND`: benchmarks made from any map, or from another benchmark.

Each kind has its arguments, and says what was made.
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.generate.benchmark import DATASET_FILE, shares
from map_tools.errors import UsageError
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config, positive, settings_from


def _add_common(parser: ArgumentParser, unit: str) -> None:
    """Map, size, seed and folder; `unit` is what questions are counted by ("template")."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the questions are about")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--per-template", type=positive, metavar="N", help=f"questions of each {unit}")
    size.add_argument("--n", type=positive, metavar="N", help=f"questions in all, shared by the {unit}s")
    _add_seed_and_out(parser)


def _add_seed_and_out(parser: ArgumentParser, made: str = "questions") -> None:
    """What all kinds take; `made` is what comes of it ("pictures")."""
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=f"equal seeds make equal {made}")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    add_config(parser)


def _map_folder(given: Namespace) -> Path:
    """The folder of the map that the questions are about."""
    from mapagent.runtime.opening import map_home

    return map_home(settings_from(given).settings).path(given.map)


def _told(manifest: dict[str, Any], file: Path, more: Sequence[str] = ()) -> str:
    """What was made, in lines; `more` stands behind the first one."""
    lines = [f"{manifest['n']} questions about the map '{manifest['map']}' in {file}", *more]
    lines += [f"not filled: {name} ({why})" for name, why in sorted(manifest["given_up"].items())]
    return "\n".join([*lines, manifest["attribution"]])


DEFAULT_QUESTIONS = 100


def _configure_mapeval(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the questions are about")
    parser.add_argument(
        "--n", type=positive, default=DEFAULT_QUESTIONS, metavar="N", help="how many questions"
    )
    parser.add_argument(
        "--wordings", choices=("base", "more", "fresh", "all"), default="base", help="which set of wordings"
    )
    _add_seed_and_out(parser)


def _run_mapeval(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.mapeval.generator import generate

    folder = _map_folder(given)
    manifest = generate(folder, given.n, given.seed, given.out, given.wordings)
    lines = [f"{manifest['n']} questions about the map '{manifest['map']}' in {given.out / DATASET_FILE}"]
    lines += [f"left out: {family} ({why})" for family, why in sorted(manifest["given_up"].items())]
    print("\n".join([*lines, manifest["attribution"]]))
    return 0


MAPEVAL = Command(help="multiple-choice questions over a map", configure=_configure_mapeval, run=_run_mapeval)


DEFAULT_PER_TEMPLATE = 10


def _configure_gsqa(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    _add_common(parser, "template")
    parser.add_argument("--refresh", type=Path, metavar="OLD", help="bring an older benchmark up to date")
    parser.add_argument(
        "--relation",
        choices=("agree", "contains", "intersects"),
        default="agree",
        help='what "in" a region means; agree: only questions where it makes no difference',
    )
    parser.add_argument("--ambiguous-anchors", action="store_true", help="let in anchors with common names")
    parser.add_argument("--same-category", action="store_true", help="let in anchors of the kind asked for")
    parser.add_argument("--empty", action="store_true", help="let in questions without an answer")


def _run_gsqa(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    manifest = _made_gsqa(given)
    more: list[str] = []
    if given.refresh is not None:
        replaced = sorted(manifest["replaced"].items())
        more = [f"kept: {manifest['kept']}", *(f"replaced: {name} ({why})" for name, why in replaced)]
    print(_told(manifest, given.out / DATASET_FILE, more))
    return 0


def _made_gsqa(given: Namespace) -> dict[str, Any]:
    from evals.generate.gsqa.generator import generate, refresh
    from evals.generate.gsqa.templates import Options, templates

    folder = _map_folder(given)
    options = Options(
        ambiguous_anchors=given.ambiguous_anchors,
        same_category=given.same_category,
        empty=given.empty,
        relation=given.relation,
    )
    if given.refresh is not None:
        return refresh(folder, given.refresh, given.seed, given.out, options)
    counts = shares(tuple(templates()), given.n, given.per_template or DEFAULT_PER_TEMPLATE)
    return generate(folder, counts, given.seed, given.out, options)


GSQA = Command(
    help="open questions of GS-QA's 28 templates over a map", configure=_configure_gsqa, run=_run_gsqa
)


MAPQA_TYPES = tuple(range(1, 10))
DEFAULT_PER_TYPE = 10


def _configure_mapqa(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    _add_common(parser, "type")


def _run_mapqa(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.mapqa.generator import generate

    folder = _map_folder(given)
    counts = shares(MAPQA_TYPES, given.n, given.per_template or DEFAULT_PER_TYPE)
    manifest = generate(folder, counts, given.seed, given.out)
    print(_told(manifest, given.out / DATASET_FILE))
    return 0


MAPQA = Command(
    help="open questions of MapQA's nine types over a map", configure=_configure_mapqa, run=_run_mapqa
)


DEFAULT_PER_CLASS = 10


def _configure_mobility(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    _add_common(parser, "class")


def _run_mobility(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    import asyncio

    from evals.generate.mobility.generator import CLASSES, generate

    folder = _map_folder(given)
    counts = shares(CLASSES, given.n, given.per_template or DEFAULT_PER_CLASS)
    print(_told(asyncio.run(generate(folder, counts, given.seed, given.out)), given.out / DATASET_FILE))
    return 0


MOBILITY = Command(
    help="queries about ways with gold tool calls and recorded replies, in the shape of MobilityBench",
    configure=_configure_mobility,
    run=_run_mobility,
)


def _configure_tags(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    _add_common(parser, "family")


def _run_tags(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.tags.generator import FAMILIES, generate

    folder = _map_folder(given)
    counts = shares(tuple(FAMILIES), given.n, given.per_template or DEFAULT_PER_TEMPLATE)
    print(_told(generate(folder, counts, given.seed, given.out), given.out / DATASET_FILE))
    return 0


TAGS = Command(
    help="plain words for tags, with the features that have them", configure=_configure_tags, run=_run_tags
)


DEFAULT_PER_CATEGORY = 8


def _configure_everyday(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the questions are about")
    parser.add_argument(
        "--per-category",
        type=positive,
        default=DEFAULT_PER_CATEGORY,
        metavar="N",
        help="questions of each category",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal questions")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the TOML file to write")
    add_config(parser)


def _run_everyday(given: Namespace) -> int:
    """Writes the file and says what it holds."""
    from evals.generate.everyday.generator import generate

    folder = _map_folder(given)
    print(_told(generate(folder, given.per_category, given.seed, given.out), given.out))
    return 0


EVERYDAY = Command(
    help="everyday questions over a map, in the form of the suite", configure=_configure_everyday,
    run=_run_everyday,
)  # fmt: skip


DEFAULT_PICTURES = 20
LEAST_ZOOM, MOST_ZOOM = 13.0, 19.0
LEAST_SIDE_PX, MOST_SIDE_PX = 300, 2000
MOST_CUT_PX = 200
MOST_NOISE = 60.0


def _configure_map_images(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    from evals.generate.map_images.style import SIZES_PX, ZOOMS

    parser.add_argument("--map", required=True, metavar="M", help="the map the pictures show")
    parser.add_argument("--n", type=positive, default=DEFAULT_PICTURES, metavar="N", help="how many pictures")
    _add_seed_and_out(parser, "pictures")
    parser.add_argument(
        "--style", default="day", metavar="S[,S]", help="day, night, drops; several are mixed"
    )
    parser.add_argument("--zoom", type=_zooms, default=ZOOMS, metavar="Z[,Z]", help="zooms, 13 to 19")
    parser.add_argument("--size", type=_sizes, default=SIZES_PX, metavar="WxH[,WxH]", help="sizes in pixels")
    parser.add_argument(
        "--turn", type=float, default=0.0, metavar="DEG", help="north off the top by at most DEG"
    )
    parser.add_argument("--cut", type=_pixels, default=0, metavar="PX", help="cut so much off every edge")
    parser.add_argument("--noise", type=_noise, default=0.0, metavar="S", help="standard deviation, 0 to 60")
    parser.add_argument("--jpeg", type=_quality, default=None, metavar="Q", help="quality, 5 to 95")


def _run_map_images(given: Namespace) -> int:
    """Draws the pictures and says what there is."""
    from evals.generate.map_images.generator import generate
    from evals.generate.map_images.style import Variety

    variety = Variety(
        styles=tuple(given.style.split(",")), zooms=given.zoom, sizes_px=given.size,
        turn_deg=abs(given.turn), cut_px=given.cut, noise=given.noise, jpeg=given.jpeg,
    )  # fmt: skip
    folder = _map_folder(given)
    manifest = generate(folder, given.n, given.seed, given.out, variety)
    print(
        f"{manifest['pictures']} pictures of the map '{manifest['map']}' "
        f"and {manifest['n']} questions in {given.out}"
    )
    print(manifest["attribution"])
    return 0


def _zooms(text: str) -> tuple[float, ...]:
    return tuple(_between(float(part), LEAST_ZOOM, MOST_ZOOM) for part in text.split(","))


def _sizes(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_size(part) for part in text.split(","))


def _size(text: str) -> tuple[int, int]:
    width, height = (int(_between(int(side), LEAST_SIDE_PX, MOST_SIDE_PX)) for side in text.split("x"))
    return width, height


def _pixels(text: str) -> int:
    return int(_between(int(text), 0, MOST_CUT_PX))


def _noise(text: str) -> float:
    return _between(float(text), 0.0, MOST_NOISE)


def _quality(text: str) -> int:
    return int(_between(int(text), 5, 95))


def _between(value: float, least: float, most: float) -> float:
    if not least <= value <= most:
        raise ArgumentTypeError(f"{value:g} is not between {least:g} and {most:g}")
    return value


MAP_IMAGES = Command(
    help="pictures of a map, and multiple-choice questions about them",
    configure=_configure_map_images,
    run=_run_map_images,
)


DEFAULT_EACH = 50


def _configure_recommend(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    from evals.generate.recommend import SOURCES

    parser.add_argument(
        "--map", metavar="M", help="questions beside places of this map (MapQA's types 1 and 4)"
    )
    parser.add_argument("--listings", type=Path, metavar="FILE", help="wishes over these listings of a guide")
    parser.add_argument("--source", choices=SOURCES, default=SOURCES[0], help="whose listings they are")
    parser.add_argument(
        "--where", action="append", default=[], metavar="FIELD=VALUE", help="only listings with this field"
    )
    parser.add_argument("--name", metavar="NAME", help="name of the map that is made of the listings")
    parser.add_argument("--extract", type=Path, metavar="PBF", help="an extract to put the listings into")
    parser.add_argument(
        "--per-template", type=positive, default=DEFAULT_EACH, metavar="N", help="of each family"
    )
    _add_seed_and_out(parser)


def _run_recommend(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.recommend.generator import generate_beside, generate_travel
    from mapagent.runtime.opening import map_home

    home = map_home(settings_from(given).settings)
    common = {"each": given.per_template, "seed": given.seed, "out": given.out}
    if given.map is not None and given.listings is None:
        manifest = generate_beside(home.path(given.map), **common)
    elif given.listings is not None and given.name is not None and given.map is None:
        manifest = generate_travel(
            given.listings,
            given.source,
            _where(given.where),
            name=given.name,
            home=home,
            extract=given.extract,
            **common,
        )
    else:
        raise UsageError(
            "It is not clear what the questions are about.",
            "Give --map M, or --listings FILE with --name NAME for the map that is made of them.",
        )
    print(_told(manifest, given.out / DATASET_FILE))
    return 0


def _where(conditions: list[str]) -> dict[str, str]:
    """The fields of "city=London"; `UsageError` for anything else."""
    pairs = [condition.partition("=") for condition in conditions]
    for field, equals, _ in pairs:
        if not field or not equals:
            raise UsageError(f"--where {field} says no value.", 'Write it as --where "city=London".')
    return {field: value for field, _, value in pairs}


RECOMMEND = Command(
    help="wishes for recommendations with withheld truth", configure=_configure_recommend, run=_run_recommend
)


DEFAULT_PLANS = 3


def _configure_travelplans(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the plans are about")
    parser.add_argument(
        "--per-family",
        type=positive,
        default=DEFAULT_PLANS,
        metavar="N",
        help="possible ones, and impossible ones",
    )
    _add_seed_and_out(parser)


def _run_travelplans(given: Namespace) -> int:
    """Generates the benchmark and says what it holds."""
    from evals.generate.travelplans.generator import generate

    folder = _map_folder(given)
    print(_told(generate(folder, given.per_family, given.seed, given.out), given.out / DATASET_FILE))
    return 0


TRAVELPLANS = Command(
    help="day plans with hard constraints, some impossible",
    configure=_configure_travelplans,
    run=_run_travelplans,
)


DEFAULT_PER_QUESTION = 4
"""So that questions with many legs do not outweigh the others."""


def _configure_twins(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FILE", help="a benchmark of MapEval's form with contexts"
    )
    parser.add_argument(
        "--per-question",
        type=positive,
        default=DEFAULT_PER_QUESTION,
        metavar="N",
        help="at most N of one question",
    )
    _add_seed_and_out(parser, "twins")


def _run_twins(given: Namespace) -> int:
    """Makes the twins and says how many of which kind."""
    import asyncio

    from evals.unanswerable.maker import generate_twins

    manifest = asyncio.run(
        generate_twins(given.data, given.out, seed=given.seed, per_question=given.per_question)
    )
    print(
        f"{manifest['twins']} unanswerable twins of {manifest['originals_with_twins']} questions, beside all "
        f"{manifest['originals']} originals, in {given.out / DATASET_FILE}"
    )
    print(", ".join(f"{kind}: {number}" for kind, number in manifest["twins_by_cut"].items()))
    return 0


TWINS = Command(
    help="unanswerable twins of a benchmark's questions", configure=_configure_twins, run=_run_twins
)


KINDS = {
    "mapeval": MAPEVAL,
    "gsqa": GSQA,
    "mapqa": MAPQA,
    "mobility": MOBILITY,
    "tags": TAGS,
    "everyday": EVERYDAY,
    "map-images": MAP_IMAGES,
    "recommend": RECOMMEND,
    "travelplans": TRAVELPLANS,
    "twins": TWINS,
}


def configure(parser: ArgumentParser) -> None:
    """Declares the kinds, each with its own arguments."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for name, kind in KINDS.items():
        kind.configure(kinds.add_parser(name, help=kind.help, description=kind.help))


def run(given: Namespace) -> int:
    """Makes the benchmark and says what it holds."""
    return KINDS[given.kind].run(given)


COMMAND = Command(help=BUILT_IN["generate"], configure=configure, run=run)
