"""Who keeps whom waiting: one decision over rank × group, from which the rules about hangs draw.

What the witnesses say of each rank in a stuck group are the columns of `Hang`, each a set of ranks:

    waiting         its timeout or its own counters: something it enqueued has not completed
    behind          of these: its first pending operation is lower than where most others wait
    late, given_up  of these: its wait began much later than the others', or when they had given up
    mismatched      of these: another operation or size than most have at the same number
    absent          a member that does not wait
    idle            of these: its own counters say that nothing is pending
    unheard         of these: its launcher stopped it before its watchdog could speak, and nobody tells of it
    never_entered   the absent but for the unheard, and for those without any line where another one stayed out

`TABLE` says which of them a rule blames, and when; the words and the proof are the rule's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import ROOTED, Timeout, WatchedGroup, group_status
from logtui.diagnosis.facts.identity import node_key
from logtui.diagnosis.predicates.fatality import dead_ranks, fatal_exceptions
from logtui.diagnosis.predicates.odd_last_words import odd_last_words
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record

LATE_SHARE, LATE_SECONDS = 0.05, 5.0
"""A rank that began to wait so much later than the others (5 s or 5 % of the limit) came late."""
FOLDED = "ray.folded"
"""Ray's word that it shows one of several lines alike: who is silent may have said the same."""
ENOUGH_SEEN = 0.5
"""Of the job's ranks: where more are silent, the silence of one means nothing."""
APART = 1
"""Operations that those that wait may be apart: the root of a broadcast does not wait in it."""
OTHERS = 3
"""So many idle ranks are not late all at once: the one that waits is the odd one."""
EARLY = 100
"""Operations of a group that count as its first ones."""
GRACE_S = 3.0
"""A node that was stopped so much later than another had time: ranks that wait alike time out within two seconds."""
AT_ONCE_S = 1.5
"""A node that was stopped so shortly after the first one may have been cut short."""
ENOUGH_NODES = 4
"""With fewer nodes the first stop says little about when the first rank timed out."""

Ranks = Collection[int]
Shape = tuple[str | None, int | None, int | None]
"""Operation and sizes, without the sizes where members may differ in them by design."""


class Hang:
    """One stuck group: what is known of each of its members, each column computed when first asked for."""

    def __init__(self, facts: Facts, group: WatchedGroup) -> None:
        """`group` is one in which somebody timed out."""
        self.facts, self.group = facts, group

    @property
    def waiting(self) -> set[int]:
        """Ranks that entered and did not finish."""
        return self.group.waiting

    @cached_property
    def members(self) -> set[int]:
        """Ranks of the group, as far as known: everybody for the world group, else those that speak of it."""
        spoken = set(self.group.counters) | set(self.group.timeouts)
        if not self.group.world:
            return spoken
        told = _told_size(self.facts) or 0
        return set(self.facts.all_ranks) | spoken | set(range(told if told > max(spoken, default=0) else 0))

    @cached_property
    def absent(self) -> set[int]:
        """Members that do not wait while others do."""
        return self.members - self.waiting

    @cached_property
    def idle(self) -> set[int]:
        """Of the absent, those known to have finished all they enqueued."""
        return {r for r, c in self.group.counters.items() if c.enqueued is not None and not c.pending} - self.waiting

    @cached_property
    def unheard(self) -> set[int]:
        """Of the absent, those that may have entered: stopped too early to say so, told by nobody, without counters.

        One alone counts as absent all the same, unless its node was among the first of many to be stopped.
        """
        silent = cut_off(self.facts, self.group, self.absent)
        if len(self.absent) == 1:
            return {r for r in silent if cut_short(self.facts, self.group, r)}
        return silent - had_time(self.facts, self.group, silent)

    @cached_property
    def never_entered(self) -> set[int]:
        """Members that do not wait, and of which there is reason to think that they did not enter.

        Of ranks without any line nobody knows: they are not among them where another one is known to have stayed out.
        """
        absent = self.absent - self.unheard
        return absent - self.facts.voiceless or absent

    @cached_property
    def odd_one(self) -> set[int]:
        """Of absent ranks that could not speak, the one that last did what no other did; where nothing failed."""
        return odd_last_words(self.facts, self.absent) if self.absent and nothing_failed(self.facts) else set()

    @cached_property
    def behind(self) -> set[int]:
        """Ranks with a lower first pending operation than where most others wait."""
        return {r for r in self.waiting if group_status(self.group, r) == "behind"}

    @cached_property
    def late(self) -> dict[int, float]:
        """Ranks stuck in the same operation as the rest that began to wait much later, and when."""
        return {t.rank: t.start for t in _late_starters(self.group) if t.start is not None}

    @cached_property
    def given_up(self) -> set[int]:
        """Ranks with the operation pending that never timed out in it, though others did before: they entered too late.

        Had they entered with the rest, their own watchdogs would have fired with the rest.
        """
        timeouts, late = self.group.timeouts, set()
        first = min((t.record.time for t in timeouts.values() if t.record.time is not None), default=None)
        for rank, counters in self.group.counters.items():
            time = counters.record.time
            own = counters.failed_seq is not None and rank not in timeouts
            if own and counters.pending and first is not None and time is not None and time > first + LATE_SECONDS:
                late.add(rank)
        return late

    @cached_property
    def mismatched(self) -> list[tuple[list[Timeout], list[Timeout]]]:
        """By number: those whose operation or size differs from the majority's, or all where none has it; and all."""
        by_seq: dict[int, list[Timeout]] = defaultdict(list)
        for timeout in self.group.timeouts.values():
            if timeout.seq is not None and timeout.op is not None:
                by_seq[timeout.seq].append(timeout)
        return [(odd, alike) for alike in by_seq.values() if (odd := _minority(alike))]

    @cached_property
    def diverged(self) -> set[tuple[int, Shape]]:
        """Where ranks are stuck at different numbers in different kinds of operation; empty where they are not."""
        spots = {(t.seq, _shape(t)) for t in self.group.timeouts.values() if t.seq is not None}
        if len({seq for seq, _ in spots}) < 2 or len({shape for _, shape in spots}) < 2:
            return set()
        lowest = min(spots, key=lambda s: (s[0], str(s[1])))
        return set() if lowest[1][0] in ROOTED else spots  # a root may run ahead of those that wait for it


