"""The page of the whole comparison, in Markdown. The same results always give the same text.

Titles and leads stand in `words.toml`.
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from evals.report.comparison import geo_react, gs_qa, mapagent, spatial_rag
from evals.report.comparison.grids import Section, ShownRun
from evals.report.table import NONE, markdown, paper

_EVERY = "every"
"""The lead of all tables of a paper that have none of their own."""


def head() -> str:
    """What stands above everything."""
    return _joined(_words()["head"])


def title(name: str, number: str) -> str:
    """The title of a table or figure: that of the printed table if it has no other."""
    return str(_entry(name, number).get("title") or paper(name).table(number).title)


def lead(name: str, number: str) -> str:
    """How a table or figure is to be read."""
    return _joined(_entry(name, number).get("lead") or _words()[name][_EVERY])


def _entry(name: str, number: str) -> dict[str, Any]:
    entry: dict[str, Any] = _words()[name].get(number, {})
    return entry


def _joined(text: str) -> str:
    """Without the line breaks inside paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))


PAPERS = {
    "mapagent": mapagent.sections,
    "geo_react": geo_react.sections,
    "spatial_rag": spatial_rag.sections,
    "gs_qa": gs_qa.sections,
}
"""The papers in their order, and what makes their sections."""
HASH_CHARS = 12
NOT_KEPT = "not recorded"
_RUN_HEADS = (
    *("run", "suite", "method", "model", "map", "n", "day (UTC)", "command"),
    *("commit", "code", "data", "results"),
)


def page(runs: Sequence[ShownRun]) -> str:
    """The whole page; at its end the runs that it shows."""
    parts = ["# The whole comparison", head()]
    for name, sections in PAPERS.items():
        about = paper(name)
        parts += [f"## {about.name}", f"{about.source}."]
        parts += [part for section in sections(runs) for part in _parts(name, section)]
    compared = "\n\n".join(parts)
    shown = (_run(run) for run in runs if f"`{run.id}`" in compared)
    return f"{compared}\n\n## Our runs\n\n{markdown([_RUN_HEADS, *shown])}\n"


def _parts(name: str, section: Section) -> Iterator[str]:
    number = f"{section.number[0].lower()}{section.number[1:]}"
    yield f"### {paper(name).name}, {number}: {title(name, section.number)}"
    yield lead(name, section.number)
    yield from (markdown([grid.heads, *grid.rows]) for grid in section.grids)
    if section.notes:
        yield "\n".join(f"- {note}" for note in section.notes)


def _run(run: ShownRun) -> tuple[str, ...]:
    about = run.about
    return (
        f"`{run.id}`",
        about.suite,
        about.method,
        about.model,
        about.provider or NONE,
        str(about.items),
        str(run.measured.get("finished", NOT_KEPT)),
        f"`{run.command}`",
        about.commit[:HASH_CHARS] or NONE,
        about.code_sha256[:HASH_CHARS],
        about.data_sha256[:HASH_CHARS],
        f"[{run.source}]({run.source}.md)",
    )
