"""The piece of a line that matters, where there is no room for all of it: what a declared format recognises in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from logtui.parsers.pattern import MIN_ANCHOR_BYTES, Pattern, Role

WEIGHT = {Role.CAUSE: 0, Role.SYMPTOM: 1, Role.END: 2, Role.STATE: 3}
"""Whose words matter more in a line that several recognise; others are no reason to cut its head."""
LEAD_CHARS = 8
"""Shown before the piece, where it stands so far right that the head of the line is cut."""
LONGEST = 65_536
"""Characters looked at."""


@lru_cache(maxsize=1)
def anchored() -> dict[str, tuple[tuple[str, Pattern], ...]]:
    """Anchors with their patterns, by the characters that all anchors have at least; the first time takes a while."""
    from logtui.parsers.registry import registry

    heads: dict[str, list[tuple[str, Pattern]]] = {}
    for pattern in registry().patterns:
        for anchor in pattern.anchors:
            heads.setdefault(anchor[:MIN_ANCHOR_BYTES], []).append((anchor, pattern))
    return {head: tuple(users) for head, users in heads.items()}


def recognising(text: str) -> Iterator[Pattern]:
    """Patterns whose anchor stands in a text, each once."""
    heads, seen = anchored(), set()
    for at in range(len(text) - MIN_ANCHOR_BYTES + 1):
        for anchor, pattern in heads.get(text[at : at + MIN_ANCHOR_BYTES], ()):
            if pattern.name not in seen and text.startswith(anchor, at):
                seen.add(pattern.name)
                yield pattern


@lru_cache(maxsize=1024)
def piece(text: str) -> tuple[int, int] | None:
    """Where what matters stands, end exclusive; None where no format knows the line."""
    text = text[:LONGEST]
    found = ((p.compiled.search(text), WEIGHT[p.role]) for p in recognising(text) if p.role in WEIGHT)
    spans = [(weight, match.start(), -match.end()) for match, weight in found if match is not None]
    return (min(spans)[1], -min(spans)[2]) if spans else None


def gist(text: str, width: int) -> str:
    """At most `width` characters of a line, the piece that matters among them; `…` where it is cut."""
    if len(text) <= width:
        return text
    start = first_shown(text, width)
    room = width - (start > 0)
    rest = text[start:]
    return ("…" if start else "") + (rest if len(rest) <= room else rest[: room - 1] + "…")


def first_shown(text: str, width: int) -> int:
    """The first character to show where `width` are: 0 while the piece that matters is in sight from the start."""
    found = piece(text) if len(text) > width else None
    if found is None or found[1] <= width - 1:
        return 0
    start = max(found[0] - LEAD_CHARS, 0)
    return min(start, max(len(text) - width + 1, 0))
