"""Where a map picture is: the frame that turns its pixels into positions, and how one is fitted to its labels.

Positions are taken to Web Mercator (EPSG:3857, https://epsg.io/3857), the plane in which map pictures are true to
shape, as complex numbers: metres of the equator to the east and, as pixels count, to the *south*. So a picture with
north up is this plane scaled and shifted.

Fitting is robust, and silent where chance would do as well. RANSAC (Fischler & Bolles 1981,
https://doi.org/10.1145/358669.358692) over pairs of label and candidate gives
a first frame. A label stands beside its icon, left, right, above or below it, so where no icon is seen the
first frame only asks that a place lies about where its label is; then each label's side is chosen and the
frame fitted again, in turn, by least squares. Whether so many labels could agree by chance is judged a
contrario (Moisan & Stival 2004, https://doi.org/10.1023/B:VISI.0000013094.38752.54).
"""

import cmath
from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, comb, cos, degrees, hypot, log, pi, radians, sinh, tan

import numpy as np
import numpy.typing as npt

from map_tools.types import LatLng
from map_tools.vision.boxes import Label

RADIUS_M = 6_378_137.0
MAX_LAT = 85.051128
"""Web Mercator ends where its world is a square."""


def to_plane(at: LatLng) -> complex:
    """The point of the plane for a position; beyond 85° it is that of the edge."""
    lat = radians(max(-MAX_LAT, min(MAX_LAT, at.lat)))
    return complex(RADIUS_M * radians(at.lng), -RADIUS_M * log(tan(pi / 4 + lat / 2)))


def to_latlng(point: complex) -> LatLng:
    """The position of a point of the plane; longitudes are wrapped at the date line."""
    lng = (degrees(point.real / RADIUS_M) + 180) % 360 - 180
    return LatLng(lat=max(-90.0, min(90.0, degrees(atan(sinh(-point.imag / RADIUS_M))))), lng=lng)


def ground_scale(at: LatLng) -> float:
    """Metres on the ground for a metre of the plane."""
    return cos(radians(at.lat))


@dataclass(frozen=True, slots=True)
class Frame:
    """A similarity from pixels to Web Mercator's plane.

    Attributes:
        scale: Plane per pixel; its argument is the turn of the picture, 0 with north up.
        origin: What the pixel (0, 0) shows.
        width_px, height_px: Size of the picture.
    """

    scale: complex
    origin: complex
    width_px: int
    height_px: int

    def at(self, x: float, y: float) -> LatLng:
        """The position a pixel shows."""
        return to_latlng(self.origin + self.scale * complex(x, y))

    def pixel(self, at: LatLng) -> tuple[float, float]:
        """The pixel that shows a position."""
        point = (to_plane(at) - self.origin) / self.scale
        return point.real, point.imag

    @property
    def center(self) -> LatLng:
        """What is shown in the middle."""
        return self.at(self.width_px / 2, self.height_px / 2)

    @property
    def metres_per_px(self) -> float:
        """Length on the ground of a pixel in the middle."""
        return abs(self.scale) * ground_scale(self.center)

    @property
    def radius_m(self) -> float:
        """From the middle to a corner."""
        return hypot(self.width_px, self.height_px) / 2 * self.metres_per_px

    @property
    def rotation_deg(self) -> float:
        """Clockwise angle from the top of the picture to north; 0 with north up."""
        return -degrees(cmath.phase(self.scale)) + 0.0

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """South, west, north and east of the corners, in degrees."""
        corners = [self.at(x, y) for x in (0, self.width_px) for y in (0, self.height_px)]
        lats, lngs = [one.lat for one in corners], [one.lng for one in corners]
        return min(lats), min(lngs), max(lats), max(lngs)


MAX_PAIRS = 6000
SEED = 20_240_229
"""Of the draw among pairs, where there are too many to try all: equal pictures give equal frames."""
LEAST_BASE_SHARE = 0.12
"""Two labels that fix a first frame lie at least so far apart, as a share of the picture's width."""
TILT_DEG = 15.0
"""How far the line between two labels may seem turned though north is up: labels stand beside their icons."""
REACH_PX = 24.0
"""How far from the edge of its label an icon's middle lies at most."""
ICON_GAP_PX = 10.0
"""... and usually."""
TIGHT_PX = 10.0
"""A label agrees with the final frame if its icon's place is this near."""
ROUNDS = 8
LEAST_HITS = 4
LEAST_SHARE = 0.25
"""Of the labels that the map knows at all."""
CHANCE = 1e-3
"""Expected number of frames this good by mere chance."""
SCALES_M = (0.02, 20_000.0)
"""A pixel shows between two centimetres and twenty kilometres."""
TURNED_LEAD = 3
"""A turned frame must explain so many labels more than the best one with north up."""

