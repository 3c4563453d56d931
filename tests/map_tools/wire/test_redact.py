"""Secrets vanish from texts and bodies; other words stay."""

import pytest

from map_tools.wire.redact import is_secret_name, redact, redact_bytes, redact_known

KEY = "Zx81+Atlas/Key=="


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("GET https://maps.test/a?q=tea&key=abc123", "GET https://maps.test/a?q=tea&key=***"),
        ("https://maps.test/a?access_token=t0k3n&q=tea", "https://maps.test/a?access_token=***&q=tea"),
        ("https://ann:pw@maps.test/a", "https://***@maps.test/a"),
        ("Authorization: Bearer abc.def", "Authorization: ***"),
        ("{'X-Goog-Api-Key': 'abc', 'q': 1}", "{'X-Goog-Api-Key': '***', 'q': 1}"),
        ("the key AIzaSyA1234567890abcdefghijk is wrong", "the key *** is wrong"),
        ("Take the key turn at Keynes Road", "Take the key turn at Keynes Road"),
        ("https://maps.test/a?keyword=tea", "https://maps.test/a?keyword=tea"),
    ],
)
def test_what_looks_like_a_credential_is_masked(text: str, clean: str) -> None:
    assert redact(text) == clean


def test_known_secrets_vanish_in_every_form() -> None:
    encoded = "Zx81%2BAtlas%2FKey%3D%3D"  # RFC 3986, section 2.1: + is %2B, / is %2F, = is %3D
    assert redact(f"a {KEY} b {encoded} c", [KEY]) == "a *** b *** c"
    assert redact_bytes(f'{{"said": "{KEY} {encoded}"}}'.encode(), [KEY]) == b'{"said": "*** ***"}'


def test_data_keeps_its_own_parameters() -> None:
    website = "https://tea.test/?key=menu"
    assert redact_known(f"{website} {KEY}", [KEY]) == f"{website} ***"


@pytest.mark.parametrize(
    ("text", "secret", "clean"),
    [
        ("a banana", "a", "a banana"),
        ("a banana", "anana", "a banana"),
        ("a banana", "banana", "a ***"),
    ],
)
def test_a_secret_too_short_to_be_one_does_not_spoil_texts(text: str, secret: str, clean: str) -> None:
    assert redact(text, [secret]) == clean


@pytest.mark.parametrize(
    "name", ["key", "X-Goog-Api-Key", "api_key", "access_token", "Authorization", "signature"]
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["keyword", "X-Goog-FieldMask", "query", "tokenizer"])
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)
