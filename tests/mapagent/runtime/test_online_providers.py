"""Questions asked through OpenStreetMap's services get the answers that the embedded map gives."""

import asyncio

import pytest

from map_tools.providers.base import ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.providers.osm_web.provider import OsmWebProvider
from map_tools.testing.emulate.osm.services import osm_services, osm_web_options
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from tests.support.maps import demo_map

QUESTIONS = (
    "How many pharmacies are within 500 m of Ateneum?",
    "Is Ateneum open on Monday at 11 am?",
    "How long does it take to walk from Kiasma to Ateneum?",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_answers(question: str) -> None:
    async def ask() -> tuple[Answer, Answer]:
        async with osm_services(demo_map()) as (base, _):
            setting = ProviderSetting(name="osm-web", options=osm_web_options(base))
            async with (
                MapAgent(provider=OsmWebProvider.from_setting(setting)) as online,
                MapAgent(provider=OsmProvider.open(demo_map())) as embedded,
            ):
                return await online.ask(question), await embedded.ask(question)

    online, embedded = asyncio.run(ask())
    assert online.text
    assert (online.status, online.text) == (embedded.status, embedded.text)
