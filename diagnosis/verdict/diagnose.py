"""From records to a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from logtui.diagnosis.as_written import as_written
from logtui.diagnosis.evidence import cite, verify
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.copies import copies
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.slow_steps import Periodic, periodic, slow_spans
from logtui.diagnosis.facts.steps import first_step, last_step, median_ms
from logtui.diagnosis.facts.understood import read_understood
from logtui.diagnosis.model.analyses import AttemptSummary, Explained, History, Recurring, Witnesses
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import (
    Coverage,
    ErrorType,
    PatternCount,
    PeriodicSteps,
    Recommendation,
    Report,
    RunnerUp,
    SlowSpan,
    Steps,
    Symptom,
    Verdict,
)
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.predicates.blame import NOBODYS, hosts_of, is_single_process
from logtui.diagnosis.predicates.data_share import data_symptom
from logtui.diagnosis.predicates.slowdown import timed_series
from logtui.diagnosis.predicates.stall import unheard
from logtui.diagnosis.predicates.uneven_drops import uneven_drops
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.verdict.chain import chain
from logtui.diagnosis.verdict.dating import Dating
from logtui.diagnosis.verdict.engine import Decision, confidence, decide
from logtui.diagnosis.verdict.explain import explain, unexplained
from logtui.diagnosis.verdict.headline import failed_before, headline
from logtui.diagnosis.verdict.job_words import told_job
from logtui.diagnosis.verdict.pace import read_pace
from logtui.diagnosis.verdict.phase_ends import phase_ends
from logtui.diagnosis.verdict.rank_states import rank_states
from logtui.diagnosis.verdict.recommendations import meanings, recommendations, storage_to_fetch
from logtui.diagnosis.verdict.rule import Claim
from logtui.diagnosis.verdict.testimony import hear
from logtui.diagnosis.verdict.time_read import lines_read, read_window
from logtui.diagnosis.verdict.timeline import timeline
from logtui.diagnosis.verdict.to_bring import logs_to_bring, nodes_missing
from logtui.diagnosis.version import version
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark, Pattern, Role
from logtui.parsers.registry import registry

# -- Counts of patterns: in total, per file, per rank; retries that recover against those that exhaust

RANKS_LISTED = 512


def counts(facts: Facts) -> tuple[PatternCount, ...]:
    """Every pattern that matched and is not a mere job fact, most frequent first."""
    patterns = {p.name: p for p in facts.case.records.patterns}
    silent = {name for name, pattern in patterns.items() if pattern.role is Role.INFO}
    names, ranks_of_files = [file.name for file in facts.case.files], facts.identity.by_file
    by_file: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    by_rank: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    twice = copies(facts.case)
    for c in facts.case.records.counts:
        if c.pattern in silent:
            continue
        if twice.counts(c.pattern, c.file):
            by_file[c.pattern][names[c.file]] += c.total
        rank = c.rank if c.rank >= 0 else ranks_of_files.get(c.file, -1)
        if rank >= 0 and twice.tells_ranks(c.pattern, c.file):
            by_rank[c.pattern][rank] += c.total
    out = []
    for name, files in by_file.items():
        most, of = _retry(facts, name)
        ranks = dict(sorted(by_rank[name].items())[:RANKS_LISTED])
        noise = patterns[name].role is Role.NOISE or _passed(facts, patterns[name])
        out.append(PatternCount(name, sum(files.values()), dict(files), ranks, most, of, noise))
    return tuple(sorted(out, key=lambda c: (-c.total, c.pattern)))


def _passed(facts: Facts, pattern: Pattern) -> bool:
    """Whether training went on after all of what may pass, or it was the first of some tries and none was the last."""
    if Mark.PASSING not in pattern.marks:
        return False
    records = facts.case.records
    given_up = records.total("retry.last") or records.total("retry.exhausted")
    tried_again = set() if given_up else {(r.file, r.line) for r in records.of("retry.counted")}
    return all((r.file, r.line) in tried_again or facts.recovered(r) for r in records.of(pattern.name))


def _retry(facts: Facts, name: str) -> tuple[int | None, int | None]:
    """The highest attempt and the limit, for patterns that carry `attempt` and `of`."""
    pattern = next(p for p in facts.case.records.patterns if p.name == name)
    if "attempt" not in pattern.fields:
        return None, None
    best: tuple[int | None, int | None] = (None, None)
    for record in facts.case.records.of(name):
        attempt, of = record.number("attempt"), record.number("of")
        if attempt is not None and (best[0] is None or attempt > best[0]):
            best = (attempt, of)
    return best


ERROR_TYPES = 100


def error_types(facts: Facts) -> tuple[ErrorType, ...]:
    """Exceptions by type: how many, and on which ranks."""
    alike: dict[str, list[ExceptionFact]] = defaultdict(list)
    for fact in facts.exceptions:
        alike[fact.traceback.root.exception].append(fact)
    found = [
        ErrorType(name, len(some), tuple(sorted({e.rank for e in some if e.rank is not None})), some[0].evidence)
        for name, some in alike.items()
        if name
    ]
    return tuple(sorted(found, key=lambda e: (-len(e.ranks), -e.total, e.name))[:ERROR_TYPES])


# -- Coverage: what was read and what was not; silence counted


def coverage(facts: Facts) -> Coverage:
    """Files, bytes, lines, ranks; every gap named."""
    case = facts.case
    expected, source = facts.expected
    storage = facts.storage
    lines = lines_read(case) + (storage.logs.lines if storage else 0)
    matched = sum(i.matched for i in case.indexes.values()) + (storage.logs.lines if storage else 0)
    understood, unknown = read_understood(case) if case.share_read >= 1.0 else ((), ())
    return Coverage(
        files=len(case.files),
        files_unread=_unread(facts),
        bytes=sum(f.size - f.empty for f in case.files),
        lines=lines,
        lines_unparsed=max(0, lines - matched),
        ranks_expected=expected,
        ranks_expected_from=source,
        ranks_seen=len({*facts.seen_ranks, *facts.heard_ranks, *facts.identity.by_task.values()}),
        ranks_missing=tuple(r for r in facts.lost_ranks if r not in facts.heard_ranks),
        nodes_missing=nodes_missing(facts),
        share_read=case.share_read,
        site_formats=registry().site,
        window=read_window(case),
        understood=understood,
        unknown_sentences=unknown,
    )


def _unread(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Every file that was not read, or not to its end, and why; dumps, daemon logs and a site's formats included."""
    storage = facts.storage.logs.unread if facts.storage else ()
    dumps = facts.dumps.refused if facts.dumps else ()
    return (*((u.file, u.why) for u in (*facts.case.unread, *storage)), *dumps, *registry().refused)


