"""Features of a spatial database as places, and as tools name them."""

from typing import Any

from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.types import Frozen, LatLng, Place
from modules.spatial_database.kind_values import PLACE_COLUMNS

_ADDRESS = ("addr_street", "addr_city", "addr_state", "addr_postcode")
_ATTRIBUTES = (
    "cuisine",
    "operator",
    "capacity",
    "museum",
    "sport",
    "population",
    "start_date",
    "opening_hours",
)
_FURTHER_KINDS = ("highway", "waterway", "water", "place", "border_type")


class FeatureId(Frozen):
    """A feature as tools name it: its table and its id there."""

    table: str
    id: str


class FeatureInfo(Frozen):
    """A feature in a tool's result.

    Attributes:
        lat, lng: The point that stands for it, in degrees.
        distance_m: From the origin of the search.
        size: Its area (m²) or its length (m), where that was asked for.
    """

    table: str
    id: str
    name: str = ""
    lat: float
    lng: float
    address: str = ""
    distance_m: float | None = None
    size: float | None = None

    @property
    def location(self) -> LatLng:
        """Where it is."""
        return LatLng(lat=self.lat, lng=self.lng)

    @property
    def told(self) -> str:
        """Its name with its address, or its position where it has none."""
        return f"{self.name} ({self.address or f'{self.lat:.4f}, {self.lng:.4f}'})"


class Features:
    """Reads features of an engine.

    Args:
        engine: The data.
    """

    def __init__(self, engine: MemoryEngine) -> None:
        self.engine = engine

    def id_of(self, ref: FeatureRef) -> str:
        """The feature's id in its table; its row where the table has no ids."""
        table = self.engine.table(ref)
        return table.text(ref.row, "id") or table.text(ref.row, "osm_id") or f"row {ref.row}"

    def ref(self, identity: FeatureId) -> FeatureRef | None:
        """The feature of an id; None if there is none."""
        if identity.id.startswith("row "):
            return FeatureRef(identity.table, int(identity.id.removeprefix("row ")))
        return self.engine.ref(identity.table, identity.id)

    def address(self, ref: FeatureRef) -> str:
        """Number and street, city, state, postcode; empty where the data has none."""
        table = self.engine.table(ref)
        parts = [table.text(ref.row, column) or "" for column in _ADDRESS]
        number = table.text(ref.row, "addr_housenumber")
        if number and parts[0]:
            parts[0] = f"{number} {parts[0]}"
        return ", ".join(part for part in parts if part)

    def has_address(self, ref: FeatureRef) -> bool:
        """True if its city or its state is known: it can be told where it is."""
        table = self.engine.table(ref)
        return any(table.text(ref.row, column) for column in ("addr_city", "addr_state"))

    def info(
        self, ref: FeatureRef, *, distance_m: float | None = None, size: float | None = None
    ) -> FeatureInfo:
        """The feature as a tool shows it."""
        position = self.engine.position(ref)
        return FeatureInfo(
            table=ref.table,
            id=self.id_of(ref),
            name=self.engine.name(ref),
            lat=position.lat,
            lng=position.lng,
            address=self.address(ref),
            distance_m=distance_m,
            size=size,
        )

    def text(self, info: FeatureInfo, column: str) -> str | None:
        """What a column says of a feature; None where it says nothing."""
        ref = self.ref(FeatureId(table=info.table, id=info.id))
        return None if ref is None else self.engine.table(ref).text(ref.row, column)

    def place(self, info: FeatureInfo) -> Place:
        """The feature as evidence shows it."""
        ref = self.ref(FeatureId(table=info.table, id=info.id))
        details: dict[str, Any] = {}
        if ref is not None:
            table = self.engine.table(ref)
            columns = (*PLACE_COLUMNS, *_FURTHER_KINDS)
            details["categories"] = tuple(text for key in columns if (text := table.text(ref.row, key)))
            details["attributes"] = {
                key: text for key in _ATTRIBUTES if (text := table.text(ref.row, key)) is not None
            }
        return Place(
            id=f"{info.table}/{info.id}",
            name=info.name,
            location=info.location,
            address=info.address or None,
            **details,
        )
