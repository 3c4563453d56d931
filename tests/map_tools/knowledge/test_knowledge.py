"""The client of MediaWiki over a small wiki on the loopback."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from map_tools.errors import ConfigError, ProviderError
from map_tools.knowledge import ATTRIBUTION, WIKIPEDIA, Article, MediaWiki, MediaWikiSetting
from map_tools.wire import Player, Recorder
from map_tools.wire.wire import Recording
from tests.map_tools.knowledge.wiki import PAGES, wiki
from tests.support.loopback import Script, Scripted, in_turn, json_reply, serving

CONTACT = "mapper@fernport.town"


def ask[T](
    url: str,
    question: Callable[[MediaWiki], Awaitable[T]],
    *,
    folder: Path | None = None,
    recording: Recording | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """The reply of a client that is opened for this question and closed after it."""

    async def asked() -> T:
        setting = MediaWikiSetting(api_url=f"{url}/w/api.php", contact=CONTACT)
        source = MediaWiki(setting, folder=folder, recording=recording, sleep=sleep)
        try:
            return await question(source)
        finally:
            await source.close()

    return asyncio.run(asked())


def test_searches_and_reads() -> None:
    with serving(wiki) as server:
        assert ask(server.url, lambda source: source.search("stadium zebra")) == ()
        assert ask(server.url, lambda source: source.search("sports ground")) == ("Alder Stadium",)
        assert ask(server.url, lambda source: source.search("fernport", limit=1)) == ("Alder Stadium",)
        article = ask(server.url, lambda source: source.article("Alder Ground"))
        missing = ask(server.url, lambda source: source.article("Nowhere"))
    assert article == Article(
        title="Alder Stadium",
        text=PAGES["Alder Stadium"],
        url="http://wiki.test/Alder_Stadium",
        wikidata="Q7",
        attribution=ATTRIBUTION,
    )
    assert missing is None


def test_says_who_it_is_and_lets_a_busy_wiki_refuse() -> None:
    with serving(wiki) as server:
        ask(server.url, lambda source: source.search("hospital"))
    (asked,) = server.asked
    assert asked.headers["user-agent"].startswith("mapagent/")
    assert f"({CONTACT})" in asked.headers["user-agent"]
    assert asked.params["maxlag"] == ["5"]
    assert asked.params["formatversion"] == ["2"]
    assert "gzip" in asked.headers["accept-encoding"]


@pytest.mark.parametrize("contact", ["", "somebody", "me@example.com"])
def test_nobody_is_asked_without_a_contact(contact: str) -> None:
    with pytest.raises(ConfigError, match="address"):
        MediaWiki(MediaWikiSetting(contact=contact))


def test_one_request_at_a_time() -> None:
    def slow(asked: object) -> Scripted:
        return Scripted(body=b'{"query": {"search": []}}', delay_s=0.02)

    async def many(source: MediaWiki) -> None:
        await asyncio.gather(*(source.search(f"page {number}") for number in range(4)))

    with serving(slow) as server:
        ask(server.url, many)
    assert (len(server.asked), server.most_at_once) == (4, 1)


LAGGED = {"error": {"code": "maxlag", "info": "Waiting for a database: 6 seconds lagged."}}


def test_waits_as_long_as_a_lagging_wiki_asks() -> None:
    waits_s: list[float] = []

    async def sleep(wait_s: float) -> None:
        waits_s.append(wait_s)

    good = json_reply({"query": {"search": [{"title": "Alder Stadium"}]}})
    with serving(in_turn(json_reply(LAGGED, retry_after="7"), good)) as server:
        found = ask(server.url, lambda source: source.search("stadium"), sleep=sleep)
    assert found == ("Alder Stadium",)
    assert waits_s == [7.0]


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (in_turn(json_reply({"error": {"code": "badvalue", "info": "Unrecognized value"}})), "Unrecognized"),
        (in_turn(json_reply({"query": []})), "not that of a wiki"),
        (in_turn(json_reply([1])), "not that of a wiki"),
        (in_turn(json_reply({}, 403)), "status 403"),
    ],
)
def test_what_is_no_reply_is_told(script: Script, told: str) -> None:
    with serving(script) as server, pytest.raises(ProviderError, match=told):
        ask(server.url, lambda source: source.article("Alder Stadium"))


def test_replies_are_kept(tmp_path: Path) -> None:
    with serving(wiki) as server:
        for _ in range(2):
            ask(server.url, lambda source: source.article("Fern Hospital"), folder=tmp_path)
        assert len(server.asked) == 1


def test_a_run_is_recorded_and_replayed_without_the_wiki(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with serving(wiki) as server:
        url = server.url
        with Recorder(path) as recorder:
            first = ask(url, lambda source: source.article("Fern Hospital"), recording=recorder)
    again = ask(url, lambda source: source.article("Fern Hospital"), recording=Player(path))
    assert again == first
    with pytest.raises(ProviderError):
        ask(url, lambda source: source.article("Alder Stadium"), recording=Player(path))


def test_wikipedia_is_the_default() -> None:
    assert MediaWikiSetting(contact=CONTACT).api_url == WIKIPEDIA


def test_passages_are_the_first_sentence_and_what_is_about_the_words() -> None:
    article = Article(title="Alder Stadium", text=PAGES["Alder Stadium"], url="")
    assert article.passages("How many spectators, the capacity") == (
        "Alder Stadium is a sports ground in Fernport. "
        "It has a capacity of 12,400 spectators since the north stand was rebuilt."
    )
    assert article.passages("zebra") == "Alder Stadium is a sports ground in Fernport."
    assert article.passages("capacity", max_chars=50) == "Alder Stadium is a sports ground in Fernport."
