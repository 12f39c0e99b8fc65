"""What the user chose for every job: theme, mouse and keys, in `$XDG_CONFIG_HOME/logtui/config.toml`.

A mistake in that file costs what it stands in, is said, and the rest counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from logtui.tui.key_presets import PRESETS


@dataclass(frozen=True)
class Settings:
    """What the file says."""

    theme: str | None = None
    mouse: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)
    """Binding id to comma-separated keys, presets included."""
    problems: tuple[str, ...] = ()
    """What could not be used, and why; a line each."""


def read_settings(path: Path) -> Settings:
    """The settings of a file; those of nobody where there is none."""
    try:
        text = path.read_bytes().decode()
        import tomllib  # most have no such file, and the first frame waits for all imports

        table = tomllib.loads(text)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:  # not there to be read, no text, no TOML
        return Settings(problems=(f"{path.name}: {getattr(error, 'strerror', None) or error}",))
    return _settings(table)


def _settings(table: Mapping[str, Any]) -> Settings:
    problems = [f"unknown setting {name!r}" for name in table if name not in ("theme", "mouse", "keys")]
    theme, mouse, keys = table.get("theme"), table.get("mouse", True), table.get("keys", {})
    if not isinstance(theme, str | None):
        problems.append("theme is a name")
        theme = None
    if not isinstance(mouse, bool):
        problems.append("mouse is true or false")
        mouse = True
    if not isinstance(keys, dict):
        problems.append('keys is a table: [keys], then preset = "vim" or "go.cause" = "C"')
        keys = {}
    chosen, wrong = _keys(keys)
    return Settings(theme, mouse, chosen, (*problems, *wrong))


def _keys(table: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    preset = table.get("preset", "default")
    known = isinstance(preset, str) and preset in PRESETS
    problems = [] if known else [f"no key preset {preset!r}; there are: {', '.join(PRESETS)}"]
    keys = dict(PRESETS[preset]) if known else {}
    for name, value in table.items():
        if name == "preset":
            continue
        if isinstance(value, str) and value.strip():
            keys[name] = value
        else:
            problems.append(f"{name} wants keys, as in {name!r} = 'C,ctrl+x'")
    return keys, problems


def unknown_keys(keys: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """A line for each id that nothing is bound to, with the nearest that is."""
    names = sorted(known)
    for name in sorted(set(keys).difference(names)):
        from rapidfuzz.process import extractOne

        nearest = extractOne(name, names, score_cutoff=60)
        yield f"no key is called {name!r}" + (f"; did you mean {nearest[0]!r}?" if nearest else "")
