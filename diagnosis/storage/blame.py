"""The daemons to blame: by what went wrong on them, and by how many others could not reach them.

A node that is cut off accuses everyone, and is accused by everyone: what counts is how many voices are against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logtui.diagnosis.storage.accused import Voice
from logtui.diagnosis.storage.occurrences import Occurrence
from logtui.parsers.pattern import Severity

OWN = {"restart": 3.0, "capacity": 3.0, "disk": 3.0, "memory": 2.0}
"""What a node's own trouble counts, against one for each that cannot reach it."""
SATURATED = 2.0
NEARLY = 0.75
"""Others with the same trouble are blamed too when this near to the worst."""
LATE_S = 30.0
"""What befalls a node so long after clients began to fail is not why they did."""


@dataclass(frozen=True, slots=True)
class Blame:
    """Who is to blame, where it began, and who says so."""

    daemons: tuple[str, ...] = ()
    """Labels, the worst first."""
    root: Occurrence | None = None
    """The node's own trouble, or the first record of another about it."""
    voices: tuple[Voice, ...] = ()
    """Against the first of them, by time."""

    @property
    def own(self) -> bool:
        """Whether the trouble is in the node's own log."""
        return self.root is not None and own_weight(self.root) > 0

    @property
    def proven(self) -> bool:
        """Whether one node tells of its own trouble, or two others could not reach it."""
        told = self.own or any(v.own for v in self.voices)
        return bool(self.daemons) and (told or len({v.by for v in self.voices}) > 1)


def own_weight(o: Occurrence) -> float:
    """What an occurrence counts against the nodes that show it."""
    if not o.cause or o.kind.startswith(("shared_dm.", "peers.")):
        return 0.0
    if o.kind in ("disks.saturated", "rebalance.resilver"):
        return SATURATED
    grave = o.severity is Severity.ERROR or o.kind == "lifecycle.stopping"
    return OWN.get(o.blames, 0.0) if grave else 0.0


def blame(found: Sequence[Occurrence], against: Sequence[Voice], felt_at: float | None) -> Blame:
    """`felt_at` is when the first client's request failed, by the daemons' clock, where that is known."""
    until = felt_at + LATE_S if felt_at is not None else float("inf")
    troubles = [o for o in found if own_weight(o) and o.time <= until]
    score = {d: _score(d, troubles, against) for d in _concerned(troubles, against)}
    if not score:
        return Blame()
    most = max(score.values())
    worst = min((d for d in score if score[d] == most), key=lambda d: _first_time(d, troubles, against))
    root = _root(worst, troubles, found)
    alike = [d for d in score if d != worst and score[d] >= NEARLY * most and _shares(d, root, troubles)]
    return Blame((worst, *sorted(alike)), root, tuple(v for v in against if v.against == worst))


def _concerned(troubles: Sequence[Occurrence], against: Sequence[Voice]) -> list[str]:
    return sorted({d for o in troubles for d in o.blamed} | {v.against for v in against})


def _score(daemon: str, troubles: Sequence[Occurrence], against: Sequence[Voice]) -> float:
    own = max((own_weight(o) for o in troubles if daemon in o.blamed), default=0.0)
    heard: dict[str, float] = {}
    for voice in against:
        if voice.against == daemon:
            heard[voice.by] = max(heard.get(voice.by, 0.0), voice.weight)
    return own + sum(heard.values())


def _first_time(daemon: str, troubles: Sequence[Occurrence], against: Sequence[Voice]) -> float:
    times = [o.time for o in troubles if daemon in o.blamed] + [v.time for v in against if v.against == daemon]
    return min(times)


def _root(daemon: str, troubles: Sequence[Occurrence], found: Sequence[Occurrence]) -> Occurrence | None:
    own = [o for o in troubles if daemon in o.blamed]
    worst = max((own_weight(o) for o in own), default=0.0)
    return next((o for o in own if own_weight(o) == worst), None) or next(
        (o for o in found if daemon in o.blamed and o.cause), None
    )


def _shares(daemon: str, root: Occurrence | None, troubles: Sequence[Occurrence]) -> bool:
    return root is not None and any(o.blames == root.blames and daemon in o.blamed for o in troubles)