# -- Earlier attempts: what they ended of, and who is to blame more than once

DIAGNOSED = 12
"""Attempts that are diagnosed, the last ones; a job that is preempted all night has hundreds."""
OF_THE_MACHINE = frozenset(
    {"gpu-hardware", "network", "host-oom", "storage-io", "infrastructure", "data-loading-stall"}
)
"""Classes for which another host is worth trying."""
UNDECIDED = "undecided: the files do not establish a cause"


def history(facts: Facts, verdict: Verdict) -> History:
    """Diagnose the earlier attempts of a case whose verdict is about the last one; empty for a single attempt."""
    attempts = facts.attempts
    if len(attempts) < 2:
        return History()
    past = attempts[max(0, len(attempts) - DIAGNOSED) : -1]
    told = [_summary(facts, n.number, facts.of_past(n)) for n in past]
    last = AttemptSummary(
        len(attempts), _begins(facts, len(attempts) - 1), verdict.cls, verdict.title, verdict.confidence,
        verdict.culprit_ranks, verdict.culprit_hosts or hosts_of(facts.last, verdict.culprit_ranks),
        verdict.first_evidence, phase_ends(facts.last, verdict.cls, verdict.first_evidence),
    )  # fmt: skip
    whole = (*told, last)
    return History(whole, tuple(_recurring(whole)))


def _begins(facts: Facts, number: int) -> Evidence | None:
    first = facts.attempts[number].first
    return cite(facts.case, first) if first is not None else None


