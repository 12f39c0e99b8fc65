"""The command palette: everything a key does, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

_AREAS = {
    "go": "go", "view": "view", "line": "line", "report": "report", "help": "help", "app": "app",
    "ranks": "ranks", "odd": "odd lines", "timeline": "timeline", "raw": "raw", "list": "list", "findings": "findings",
}  # fmt: skip


def bound(screen: Screen[Any]) -> Iterator[tuple[DOMNode, Binding]]:
    """Every binding of ours with the node it acts on: the app, the screen, and what is on it."""
    nodes: list[DOMNode] = [screen, screen.app, *screen.query(Widget).results()]
    seen: set[str] = set()
    for node in nodes:
        for cls in type(node).__mro__:
            for binding in cls.__dict__.get("BINDINGS", ()):
                if isinstance(binding, Binding) and binding.id and binding.id not in seen:
                    seen.add(binding.id)
                    yield node, binding


def keys_here(screen: Screen[Any]) -> list[tuple[str, str]]:
    """(key, what it does) for every key that works where the focus is, ours first told."""
    rows: dict[str, tuple[list[str], str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if active.enabled and binding.id and binding.description:
            keys, _ = rows.setdefault(binding.action, ([], binding.tooltip or binding.description))
            keys.append(screen.app.get_key_display(binding))
    return [(" ".join(dict.fromkeys(keys)), what) for keys, what in rows.values()]


class CaseCommands(Provider):
    """Titles are `area: What it does`."""

    def _titles(self) -> Iterator[tuple[str, str, Callable[[], Awaitable[bool]]]]:
        for node, binding in bound(self.screen):
            if not node.check_action(binding.action.partition("(")[0], ()):
                continue
            area = (binding.id or "").split(".")[0]
            title = f"{_AREAS.get(area, area)}: {binding.description}"
            first = next(iter(Binding.make_bindings([binding])))
            words = f"key {self.app.get_key_display(first)} · {binding.id}"
            about = f"{words} · {binding.tooltip}" if binding.tooltip else words
            yield title, about, partial(self.app.run_action, binding.action, node)

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for title, words, run in self._titles():
            yield DiscoveryHit(title, run, help=words)

    async def search(self, query: str) -> Hits:
        """Those that fit what was typed."""
        matcher = self.matcher(query)
        for title, words, run in self._titles():
            score = matcher.match(title)
            if score > 0:
                yield Hit(score, matcher.highlight(title), run, help=words)
