"""The words of a hang: the first stuck line, who waits, how far the odd ranks are, what they said last."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice, pairwise

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import ROOTED, Timeout, WatchedGroup
from logtui.diagnosis.facts.last_words import (
    CODE_WORDS,
    DATA_WORDS,
    FINISHED_WORDS,
    OUT_OF_DATA,
    STEP_WORDS,
    last_words,
)
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.hangs import Hang, cut_off
from logtui.diagnosis.predicates.odd_last_words import shape
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.storage.client import RETRY_SPAN_S, UNANSWERED, client_events
from logtui.diagnosis.verdict.rule import Advice, Order
from logtui.parsers.pattern import FailureClass
from logtui.parsers.regex import regex

_WAITS = regex(r"\b(?:still|wait(?:s|ing)?|not yet)\b", re.I)
"""A wait that is told after so many seconds has no end."""
ENOUGH_STEPS = 10
"""With fewer steps the collectives of the start weigh too much."""
MOST_PER_STEP = 1000.0
COMPARED = 4
"""Ranks whose last words are compared with those of the odd ones."""


def first_timeout(group: WatchedGroup) -> Timeout:
    """The earliest timeout line of a stuck group."""
    return min(group.timeouts.values(), key=lambda t: t.record.order)


def start_order(group: WatchedGroup) -> Order:
    """When a stuck group began to hang: the earliest start of a wait."""
    first = first_timeout(group)
    starts = [t.start for t in group.timeouts.values() if t.start is not None]
    return (min(starts) if starts else first.record.time or 0.0, first.record.file, first.record.line)


def _usual(group: WatchedGroup) -> tuple[str | None, int | None]:
    """Operation and number that most ranks are stuck on."""
    votes: Counter[tuple[str | None, int | None]] = Counter((t.op, t.seq) for t in group.timeouts.values())
    return votes.most_common(1)[0][0]


def spoken_timeout(group: WatchedGroup) -> Timeout:
    """The earliest timeout line of the operation that `operation` names: the proof that ranks wait in it."""
    usual = _usual(group)
    alike = (t for t in group.timeouts.values() if (t.op, t.seq) == usual)
    return min(alike, key=lambda t: t.record.order)


def operation(group: WatchedGroup) -> str:
    """`ALLREDUCE #1234 of default_pg`, the operation most ranks are stuck on."""
    op, seq = _usual(group)
    name = group.desc or ("default_pg" if group.world else f"group {group.key}" if group.key != "?" else "the group")
    return f"{op or 'a collective'} #{seq} of {name}" if seq is not None else f"{op or 'a collective'} of {name}"


def state_line(facts: Facts, group: WatchedGroup, rank: int) -> Evidence | None:
    """The line that gives a rank's counters in a group, or that it was only notified."""
    record = group.counters[rank].record if rank in group.counters else facts.collectives.notified.get(rank)
    return cite(facts.case, record, rank) if record is not None else None


def proof(facts: Facts, group: WatchedGroup, ranks: tuple[int, ...]) -> tuple[Evidence, ...]:
    """Lines that show the odd ranks' state, then one waiting rank's."""
    lines = [e for r in ranks[:4] if (e := state_line(facts, group, r)) is not None]
    first = spoken_timeout(group)
    return (*lines, cite(facts.case, first.record, first.rank))


def kind_of_stall(facts: Facts, ranks: tuple[int, ...]) -> tuple[FailureClass | None, Evidence | None]:
    """What the odd ranks were last doing: data loading, other user code, or not said; what is finished holds nobody."""
    if (ended := _ran_out(facts, ranks)) is not None:
        return FailureClass.DATA, ended
    if (asked := _waits_for_storage(facts, ranks)) is not None:
        return FailureClass.DATA_LOADING_STALL, asked
    usual = _said_by_others(facts, ranks)
    for rank in ranks[:4]:
        spoken = last_words(facts.identity, rank)
        for words in spoken if spoken and shape(spoken[0].text) not in usual else ():
            if FINISHED_WORDS.search(words.text) and not _WAITS.search(words.text):
                break
            if DATA_WORDS.search(words.text):
                return FailureClass.DATA_LOADING_STALL, words.cited
            if CODE_WORDS.search(words.text):
                return FailureClass.SOFTWARE, words.cited
    return None, None


def _waits_for_storage(facts: Facts, ranks: tuple[int, ...]) -> Evidence | None:
    """Of an odd rank whose last words are of a failed request: the first of those that failed in a row."""
    for rank in ranks[:4]:
        last = [w.cited.place for w in last_words(facts.identity, rank, 1)]
        own = [e for e in client_events(facts.case, UNANSWERED, facts.rank_of) if e.rank == rank] if last else []
        if own and own[-1].cited(facts.case).place in last:
            after_quiet = [b for a, b in pairwise(own) if b.time - a.time > RETRY_SPAN_S]
            return (after_quiet or own)[-1 if after_quiet else 0].cited(facts.case)
    return None


