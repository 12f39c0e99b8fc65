"""How a kind of Python exception is declared: expressions for its type, its words and its frames, and samples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from logtui.parsers.advice import Advice
from logtui.parsers.bounded import compile_bounded
from logtui.parsers.pattern import FailureClass, Role


@dataclass(frozen=True, slots=True)
class Raised:
    """The end of a traceback as a program prints it, with values of our own."""

    text: str
    """The line that names the exception, and those of its message after it. Empty where a traceback is cut."""
    frames: tuple[str, ...] = ()
    """`path function`, outermost call first; a path without a leading slash is an installed package's."""
    bare: bool = False
    """It stands alone, without a traceback above it."""


@dataclass(frozen=True)
class Vocabulary:
    """Expressions that mean one thing wherever they are found."""

    meaning: str
    words: Mapping[str, str]
    """Expression → what it is found in."""

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    @cached_property
    def any(self) -> str:
        """One expression for all of them."""
        return "|".join(self.words)


@dataclass(frozen=True)
class ExceptionKind:
    """One kind of exception. Of each tuple of expressions one must be found; an empty tuple asks for nothing."""

    name: str
    """`exception.what`, unique, a public name."""
    writer: str
    """Which programs and versions raise it."""
    title: str
    samples: tuple[Raised, ...]
    cls: FailureClass | None = None
    """None for wrappers, and for echoes of other processes' deaths: symptoms wherever they stand."""
    weight: int = 0
    """How specific it is as a cause, 0 to 100, as for patterns."""
    types: tuple[str, ...] = ()
    """Searched in the dotted name of the type, upper and lower case told apart."""
    says: tuple[str, ...] = ()
    """Searched in the message, upper and lower case alike."""
    frames: tuple[str, ...] = ()
    """Searched in paths and functions of the deepest frames, upper and lower case alike."""
    vague: bool = False
    """Any program may raise it: other exceptions of its chain, and its structure, say more."""
    by_place: bool = False
    """It knows no words, only what functions are called: a structure whose clues agree on another class knows more."""
    note: str = ""
    """Meaning and traps: shown where the exception is cited."""
    advice: tuple[Advice, ...] = ()
    """What to do where a verdict rests on it; placeholders are named groups of `says`."""

    @property
    def role(self) -> Role:
        """A cause, if it speaks for a class."""
        return Role.SYMPTOM if self.cls is None else Role.CAUSE

    @cached_property
    def _type(self) -> re.Pattern[str]:
        return compile_bounded("|".join(self.types))

    @cached_property
    def _words(self) -> re.Pattern[str]:
        return compile_bounded("|".join(self.says), re.I)

    @cached_property
    def _frames(self) -> re.Pattern[str]:
        return compile_bounded("|".join(self.frames), re.I)

    @cached_property
    def groups(self) -> frozenset[str]:
        """Names of what its words may tell."""
        return frozenset(self._words.groupindex)

    def fields(self, message: str) -> dict[str, str]:
        """Named groups of what a message says."""
        found = self._words.search(message) if self.says else None
        return {k: v for k, v in found.groupdict().items() if v} if found else {}

    def has_type(self, type_name: str) -> bool:
        """Whether the type alone may be of this kind."""
        return not self.types or self._type.search(type_name) is not None

    def says_so(self, message: str, frames: str) -> bool:
        """Whether message and frames (paths and functions, deepest last) both fit."""
        return not (
            (self.says and self._words.search(message) is None) or (self.frames and self._frames.search(frames) is None)
        )