type Points = npt.NDArray[np.complex128]
type Numbers = npt.NDArray[np.float64]
type Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Fit:
    """A frame with the matches it rests on.

    Attributes:
        frame: From pixels to Web Mercator.
        matches: (label, candidate) as indices, one for each label that agrees.
        anchors: For each match the pixel where the place is.
        residual_px: Root mean square distance of the matches from where the frame puts them.
    """

    frame: Frame
    matches: tuple[tuple[int, int], ...]
    anchors: tuple[tuple[float, float], ...]
    residual_px: float


@dataclass(frozen=True, slots=True)
class _Scene:
    """Labels and candidates as arrays; a row is a candidate with its label."""

    middles: Points
    halves: Points
    labels: Rows
    numbers: Rows
    places: Points
    width_px: int
    height_px: int

    @property
    def starts(self) -> Rows:
        """Where the rows of each label that has any begin."""
        return np.flatnonzero(np.r_[True, self.labels[1:] != self.labels[:-1]])


def fit_frame(
    labels: Sequence[Label], candidates: Sequence[Sequence[complex]], width_px: int, height_px: int
) -> Fit | None:
    """The frame of a picture; None if too few labels agree on one.

    Args:
        labels: What was read, with icons where they are seen.
        candidates: For each label the points of Web Mercator's plane that it may stand for.
        width_px: Width of the picture.
        height_px: Height of the picture.
    """
    scene = _scene(labels, candidates, width_px, height_px)
    if len(scene.starts) < LEAST_HITS:
        return None
    upright = _best(scene, turned=False)
    turned = _best(scene, turned=True)
    if turned is not None and len(turned.matches) >= (len(upright.matches) if upright else 0) + TURNED_LEAD:
        return turned
    return upright


def _scene(
    labels: Sequence[Label], candidates: Sequence[Sequence[complex]], width_px: int, height_px: int
) -> _Scene:
    rows = [
        (label, number, point)
        for label, points in enumerate(candidates)
        for number, point in enumerate(points)
    ]
    return _Scene(
        middles=np.array([complex(*label.spot) for label in labels]),
        halves=np.array([_half_size(label) for label in labels]),
        labels=np.array([label for label, _, _ in rows], dtype=np.intp),
        numbers=np.array([number for _, number, _ in rows], dtype=np.intp),
        places=np.array([point for _, _, point in rows], dtype=np.complex128),
        width_px=width_px,
        height_px=height_px,
    )


def _half_size(label: Label) -> complex:
    """How far the place may be from the label's spot; no room is left where the icon is seen."""
    return 0j if label.icon else complex(label.box.width / 2, label.box.height / 2)


def _best(scene: _Scene, *, turned: bool) -> Fit | None:
    """The frame most labels agree with, refined and judged."""
    pairs = _pairs(scene)
    frames = _frames_of(scene, *pairs, turned=turned)
    if not len(frames[0]):
        return None
    scale, origin = _most_agreed(scene, *frames)
    fit = _refined(scene, scale, origin, turned=turned)
    return fit if fit is not None and _is_beyond_chance(scene, len(fit.matches), len(frames[0])) else None


def _pairs(scene: _Scene) -> tuple[Rows, Rows]:
    """Pairs of rows of two labels that lie far enough apart."""
    first, second = np.triu_indices(len(scene.labels), k=1)
    apart = np.abs(scene.middles[scene.labels[first]] - scene.middles[scene.labels[second]])
    far = apart >= LEAST_BASE_SHARE * scene.width_px
    first, second = first[far], second[far]
    if len(first) > MAX_PAIRS:
        drawn = np.random.default_rng(SEED).choice(len(first), MAX_PAIRS, replace=False)
        first, second = first[drawn], second[drawn]
    return first, second


def _frames_of(scene: _Scene, first: Rows, second: Rows, *, turned: bool) -> tuple[Points, Points]:
    """The frame of each pair, as scale and origin; impossible ones are left out."""
    a, b = scene.middles[scene.labels[first]], scene.middles[scene.labels[second]]
    p, q = scene.places[first], scene.places[second]
    scales = (q - p) / (b - a)
    possible = (np.abs(scales) >= SCALES_M[0]) & (np.abs(scales) <= SCALES_M[1])
    if not turned:
        possible &= np.abs(np.angle(scales)) <= radians(TILT_DEG)
        scales = np.abs(scales).astype(np.complex128)
    origins = (p + q) / 2 - scales * (a + b) / 2
    return scales[possible], origins[possible]


