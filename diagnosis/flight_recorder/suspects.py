"""Ranks that keep others waiting, or may: why, and on what evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from logtui.diagnosis.flight_recorder.entry_ref import EntryRef, refer, refer_last
from logtui.diagnosis.flight_recorder.joined import Joined
from logtui.diagnosis.flight_recorder.mismatch import Mismatch
from logtui.diagnosis.flight_recorder.stuck import Head, StuckCollective
from logtui.diagnosis.flight_recorder.waits import Root, Waiting

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
