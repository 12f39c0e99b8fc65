"""Where logtui keeps what it may lose (cache) and what it should not (state, the user's settings), by the XDG rules."""

from __future__ import annotations

import os
from pathlib import Path


def _base(variable: str, fallback: str) -> Path:
    value = os.environ.get(variable, "")
    return (Path(value) if value.startswith("/") else Path.home() / fallback) / "logtui"


def cache_directory() -> Path:
    """`$XDG_CACHE_HOME/logtui`; may be removed at any time."""
    return _base("XDG_CACHE_HOME", ".cache")


def state_directory() -> Path:
    """`$XDG_STATE_HOME/logtui`: marks, notes, offsets per job."""
    return _base("XDG_STATE_HOME", ".local/state")


def config_file() -> Path:
    """`$XDG_CONFIG_HOME/logtui/config.toml`: theme and keys."""
    return _base("XDG_CONFIG_HOME", ".config") / "config.toml"


def formats_directory() -> Path:
    """`$XDG_CONFIG_HOME/logtui/formats`: a site's own log formats."""
    return config_file().parent / "formats"
