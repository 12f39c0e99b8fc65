"""What the dumps alone would say: a class, the ranks to blame, and how sure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from logtui.diagnosis.dumps.groups import GroupLog, numel
from logtui.diagnosis.dumps.joined import Joined, JoinedGroup
from logtui.diagnosis.dumps.mismatch import EntryRef, Mismatch, refer, refer_last
from logtui.diagnosis.dumps.waits import Head, Root, StuckCollective, Waiting
from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM

# -- How far each rank came in each group, in the words of the report


@dataclass(frozen=True, slots=True)
class Pending:
    """The oldest unfinished operation of a rank in a group."""

    seq: int
    op: str
    numel_in: int
    numel_out: int
    timeout_ms: int
    evidence: EntryRef


@dataclass(frozen=True, slots=True)
class RankGroupState:
    """One group on one rank. Numbers are the recorder's watermarks, or derived where a dump has none.

    In groups that also send and receive, the recorder's count whichever came last.
    """

    rank: int
    group: str
    """Name, without description."""
    desc: str
    enqueued: int | None
    started: int | None
    """None where nothing measures it."""
    completed: int | None
    pending: Pending | None
    file: str


def rank_states(joined: Joined) -> dict[tuple[int, str], RankGroupState]:
    """States by rank and group label."""
    return {
        (rank, group.label): _state(group, log) for group in joined.groups for rank, log in sorted(group.logs.items())
    }


def _state(group: JoinedGroup, log: GroupLog) -> RankGroupState:
    marks = log.marks
    measured = marks.enqueued >= 0
    return RankGroupState(
        log.rank, group.name, group.desc,
        enqueued=marks.enqueued if measured else _known(log.entered),
        started=_known(marks.started),
        completed=marks.completed if measured else _known(log.completed),
        pending=_pending(log), file=log.dump.file,
    )  # fmt: skip


def _known(mark: int) -> int | None:
    return mark if mark >= 0 else None


def _pending(log: GroupLog) -> Pending | None:
    row = log.first_pending
    if row is None:
        return None
    entry = log.dump.entries.entry(row)
    seq = entry.p2p_seq if entry.is_p2p else entry.seq
    sizes = numel(entry.call.input_sizes), numel(entry.call.output_sizes)
    return Pending(seq, str(entry.call), *sizes, entry.timeout_ms, refer(log.dump, row))


# -- Suspects: why, and on what evidence

MAX_CITED = 3


class Kind(StrEnum):
    """What is wrong with a rank, the surest first."""

    MISMATCH = "mismatch"
    """Called something else than the majority."""
    DEVICE_STOPPED = "device_stopped"
    """Its device stopped reporting, while its peers finished collectives that it must have taken part in."""
    NOT_STARTED = "not_started"
    """Launched the collective, but its device never began it, unlike its peers'."""
    NOT_ENTERED = "not_entered"
    """Has nothing pending and did not launch what others wait in: it is in the program, not in a collective."""
    CYCLE = "cycle"
    """Waits for ranks that wait for it: collectives launched in different orders."""
    FABRIC = "fabric"
    """Faces its partner in a transfer that both have launched and neither has finished."""
    NO_DUMP = "no_dump"
    """Others wait for it and it left no dump."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """One rank under suspicion. Being named here is no verdict."""

    rank: int
    kind: Kind
    why: str
    followers: int
    """Ranks that wait for it, directly or through others."""
    evidence: tuple[EntryRef, ...]

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {
            "rank": self.rank, "kind": self.kind.value, "why": self.why, "waiting_ranks": self.followers,
            "evidence": [ref.as_dict() for ref in self.evidence],
        }  # fmt: skip


def find_suspects(joined: Joined, waiting: Waiting, roots: Sequence[Root]) -> tuple[Suspect, ...]:
    """The ranks at which waiting ends, each with what its dump and those of the waiting ranks show."""
    suspects = [s for root in roots for s in _of_root(joined, waiting, root)]
    order = list(Kind)
    return tuple(sorted(suspects, key=lambda s: (order.index(s.kind), -s.followers, s.rank)))


def _of_root(joined: Joined, waiting: Waiting, root: Root) -> Iterator[Suspect]:
    if root.collective is not None:
        yield from _inside(joined, root.collective, root)
    elif root.is_cycle:
        yield from (_in_cycle(waiting, root, rank) for rank in root.ranks)
    elif root.ranks[0] in waiting.odd:
        yield _odd(waiting, root)
    elif root.ranks[0] in waiting.heads:
        yield from _with_head(joined, waiting, root)
    else:
        yield _outside(joined, waiting, root)


def _inside(joined: Joined, stuck: StuckCollective, root: Root) -> Iterator[Suspect]:
    """Ranks of a collective in which nobody is known to be missing; if all are there, none is a suspect."""
    name = f"{stuck.op} #{stuck.seq} of {stuck.group.label}"
    if stuck.ahead:
        later = f"{_ranks(stuck.ahead)} finished it and more after it, which cannot be without this rank"
        for rank in stuck.waiting:
            why = f"still has {name} pending, but {later}: its device stopped answering"
            yield Suspect(rank, Kind.DEVICE_STOPPED, why, root.followers, _cited(joined, stuck, rank))
    elif stuck.no_dump and not stuck.finished:
        for rank in stuck.no_dump:
            why = f"left no dump; {len(stuck.entered)} ranks wait in {name}"
            yield Suspect(rank, Kind.NO_DUMP, why, len(stuck.waiting), _cited(joined, stuck, *stuck.waiting))


def _in_cycle(waiting: Waiting, root: Root, rank: int) -> Suspect:
    head = waiting.heads[rank]
    others = [r for r in root.ranks if r != rank]
    they = f"{_ranks(others)}, who {'waits' if len(others) == 1 else 'wait'}"
    why = f"waits in {_name(head)} for {they} in something else for it"
    return Suspect(rank, Kind.CYCLE, why, root.followers, (_head_ref(head),))


def _odd(waiting: Waiting, root: Root) -> Suspect:
    rank = root.ranks[0]
    mismatch = waiting.odd[rank]
    return Suspect(rank, Kind.MISMATCH, describe(mismatch), root.followers, mismatch.evidence)


def describe(mismatch: Mismatch) -> str:
    """A mismatch in one sentence."""
    called = "; ".join(f"{_ranks(ranks)} called {call}" for call, ranks in mismatch.found[:4])
    expected = f"the others {mismatch.expected}" if mismatch.expected else "neither is a majority"
    note = f" ({mismatch.note})" if mismatch.note else ""
    return f"as #{mismatch.seq} of {mismatch.group}, {called}, {expected}{note}"


def _with_head(joined: Joined, waiting: Waiting, root: Root) -> Iterator[Suspect]:
    """A rank that others wait for and that is inside an operation itself."""
    rank = root.ranks[0]
    head, ref = waiting.heads[rank], (_head_ref(waiting.heads[rank]),)
    transfer = waiting.transfers.get(rank)
    if transfer is None:
        why = f"launched {_name(head)}, but its device never began it while others' did"
        yield Suspect(rank, Kind.NOT_STARTED, why, root.followers, ref)
    elif transfer.no_dump:
        for peer in transfer.no_dump:
            yield Suspect(peer, Kind.NO_DUMP, f"left no dump; rank {rank} waits in {_name(head)} for it", 1, ref)
    elif transfer.facing:
        why = f"waits in {_name(head)}; {_ranks(transfer.facing)} launched the other side and waits too"
        yield Suspect(rank, Kind.FABRIC, why, root.followers, ref)


def _outside(joined: Joined, waiting: Waiting, root: Root) -> Suspect:
    """A rank that others wait for and that waits for nothing."""
    rank = root.ranks[0]
    dump = joined.dumps.by_rank[rank]
    asked = [c for c in waiting.collectives if rank in c.missing]
    refs = [refer_last(dump)]
    for stuck in asked[:MAX_CITED]:
        refs += _cited(joined, stuck, stuck.entered[0])
    heads = [waiting.heads[r] for r, t in waiting.transfers.items() if rank in t.missing]
    refs += [_head_ref(head) for head in heads[:MAX_CITED]]
    names = [f"{c.op} #{c.seq} of {c.group.label}" for c in asked[:1]] or [_name(head) for head in heads[:1]]
    what = names[0] if names else "what others wait in"
    why = f"has not launched {what} and has nothing pending; {root.followers} ranks wait for it"
    return Suspect(rank, Kind.NOT_ENTERED, why, root.followers, tuple(refs))


def _cited(joined: Joined, stuck: StuckCollective, *ranks: int) -> tuple[EntryRef, ...]:
    rows = ((rank, stuck.group.logs[rank].row_of(stuck.seq)) for rank in ranks[:MAX_CITED])
    return tuple(refer(joined.dumps.by_rank[rank], row) for rank, row in rows if row is not None)


def _head_ref(head: Head) -> EntryRef:
    return refer(head.group.logs[head.rank].dump, head.row)


def _name(head: Head) -> str:
    number = f"p2p #{head.seq}" if head.is_p2p else f"#{head.seq}"
    return f"{' + '.join(map(str, head.calls[:4]))} {number} of {head.group.label}"


def _ranks(ranks: Iterable[int]) -> str:
    listed = sorted(ranks)
    shown = ", ".join(map(str, listed[:6])) + (f" and {len(listed) - 6} more" if len(listed) > 6 else "")
    return f"rank {shown}" if len(listed) == 1 else f"ranks {shown}"


# -- The hint: a class, the ranks to blame, and how sure

WITHIN_LAYER = "EXPERT"
"""A word in descriptions of groups that communicate only in the middle of a layer. The first collective of a step
may be in any other group, and a rank that misses it may as well be loading data."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A proposal for the verdict, to be weighed against the logs."""

    kind: str
    """A `Kind`; `extra` for a collective that few launched; `none` if nothing is stuck."""
    cls: str
    """Failure class of the contract."""
    culprits: tuple[int, ...]
    """() where the dumps name nobody."""
    confidence: str
    """How sure the ranks are."""
    cls_confidence: str
    """How sure the class is: dumps show where a rank is, seldom why."""
    why: str

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {
            "kind": self.kind, "class": self.cls, "culprit_ranks": list(self.culprits),
            "confidence": self.confidence, "class_confidence": self.cls_confidence, "why": self.why,
        }  # fmt: skip


