"""LookUpKnowledge: what an encyclopedia says of a place, for facts that no map has (Geo-ReAct, section 3)."""

from typing import ClassVar

from pydantic import Field

from map_tools.errors import PlaceNotFoundError
from map_tools.knowledge import KnowledgeSource
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool


class KnowledgeArguments(Arguments):
    """What is wanted to be known."""

    subject: str = Field(
        min_length=1, description="the place's name with its city, or a description of the place to be found"
    )
    fact: str = Field(default="", description="what is wanted to be known of it")


class KnowledgeResult(Result):
    """What the best page says.

    Attributes:
        title, url, wikidata: The page.
        passage: Its first sentence, and those about the fact.
        others: Titles of other pages that fit.
        attribution: The credit that must be shown.
    """

    title: str
    url: str
    passage: str
    wikidata: str = ""
    others: tuple[str, ...] = ()
    attribution: str = ""


class LookUpKnowledge(SpatialTool[KnowledgeArguments, KnowledgeResult]):
    """Searches an encyclopedia and reads the best page.

    Args:
        source: The encyclopedia.
    """

    name: ClassVar[str] = "LookUpKnowledge"
    description: ClassVar[str] = (
        "Looks up a fact that no map has (capacity, architect, year), or the place that a fact describes."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.MEANING, Concept.VALUE)
    arguments: ClassVar[type[Arguments]] = KnowledgeArguments

    def __init__(self, source: KnowledgeSource) -> None:
        self._source = source

    async def run(self, arguments: KnowledgeArguments) -> KnowledgeResult:
        """Looks it up.

        Raises:
            PlaceNotFoundError: No page fits.
            ProviderError: The encyclopedia cannot be reached or refuses.
        """
        titles = await self._source.search(arguments.subject)
        article = await self._source.article(titles[0]) if titles else None
        if article is None:
            raise PlaceNotFoundError(
                f"{self._source.name} has no page about '{arguments.subject}'.", "Say it in other words."
            )
        return KnowledgeResult(
            title=article.title,
            url=article.url,
            passage=article.passages(f"{arguments.subject} {arguments.fact}"),
            wikidata=article.wikidata,
            others=titles[1:],
            attribution=article.attribution,
        )
