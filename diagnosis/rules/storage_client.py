"""A rank's requests to AIStore failed for good: its retries were used up."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.rules.ranking import STORAGE_GAVE_UP
from logtui.diagnosis.storage.client import given_up
from logtui.diagnosis.storage.standing import Standing
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    for one in given_up(facts.case, facts.rank_of):
        ranks = (one.rank,) if one.rank is not None else ()
        file = facts.case.file_named(one.first.file)
        who = f"rank {one.rank}" if ranks else "a rank"
        where = f" against {one.endpoint.host}:{one.endpoint.port}" if one.endpoint else ""
        tried = "1 retry" if one.attempts == 1 else f"{one.attempts} retries"
        yield Claim(
            title=f"{who} gave up on storage after {tried}{where}",
            cls=FailureClass.STORAGE_IO,
            first=one.first,
            order=(one.first.time or 0.0, file.index if file else 0, one.first.line),
            rung=STORAGE_GAVE_UP,
            ranks=ranks,
            hosts=(*_blamed(facts), *hosts_of(facts, ranks)),
            supporting=(one.first, one.last),
            direct=True,
        )
        return


def _blamed(facts: Facts) -> tuple[str, ...]:
    """Daemons at which requests failed, as far as their logs or the proxies' tell."""
    judgement = facts.storage.judgement if facts.storage else None
    return judgement.blamed if judgement is not None and judgement.standing is Standing.IMPLICATED else ()


RULE = Rule(
    id="storage-client",
    title="Retries against storage exhausted",
    claim="The client tried again until its limit and then failed; the first retry is the first sign.",
    needs="the client's retry lines and the line that gives up",
    refuted_by="the job completed",
    find=_find,
)