NOTHING = Hint("none", "unknown", (), LOW, LOW, "no operation in the dumps is stuck")


@dataclass(frozen=True, slots=True)
class Scope:
    """How much of the job the dumps show."""

    dumps: int
    missing: int
    silent: bool
    """Whether the backend cannot tell finished from failed."""


def propose(suspects: Sequence[Suspect], mismatches: Sequence[Mismatch], waiting: Waiting, scope: Scope) -> Hint:
    """The surest explanation first; ranks are named only where the dumps single them out."""
    stuck = [mismatch for mismatch in mismatches if mismatch.stuck]
    by_kind = {kind: [s for s in suspects if s.kind is kind] for kind in Kind}
    device, outside = by_kind[Kind.DEVICE_STOPPED], by_kind[Kind.NOT_ENTERED] + by_kind[Kind.NOT_STARTED]
    if decided := [mismatch for mismatch in stuck if mismatch.odd_ranks]:
        return _mismatch(decided, scope)
    if device:
        return _device(device + outside, scope)
    if outside:
        return _straggler(outside, waiting, scope)
    if stuck or (mismatches and not suspects):
        return _mismatch(stuck or mismatches, scope)
    if by_kind[Kind.CYCLE]:
        return _cycle(by_kind[Kind.CYCLE], waiting)
    if by_kind[Kind.NO_DUMP]:
        why = f"{_sentence(by_kind[Kind.NO_DUMP][0])}; absence alone is no proof"
        return Hint("no_dump", "unknown", (), LOW, LOW, why)
    return _fabric(by_kind[Kind.FABRIC], waiting)


