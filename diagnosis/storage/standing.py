"""How storage stands in a failure."""

from __future__ import annotations

from enum import StrEnum


class Standing(StrEnum):
    """What the daemons' logs say about storage."""

    IMPLICATED = "implicated"
    CLEARED = "cleared"
    UNDECIDED = "undecided"
    SURVIVED = "survived"
    """Storage was in trouble, and the job went on."""
