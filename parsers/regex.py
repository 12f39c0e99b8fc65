"""Regexes that are compiled when they are first asked.

A run imports hundreds and asks some: what one kind of job needs, another has no line for. Compiling one takes a fifth
of a millisecond, and being asked through this costs nothing more than through the regex itself.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, in all but its type; a mistake in it is noticed by the tests, which ask all."""
    return cast("re.Pattern[AnyStr]", Late(source, flags))


class Late:
    """A regex that is not compiled yet; its methods are looked up here once it is."""

    __slots__ = ("_flags", "_source", "findall", "finditer", "fullmatch", "match", "search", "split", "sub")

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    @property
    def compiled(self) -> re.Pattern[Any]:
        """The regex itself."""
        return re.compile(self._source, self._flags)

    def __getattr__(self, name: str) -> Any:
        """Comes here for whatever is not in a slot yet."""
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self.compiled, name)
        if name in Late.__slots__:
            setattr(self, name, found)
        return found
