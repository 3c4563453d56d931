"""A provider package as somebody else would write it, and how it is installed for a test."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent


def install(package: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the package importable and its entry points known, as `pip install --editable` does.

    Args:
        package: Folder of the package, with its `pyproject.toml`.
        site: An empty folder that stands for site-packages.
        monkeypatch: Takes it all back after the test.
    """
    import tomllib

    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = project["entry-points"]["mapagent.providers"]
    lines = (f"{name} = {value}\n" for name, value in entries.items())
    (info / "entry_points.txt").write_text("[mapagent.providers]\n" + "".join(lines))
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.syspath_prepend(str(package))
    for value in entries.values():
        _forget(value.partition(".")[0])


def _forget(module: str) -> None:
    """Another test may have imported a package of this name from elsewhere."""
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        del sys.modules[name]
