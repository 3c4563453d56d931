"""PostGIS SQL as DuckDB SQL that gives the same answer, by a table of rules; what has no equal is refused.

PostGIS chooses between degrees and metres by the types of the arguments: geometry measures on the plane of
longitude and latitude, geography on the ellipsoid. DuckDB has one type only, so the types are worked out here
(`kinds`), a table says what each function is for each of them (`functions.toml`), and a few rules in Python
(`spatial_rules`, `plain_rules`) do what a table cannot. A call that no rule covers is refused.
"""

from map_tools.spatial_db.translate.translator import Translation, translated

__all__ = ["Translation", "translated"]
