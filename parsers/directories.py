"""Where logtui keeps what it may lose (cache) and what it should not (state, the user's settings), by the XDG rules."""

from __future__ import annotations

from pathlib import Path

from platformdirs.unix import Unix

_DIRECTORIES = Unix("logtui", appauthor=False)
"""On macOS too: whoever works in its terminal has the same files as on the login node."""


def cache_directory() -> Path:
    """`$XDG_CACHE_HOME/logtui`; may be removed at any time."""
    return _DIRECTORIES.user_cache_path


def state_directory() -> Path:
    """`$XDG_STATE_HOME/logtui`: marks, notes, offsets per job."""
    return _DIRECTORIES.user_state_path


def config_file() -> Path:
    """`$XDG_CONFIG_HOME/logtui/config.toml`: theme and keys."""
    return _DIRECTORIES.user_config_path / "config.toml"


def formats_directory() -> Path:
    """`$XDG_CONFIG_HOME/logtui/formats`: a site's own log formats."""
    return config_file().parent / "formats"
