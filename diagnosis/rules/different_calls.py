"""Tracebacks show that ranks stood in different collective calls when the group broke."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from logtui.diagnosis.evidence import cite_line
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.calls import LIBRARY, called_collective
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import DIFFERENT_CALLS
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass, Role


def _find(facts: Facts) -> Iterator[Claim]:
    calls: dict[int, tuple[str, ExceptionFact]] = {}
    for fact in facts.exceptions:
        call = called_collective(fact)
        if call and fact.rank is not None and fact.row.role is Role.SYMPTOM:
            calls.setdefault(fact.rank, (call, fact))
    votes = Counter(call for call, _ in calls.values())
    if len(votes) < 2:
        return
    usual, most = votes.most_common(1)[0]
    odd = {r: f for r, (call, f) in calls.items() if call != usual}
    if most > len(odd):
        yield _claim(facts, odd, calls, usual)


def _claim(
    facts: Facts, odd: dict[int, ExceptionFact], calls: dict[int, tuple[str, ExceptionFact]], usual: str
) -> Claim:
    ranks = tuple(sorted(odd))
    fact = odd[ranks[0]]
    other = next(f for call, f in calls.values() if call == usual)
    return Claim(
        title=f"{named_ranks(ranks)} called {calls[ranks[0]][0]} while the others called {usual}",
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=_calling_line(facts, fact),
        order=fact.order,
        rung=DIFFERENT_CALLS,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=(_calling_line(facts, fact), _calling_line(facts, other)),
        direct=True,
    )


def _calling_line(facts: Facts, fact: ExceptionFact) -> Evidence:
    """The program's own line that made the call, as the traceback shows it."""
    frames = fact.traceback.frames
    inside = next((i for i, f in enumerate(frames) if LIBRARY in f.file), 0)
    source = frames[inside - 1].source if inside else ""
    lines = facts.case.following(fact.record, fact.traceback.last_index)
    at = next((i for i, line in enumerate(lines) if source and line.rstrip().endswith(source)), None)
    return (
        fact.evidence if at is None else cite_line(facts.case, fact.record, fact.record.line + at, lines[at], fact.rank)
    )


RULE = Rule(
    id="different-calls",
    title="Ranks stood in different collective calls",
    claim="When the group broke, the stacks of a minority show another collective than everybody else's.",
    needs="tracebacks through torch.distributed on most ranks",
    refuted_by="",
    find=_find,
)