def _said_by_others(facts: Facts, ranks: tuple[int, ...]) -> set[str]:
    """Shapes of the very last line of at least two ranks that are not odd: it tells nothing of the odd ones."""
    odd = set(ranks)
    others = list(islice((r for r in facts.seen_ranks if r not in odd), COMPARED))
    said = Counter(shape(w.text) for r in others for w in last_words(facts.identity, r, 1))
    return {s for s, often in said.items() if often > 1}


def _ran_out(facts: Facts, ranks: tuple[int, ...]) -> Evidence | None:
    """Where the first odd rank says that its epoch or its data ended, while those that wait speak of their steps."""
    ended = [w for w in last_words(facts.identity, ranks[0]) if OUT_OF_DATA.search(w.text)] if ranks else []
    if not ended:
        return None
    waiting = sorted(facts.collectives.timed_out - set(ranks))[:4]
    others = [w.text for rank in waiting for w in last_words(facts.identity, rank)]
    training = any(STEP_WORDS.search(text) for text in others)
    return ended[-1].cited if training and not any(OUT_OF_DATA.search(text) for text in others) else None


def waiting_text(group: WatchedGroup) -> str:
    """`126 ranks wait in BROADCAST #1201 of default_pg`: those that wait in that very operation."""
    seq = _usual(group)[1]
    waiting = {r for r in group.waiting if group.pending_of(r) in (None, seq)} if seq is not None else group.waiting
    who = named_ranks(waiting) if len(waiting) <= 4 else f"{len(waiting)} ranks"
    return f"{who} {'waits' if len(waiting) == 1 else 'wait'} in {operation(group)}"


def ahead_text(facts: Facts, group: WatchedGroup) -> str:
    """`; rank 0 is 3 operations ahead, in ALLREDUCE #1204, …`: a root sends and goes on; "" where nobody is ahead."""
    op, seq = _usual(group)
    ahead = {r: at for r in group.waiting if (at := group.pending_of(r)) is not None and seq is not None and at > seq}
    if not ahead or seq is None:
        return ""
    rank = min(ahead, key=lambda r: (ahead[r], r))
    alike = [r for r in ahead if ahead[r] == ahead[rank]]
    further, (_, own, _, _) = ahead[rank] - seq, group.operation(rank)
    rate = per_step(facts, group)
    steps = f", about {further / rate:.1f} steps at {rate:.1f} a step" if rate is not None else ""
    why = ": the root of an operation sends its part and goes on" if op in ROOTED else ""
    verb, many = ("is" if len(alike) == 1 else "are"), ("operation" if further == 1 else "operations")
    where = f", in {own} #{ahead[rank]}" if own else ""
    return f"; {named_ranks(alike)} {verb} {further} {many} ahead{where}{steps}{why}"


def per_step(facts: Facts, group: WatchedGroup) -> float | None:
    """Operations of a group in one step, from where it hangs and the steps done till then; None where unknown.

    NeMo has about three in its default group: gradients, the preemption flag, buffers. Numbers begin anew with a
    process, so the steps of this attempt count.
    """
    spots, steps = group.spots, [s for s in facts.steps if len(s.steps)]
    if not spots or not steps:
        return None
    done = max(s.steps.max() - s.steps.min() + 1 for s in steps)
    rate = float(spots.most_common(1)[0][0] / done)
    return rate if done >= ENOUGH_STEPS and 0.5 <= rate <= MOST_PER_STEP else None


def distance(facts: Facts, group: WatchedGroup, ranks: Collection[int]) -> str:
    """`; 4 operations behind, about 1.3 steps at 3.0 a step`, "" where that is not known or nothing."""
    rate = per_step(facts, group)
    usual = group.spots.most_common(1)[0][0] if group.spots else 0
    known = (group.counters.get(r) for r in ranks)
    reached = [c.first_pending or c.completed + 1 for c in known if c is not None and c.completed is not None]
    behind = usual - min(reached, default=usual)
    if rate is None or behind <= 0:
        return ""
    many = "operation" if behind == 1 else "operations"
    return f"; {behind} {many} behind, about {behind / rate:.1f} steps at {rate:.1f} a step"


def unheard(facts: Facts) -> Iterator[str]:
    """Who may or may not have entered the collective that all others wait in, because nobody let them say so."""
    for group in facts.collectives.stuck_groups[:1]:
        cut = cut_off(facts, group, Hang(facts, group).absent) if group.world else set()
        if cut:
            who = f"{named_ranks(cut)}, stopped before {'its' if len(cut) == 1 else 'their'} watchdog could speak,"
            yield f"whether {who} had entered {operation(group)}: flight-recorder dumps or stacks would tell"


def take_its_stack(facts: Facts, rank: int) -> Advice:
    """How to learn, the next time, what a rank does that nothing in the files tells."""
    host = facts.hosts.get(rank)
    where = f"on {host}, " if host else "on its host, "
    return Advice(
        "training",
        f"while it hangs, take the stack of rank {rank}: {where}`py-spy dump --pid PID`; and start with the flight "
        "recorder on: TORCH_NCCL_TRACE_BUFFER_SIZE=2000 for PyTorch 2.2 to 2.10 (also TORCH_FR_BUFFER_SIZE from 2.8 "
        "on; on by default from 2.11 on), TORCH_NCCL_DUMP_ON_TIMEOUT=1 (the default since 2.7)",
    )
