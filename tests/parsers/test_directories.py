"""Directories of our own, by the XDG rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from logtui.parsers.directories import cache_directory, config_file, state_directory

PLACES = [
    pytest.param("XDG_CACHE_HOME", cache_directory, ".cache", "logtui", id="cache"),
    pytest.param("XDG_STATE_HOME", state_directory, ".local/state", "logtui", id="state"),
    pytest.param("XDG_CONFIG_HOME", config_file, ".config", "logtui/config.toml", id="config"),
]


@pytest.mark.parametrize(("variable", "place", "fallback", "name"), PLACES)
def test_where_things_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, place: Callable[[], Path], fallback: str, name: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative/path"):  # the rules say that a relative one is to be ignored
        monkeypatch.setenv(variable, value)
        assert place() == tmp_path / fallback / name
    monkeypatch.delenv(variable)
    assert place() == tmp_path / fallback / name
    monkeypatch.setenv(variable, "/elsewhere")
    assert place() == Path("/elsewhere") / name
    assert not list(tmp_path.iterdir()), "asking makes none"
