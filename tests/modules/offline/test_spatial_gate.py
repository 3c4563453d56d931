"""Whether a reading for the map tools tells all that is asked, so that no other reading is tried."""

from datetime import time
from unittest.mock import patch

import pytest

from map_tools.providers.base import ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.spatial_db.grounding.kinds import KindReader
from mapagent.question import Question
from modules.offline import spatial_grammar
from modules.offline.intents import Filters, Intent, NearbyIntent, OpenIntent, RouteIntent, What, When
from modules.offline.spatial_choice import SpatialChoice
from modules.offline.spatial_gate import is_settled
from modules.offline.spatial_words import Known, words_of
from tests.support.maps import demo_map

CAFE = What(text="cafe", categories=("cafe",))
NEAREST = NearbyIntent(what=CAFE, anchors=("Old Mill",))
WITHIN = NearbyIntent(what=CAFE, anchors=("Old Mill",), radius_m=300, rank_by="any", ask="names")
COUNT = WITHIN.model_copy(update={"ask": "count"})
OPEN_SUNDAY = NEAREST.model_copy(update={"filters": Filters(open_at=When(weekday=6, at=time(9)))})
HOURS = OpenIntent(place="Old Mill", ask="is_open", when=When(weekday=6))
WALK = RouteIntent(origin="Old Mill", destination="New Mill", ask="duration")


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Which cafe is nearest to Old Mill?", NEAREST),
        ("Which is the closest cafe to Old Mill?", NEAREST),
        ("Which cafe are within 300 m of Old Mill?", WITHIN),
        ("How many cafe are within 300 m of Old Mill?", COUNT),
        ("Which cafe is nearest to Old Mill and open on Sunday at 9 am?", OPEN_SUNDAY),
        ("Is Old Mill open on Sunday?", HOURS),
        ("How long is the walk from Old Mill to New Mill?", WALK),
        ("What is the first street when walking from Old Mill to New Mill?", WALK),
    ],
)
def test_a_reading_that_explains_every_word_settles_it(text: str, other: Intent) -> None:
    assert is_settled(words_of(text, Known(None, KindReader())), other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Which is the largest cafe near Old Mill?", NEAREST),  # an order by size
        ("Which cafe is nearest to Old Mill heading towards New Mill?", NEAREST),  # a goal
        ("Which cafe is nearest to Old Mill heading towards O'Neill?", NEAREST),
        ("Which cafe north of Old Mill is nearest to it?", NEAREST),  # a direction
        ("How many cafe are nearest to Old Mill?", NEAREST),  # a count where a name is told
        ("How far is the nearest cafe from Old Mill?", NEAREST),  # a distance where a name is told
        ("Which cafe is within 500 m of Old Mill?", WITHIN),  # another distance
        ("Which cafe is within 30 km of Old Mill?", WITHIN.model_copy(update={"radius_m": 30_000})),
        ("Which cafe in Westport is nearest to Old Mill?", NEAREST),  # an area nobody heeds
        ("Which roofed cafe is nearest to Old Mill?", NEAREST),  # a property nobody heeds
        ("Which cafe is beside Old Mill?", NEAREST),  # beside is a distance for a database
        ("Which cafe is nearest to Old Mill?", NEAREST.model_copy(update={"what": What(text="cafe")})),
        ("What is the total area of Old Mill?", HOURS),
        ("What is the nearest cafe to the corner of Old Street and New Street?", HOURS),
        ("Walking from Old Mill to New Mill, which cafe is within 2 km of the start?", WALK),
    ],
)
def test_what_a_database_could_add_is_looked_at(text: str, other: Intent) -> None:
    assert not is_settled(words_of(text, Known(None, KindReader())), other)


def test_a_settled_question_is_not_read_for_a_database() -> None:
    provider = OsmProvider.from_setting(ProviderSetting(name="osm", map_path=demo_map()))
    question = Question(text="Which cafe is nearest to Kiasma?")
    other = NearbyIntent(what=CAFE, anchors=("Kiasma",))
    with patch.object(spatial_grammar, "read_spatial", side_effect=AssertionError):
        assert SpatialChoice().reading(question, provider, other) is None
        unsettled = Question(text="Which roofed cafe is nearest to Kiasma?")
        with pytest.raises(AssertionError):
            SpatialChoice().reading(unsettled, provider, other)
