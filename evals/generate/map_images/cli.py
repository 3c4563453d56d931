"""`mapagent generate map-images --map M`: pictures of a map with known frames, and questions about them."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from evals.generate.map_images.variety import SIZES_PX, ZOOMS
from mapagent.faces.cli.arguments import add_config, positive, settings_from
from mapagent.faces.cli.command import Command

DEFAULT_COUNT = 20
LEAST_ZOOM, MOST_ZOOM = 13.0, 19.0
LEAST_SIDE_PX, MOST_SIDE_PX = 300, 2000
MOST_CUT_PX = 200
MOST_NOISE = 60.0


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the pictures show")
    parser.add_argument("--n", type=positive, default=DEFAULT_COUNT, metavar="N", help="how many pictures")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal pictures")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
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
    add_config(parser)


def run(given: Namespace) -> int:
    """Draws the pictures and says what there is."""
    from evals.generate.map_images.generator import generate
    from evals.generate.map_images.variety import Variety
    from mapagent.providers import map_home

    variety = Variety(
        styles=tuple(given.style.split(",")), zooms=given.zoom, sizes_px=given.size,
        turn_deg=abs(given.turn), cut_px=given.cut, noise=given.noise, jpeg=given.jpeg,
    )  # fmt: skip
    folder = map_home(settings_from(given).settings).path(given.map)
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
    help="pictures of a map, and multiple-choice questions about them", configure=configure, run=run
)
