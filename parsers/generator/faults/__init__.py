"""What goes wrong, one module for each family; `told` finds them by themselves.

A module declares `FAULTS`, names and the functions that tell them, and may declare `DEMOS`, jobs for `--demo`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import lru_cache
from types import ModuleType

from logtui.parsers.generator.faults.scene import Told
from logtui.parsers.generator.stage.spec import JobSpec


def _families() -> Iterator[ModuleType]:
    for name in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        yield importlib.import_module(f"{__name__}.{name}")


@lru_cache(maxsize=1)
def told() -> Told:
    """Each fault and the function that tells it, over all families.

    Raises:
        ValueError: if two families tell one fault.
    """
    found: Told = {}
    for family in _families():
        own: Told = getattr(family, "FAULTS", {})
        if twice := found.keys() & own.keys():
            raise ValueError(f"{family.__name__} tells {', '.join(sorted(twice))} once more")
        found |= own
    return found


@lru_cache(maxsize=1)
def demos() -> dict[str, JobSpec]:
    """The jobs that families bring for `--demo`, by name."""
    return {name: spec for family in _families() for name, spec in getattr(family, "DEMOS", {}).items()}