def _ranks_of(suspects: Sequence[Suspect]) -> tuple[int, ...]:
    return tuple(sorted({suspect.rank for suspect in suspects}))


def _sentence(suspect: Suspect) -> str:
    return f"rank {suspect.rank} {suspect.why}"


def _sure(scope: Scope) -> str:
    if scope.silent:
        return LOW if scope.missing else MEDIUM
    return MEDIUM if scope.missing else HIGH


def _mismatch(mismatches: Sequence[Mismatch], scope: Scope) -> Hint:
    """The earliest one; later ones follow from it. What has finished all the same is a bug, but seldom the hang."""
    first = min(mismatches, key=lambda m: m.first_ns)
    sure = LOW
    if first.odd_ranks and first.stuck:
        sure = MEDIUM if scope.missing or scope.silent else HIGH
    return Hint("mismatch", "collective-mismatch", first.odd_ranks, sure, sure, describe(first))


def _device(suspects: Sequence[Suspect], scope: Scope) -> Hint:
    return Hint("device_stopped", "gpu-hardware", _ranks_of(suspects), _sure(scope), LOW, _sentence(suspects[0]))


def _straggler(suspects: Sequence[Suspect], waiting: Waiting, scope: Scope) -> Hint:
    ranks = _ranks_of(suspects)
    if len(ranks) * 2 > scope.dumps:
        return _few_entered(suspects, waiting, scope)
    inside_layer = all(_is_inside_layer(rank, waiting) for rank in ranks)
    cls = "software" if inside_layer else "unknown"
    return Hint("straggler", cls, ranks, _sure(scope), LOW, _sentence(suspects[0]))


