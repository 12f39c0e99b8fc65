"""Rules compete on evidence: the earliest cause beats the loudest symptom, the specific beats the generic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from logtui.diagnosis import rules as rules_package
from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM
from logtui.diagnosis.predicates.fatality import failed_all_the_same
from logtui.diagnosis.rules.ranking import (
    BY_MATURITY,
    ENOUGH,
    LIKELY,
    LIKELY_AMONG_RIVALS,
    MENTIONED,
    NEAR,
    OVERTAKES,
    SURE,
)
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.clean import clean
from logtui.parsers.declarations import declarations
from logtui.parsers.pattern import FailureClass, Role, Trait
from logtui.parsers.prefix.stamp import find_stamp
from logtui.parsers.registry import registry
from logtui.parsers.source import FileKind

# -- The first sign, where the rule that won saw only the end
#
# A launcher's line dates a death, a scheduler's line a node's, an exception repeats what the library had warned of:
# the same process said earlier, in its own words, what went wrong.


BEFORE_S = 600.0
"""An earlier sign is looked for within this time of the end."""
UNSTAMPED_S = 60.0
"""What a line without a stamp may be later than the last one above it."""
OF_HOSTS = frozenset({FailureClass.STORAGE_IO, FailureClass.HOST_OOM, FailureClass.GPU_HARDWARE})
"""Failures that the kernel sees first, and the program by their effect."""
MADE_UP_YEAR = 2000
"""For stamps without one, where only their being there matters."""


def with_first_sign(facts: Facts, rule: str, claim: Claim, others: Iterable[tuple[str, Claim]]) -> Claim:
    """The winning claim with the earliest line that shows its cause.

    `others` are the claims that lost but stand, earliest first, each with the id of its rule.
    """
    if claim.cls is FailureClass.HEALTHY:
        return claim
    for sign in _signs(facts, rule, claim, list(others)):
        return replace(claim, first=sign, supporting=(sign, *(e for e in claim.supporting if e != sign)))
    return claim


def _signs(facts: Facts, rule: str, claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    if claim.first is None:
        yield from (o.first for _, o in others if o.first and o.cls is claim.cls and o.ranks == claim.ranks)
    elif rule == "process-exit" or (rule == "declared-cause" and claim.cls is FailureClass.INFRASTRUCTURE):
        yield from _own_words(claim, others)
    elif rule == "first-exception" and claim.cls is FailureClass.NETWORK:
        yield from _warnings(facts, claim)
    elif claim.cls in OF_HOSTS and _kind(facts, claim.first) is not FileKind.KERNEL:
        yield from _of_the_host(facts, claim, others)
    elif rule == "first-exception" and claim.cls is FailureClass.CUDA_SOFTWARE:
        yield from _of_the_kernel(claim, others)


def _of_the_kernel(claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    """What the GPU's own code printed before the exception that repeats it."""
    for rule, other in others:
        if rule != "declared-cause" or other.cls is not claim.cls or other.first is None or claim.first is None:
            continue
        if other.first.file == claim.first.file and other.order < claim.order:
            yield other.first


