"""What the user chose for every job: theme, mouse and keys, in `$XDG_CONFIG_HOME/logtui/config.toml`.

A mistake in that file costs what it stands in, is said, and the rest counts. Keys that people bring along come as
presets: binding ids (the palette shows them) to keys, over the default ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textual.app import App

from logtui.tui.shared.looks import THEMES, theme_for

VIM = {
    "go.back": "ctrl+o,left_square_bracket",
    "go.jump": "ctrl+g",
    "go.next-event": "right_curly_bracket,full_stop",
    "go.previous-event": "left_curly_bracket,comma",
    "raw.page-up": "pageup,ctrl+b,ctrl+u",
    "raw.page-down": "pagedown,ctrl+f,ctrl+d,space",
    "list.page-up": "pageup,ctrl+b,ctrl+u",
    "list.page-down": "pagedown,ctrl+f,ctrl+d,space",
}

LNAV = {
    "go.next-event": "e,full_stop",
    "go.previous-event": "E,comma",
    "go.effect": "greater_than_sign",
    "go.cause": "less_than_sign",
    "raw.page-up": "pageup,b",
    "raw.page-down": "pagedown,space",
}

PRESETS: dict[str, dict[str, str]] = {"default": {}, "vim": VIM, "lnav": LNAV}


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
    except RecursionError:
        return Settings(problems=(f"{path.name}: nested too deeply",))
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


def dress(app: App[Any]) -> None:
    """Our themes, and the one that suits the terminal."""
    for theme in THEMES:
        app.register_theme(theme)
    app.theme = theme_for(app.console.color_system)


def settle(app: App[Any], settings: Settings, ids: Collection[str]) -> Iterator[str]:
    """Take over theme and keys; yields what cannot be used. `ids` are those of all bindings."""
    yield from settings.problems
    if settings.theme in app.available_themes:
        app.theme = settings.theme
    elif settings.theme is not None:
        yield f"no theme is called {settings.theme!r}; T lists them"
    if settings.keys:
        yield from unknown_keys(settings.keys, ids)
        app.set_keymap(dict(settings.keys))


def is_first_run(state: Path) -> bool:
    """True once; false ever after, and where nothing can be kept."""
    mark = state / "greeted"
    if mark.exists():
        return False
    with suppress(OSError):
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.touch(mode=0o600)
        return True
    return False
