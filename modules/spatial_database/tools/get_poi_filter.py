"""GetPOIFilter: from words for a kind of feature to table, column and value."""

from typing import ClassVar, Literal

from pydantic import Field

from map_tools.errors import UnsupportedError
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.memory.table import Condition
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool


class FilterArguments(Arguments):
    """What is looked for.

    Attributes:
        poi_type: Words for a kind of feature, with what it must be like ("museum", "Thai restaurant with
            outdoor seating").
        query_type: What is done with the features: "point" to count them or measure from them, "area" or
            "line" to take their sizes.
    """

    poi_type: str = Field(min_length=1)
    query_type: Literal["point", "area", "line"] = "point"


class FilterResult(Result):
    """A filter.

    Attributes:
        table: Where such features are.
        alternatives: A feature is one of the kind if it fulfils all conditions of any of these.
        sql: The same as a condition in PostGIS dialect.
        source: "curated": from the vocabulary; "discovered": the words are values of the data.
        rows: How many features fulfil it.
    """

    table: str
    alternatives: tuple[tuple[Condition, ...], ...]
    sql: str
    source: Literal["curated", "discovered"]
    rows: int


class GetPoiFilter(SpatialTool[FilterArguments, FilterResult]):
    """Reads kinds (Geo-ReAct, section 4.1.2).

    Args:
        engine: The data.
        kinds: Reads the words; default: one of its own.
    """

    name: ClassVar[str] = "GetPOIFilter"
    description: ClassVar[str] = (
        "Maps words for a kind of feature to table, column and value, for SQL and CalculateMetric."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.OBJECT,)
    arguments: ClassVar[type[Arguments]] = FilterArguments

    def __init__(self, engine: MemoryEngine, kinds: KindReader | None = None) -> None:
        self._engine = engine
        self._kinds = kinds or KindReader(engine)

    async def run(self, arguments: FilterArguments) -> FilterResult:
        """Reads the words.

        Raises:
            UnsupportedError: They are no kind that the data knows.
        """
        kind = self._kinds.read(arguments.poi_type, arguments.query_type)
        if kind is None or kind.table not in self._engine.tables:
            raise UnsupportedError(
                f"The data has no kind of feature called '{arguments.poi_type}'.",
                "Say it in other words, or look at the values with InspectSchema.",
            )
        table = self._engine.tables[kind.table]
        return FilterResult(
            table=kind.table,
            alternatives=kind.alternatives,
            sql=kind.sql(),
            source="curated" if kind.curated else "discovered",
            rows=sum(len(table.rows_where(conditions)) for conditions in kind.alternatives),
        )
