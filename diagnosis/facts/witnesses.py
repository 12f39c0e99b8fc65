"""What is said of the ranks beside the logs: snapshots of NCCL's RAS, and flight-recorder dumps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import GroupState, StuckOn
from logtui.parsers.files.case import Case
from logtui.parsers.prefix.stamp import find_stamp
from logtui.parsers.records.nccl import RasCommunicator, read_json, read_text
from logtui.parsers.records.record import Record

if TYPE_CHECKING:  # most jobs come without dumps
    from logtui.diagnosis.dumps.findings import FlightRecorderFindings

# -- RAS: the newest snapshot of each file

PAGE = 20_000
MAX_LINES = 2_000_000
TEXT_LINES = 100_000
JSON_HEAD = 12
"""Lines of a JSON snapshot before its number of communicators, at most."""


@dataclass(frozen=True, slots=True)
class RasSnapshot:
    """What RAS said, and where."""

    communicators: tuple[RasCommunicator, ...]
    evidence: Evidence
    time: float | None = None
    """Wall clock of the host that asked, zone not said; None in text."""

    def of_world(self, expected: int | None, seen: int) -> RasCommunicator | None:
        """The communicator of all ranks, in which numbers are global ranks.

        Where nothing says how many ranks there should be, the largest one that has room for those `seen`.
        """
        largest = max((c.size for c in self.communicators), default=0)
        size = expected or (largest if largest >= seen else 0)
        whole = [c for c in self.communicators if c.size == size > 1]
        return max(whole, key=lambda c: (len(c.differing()), len(c.unanswered)), default=None)


def read_snapshots(case: Case) -> tuple[RasSnapshot, ...]:
    """One per file that holds any: the last one written there."""
    newest: dict[int, list[Record]] = {}
    for record in case.records.of("ras.communicator", "ras.snapshot"):
        found = newest.setdefault(record.file, [])
        if record.name == "ras.snapshot" or (found and found[0].name == "ras.snapshot"):
            found.clear()
        found.append(record)
    snapshots = (_read(case, records) for records in newest.values())
    return tuple(snapshot for snapshot in snapshots if snapshot is not None)


def _read(case: Case, records: list[Record]) -> RasSnapshot | None:
    if records[0].name == "ras.snapshot":
        return _read_json(case, records[0])
    first = _first_of_last_report(records)
    comms = read_text(_until_end(case, first, TEXT_LINES))
    return RasSnapshot(tuple(comms), cite(case, first)) if comms else None


def _first_of_last_report(records: list[Record]) -> Record:
    """The reports of one file follow each other; in each, communicators are numbered from the first on."""
    first = records[0]
    seen: set[tuple[str, str]] = set()
    for record in records:
        key = (record.fields["comm"], record.fields["status"])
        if key in seen:
            first, seen = record, set()
        seen.add(key)
    return first


def _until_end(case: Case, first: Record, most: int) -> Iterator[str]:
    """Lines of a file from a record's on, as wrapped in nothing: RAS reports stand alone or at a line's start."""
    for start in range(first.line, first.line + most, PAGE):
        page = case.bodies(first.file, start, PAGE)
        yield from page
        if len(page) < PAGE:
            return


def _read_json(case: Case, record: Record) -> RasSnapshot | None:
    begin = max(1, record.line - JSON_HEAD)
    head = case.bodies(record.file, begin, record.line - begin + 1)
    opens = [n for n, line in enumerate(head) if line.lstrip().startswith("{")]
    if not opens:
        return None
    pieces = []
    for start in range(begin + opens[-1], begin + opens[-1] + MAX_LINES, PAGE):
        page = case.bodies(record.file, start, PAGE)
        closing = next((n for n, line in enumerate(page) if line == "}"), None)
        pieces += page if closing is None else page[: closing + 1]
        if closing is not None or len(page) < PAGE:
            break
    found = read_json("\n".join(pieces).lstrip())
    if found is None:
        return None
    stamp = find_stamp(found[0], 0, 1970, 0.0)
    return RasSnapshot(tuple(found[1]), cite(case, record), stamp.epoch if stamp else None)


# -- Dumps: states per rank and group, ranks that only dumps speak for


def dump_ranks(found: FlightRecorderFindings | None) -> set[int]:
    """Ranks with a dump."""
    return {rank for rank, _ in found.states or {}} if found else set()


def dump_states(found: FlightRecorderFindings | None) -> dict[int, tuple[GroupState, ...]]:
    """Each rank's groups as its dump has them, stuck ones first; the evidence is the dump, not a line."""
    if found is None:
        return {}
    told = _statuses(found)
    states: dict[int, list[GroupState]] = {}
    for (rank, label), s in (found.states or {}).items():
        stuck = None
        if s.pending is not None:
            p = s.pending
            stuck = StuckOn(p.seq, p.op, p.numel_in, p.numel_out, p.timeout_ms)
        status = told.get((rank, label)) or ("waiting" if stuck else "healthy")
        states.setdefault(rank, []).append(
            GroupState(s.group, s.desc or None, s.enqueued, s.started, s.completed, stuck, status)
        )
    return {r: tuple(sorted(gs, key=lambda g: (g.stuck_on is None, g.group))) for r, gs in states.items()}


def _statuses(found: FlightRecorderFindings) -> dict[tuple[int, str], str]:
    """The contract's words by rank and group label, for the groups in which something is stuck."""
    told: dict[tuple[int, str], str] = {}
    for stuck in reversed(found.stuck):  # the most telling last: it is what remains
        label, logs = stuck.group.label, stuck.group.logs
        words = ((stuck.queued, "queued_ahead"), (stuck.waiting, "waiting"), (stuck.ahead, "ahead"))
        told.update(((rank, label), word) for ranks, word in words for rank in ranks)
        told.update(((rank, label), "behind") for rank in stuck.not_started)
        for rank in stuck.missing:
            told[rank, label] = "never_entered" if bool(logs[rank].done.all()) else "behind"
    return told


def dump_words(found: FlightRecorderFindings | None) -> dict[int, str]:
    """One word for each rank that something in the dumps is stuck for; the logs may know a better one.

    A rank that waits anywhere waits; only one that waits nowhere has never entered what the others wait in.
    """
    if found is None or found.hint.kind == "none":
        return {}
    from logtui.diagnosis.dumps.suspects import Kind

    said: dict[int, set[str]] = {}
    for (rank, _), word in _statuses(found).items():
        said.setdefault(rank, set()).add(word)
    for (rank, _), state in (found.states or {}).items():
        if state.pending is not None and state.pending.op.startswith(_TRANSFERS):
            said.setdefault(rank, set()).add("waiting")
    words = {rank: next(word for word in _LOUDEST if word in told) for rank, told in said.items()}
    return words | {s.rank: "behind" for s in found.suspects if s.kind is Kind.DEVICE_STOPPED}


_TRANSFERS = ("send", "recv")
_LOUDEST = ("behind", "waiting", "queued_ahead", "never_entered", "ahead")


def merged(from_log: tuple[GroupState, ...], from_dump: tuple[GroupState, ...]) -> tuple[GroupState, ...]:
    """Both witnesses side by side: a group that both speak of stays as the log has it unless they disagree."""
    known = {(g.group, g.enqueued, g.completed) for g in from_log}
    return (*from_log, *(g for g in from_dump if (g.group, g.enqueued, g.completed) not in known))
