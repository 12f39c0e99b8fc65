"""What to do about a line, declared beside the pattern or the exception that calls for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

SIDES = frozenset({"storage", "client", "training", "infrastructure", "hardware"})
GENERAL = frozenset("host rank line object where raised port nccl pytorch recorder on_timeout allocator".split())
"""Placeholders that any line may be given: whom the verdict blames, the line it cites and what that names, a port that
any cited line names, the job's versions, settings under the name that its version has. All others are groups of the
line itself, or words for them."""
LONGEST = 240
"""Characters of a field that are quoted."""

_OPTIONAL = re.compile(r"\[([^\[\]{}]*(?:\{\w+\}[^\[\]{}]*)+)\]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_CONDITION = re.compile(r"(?P<what>\w+)(?P<how><|>=)(?P<version>\d+(?:\.\d+)*)")


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do. Sides: storage, client, training, infrastructure, hardware."""

    side: str
    what: str
    """May hold placeholders, `{host}`. `[a part in brackets]` is left out where one of its own is not known; the
    whole advice is, where one outside brackets is not."""
    only: str = ""
    """`nccl<2.21`, `pytorch>=2.8`: not given where the job's version is known to be another."""


def placeholders(text: str) -> Iterator[str]:
    """Names of all that is to be filled in."""
    yield from _PLACEHOLDER.findall(text)


def is_condition(text: str) -> bool:
    """Whether a text can stand in `only`."""
    return not text or _CONDITION.fullmatch(text) is not None


def fill(text: str, values: Mapping[str, str]) -> str | None:
    """A text with its placeholders filled in; None where one outside brackets is not known."""
    filled = [_filled(part, values) for part in _OPTIONAL.split(text)]
    if None in filled[::2]:
        return None
    return "".join(part or "" for part in filled)


def _filled(part: str, values: Mapping[str, str]) -> str | None:
    if not all(values.get(name) for name in placeholders(part)):
        return None
    return _PLACEHOLDER.sub(lambda found: " ".join(values[found[1]].split())[:LONGEST], part)


def applies(advice: Advice, values: Mapping[str, str]) -> bool:
    """Whether no known version speaks against it."""
    asked = _CONDITION.fullmatch(advice.only)
    if asked is None or not (known := _version(values.get(asked["what"], ""))):
        return True
    return (known < _version(asked["version"])) == (asked["how"] == "<")


def _version(text: str) -> tuple[int, ...]:
    """(2, 21, 5) of `2.21.5+cuda12.4`; empty where it begins with no number."""
    found = re.match(r"\d{1,6}(?:\.\d{1,6}){0,3}", text)
    return tuple(map(int, found[0].split("."))) if found else ()
