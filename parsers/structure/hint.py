"""What a hint is: one wording that speaks for a class, where it is looked for, and how much it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from logtui.parsers.pattern import FailureClass


class Within(Enum):
    """Where a hint is looked for."""

    MESSAGE = "the message"
    OWN = "the message of what the program raised itself"
    TYPE = "the last part of the type's name"
    NAMES = "file and function of the program's deepest frames"
    SOURCE = "the program's deepest line of code"
    PATH = "a path that the message names"


@dataclass(frozen=True)
class Hint:
    """One wording that speaks for a class, with how much it says: below 2 it needs another clue beside it."""

    why: str
    cls: FailureClass
    points: float
    within: Within
    regex: str
    example: str

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression, compiled at its first use."""
        return re.compile(self.regex)

    def found(self, text: str) -> bool:
        """Whether the hint stands in a text."""
        return self.compiled.search(text) is not None
