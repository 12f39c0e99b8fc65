"""What of a job's lines speaks of AIStore where no client of it logged an error: last words, tracebacks, settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.last_words import last_words
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.storage.client import Endpoint, endpoints
from logtui.diagnosis.verdict.rule import Claim
from logtui.parsers.regex import regex

_SPEAKS = regex(
    r"\bais://|\baistore\b|\bais-proxy\b|lhotse[./]ais\b|/v1/(?:objects|ml/moss)\b|(?::|port=)5108[01]\b|\brequest_client:\d",
    re.I,
)
_FRAMES = regex(r"[/\\]aistore[/\\]|[/\\]lhotse[/\\]ais[/\\]")
_RETRIES = ("retry.counted", "retry.last")
MOST_RANKS = 8
CITED = 3


@dataclass(frozen=True, slots=True)
class Signs:
    """Lines that speak of AIStore, and the servers that they name."""

    cited: tuple[Evidence, ...]
    servers: tuple[Endpoint, ...]


def storage_signs(facts: Facts, claim: Claim) -> Signs | None:
    """Of the ranks that a claim is about, and of the job's settings; None where nothing speaks of AIStore."""
    lines = list(_lines(facts, claim))
    source = facts.job.data_source or ""
    if _SPEAKS.search(source) is None:
        source = ""
    if not lines and not source:
        return None
    servers = [e for text in (*(line.text for line in lines), source) for e in endpoints(text)]
    return Signs(tuple(dict.fromkeys(lines))[:CITED], tuple(dict.fromkeys(servers)))


def _lines(facts: Facts, claim: Claim) -> Iterator[Evidence]:
    yield from (e for e in claim.supporting if _SPEAKS.search(e.text))
    for fact in facts.exceptions:
        through = any(_FRAMES.search(f.file) for t in (fact.traceback, *fact.traceback.chain) for f in t.frames)
        if fact.rank in claim.ranks and (through or _SPEAKS.search(fact.evidence.text)):
            yield fact.evidence
    for rank in claim.ranks[:MOST_RANKS]:
        for words in last_words(facts.identity, rank):
            if _SPEAKS.search(words.text):
                yield words.cited
    retried = (r for r in facts.case.records.of(*_RETRIES) if _SPEAKS.search(r.text))
    yield from (cite(facts.case, r, facts.rank_of(r)) for r in list(retried)[:1])
