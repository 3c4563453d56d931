"""Writes Mapbox Vector Tiles, version 2.1 (https://github.com/mapbox/vector-tile-spec/tree/master/2.1).

Only what a base map needs: layers of points, lines and polygons with text and whole numbers as attributes.
Geometries are in the tile's own units, y downwards, already cut to the tile.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

EXTENT = 4096
"""Units along a side of a tile."""
VERSION = 2
_MOVE_TO, _LINE_TO, _CLOSE = 1, 2, 7
_ONE_MOVE = (1 << 3) | _MOVE_TO
_ONE_CLOSE = (1 << 3) | _CLOSE
_VARINT, _BYTES = 0, 2

type Attribute = str | int
type Path = Sequence[tuple[int, int]]
"""Points in order; of a ring without the first one again at its end."""


class Kind(IntEnum):
    """What a feature's geometry is, with the numbers of the specification."""

    POINT = 1
    LINE = 2
    POLYGON = 3


_FEWEST_POINTS = {Kind.LINE: 2, Kind.POLYGON: 3}


@dataclass
class Layer:
    """A layer as it is filled; `encoded` is its message in the tile."""

    name: str
    _features: list[bytes] = field(default_factory=list)
    _keys: dict[str, int] = field(default_factory=dict)
    _values: dict[Attribute, int] = field(default_factory=dict)

    def add(self, kind: Kind, paths: Iterable[Path], attributes: Mapping[str, Attribute]) -> None:
        """Adds a feature; a geometry that vanishes in the tile's grid is left out.

        Args:
            kind: Of the geometry.
            paths: Lines; or rings, outer ones clockwise on the screen and each before its holes; or one path
                with all the points.
            attributes: What is said of the feature.
        """
        commands = _points(paths) if kind is Kind.POINT else _strokes(kind, paths)
        if not commands:
            return
        tags = [
            number
            for key, value in attributes.items()
            for number in (
                self._keys.setdefault(key, len(self._keys)),
                self._values.setdefault(value, len(self._values)),
            )
        ]
        self._features.append((_packed(2, tags) if tags else b"") + _number(3, kind) + _packed(4, commands))

    def encoded(self) -> bytes:
        """The layer as field 3 of a tile; nothing if it is empty."""
        if not self._features:
            return b""
        parts = [
            _number(15, VERSION),
            _bytes(1, self.name.encode()),
            *(_bytes(2, feature) for feature in self._features),
            *(_bytes(3, key.encode()) for key in self._keys),
            *(_bytes(4, _value(value)) for value in self._values),
            _number(5, EXTENT),
        ]
        return _bytes(3, b"".join(parts))


def only_layers(tile: bytes, names: Iterable[str]) -> bytes:
    """A tile with some of its layers: tiles are joined by writing one after the other."""
    wanted = {_bytes(1, name.encode()) for name in names}
    return b"".join(
        tile[start:end]
        for start, body, end in _layers(tile)
        if any(name in tile[body:end] for name in wanted)
    )


def _layers(tile: bytes) -> Iterator[tuple[int, int, int]]:
    """Where each layer begins, where its content begins, and where it ends."""
    at = 0
    while at < len(tile):
        start = at
        at += 1  # the key of field 3 is one byte
        length, shift = 0, 0
        while True:
            byte = tile[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        yield start, at, at + length
        at += length


def _points(paths: Iterable[Path]) -> list[int]:
    """The drawing commands of points (section 4.3 of the specification)."""
    commands: list[int] = []
    x = y = count = 0
    for path in paths:
        for to_x, to_y in path:
            commands += _zigzag(to_x - x), _zigzag(to_y - y)
            x, y = to_x, to_y
            count += 1
    return [(count << 3) | _MOVE_TO, *commands] if count else []


def _strokes(kind: Kind, paths: Iterable[Path]) -> list[int]:
    """The drawing commands of lines and rings; the pen goes on from where the last one ended."""
    commands: list[int] = []
    x = y = 0
    for path in paths:
        points = _without_repeats(path, ring=kind is Kind.POLYGON)
        if len(points) < _FEWEST_POINTS[kind]:
            continue
        commands.append(_ONE_MOVE)
        for number, (to_x, to_y) in enumerate(points):
            if number == 1:
                commands.append(((len(points) - 1) << 3) | _LINE_TO)
            commands += _zigzag(to_x - x), _zigzag(to_y - y)
            x, y = to_x, to_y
        if kind is Kind.POLYGON:
            commands.append(_ONE_CLOSE)
    return commands


def _without_repeats(path: Path, *, ring: bool) -> list[tuple[int, int]]:
    """The path without points that equal the one before them; a ring's last one is before its first."""
    points = [point for before, point in zip((None, *path), path, strict=False) if point != before]
    while ring and len(points) > 1 and points[0] == points[-1]:
        points.pop()
    return points


def _zigzag(number: int) -> int:
    """A signed number as an unsigned one: 0, -1, 1, -2 become 0, 1, 2, 3."""
    return number << 1 if number >= 0 else (-number << 1) - 1


def _value(value: Attribute) -> bytes:
    return _bytes(1, value.encode(errors="replace")) if isinstance(value, str) else _number(5, value)


def _number(number_of_field: int, value: int) -> bytes:
    return _varints((number_of_field << 3 | _VARINT, value))


def _bytes(number_of_field: int, content: bytes) -> bytes:
    return _varints((number_of_field << 3 | _BYTES, len(content))) + content


def _packed(number_of_field: int, numbers: Sequence[int]) -> bytes:
    return _bytes(number_of_field, _varints(numbers))


def _varints(numbers: Iterable[int]) -> bytes:
    """Numbers from 0 in base 128, the lowest seven bits first.

    https://protobuf.dev/programming-guides/encoding/#varints
    """
    return b"".join([_SHORT[number] if number < _SHORT_END else _varint(number) for number in numbers])


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


_SHORT_END = 1 << 14
_SHORT = tuple(_varint(number) for number in range(_SHORT_END))
"""All numbers of one or two bytes: nearly all there are within a tile."""
