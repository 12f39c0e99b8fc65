"""What the modules of a package declare: a new one takes part by lying there, and no list of modules has to be kept."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any


def declarations(package: ModuleType, name: str) -> Iterator[Any]:
    """What each module below a package has under a name, by module name whatever folder it lies in."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    for module in sorted((m.name for m in found if not m.ispkg), key=lambda full: full.rsplit(".", 1)[-1]):
        loaded = import_module(module)
        if hasattr(loaded, name):
            yield getattr(loaded, name)
