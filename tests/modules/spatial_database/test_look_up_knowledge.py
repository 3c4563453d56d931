"""LookUpKnowledge over a small wiki on the loopback."""

import asyncio

from map_tools.knowledge import ATTRIBUTION, MediaWiki, MediaWikiSetting
from modules.spatial_database.tools.base import Observation, Toolkit
from modules.spatial_database.tools.look_up_knowledge import LookUpKnowledge
from tests.map_tools.knowledge.wiki import wiki
from tests.support.loopback import serving


def look_up(url: str, **arguments: str) -> Observation:
    async def asked() -> Observation:
        source = MediaWiki(MediaWikiSetting(api_url=f"{url}/w/api.php", contact="mapper@fernport.town"))
        try:
            return await Toolkit((LookUpKnowledge(source),)).call("LookUpKnowledge", arguments)
        finally:
            await source.close()

    return asyncio.run(asked())


def test_a_fact_that_no_map_has() -> None:
    with serving(wiki) as server:
        seen = look_up(server.url, subject="Alder Stadium", fact="capacity, spectators")
    assert seen.result is not None
    assert "It has a capacity of 12,400 spectators" in seen.result["passage"]
    assert "opened in 1931" not in seen.result["passage"]
    assert (seen.result["attribution"], seen.result["wikidata"]) == (ATTRIBUTION, "Q7")


def test_a_place_that_a_fact_describes() -> None:
    with serving(wiki) as server:
        seen = look_up(server.url, subject="hospital pediatric emergency Fernport")
    assert seen.result is not None
    assert seen.result["title"] == "Fern Hospital"


def test_no_page_is_an_observation() -> None:
    with serving(wiki) as server:
        seen = look_up(server.url, subject="zeppelin")
    assert not seen.ok
    assert "has no page about 'zeppelin'" in seen.text
