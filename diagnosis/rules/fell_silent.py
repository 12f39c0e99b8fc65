"""One rank stopped printing while all the others went on: no watchdog had spoken yet."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import died
from logtui.diagnosis.predicates.silence import Silent, fell_silent
from logtui.diagnosis.predicates.stall import kind_of_stall, take_its_stack
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import FELL_SILENT, FELL_SILENT_LOADING
from logtui.diagnosis.verdict.advice import BY_CLASS
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    whole = facts.case.share_read >= 1.0 and not facts.is_past
    if whole and facts.outcome.completed is None and not facts.collectives.stuck_groups:
        silent = fell_silent(facts)
        if silent:
            yield _claim(facts, silent)


def _claim(facts: Facts, silent: list[Silent]) -> Claim:
    ranks = tuple(sorted(s.rank for s in silent))
    first, who = silent[0], named_ranks(ranks)
    cls, words = kind_of_stall(facts, ranks)
    known = cls is not None and words is not None and not first.alike
    cls = cls if known else None
    line = words if known and words is not None else first.words.cited
    return Claim(
        title=f"{who} fell silent {first.seconds / 60:.0f} minutes before the others, who went on",
        cls=cls or FailureClass.UNKNOWN,
        first=line,
        order=(first.words.cited.time or 0.0, 0, first.words.cited.line),
        rung=FELL_SILENT_LOADING if cls is FailureClass.DATA_LOADING_STALL else FELL_SILENT,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=tuple(s.words.cited for s in silent[:4]),
        refuted=died(facts, ranks),
        missing=(f"what {who} did after that line: its stack, and the kernel log of its host",),
        advice=(take_its_stack(facts, ranks[0]), *BY_CLASS.get(cls or FailureClass.UNKNOWN, ())),
        what=f"{who} said nothing more after {first.words.cited.place}",
    )


RULE = Rule(
    id="fell-silent",
    title="A rank fell silent while the others went on",
    claim="A few ranks stopped printing more than five minutes before all the others, who went on.",
    needs="dated lines of most ranks",
    refuted_by="those ranks died of something that they say; the job completed; a watchdog names who waits",
    find=_find,
    maturity="tried",
)