def _of_the_host(facts: Facts, claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    """What the kernel said before a process told of the same; a line without a stamp has only a lower bound of time."""
    assert claim.first is not None, "asked only where there is one"
    stamped = find_stamp(claim.first.text, 0, MADE_UP_YEAR) is not None
    latest = claim.order[0] + (0.0 if stamped else UNSTAMPED_S)
    for rule, other in others:
        if rule != "declared-cause" or other.cls is not claim.cls or other.first is None:
            continue
        strangers = claim.hosts and other.hosts and not set(claim.hosts) & set(other.hosts)
        timely = not claim.order[0] or claim.order[0] - BEFORE_S <= other.order[0] <= latest
        if timely and not strangers and _kind(facts, other.first) is FileKind.KERNEL:
            yield other.first


def _kind(facts: Facts, line: Evidence) -> FileKind:
    return next((f.kind for f in facts.case.files if f.name == line.file), FileKind.UNKNOWN)


def _own_words(claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    """What the process or the node that ended complained of just before."""
    for rule, other in others:
        near = other.order < claim.order and claim.order[0] - other.order[0] <= BEFORE_S
        if rule == "declared-cause" and near and other.first is not None and _same_victim(claim, other):
            yield other.first


def _same_victim(claim: Claim, other: Claim) -> bool:
    if claim.cls is not FailureClass.INFRASTRUCTURE:
        return bool(claim.ranks) and other.ranks == claim.ranks
    if other.cls is not FailureClass.GPU_HARDWARE or not claim.hosts:
        return False
    return set(other.hosts) <= set(claim.hosts)


def _warnings(facts: Facts, claim: Claim) -> Iterator[Evidence]:
    """The library's own warning of the error that an exception repeats."""
    areas = registry().areas_with(Trait.WARNS)
    for event in facts.events:
        warned = event.cls is FailureClass.NETWORK and event.role in (Role.CAUSE, Role.SYMPTOM)
        if warned and event.record.pattern.area in areas and event.order[0] <= claim.order[0]:
            yield cite(facts.case, event.record, event.rank)


# -- The contest

LIVE = frozenset({FailureClass.HEALTHY, FailureClass.SLOW_TRAINING})
"""Verdicts about jobs that live: completion does not speak against them."""
TOLERANT = True
"""A rule that fails costs its own claims, not the report. Tests want the error itself."""


@dataclass(frozen=True)
class Standing:
    """One claim and the rule that makes it."""

    rule: Rule
    claim: Claim


@dataclass(frozen=True)
class Decision:
    """The winner, or None where the files do not settle it, and why the others lost."""

    winner: Standing | None
    losers: tuple[tuple[Standing, str], ...]
    """(claim, why not), strongest first."""
    broken: tuple[str, ...] = ()
    """What went wrong in which rule. One of them may have refuted the winner."""


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """Every rule below `logtui.diagnosis.rules`, by module name."""
    return tuple(declarations(rules_package, "RULE"))


def gather(facts: Facts, rules: Sequence[Rule], broken: list[str] | None = None) -> list[Standing]:
    """Everything any rule claims, earliest first. A rule that fails costs its own claims: what went wrong is added to
    `broken`, and raised where there is none."""
    fell = "" if facts.outcome.completed is None or failed_all_the_same(facts) else _completion(facts)
    found = [Standing(rule, _tested(claim, fell)) for rule in rules for claim in _claims(facts, rule, broken)]
    return sorted(found, key=lambda s: s.claim.order)


def _claims(facts: Facts, rule: Rule, broken: list[str] | None) -> list[Claim]:
    try:
        return list(rule.find(facts))
    except Exception as error:
        if broken is None:
            raise
        broken.append(clean(f"{rule.id}: {type(error).__name__}: {error}"[:300].encode("utf-8", "replace")))
        return []


def _completion(facts: Facts) -> str:
    ending = facts.outcome.completed
    assert ending is not None, "asked only where the job completed"
    return f"the job completed ({facts.case.file_name(ending)}:{ending.line})"


def _tested(claim: Claim, completion: str) -> Claim:
    """The refutation that every failure faces: the job completed all the same."""
    if claim.refuted or not completion or claim.cls in LIVE or claim.outlives:
        return claim
    return replace(claim, refuted=completion)


def decide(facts: Facts, rules: Sequence[Rule] | None = None) -> Decision:
    """Let the rules compete over one case."""
    rules = all_rules() if rules is None else rules
    broken: list[str] | None = [] if TOLERANT else None
    standings = gather(facts, [r for r in rules if not r.last_resort], broken)
    if not any(map(_is_alive, standings)):
        standings += gather(facts, [r for r in rules if r.last_resort], broken)
    alive = [s for s in standings if _is_alive(s)]
    winner = _winner(_without_outlived(alive))
    winner = _with_ranks(winner, alive)
    winner = _with_first_sign(facts, winner, standings)
    losers = [
        (s, _why_not(s, winner))
        for s in standings
        if (winner is None or s.claim.title != winner.claim.title) and s.claim.strength >= MENTIONED
    ]
    losers.sort(key=lambda pair: -pair[0].claim.strength)
    kernel = _on_whose_host(facts, winner, alive)
    if winner is not None and kernel is not None:
        winner, losers = _with_host(winner, kernel), [pair for pair in losers if pair[0].claim is not kernel]
    return Decision(winner, tuple(losers), tuple(broken or ()))


def _is_alive(standing: Standing) -> bool:
    return not standing.claim.refuted and standing.claim.strength >= ENOUGH


def _without_outlived(alive: Sequence[Standing]) -> list[Standing]:
    """Without slow steps where something else is known to have ended the job: it got that far all the same."""
    ended = any(s.claim.cls not in LIVE and s.claim.first is not None and not s.rule.last_resort for s in alive)
    return [s for s in alive if s.claim.cls is not FailureClass.SLOW_TRAINING or not ended]


def _winner(alive: Iterable[Standing]) -> Standing | None:
    best: Standing | None = None
    for standing in alive:
        if best is None or standing.claim.strength >= best.claim.strength + OVERTAKES:
            best = standing
    return best


WITNESS_SECONDS = 600.0


def _with_ranks(winner: Standing | None, alive: Iterable[Standing]) -> Standing | None:
    """A kernel or scheduler line names no rank; a rank that reports the same failure at that time does."""
    if winner is None or winner.claim.ranks or winner.claim.unranked or winner.claim.cls is FailureClass.HEALTHY:
        return winner
    for other in alive:
        near = abs(other.claim.order[0] - winner.claim.order[0]) <= WITNESS_SECONDS
        if other.claim.cls is winner.claim.cls and near and other.claim.ranks:
            lines = (*winner.claim.supporting, *other.claim.supporting[:2])
            hosts = winner.claim.hosts or other.claim.hosts
            return replace(winner, claim=replace(winner.claim, ranks=other.claim.ranks, hosts=hosts, supporting=lines))
    return winner


SEEN_BY_KERNELS = OF_HOSTS | {FailureClass.CUDA_SOFTWARE}


def _on_whose_host(facts: Facts, winner: Standing | None, alive: Iterable[Standing]) -> Claim | None:
    """What a kernel tells of the failure that a program without a host reports; None where no host is the only one."""
    if winner is None or winner.claim.hosts or winner.claim.cls not in SEEN_BY_KERNELS:
        return None
    told = [
        claim
        for claim in (s.claim for s in alive if s.claim.cls is winner.claim.cls)
        if claim.hosts and claim.first is not None and _kind(facts, claim.first) is FileKind.KERNEL
        and abs(claim.order[0] - winner.claim.order[0]) <= WITNESS_SECONDS
    ]  # fmt: skip
    return told[0] if len({host for c in told for host in c.hosts}) == 1 else None


def _with_host(winner: Standing, kernel: Claim) -> Standing:
    """The same failure with the kernel's words, line and host."""
    claim = winner.claim
    lines = tuple(dict.fromkeys((*claim.supporting, *kernel.supporting[:2])))
    title = f"{claim.title}; {kernel.title}"
    return replace(winner, claim=replace(claim, title=title, hosts=kernel.hosts, supporting=lines))


def _with_first_sign(facts: Facts, winner: Standing | None, standings: Iterable[Standing]) -> Standing | None:
    if winner is None:
        return None
    others = ((s.rule.id, s.claim) for s in standings if not s.claim.refuted and s.claim.title != winner.claim.title)
    return replace(winner, claim=with_first_sign(facts, winner.rule.id, winner.claim, others))


def _why_not(standing: Standing, winner: Standing | None) -> str:
    claim = standing.claim
    if claim.refuted:
        return claim.refuted
    if winner is None or claim.strength < ENOUGH:
        return "the evidence is too thin to claim it"
    if claim.order > winner.claim.order:
        return f"later than {_place(winner.claim)}, and no more specific"
    return f"earlier but far weaker than {_place(winner.claim)}"


def _place(claim: Claim) -> str:
    return claim.first.place if claim.first else claim.title


def confidence(decision: Decision, unexplained: int = 0) -> str:
    """high only for direct evidence that nothing refutes, no rival of another class comes near, and that leaves no line
    that looks fatal unexplained; such lines also weigh on the claim that nothing failed."""
    winner = decision.winner
    cap = _cap(winner) if winner is not None else LOW
    if winner is None or cap == LOW:
        return LOW
    claim = winner.claim
    rivals = [s.claim for s, _ in decision.losers if not s.claim.refuted and s.claim.cls is not claim.cls]
    near = any(r.strength >= claim.strength - NEAR for r in rivals)
    sure = claim.direct and not claim.refuting and cap == HIGH
    if sure and claim.strength >= SURE and not near and not decision.broken and not unexplained:
        return HIGH
    if unexplained and claim.cls is FailureClass.HEALTHY and claim.strength < SURE:
        return LOW
    return MEDIUM if claim.strength >= (LIKELY_AMONG_RIVALS if near else LIKELY) else LOW


def _cap(winner: Standing) -> str:
    """The lower of what its evidence and its rule can bear."""
    return min(winner.claim.rung.at_most, BY_MATURITY[winner.rule.maturity], key=(LOW, MEDIUM, HIGH).index)
