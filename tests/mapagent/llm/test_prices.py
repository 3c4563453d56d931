"""What a model costs: whose server it is, and the price that a budget may count on."""

from collections.abc import Iterator
from datetime import UTC, time
from decimal import Decimal

import pytest
from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot
from genai_prices.types import (
    ClauseEquals,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    Provider,
    TimeOfDateConstraint,
)

from mapagent.llm.prices import price_of

OPENAI = "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("model", "base_url", "price"),
    [
        ("gpt-4o-mini", OPENAI, (0.15, 0.6, True)),
        ("gpt-4o-mini-2024-07-18", OPENAI, (0.15, 0.6, True)),
        ("gpt-4o-2024-05-13", OPENAI, (5.0, 15.0, True)),
        # https://www.anthropic.com/pricing: retired, so its price stays
        ("claude-3-opus-20240229", "https://api.anthropic.com/v1", (15.0, 75.0, True)),
        ("gpt-4o-mini", "https://elsewhere.example/v1", (0.0, 0.0, False)),
        ("gpt-99", OPENAI, (0.0, 0.0, False)),
        ("qwen", "http://127.0.0.1:8000/v1", (0.0, 0.0, True)),
        ("qwen", "http://192.168.0.7:8000/v1", (0.0, 0.0, True)),
        ("qwen", "http://gpu-box:8000/v1", (0.0, 0.0, True)),
    ],
)
def test_prices(model: str, base_url: str, price: tuple[float, float, bool]) -> None:
    found = price_of(model, base_url)
    assert (found.usd_in, found.usd_out, found.known) == price
    assert price_of(model, base_url, usd_in=2.0).of(1_000_000, 7) == 2.0


@pytest.mark.parametrize(
    "base_url",
    [
        "https://API.OpenAI.com/v1",
        "https://eu.api.openai.com/v1",
        "https://api.openai.com:443",
        "HTTPS://api.openai.com/",
    ],
)
def test_an_address_may_be_written_in_several_ways(base_url: str) -> None:
    assert price_of("gpt-4o-mini", base_url) == price_of("gpt-4o-mini", OPENAI)


@pytest.mark.parametrize(
    ("model", "base_url"),
    [
        ("gemini-2.5-pro", "https://generativelanguage.googleapis.com/v1beta/openai/"),
        ("kimi-k2-0905-preview", "https://api.moonshot.ai/v1"),
        ("gpt-4o-mini", "https://mine.openai.azure.com/openai/v1"),
        ("openai/gpt-oss-120b", "https://router.huggingface.co/groq/openai/v1"),
        (
            "anthropic.claude-3-haiku-20240307-v1:0",
            "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1",
        ),
    ],
)
def test_servers_that_the_list_knows_by_more_than_a_host(model: str, base_url: str) -> None:
    assert price_of(model, base_url).known


@pytest.mark.parametrize(
    ("model", "base_url"),
    [
        ("gpt-4o-mini", "https://api.openai.com.evil.example/v1"),
        ("gpt-4o-mini", "https://api.openai.community/v1"),
        ("gpt-4o-mini", "https://api-openai.com/v1"),
        ("gpt-4o-mini", "https://evilapi.openai.com/v1"),
        ("gpt-4o-mini", "https://evil.example/api.openai.com/v1"),
        ("gpt-4o-mini", "https://api.openai.com@evil.example/v1"),
        ("gpt-4o-mini", "https://evil.example?https://api.openai.com"),
        ("gpt-4o-mini", "http://api.openai.com/v1"),
        ("gemini-2.5-pro", "https://evil.example/x.googleapis.com"),
        ("gemini-2.5-pro", "https://evil.example/x%2Egoogleapis.com"),
        ("gemini-2.5-pro", "https://x.googleapis.com.evil.example/"),
        ("kimi-k2-0905-preview", "https://api.moonshot.evil.example/v1"),
        ("openai/gpt-oss-120b", "https://router.huggingface.co.evil.example/groq/v1"),
        ("openai/gpt-oss-120b", "https://router.huggingface.co/groqqy/v1"),
    ],
)
def test_an_address_that_only_looks_like_a_provider_has_no_price(model: str, base_url: str) -> None:
    found = price_of(model, base_url)
    assert (found.usd_in, found.usd_out, found.known) == (0.0, 0.0, False)


def _by_hours(start: int, end: int) -> list[ConditionalPrice]:
    """Half the price between two hours."""
    return [
        ConditionalPrice(prices=ModelPrice(input_mtok=Decimal("0.28"), output_mtok=Decimal("1.10"))),
        ConditionalPrice(
            constraint=TimeOfDateConstraint(time(start, 30, tzinfo=UTC), time(end, 30, tzinfo=UTC)),
            prices=ModelPrice(input_mtok=Decimal("0.14"), output_mtok=Decimal("0.55")),
        ),
    ]


LIST = {
    "cheap-by-day": _by_hours(0, 16),
    "cheap-by-night": _by_hours(16, 0),
    "by-request": ModelPrice(input_mtok=Decimal(1), output_mtok=Decimal(1), requests_kcount=Decimal(12)),
    "by-request-alone": ModelPrice(requests_kcount=Decimal(12)),
    "by-month": ModelPrice(input_mtok=Decimal(0), output_mtok=Decimal(0)),
    "free-to-ask": ModelPrice(input_mtok=Decimal(0), output_mtok=Decimal(3)),
}


@pytest.fixture
def own_list() -> Iterator[str]:
    """The address of the only server in a list of our own."""
    models = [ModelInfo(id=name, match=ClauseEquals(name), prices=prices) for name, prices in LIST.items()]
    provider = Provider(id="ours", name="Ours", api_pattern=r"https://models\.example", models=models)
    set_custom_snapshot(DataSnapshot(providers=[provider], from_auto_update=False))
    yield "https://models.example/v1"
    set_custom_snapshot(None)


@pytest.mark.parametrize("model", ["cheap-by-day", "cheap-by-night"])
def test_a_price_of_the_hour_is_the_dearest_of_the_day(model: str, own_list: str) -> None:
    found = price_of(model, own_list)
    assert (found.usd_in, found.usd_out, found.known) == (0.28, 1.10, True)


@pytest.mark.parametrize("model", ["by-request", "by-request-alone", "by-month"])
def test_what_is_not_paid_by_the_token_has_no_known_price(model: str, own_list: str) -> None:
    found = price_of(model, own_list)
    assert (found.usd_in, found.usd_out, found.known) == (0.0, 0.0, False)


def test_a_price_may_be_of_one_direction(own_list: str) -> None:
    found = price_of("free-to-ask", own_list)
    assert (found.usd_in, found.usd_out, found.known) == (0.0, 3.0, True)