def _summary(whole: Facts, number: int, facts: Facts) -> AttemptSummary:
    decision: Decision = decide(facts)
    begins = _begins(whole, number)
    if decision.winner is None:
        ends = phase_ends(facts, "unknown", None)
        return AttemptSummary(number + 1, begins, "unknown", UNDECIDED, "low", phases=ends)
    claim = decision.winner.claim
    hosts = claim.hosts or hosts_of(facts, claim.ranks)
    return AttemptSummary(
        number + 1, begins, claim.cls.value, claim.title, confidence(decision), claim.ranks, hosts, claim.first,
        phase_ends(facts, claim.cls.value, claim.first),
    )  # fmt: skip


def _recurring(attempts: Sequence[AttemptSummary]) -> Iterator[Recurring]:
    """Ranks may be given to other hosts by a restart: hosts come first."""
    blamed: dict[tuple[str, str], list[AttemptSummary]] = defaultdict(list)
    for one in attempts:
        for kind, names in (("host", one.culprit_hosts), ("rank", one.culprit_ranks)):
            for name in names:
                blamed[kind, str(name)].append(one)
    for (kind, name), told in sorted(blamed.items(), key=lambda kv: (kv[0][0], -len(kv[1]), kv[0][1])):
        if len(told) > 1:
            lines = tuple(a.evidence for a in told if a.evidence is not None)
            machine = kind == "host" and sum(a.cls in OF_THE_MACHINE for a in told) > 1
            yield Recurring(kind, name, tuple(a.number for a in told), lines, machine)


# -- The report

RUNNERS_UP = 6
SYMPTOMS = 30


def diagnose(case: Case, offset_s: float | None = None) -> Report:
    """Everything the records establish, every citation verified, in the order people read it. Deterministic.

    `offset_s` is what to add to an AIStore daemon's time to get the workers', where the user knows it.
    """
    return report_on(Facts(case, None if offset_s is None else GivenOffset(offset_s)))


def report_on(whole: Facts) -> Report:
    """The report on a case whose facts the caller keeps. Of several attempts, the verdict is about the last one."""
    facts, decision = whole.last, decide(whole.last)
    case, storage, dating = facts.case, facts.storage, Dating(whole)
    explained = explain(facts, decision) if case.share_read >= 1.0 else ()
    verdict = _dated(_verdict(facts, decision, explained), dating)
    past = history(whole, verdict) if case.share_read >= 1.0 else None
    verdict = replace(_after_failures(verdict, past), title=headline(facts, verdict, past))
    links, witnesses = chain(facts, decision, dating), hear(facts)
    verdict = _weighed(verdict, witnesses)
    told = [*([verdict.first_evidence] if verdict.first_evidence else []), *(e for s in links for e in s.evidence)]
    disputed = [e for d in (witnesses.disagreements if witnesses else ()) for e in d.evidence]
    cited = [*told, *verdict.supporting, *(storage.cited if storage else ()), *disputed]
    report = Report(
        version(),
        told_job(whole),
        coverage(whole),
        verdict,
        links,
        _symptoms(facts, decision),
        rank_states(facts, verdict.culprit_ranks),
        timeline(whole, told, dating),
        clocks=storage.clocks if storage else (),
        ais=storage.as_dict() if storage else None,
        flight_recorder=facts.dumps.as_dict() if facts.dumps else None,
        counts=counts(whole),
        errors=error_types(whole),
        steps=_steps(facts),
        recommendations=(*recommendations(facts, decision), *_avoid(past)),
        verification=verify(case, as_written(case, tuple(cited))),
        provisional=case.share_read < 1.0,
        odd_lines=facts.odd_lines if _wants_odd_lines(facts, verdict) else None,
        history=past,
        witnesses=witnesses,
        explained=explained,
        phases=phase_ends(facts, verdict.cls, verdict.first_evidence),
    )
    return as_written(case, report)


def _dated(verdict: Verdict, dating: Dating) -> Verdict:
    """The verdict with the times of the lines it rests on."""
    first = dating.line(verdict.first_evidence) if verdict.first_evidence else None
    return replace(verdict, first_evidence=first, supporting=dating.lines(verdict.supporting))


def _wants_odd_lines(facts: Facts, verdict: Verdict) -> bool:
    """Comparing lines takes longer than scanning a gigabyte: only where the rules know little, or the user asks."""
    return facts.case.share_read >= 1.0 and (verdict.confidence == "low" or facts.has_baseline)


def _avoid(past: History | None) -> Iterator[Recommendation]:
    """Hosts to blame in more than one attempt are better left out of the next."""
    for one in past.recurring if past else ():
        if one.of_the_machine:
            yield Recommendation("infrastructure", f"submit without {one.name}: {one.what}", one.evidence)


