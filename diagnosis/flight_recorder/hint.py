"""What the dumps alone would say: a class, the ranks to blame, and how sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.mismatch import Mismatch
from logtui.diagnosis.flight_recorder.suspects import Kind, Suspect, describe
from logtui.diagnosis.flight_recorder.waits import Waiting
from logtui.diagnosis.model import HIGH, LOW, MEDIUM

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
