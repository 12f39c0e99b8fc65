"""What really happened in a written job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from logtui.parsers.pattern import FailureClass


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a written file. Lines count from 1."""

    file: str
    line: int
    text: str
    """What the line holds, without the prefixes that the layout puts before it."""


@dataclass(frozen=True, slots=True)
class NcclState:
    """Sequence numbers of one rank in one process group, as its log prints them."""

    pg: str
    """`default_pg`, or the group's description."""
    enqueued: int
    completed: int
    guid: str = "0"


@dataclass(frozen=True, slots=True)
class Truth:
    """The answer that a diagnosis is measured against."""

    cls: FailureClass
    title: str
    undecidable: str = ""
    """What the files do not hold: naming nobody, and saying so, is as right as naming the culprit. "" where they do."""
    accept: tuple[FailureClass, ...] = ()
    """Other classes that the lines equally support."""
    culprit_ranks: tuple[int, ...] = ()
    culprit_hosts: tuple[str, ...] = ()
    first_bad_line: Place | None = None
    """The earliest line that shows the cause."""
    also_first: tuple[Place, ...] = ()
    """Lines that are as good an answer."""
    nccl_state: Mapping[int, NcclState] = field(default_factory=dict)
    """By rank, where the log prints counters; none before PyTorch 2.3."""
    watchdog_ranks: tuple[int, ...] = ()
    observed_ranks: tuple[int, ...] = ()
    last_step: int | None = None
    last_steps: Mapping[int, int] = field(default_factory=dict)
    """Last step that each rank's own lines show; ranks that print none are absent."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """Named lines: `timeout.57`, `status.57`, `observed.57`, `exception.3`, `exit.3`, `cancel`, `last_words.57` …"""
    hosts: Mapping[int, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    bytes: int = 0

    def as_dict(self) -> dict[str, Any]:
        """As a case's `truth.json` holds it."""
        return {
            "class": self.cls.value,
            "class_accept": [c.value for c in (self.cls, *self.accept)],
            "root_cause": self.title,
            "established_by": "generated",
            "culprit_ranks": list(self.culprit_ranks),
            "culprit_hosts": list(self.culprit_hosts),
            "first_bad_line": _place(self.first_bad_line),
            "also_first": [_place(p) for p in self.also_first],
            "nccl_state": {str(r): _state(s) for r, s in sorted(self.nccl_state.items())} or None,
            "watchdog_ranks": list(self.watchdog_ranks),
            "observed_ranks": list(self.observed_ranks),
            "last_step": self.last_step,
        }


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place.file, "line": place.line}


def _state(state: NcclState) -> dict[str, Any]:
    return {"pg": state.pg, "enqueued": state.enqueued, "completed": state.completed}
