"""`mapagent ask --estimate`: what it would cost, in true words, and nothing is asked."""

import pytest

from tests.support.cli import CommandLine

OWN = ("--base-url", "http://127.0.0.1:9/v1")
OPEN_ROUTE = ("--base-url", "https://models.example/v1")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ((), "This question costs nothing: the embedded model and a map of your own are free."),
        (("--model", "cascade:small", *OWN), "The model 'small' runs on a server of your own"),
        # https://openai.com/api/pricing/, August 2025: 0.15 USD read, 0.60 USD written
        (("--model", "gpt-4o-mini"), "0.15 USD for a million tokens read and 0.6 for a million written"),
        (("--model", "gpt-4o-mini", *OPEN_ROUTE), "What the model 'gpt-4o-mini' costs is not known"),
        (("--provider", "google"), "The embedded model costs nothing.\nGoogle bills each request"),
        (("--provider", "osm-web"), "Public OpenStreetMap servers charge nothing."),
        (("--provider", "mine"), "What the provider 'mine' charges is not known."),
    ],
)
def test_what_is_said(mapagent: CommandLine, flags: tuple[str, ...], words: str) -> None:
    ran = mapagent("ask", "Where is it?", "--estimate", *flags)
    assert (ran.code, ran.err) == (0, "")
    assert words in ran.out


def test_prices_of_the_settings_win(mapagent: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAPAGENT_PRICE_IN", "3")
    monkeypatch.setenv("MAPAGENT_PRICE_OUT", "7.5")
    ran = mapagent("ask", "Where is it?", "--estimate", "--model", "gpt-4o-mini")
    assert "costs 3 USD for a million tokens read and 7.5 for a million written (settings)" in ran.out
