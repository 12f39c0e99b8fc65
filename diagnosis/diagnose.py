"""From records to a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from logtui.diagnosis.advice import BY_CLASS
from logtui.diagnosis.attempts.history import history
from logtui.diagnosis.chain import chain
from logtui.diagnosis.counts import counts
from logtui.diagnosis.coverage import coverage
from logtui.diagnosis.engine import Decision, confidence, decide
from logtui.diagnosis.evidence import cite, verify
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.findings import Evidence, History, Witnesses
from logtui.diagnosis.model import Recommendation, Report, RunnerUp, SlowSpan, Steps, Symptom, Verdict
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.pace.analyse import read_pace
from logtui.diagnosis.pace.changes import timed_series
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rank_states import rank_states
from logtui.diagnosis.rule import Claim
from logtui.diagnosis.sole_process import NOBODYS, sole_process
from logtui.diagnosis.stall import unheard
from logtui.diagnosis.steps import first_step, last_step, median_ms, slow_spans
from logtui.diagnosis.storage.judgement import StorageAdvice, advice_when_cleared, advice_without_logs
from logtui.diagnosis.storage.suspects import Suspect
from logtui.diagnosis.timeline import timeline
from logtui.diagnosis.version import version
from logtui.diagnosis.witnesses import hear
from logtui.parsers.case import Case
from logtui.parsers.pattern import FailureClass, Role

RUNNERS_UP = 6
SYMPTOMS = 30
SUSPECTS_STORAGE = frozenset({FailureClass.STORAGE_IO, FailureClass.DATA_LOADING_STALL})


def diagnose(case: Case, offset_s: float | None = None) -> Report:
    """Everything the records establish, every citation verified, in the order people read it. Deterministic.

    `offset_s` is what to add to an AIStore daemon's time to get the workers', where the user knows it.
    """
    return report_on(Facts(case, None if offset_s is None else GivenOffset(offset_s)))


def report_on(whole: Facts) -> Report:
    """The report on a case whose facts the caller keeps. Of several attempts, the verdict is about the last one."""
    facts, decision = _last_that_tells(whole)
    case, storage = facts.case, facts.storage
    verdict = _verdict(facts, decision)
    past = history(whole, verdict) if case.share_read >= 1.0 else None
    links, witnesses = chain(facts, decision), hear(facts)
    verdict = _weighed(verdict, witnesses)
    cited = [
        *([verdict.first_evidence] if verdict.first_evidence else []),
        *verdict.supporting,
        *(e for s in links for e in s.evidence),
        *(storage.cited if storage else ()),
        *(e for d in (witnesses.disagreements if witnesses else ()) for e in d.evidence),
    ]
    return Report(
        version(),
        whole.job,
        coverage(whole),
        verdict,
        links,
        _symptoms(facts, decision),
        rank_states(facts),
        timeline(whole),
        clocks=storage.clocks if storage else (),
        ais=storage.as_dict() if storage else None,
        flight_recorder=facts.dumps.as_dict() if facts.dumps else None,
        counts=counts(whole),
        steps=_steps(facts),
        recommendations=(*_recommendations(facts, decision), *_avoid(past)),
        verification=verify(case, cited),
        provisional=case.share_read < 1.0,
        odd_lines=facts.odd_lines if _wants_odd_lines(facts, verdict) else None,
        history=past,
        witnesses=witnesses,
    )


def _wants_odd_lines(facts: Facts, verdict: Verdict) -> bool:
    """Comparing lines takes longer than scanning a gigabyte: only where the rules know little, or the user asks."""
    return facts.case.share_read >= 1.0 and (verdict.confidence == "low" or facts.has_baseline)


def _last_that_tells(whole: Facts) -> tuple[Facts, Decision]:
    """The last attempt; all of them together where nothing settles that one: it may have died of what came before."""
    decision = decide(whole.last)
    if decision.winner is not None or whole.last is whole:
        return whole.last, decision
    return whole, decide(whole)


def _avoid(past: History | None) -> Iterator[Recommendation]:
    """Hosts to blame in more than one attempt are better left out of the next."""
    for one in past.recurring if past else ():
        if one.of_the_machine:
            yield Recommendation("infrastructure", f"submit without {one.name}: {one.what}", one.evidence)


def _weighed(verdict: Verdict, witnesses: Witnesses | None) -> Verdict:
    """No high confidence in ranks that another witness acquits by pointing at others."""
    ranks = set(verdict.culprit_ranks)
    others = [
        said for said in (witnesses.testimonies if witnesses else ()) if said.ranks and not ranks & set(said.ranks)
    ]
    return replace(verdict, confidence="medium") if ranks and others and verdict.confidence == "high" else verdict


def _verdict(facts: Facts, decision: Decision) -> Verdict:
    runners_up = tuple(_runners_up(decision))[:RUNNERS_UP]
    if decision.winner is None:
        return Verdict(
            "unknown",
            "Undecided: the files do not establish a cause",
            "low",
            first_evidence=_first_symptom(facts),
            runners_up=runners_up,
            missing=_missing(facts, decision),
        )
    claim = decision.winner.claim
    to_fetch = _storage_to_fetch(facts, claim)
    missing = (*claim.missing, *_missing(facts, decision), *(to_fetch.missing if to_fetch else ()))
    return Verdict(
        claim.cls.value,
        claim.title,
        confidence(decision),
        claim.ranks or _only_rank(facts, claim),
        claim.hosts,
        claim.first,
        runners_up,
        tuple(dict.fromkeys(missing)),
        decision.winner.rule.id,
        claim.supporting,
        claim.refuting,
    )


def _only_rank(facts: Facts, claim: Claim) -> tuple[int, ...]:
    return (0,) if claim.cls not in NOBODYS and sole_process(facts) else ()


def _runners_up(decision: Decision) -> Iterator[RunnerUp]:
    seen: set[tuple[str, str]] = set()
    for standing, why in decision.losers:
        claim = standing.claim
        if (claim.cls.value, claim.title) not in seen:
            seen.add((claim.cls.value, claim.title))
            yield RunnerUp(claim.cls.value, claim.title, why, claim.supporting[:3])


def _first_symptom(facts: Facts) -> Evidence | None:
    timeout = facts.collectives.first_timeout
    if timeout is not None:
        return cite(facts.case, timeout.record, timeout.rank)
    event = next((e for e in facts.events if e.role in (Role.CAUSE, Role.SYMPTOM)), None)
    return cite(facts.case, event.record, event.rank) if event else None


def _missing(facts: Facts, decision: Decision) -> tuple[str, ...]:
    out = [
        f"what a rule would have said that failed ({what}): a bug of logtui, please report it"
        for what in decision.broken
    ]
    if facts.missing_ranks:
        out.append(f"the logs of {named_ranks(facts.missing_ranks)}")
    if decision.winner is None:
        out += unheard(facts)
        out.append("flight-recorder dumps, kernel logs of the hosts, and the scheduler's record of the job")
    return tuple(out)


def _symptoms(facts: Facts, decision: Decision) -> tuple[Symptom, ...]:
    """Echoes folded by kind, with how often and on how many ranks."""
    echoes = [(name, events) for name, events in facts.events_by_name.items() if events[0].role is Role.SYMPTOM]
    out = []
    for name, events in sorted(echoes, key=lambda kv: -len(kv[1]))[:SYMPTOMS]:
        ranks = {e.rank for e in events if e.rank is not None}
        who = f" on {named_ranks(ranks)}" if ranks else ""
        total = max(facts.case.records.total(name), len(events))
        title = events[0].record.pattern.title or name
        out.append(
            Symptom(
                f"{title}: {total} line{'s' if total != 1 else ''}{who}",
                (cite(facts.case, events[0].record, events[0].rank),),
            )
        )
    return tuple(out)


def _recommendations(facts: Facts, decision: Decision) -> tuple[Recommendation, ...]:
    if decision.winner is None:
        return ()
    claim = decision.winner.claim
    because = (claim.first,) if claim.first else ()
    advice = claim.advice or decision.winner.rule.advice or BY_CLASS.get(claim.cls, ())
    found = tuple(Recommendation(a.side, a.what, because) for a in advice)
    storage = facts.storage.judgement if facts.storage and claim.cls in SUSPECTS_STORAGE else None
    if storage is not None and (elsewhere := advice_when_cleared(storage)):
        return (*(r for r in found if r.side != "storage"), *elsewhere)
    to_fetch = _storage_to_fetch(facts, claim)
    return found + (to_fetch.recommendations if to_fetch else ())


def _storage_to_fetch(facts: Facts, claim: Claim) -> StorageAdvice | None:
    """Which daemon logs to fetch, where storage is suspected and they are not there."""
    if facts.storage is not None or claim.cls not in SUSPECTS_STORAGE:
        return None
    return advice_without_logs(facts.case, facts.failure_window, [Suspect(r) for r in claim.ranks])


def _steps(facts: Facts) -> Steps | None:
    if not facts.steps:
        return None
    found = timed_series(facts.case, facts.steps)
    slow = tuple(
        SlowSpan(s.first, s.last, round(s.ratio, 3), cite(facts.case, facts.case.records[s.row]))
        for s in (slow_spans(*found) if found else ())
    )
    return Steps(first_step(facts.steps), last_step(facts.steps), median_ms(facts.steps), slow, read_pace(facts))
