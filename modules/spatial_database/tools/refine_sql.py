"""RefineSQL: prepares and runs a revised query (Geo-ReAct, section 4.1.1)."""

from typing import ClassVar

from modules.spatial_database.tools.generate_sql import GenerateSQL


class RefineSQL(GenerateSQL):
    """Runs a query that an agent has revised; the path is that of its first one."""

    name: ClassVar[str] = "RefineSQL"
    description: ClassVar[str] = (
        "Runs a revised query after an error or an empty result; small slips are mended and told."
    )
