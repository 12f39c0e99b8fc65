"""Answers stay small: pages of lists, beginnings of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Answer = dict[str, Any]

PAGE, MOST = 20, 200
"""Items of a page: as long as nothing is said, and at most."""
TEXT_CHARS = 500
LIST_ITEMS = 12
"""Of a list inside an item."""


def page(items: Sequence[Item], offset: int, limit: int, row: Callable[[Item], object] = lambda item: item) -> Answer:
    """Some items, how many there are, and where to go on; `next` is null at the end."""
    first = max(0, offset)
    last = first + max(1, min(limit, MOST))
    shown = [trimmed(row(item)) for item in items[first:last]]
    return {"total": len(items), "offset": first, "items": shown, "next": last if last < len(items) else None}


def trimmed(value: Any) -> Any:
    """The same with long texts and inner lists cut, which say so."""
    if isinstance(value, str):
        return value if len(value) <= TEXT_CHARS else f"{value[:TEXT_CHARS]}… ({len(value):,} characters)"
    if isinstance(value, dict):
        kept = list(value.items())[: LIST_ITEMS * 4]
        cut = {"…": f"{len(value) - len(kept)} more keys"} if len(value) > len(kept) else {}
        return {key: trimmed(inner) for key, inner in kept} | cut
    if isinstance(value, list | tuple):
        return [*map(trimmed, value[:LIST_ITEMS]), *_more(len(value) - LIST_ITEMS)]
    return value


def _more(left: int) -> Iterable[str]:
    return (f"… and {left:,} more",) if left > 0 else ()
