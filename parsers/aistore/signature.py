"""How a daemon message is declared: what it looks like, from which versions, and what it means."""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from logtui.parsers.aistore import signatures as signatures_package
from logtui.parsers.pattern import Sample


class Meaning(StrEnum):
    """What a daemon message says about a failure."""

    CAUSE = "cause"
    """May be where the trouble began."""
    CONSEQUENCE = "consequence"
    """Follows from something else, however loud."""
    NOISE = "noise"
    """Harmless by itself; counted and folded."""
    STATE = "state"
    """A fact that dates or explains others: starts, stops, job runs, membership."""


class Severity(StrEnum):
    """How bad the message is by its meaning, not by the letter of its record."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Signature:
    """One kind of message."""

    name: str
    """`family.what`, unique, a public name."""
    anchors: tuple[str, ...]
    """Literals of at least seven bytes; every matching record holds one of them."""
    regex: str
    """Searched in the message, which is the record without time and source; named groups are the fields."""
    samples: tuple[Sample, ...]
    """Messages as the daemon writes them, with values of our own."""
    meaning: Meaning
    severity: Severity
    title: str
    """What people read in the timeline."""
    versions: str
    """AIStore releases that write it: `4.1-4.4`, `4.5+`, `all`."""
    note: str = ""
    blames: str = ""
    """What the message points at when it is a cause: `disk`, `memory`, `cpu`, `peer`, `network`, `capacity`,
    `membership`, `restart`, `client`, `backend`, `config`."""

    @property
    def family(self) -> str:
        """The part of the name before the dot."""
        return self.name.split(".", 1)[0]

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The regex, compiled once."""
        return re.compile(self.regex)


@dataclass(frozen=True)
class Catalogue:
    """All signatures, and the anchors they are found by."""

    signatures: tuple[Signature, ...]
    anchors: tuple[bytes, ...]
    users: tuple[tuple[int, ...], ...]
    """For each anchor the signatures that hold it, as indices."""

    def named(self, name: str) -> Signature:
        """A signature by its public name. Raises KeyError."""
        for signature in self.signatures:
            if signature.name == name:
                return signature
        raise KeyError(name)


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Every family below `logtui.parsers.aistore.signatures`, by module name."""
    names = sorted(m.name for m in pkgutil.iter_modules(signatures_package.__path__))
    modules = [importlib.import_module(f"{signatures_package.__name__}.{n}") for n in names]
    found = tuple(s for m in modules for s in m.SIGNATURES)
    users: dict[bytes, list[int]] = {}
    for i, signature in enumerate(found):
        for anchor in signature.anchors:
            users.setdefault(anchor.encode(), []).append(i)
    anchors = tuple(sorted(users))
    return Catalogue(found, anchors, tuple(tuple(users[a]) for a in anchors))
