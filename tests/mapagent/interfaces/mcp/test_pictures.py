"""Pictures come as data, or by name from one folder; nothing else is read."""

import base64
from pathlib import Path

import pytest

from map_tools.errors import InputFileError, MapAgentError, UsageError
from mapagent.core.images import check_image
from mapagent.interfaces.pictures import picture_file


def test_data_is_a_file_for_as_long_as_it_is_needed() -> None:
    given = "data:image/png;base64," + base64.b64encode(b"\x89PNG...").decode()
    with picture_file(given, None) as path:
        assert path.read_bytes() == b"\x89PNG..."
    assert not path.exists()


def test_a_name_is_looked_up_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "map.png").write_bytes(b"x")
    with picture_file("map.png", tmp_path) as path:
        assert path.read_bytes() == b"x"


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "sub/../../secret.png", "link.png"])
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(UsageError, match="outside the server's picture folder"), picture_file(name, folder):
        pass


def test_messages_do_not_tell_where_a_file_lies(tmp_path: Path) -> None:
    (tmp_path / "map.png").write_bytes(b"no picture")
    data = "data:image/png;base64," + base64.b64encode(b"no picture").decode()
    for given, words in (("map.png", "map.png is not a picture."), (data, "picture is not a picture.")):
        with pytest.raises(InputFileError) as refused, picture_file(given, tmp_path) as path:
            check_image(path)
        assert refused.value.message == words


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("map.png", UsageError, "reads no picture files"),
        ("data:image/png,AAAA", InputFileError, "data URL is not in Base64"),
        ("data:image/png;base64,not base64!", InputFileError, "not in Base64"),
        ("data:image/png;base64," + "A" * 27_000_000, InputFileError, "larger than 20 MB"),
    ],
)
def test_what_is_refused(given: str, error: type[MapAgentError], words: str) -> None:
    with pytest.raises(error, match=words), picture_file(given, None):
        pass