def _late_starters(group: WatchedGroup) -> list[Timeout]:
    timed = [t for t in group.timeouts.values() if t.start is not None and t.seq is not None]
    if len(timed) < 2:
        return []
    seq, shared = Counter(t.seq for t in timed).most_common(1)[0]
    starts = sorted(((t.start or 0.0, t) for t in timed if t.seq == seq), key=lambda x: x[0]) if shared >= 2 else []
    if not starts:
        return []
    limit = max(LATE_SECONDS, LATE_SHARE * (starts[0][1].timeout_ms or 0) / 1000)
    median = starts[(len(starts) - 1) // 2][0]
    late = [t for s, t in starts if s - median > limit]
    return late if 0 < len(late) <= len(starts) // 2 else []


def _shape(t: Timeout) -> Shape:
    return (t.op, None, None) if t.op in ROOTED else (t.op, t.numel_in, t.numel_out)


def _minority(timeouts: list[Timeout]) -> list[Timeout]:
    votes: Counter[Shape] = Counter(_shape(t) for t in timeouts)
    if len(votes) < 2:
        return []
    usual, most = votes.most_common(1)[0]
    odd = [t for t in timeouts if _shape(t) != usual]
    return odd if most > len(odd) else timeouts


# -- What the table asks of a group


def of_the_world(hang: Hang) -> bool:
    """Whether it spans all ranks of the job."""
    return hang.group.world


def heard(hang: Hang) -> bool:
    """Whether most ranks of the job speak in the files."""
    return well_covered(hang.facts)


def quiet(hang: Hang) -> bool:
    """Whether nothing failed beside it."""
    return nothing_failed(hang.facts)


def alone(hang: Hang) -> bool:
    """Whether a single rank waits."""
    return len(hang.waiting) == 1


def several(hang: Hang) -> bool:
    """Whether two ranks or more timed out."""
    return len(hang.group.timeouts) > 1


def two_places(hang: Hang) -> bool:
    """Whether those that wait do so in two operations."""
    return len(hang.group.spots) == 2


def _told_size(facts: Facts) -> int | None:
    """The size of the job, if its lines say it: who waits for whom does not rest on who was heard of."""
    return None if facts.job.size_is_heard else facts.job.world_size


def not_parted(hang: Hang) -> bool:
    """Whether they wait in one operation, or scattered over more than two; an unknown place counts as one."""
    return len(places(hang)) != 2


def all_inside(hang: Hang) -> bool:
    """Whether every member waits, of as many as the job is known to have: else one of them may be waited for."""
    return not hang.absent and len(hang.waiting) > max(hang.waiting) and _told_size(hang.facts) is not None


def together(hang: Hang) -> bool:
    """Whether nobody's wait began much later."""
    return not _late_starters(hang.group)


def others_done(hang: Hang) -> bool:
    """Whether others speak of the group, all with nothing pending: the call was never theirs."""
    others = set(hang.group.counters) - hang.waiting
    return bool(others) and others <= hang.idle


def others_idle(hang: Hang) -> bool:
    """Whether the other members are several, all of them done, and none of them was stopped."""
    return len(hang.absent) >= OTHERS and hang.absent <= hang.idle and not hang.absent & stopped_early(hang.facts)


def at_the_start(hang: Hang) -> bool:
    """Whether all wait in one of the group's first operations."""
    return bool(hang.group.spots) and max(hang.group.spots) <= EARLY


# -- What it asks of those it would blame


def outnumbered(hang: Hang, ranks: Ranks) -> bool:
    """Whether at least as many wait."""
    return len(ranks) <= len(hang.waiting)


def few_timed_out(hang: Hang, ranks: Ranks) -> bool:
    """Whether at least as many timed out."""
    return len(ranks) <= len(hang.group.timeouts)


def fewer(hang: Hang, ranks: Ranks) -> bool:
    """Whether less than half wait where they do."""
    return len(ranks) * 2 < hang.group.spots.total()


def told_apart(hang: Hang, ranks: Ranks) -> bool:
    """Whether the others wait close together, or these were heard of: else nobody knows what is waited for."""
    close = max(hang.group.spots, default=0) - min(hang.group.spots, default=0) <= APART
    return close or set(ranks) <= set(hang.facts.collectives.notified)


def none_outside(hang: Hang, _ranks: Ranks) -> bool:
    """Whether no rank of the job stayed out: they would be waited for, not those behind."""
    return not (hang.group.world and hang.never_entered)


# -- Whom it may blame


def never_entered(hang: Hang) -> Ranks:
    """Those that did not enter; where none can be told, the odd one of those that could not speak."""
    return hang.never_entered or hang.odd_one


def behind(hang: Hang) -> Ranks:
    """Those at a lower operation."""
    return hang.behind


def late(hang: Hang) -> Ranks:
    """Those whose wait began late, by their clocks or else by their silence."""
    return hang.late or hang.given_up


def waiting(hang: Hang) -> Ranks:
    """Those that wait themselves."""
    return hang.waiting


def nobody(_hang: Hang) -> Ranks:
    """The group hangs, and no rank of it is at fault."""
    return ()


# -- The table


@dataclass(frozen=True)
class Row:
    """When a rule speaks about a group, whom it blames, and what must be true of them."""

    when: tuple[Callable[[Hang], bool], ...]
    whom: Callable[[Hang], Ranks]
    provided: tuple[Callable[[Hang, Ranks], bool], ...] = ()


TABLE = {
    # rule               when                            whom, provided that
    "never-entered": Row((of_the_world, heard),          never_entered, (outnumbered, told_apart)),
    "rank-behind": Row((two_places,),                    behind, (fewer, none_outside)),
    "latecomer": Row((),                                 late, (few_timed_out,)),
    "background-thread": Row((alone, others_done),       waiting),
    "lone-caller": Row((alone, others_idle),             waiting),
    "none-finished": Row((of_the_world, all_inside, several, not_parted, together, quiet), nobody),
    "transport-setting": Row((several, at_the_start),    nobody),
}  # fmt: skip
"""By rule id. A row that blames somebody holds only where there is somebody."""


def hangs(facts: Facts) -> Iterator[Hang]:
    """The stuck groups, the world's first."""
    return (Hang(facts, group) for group in facts.collectives.stuck_groups)


def blamed(facts: Facts, rule: str) -> Iterator[tuple[Hang, tuple[int, ...]]]:
    """The groups of which a rule's row holds, and whom it blames there, ascending."""
    row = TABLE[rule]
    for hang in hangs(facts):
        if not all(holds(hang) for holds in row.when):
            continue
        ranks = row.whom(hang)
        if (ranks or row.whom is nobody) and all(holds(hang, ranks) for holds in row.provided):
            yield hang, tuple(sorted(ranks))


def followed(facts: Facts) -> tuple[int, ...]:
    """No world-wide wait: the ranks that wait nowhere are whom the others wait for, followed through the groups.

    Empty where they are not heard of, too many, or dead.
    """
    groups, idle = facts.collectives.stuck_groups, bystanders(facts)
    if not groups or groups[0].world or not idle:
        return ()
    told = idle & set(facts.collectives.notified)
    if not facts.collectives.notified:
        told = odd_last_words(facts, idle)
    if (
        not told
        or len(told) > len(facts.collectives.timed_out)
        or idle & set(dead_ranks(facts))
        or not well_covered(facts)
        or next(facts.case.records.of(FOLDED), None) is not None
    ):
        return ()
    return tuple(sorted(told))


def circle(facts: Facts) -> list[WatchedGroup]:
    """Stuck groups of several kinds in which every rank of the job waits for another; empty where somebody is free."""
    stuck = facts.collectives.stuck_groups
    if any(g.world for g in stuck) or len({g.desc for g in stuck}) < 2 or all(len(g.waiting) > 1 for g in stuck):
        return []  # a group of which two wait may be complete, and then it is part of no circle
    return stuck if not bystanders(facts) and well_covered(facts) and nothing_failed(facts) else []


def places(hang: Hang) -> set[int | None]:
    """First pending operations of those that wait, None among them where one is not known."""
    return {hang.group.pending_of(rank) for rank in hang.waiting}


def bystanders(facts: Facts) -> set[int]:
    """Ranks that wait in no collective at all while others time out."""
    waiting: set[int] = set()
    for group in facts.collectives.groups.values():
        waiting |= group.waiting
    return set(facts.all_ranks) - waiting


def well_covered(facts: Facts) -> bool:
    """Whether most ranks of the job speak in the files: the absence of one then means something."""
    seen = facts.seen_ranks
    return len(seen) >= ENOUGH_SEEN * max(len(facts.all_ranks), seen[-1] + 1 if seen else 1)


def nothing_failed(facts: Facts) -> bool:
    """Whether no rank raised, and no process ended first."""
    return not fatal_exceptions(facts) and not facts.exits.first_failures


# Whether a rank that its launcher stopped had had time to say that it waits.
#
# Up to PyTorch 2.3 a process whose collective times out ends within a second, and nothing tells the others. Its node's
# agent looks every 5 s and stops the rest of the node, those included that were about to time out. So silence there
# means something only on nodes that were stopped well after others.


def stopped_early(facts: Facts) -> set[int]:
    """Ranks that their launcher ended before their own watchdog could speak: silence there means nothing."""
    ended = {p.rank for p in facts.exits.processes if p.signal == "SIGTERM" and p.rank is not None}
    stops = list(facts.case.records.marked(Mark.STOPS_WORKERS))
    named = (facts.identity.by_any_pid.get(pid) for r in stops if (pid := r.number("pid")) is not None)
    ended |= {rank for rank in named if rank is not None}
    nodes = {_node_of(facts, r) for r in stops}
    return ended | {rank for (node, _), rank in facts.identity.by_local.items() if node in nodes}


def cut_off(facts: Facts, group: WatchedGroup, absent: set[int]) -> set[int]:
    """Of the absent, those whose silence in a group means nothing: stopped, and never heard of."""
    return absent & (stopped_early(facts) - set(facts.collectives.notified) - set(group.counters))


def had_time(facts: Facts, group: WatchedGroup, silent: set[int]) -> set[int]:
    """Of some stopped ranks, those that would have spoken: all their neighbours did, long after the first stop."""
    stops = _stops_by_node(facts, group)
    first = min(stops.values(), default=0.0)
    late = {node for node, time in stops.items() if time - first > GRACE_S}
    found: set[int] = set()
    for node, ranks in _ranks_by_node_of(facts).items():
        quiet = ranks - group.waiting
        if node in late and len(quiet) == 1 and len(ranks) > 1:
            found |= quiet & silent
    return found


def cut_short(facts: Facts, group: WatchedGroup, rank: int) -> bool:
    """Whether a rank's node was among the first of many to be stopped."""
    stops = _stops_by_node(facts, group)
    own = [stops[node] for node, ranks in _ranks_by_node_of(facts).items() if rank in ranks and node in stops]
    return len(stops) >= ENOUGH_NODES and bool(own) and min(own) - min(stops.values()) <= AT_ONCE_S


def _node_of(facts: Facts, record: Record) -> str:
    return node_key(facts.case.files[record.file], record)


def _ranks_by_node_of(facts: Facts) -> dict[str, set[int]]:
    nodes: dict[str, set[int]] = defaultdict(set)
    for (node, _), rank in facts.identity.by_local.items():
        nodes[node].add(rank)
    return nodes


def _stops_by_node(facts: Facts, group: WatchedGroup) -> dict[str, float]:
    """Node where somebody timed out → when its launcher began to stop it, by a stamp of the launcher's own."""
    waiting = {node for node, ranks in _ranks_by_node_of(facts).items() if ranks & group.waiting}
    records = facts.case.records.marked(Mark.STOPS_WORKERS)
    said = [(_node_of(facts, r), r.time) for r in records if r.time_from is not TimeFrom.NEIGHBOUR]
    said += [(_node_of(facts, p.record), p.noticed) for p in facts.exits.processes]
    stops: dict[str, float] = {}
    for node, time in said:
        if time is not None and node in waiting:
            stops[node] = min(time, stops.get(node, time))
    return stops