def _most_agreed(scene: _Scene, scales: Points, origins: Points) -> tuple[complex, complex]:
    """The frame with most labels about where their places are; nearer ones decide between equals."""
    shown = (scene.places[None, :] - origins[:, None]) / scales[:, None]
    off = shown - scene.middles[scene.labels][None, :]
    reach = scene.halves[scene.labels][None, :] + complex(REACH_PX, REACH_PX)
    share = np.maximum(np.abs(off.real) / reach.real, np.abs(off.imag) / reach.imag)
    merit = np.where(share <= 1.0, 1.5 - share / 2, 0.0)
    totals = np.maximum.reduceat(merit, scene.starts, axis=1).sum(axis=1)
    best = int(np.argmax(totals))
    return complex(scales[best]), complex(origins[best])


def _refined(scene: _Scene, scale: complex, origin: complex, *, turned: bool) -> Fit | None:
    """The frame fitted to icons instead of labels; of several starts the one most labels agree with."""
    fits = [_settled(scene, scale, origin, side, turned=turned) for side in (None, 0, 1, 2, 3, 4)]
    found = [fit for fit in fits if fit is not None]
    return max(found, key=_merit, default=None)


def _merit(fit: Fit) -> float:
    """Many matches, and near ones: MSAC's score.

    Torr & Zisserman 2000, https://doi.org/10.1006/cviu.1999.0832.
    """
    return len(fit.matches) * (1 - (fit.residual_px / TIGHT_PX) ** 2)


def _settled(scene: _Scene, scale: complex, origin: complex, side: int | None, *, turned: bool) -> Fit | None:
    """Sides and frame chosen in turn until both stay; `side` is where all icons are taken to be at first."""
    spots = _spots(scene)
    for turn in range(ROUNDS):
        off = np.abs((scene.places[:, None] - origin) / scale - spots)
        sides = np.full(len(off), side) if turn == 0 and side is not None else off.argmin(axis=1)
        distance = off[np.arange(len(off)), sides]
        limit = 3 * REACH_PX if turn == 0 else max(TIGHT_PX, 4 * TIGHT_PX / turn)
        rows = _one_each(scene, distance, limit)
        if len(rows) < LEAST_HITS:
            return None
        scale, origin = _least_squares(spots[rows, sides[rows]], scene.places[rows], turned=turned)
    off = np.abs((scene.places[:, None] - origin) / scale - spots)
    sides, distance = off.argmin(axis=1), off.min(axis=1)
    rows = _one_each(scene, distance, TIGHT_PX)
    if len(rows) < LEAST_HITS:
        return None
    anchors = spots[rows, sides[rows]]
    return Fit(
        frame=Frame(scale, origin, scene.width_px, scene.height_px),
        matches=tuple((int(scene.labels[row]), int(scene.numbers[row])) for row in rows),
        anchors=tuple((float(spot.real), float(spot.imag)) for spot in anchors),
        residual_px=float(np.sqrt(np.mean(distance[rows] ** 2))),
    )


def _spots(scene: _Scene) -> Points:
    """Where each row's icon may be: where it is seen, else in the middle of its label or on a side of it."""
    middles, halves = scene.middles[scene.labels], scene.halves[scene.labels]
    seen = halves == 0
    across = np.where(seen, 0.0, halves.real + ICON_GAP_PX)
    down = 1j * np.where(seen, 0.0, halves.imag + ICON_GAP_PX)
    return np.stack([middles, middles - across, middles + across, middles - down, middles + down], axis=1)


def _one_each(scene: _Scene, distance: Numbers, limit: float) -> Rows:
    """The nearest row of each label, if it is near enough."""
    order = np.lexsort((distance, scene.labels))
    _, first = np.unique(scene.labels[order], return_index=True)
    rows = order[first]
    return rows[distance[rows] <= limit]


def _least_squares(pixels: Points, places: Points, *, turned: bool) -> tuple[complex, complex]:
    """The similarity nearest to the matches, in complex form (Umeyama 1991, https://doi.org/10.1109/34.88573)."""
    middle, place = pixels.mean(), places.mean()
    product = np.vdot(pixels - middle, places - place) / max(
        float(np.sum(np.abs(pixels - middle) ** 2)), 1e-9
    )
    scale = complex(product) if turned else complex(max(product.real, SCALES_M[0]), 0.0)
    return scale, complex(place - scale * middle)


def _is_beyond_chance(scene: _Scene, hits: int, tried: int) -> bool:
    """True if so many labels do not agree by chance, and they are no small part of those the map knows."""
    known = len(scene.starts)
    if hits < LEAST_HITS or hits < LEAST_SHARE * known:
        return False
    each = len(scene.labels) / known
    spot_px2 = 5 * np.pi * TIGHT_PX**2
    chance = min(0.5, each * float(spot_px2) / (scene.width_px * scene.height_px))
    free, agreed = known - 2, hits - 2
    tail = sum(comb(free, k) * chance**k * (1 - chance) ** (free - k) for k in range(agreed, free + 1))
    return tried * tail <= CHANCE