def _is_inside_layer(rank: int, waiting: Waiting) -> bool:
    """Whether a rank is missed in the middle of a layer: the program stopped there, it loads no data."""
    missed = [stuck for stuck in waiting.collectives if rank in stuck.missing]
    return any(WITHIN_LAYER in stuck.group.desc.upper() for stuck in missed)


def _few_entered(suspects: Sequence[Suspect], waiting: Waiting, scope: Scope) -> Hint:
    """More ranks stay out than are in: the few may have launched what nobody else was to launch."""
    inside = tuple(sorted(waiting.heads))
    if len(inside) * 4 > len(suspects):
        why = f"{len(suspects)} of {scope.dumps} ranks have nothing pending while {len(inside)} wait"
        return Hint("undecided", "unknown", (), LOW, LOW, why)
    why = f"only {len(inside)} of {scope.dumps} ranks launched what they wait in: one collective too many"
    return Hint("extra", "collective-mismatch", inside, LOW, LOW, why)


def _cycle(suspects: Sequence[Suspect], waiting: Waiting) -> Hint:
    """Ranks that went the other way round than most; nobody if as many went either way."""
    company = {s.rank: _company(s.rank, waiting) for s in suspects}
    most = max(company.values())
    odd = tuple(sorted(rank for rank, ranks in company.items() if ranks < most))
    why = f"{len(company)} ranks wait for each other: {_sentence(suspects[0])}"
    return Hint("cycle", "collective-mismatch", odd, MEDIUM if odd else LOW, MEDIUM, why)


def _company(rank: int, waiting: Waiting) -> int:
    """How many ranks wait where this one does, itself included."""
    return next((len(stuck.waiting) for stuck in waiting.collectives if rank in stuck.waiting), 1)


def _undecided(waiting: Waiting) -> Hint:
    """Ranks wait, and the dumps do not tell for whom."""
    open_ends = [stuck for stuck in waiting.collectives if not stuck.is_ending]
    if not open_ends:
        return NOTHING
    stuck = open_ends[0]
    unknown = f"{len(stuck.unknown)} dumps do not tell, {len(stuck.no_dump)} are missing"
    why = f"{len(stuck.waiting)} ranks wait in {stuck.op} #{stuck.seq} of {stuck.group.label}; {unknown}"
    return Hint("undecided", "unknown", (), LOW, LOW, why)


def _fabric(facing: Sequence[Suspect], waiting: Waiting) -> Hint:
    """Everybody is there and nothing moves; surer if the watchdog has given it up."""
    full = [stuck for stuck in waiting.collectives if stuck.has_everybody]
    if not full and not facing:
        return _undecided(waiting)
    inside = [rank for stuck in full for rank in stuck.waiting] + [suspect.rank for suspect in facing]
    heads = (waiting.heads[rank] for rank in inside)
    given_up = any(bool(h.group.logs[h.rank].dump.entries.retired[h.row]) for h in heads)
    why = _sentence(facing[0]) if facing else ""
    if full:
        name = f"{full[0].op} #{full[0].seq} of {full[0].group.label}"
        why = f"all {len(full[0].waiting)} ranks have launched {name} alike and none has finished"
    sure = MEDIUM if given_up else LOW
    return Hint("fabric", "network", (), sure, sure, why)
