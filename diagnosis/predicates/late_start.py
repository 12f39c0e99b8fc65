"""Which file of a job begins only after the others had given up waiting for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.line_times import LineTimes
from logtui.parsers.source import FileKind

GAVE_UP = frozenset(
    {
        "rendezvous.timeout",
        "store.barrier_timeout",
        "store.client_gave_up",
        "store.clients_missing",
        "store.connect_timeout",
        "store.socket_timeout",
        "store.wait_timeout",
    }
)
"""What those say who waited for others before the first collective."""
LATE_S = 120.0
"""After the median of the others: pods and nodes of one job often start a minute apart."""
MOST = 2048
"""Files whose heads are looked at."""
ENOUGH = 3
"""Files with a dated head."""
HEAD = 20
"""Lines that are asked for a stamp of their own."""
FEW = 0.25
"""More late ones than this share are two starts of a job, not its latecomers."""


@dataclass(frozen=True, slots=True)
class Start:
    """The first dated line of a file."""

    file: int
    line: int
    at: float


@dataclass(frozen=True, slots=True)
class LateStart:
    """Files that began late, what gave up before, and by how much they were late."""

    late: tuple[Start, ...]
    first: Start
    gave_up: Event
    seconds: float


def late_start(facts: Facts) -> LateStart | None:
    """Who came after the others' wait for them had ended; None where nobody gave up, or the starts are not known."""
    gave_up = next((e for e in facts.events if _gave_up_forming(e)), None)
    if gave_up is None:
        return None
    starts = sorted(_starts(facts), key=lambda s: s.at)
    if len(starts) < ENOUGH:
        return None
    usual = median(s.at for s in starts)
    late = tuple(s for s in starts if s.at - usual >= LATE_S and s.at > (gave_up.record.time or 0.0))
    if not late or len(late) > max(1, FEW * len(starts)):
        return None
    return LateStart(late, starts[0], gave_up, late[0].at - usual)


def _gave_up_forming(event: Event) -> bool:
    return event.name in GAVE_UP and event.record.time is not None


def _starts(facts: Facts) -> Iterator[Start]:
    times = LineTimes(facts.case, facts.job.ended)
    workers = [n for n, file in enumerate(facts.case.files) if file.kind is FileKind.WORKER]
    for number in workers if len(workers) <= MOST else ():
        begin = facts.begins_at(number)
        dated = ((line, times.own(number, line)) for line in range(begin, begin + HEAD))
        found = next(((line, time) for line, time in dated if time is not None), None)
        if found is not None:
            yield Start(number, found[0], found[1].epoch)
