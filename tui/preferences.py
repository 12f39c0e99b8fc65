"""Makes the user's settings count in a running app."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from textual.app import App

from logtui.tui.settings import Settings, unknown_keys
from logtui.tui.theme import THEMES, theme_for


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
