"""What goes wrong, one module for each family; `told` finds them by themselves.

A module declares `FAULTS`, names and the functions that tell them, and may declare `DEMOS`, jobs for `--demo`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from logtui.parsers.declarations import declarations
from logtui.parsers.generator.faults.scene import Told
from logtui.parsers.generator.stage.spec import JobSpec


def _told(name: str) -> Iterator[Any]:
    return declarations(sys.modules[__name__], name)


@lru_cache(maxsize=1)
def told() -> Told:
    """Each fault and the function that tells it, over all families.

    Raises:
        ValueError: if two families tell one fault.
    """
    found: Told = {}
    for own in _told("FAULTS"):
        if twice := found.keys() & own.keys():
            raise ValueError(f"two families tell {', '.join(sorted(twice))}")
        found |= own
    return found


@lru_cache(maxsize=1)
def demos() -> dict[str, JobSpec]:
    """The jobs that families bring for `--demo`, by name."""
    return {name: spec for own in _told("DEMOS") for name, spec in own.items()}