def _after_failures(verdict: Verdict, past: History | None) -> Verdict:
    """A job of which earlier attempts failed is not healthy beyond doubt: that they are earlier ones was inferred."""
    sure = verdict.cls == "healthy" and verdict.confidence == "high"
    failed = failed_before(past.attempts) if past is not None and sure else 0
    return replace(verdict, confidence="medium") if failed else verdict


def _weighed(verdict: Verdict, witnesses: Witnesses | None) -> Verdict:
    """No high confidence in ranks that another witness acquits by pointing at others."""
    ranks = set(verdict.culprit_ranks)
    others = [
        said for said in (witnesses.testimonies if witnesses else ()) if said.ranks and not ranks & set(said.ranks)
    ]
    return replace(verdict, confidence="medium") if ranks and others and verdict.confidence == "high" else verdict


def _verdict(facts: Facts, decision: Decision, explained: Sequence[Explained] = ()) -> Verdict:
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
    to_fetch = storage_to_fetch(facts, claim)
    doubts = unexplained(explained)
    missing = (*claim.missing, *_missing(facts, decision), *(to_fetch.missing if to_fetch else ()), *_doubtful(doubts))
    return Verdict(
        claim.cls.value,
        claim.title,
        confidence(decision, len(doubts)),
        claim.ranks or _only_rank(facts, claim),
        claim.hosts,
        claim.first,
        runners_up,
        tuple(dict.fromkeys(missing)),
        decision.winner.rule.id,
        claim.supporting,
        claim.refuting,
        meanings(facts, claim),
    )


def _doubtful(doubts: Sequence[Explained]) -> Iterator[str]:
    """The first line that the verdict leaves unexplained, and how many there are."""
    if doubts:
        many = f", and of {len(doubts) - 1} more that look fatal" if len(doubts) > 1 else ""
        yield f"what became of {doubts[0].evidence.place}{many}: {doubts[0].why}"


def _only_rank(facts: Facts, claim: Claim) -> tuple[int, ...]:
    return (0,) if claim.cls not in NOBODYS and is_single_process(facts) else ()


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
    out += logs_to_bring(facts)
    if decision.winner is None:
        out += unheard(facts)
        read = facts.dumps is not None and bool(facts.dumps.joined.units)
        dumps = "" if read else "flight-recorder dumps, "
        out.append(f"{dumps}kernel logs of the hosts, and the scheduler's record of the job")
    return tuple(out)


def _symptoms(facts: Facts, decision: Decision) -> tuple[Symptom, ...]:
    """Echoes folded by kind, with how often and on how many ranks."""
    echoes = [(name, events) for name, events in facts.events_by_name.items() if events[0].role is Role.SYMPTOM]
    out = []
    for name, events in sorted(echoes, key=lambda kv: -len(kv[1]))[:SYMPTOMS]:
        ranks = {rank for e in events if (rank := e.rank) is not None}
        who = f" on {named_ranks(ranks)}" if ranks else ""
        total = max(facts.case.records.total(name), len(events))
        title = events[0].record.title or name
        out.append(
            Symptom(
                f"{title}: {total} line{'s' if total != 1 else ''}{who}",
                (cite(facts.case, events[0].record, events[0].rank),),
                events[0].record.note,
            )
        )
    return (*data_symptom(facts), *uneven_drops(facts), *out)


def _periodic(facts: Facts, found: Periodic | None) -> PeriodicSteps | None:
    if found is None:
        return None
    return PeriodicSteps(found.every, round(found.ratio, 3), cite(facts.case, facts.case.records[found.row]))


def _steps(facts: Facts) -> Steps | None:
    if not facts.steps:
        return None
    found = timed_series(facts.case, facts.steps)
    slow = tuple(
        SlowSpan(s.first, s.last, round(s.ratio, 3), cite(facts.case, facts.case.records[s.row]))
        for s in (slow_spans(*found) if found else ())
    )
    told = _periodic(facts, periodic(*found) if found else None)
    first, last, usual = first_step(facts.steps), last_step(facts.steps), median_ms(facts.steps)
    return Steps(first, last, usual, slow, read_pace(facts), told)
