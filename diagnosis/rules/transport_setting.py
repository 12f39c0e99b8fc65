"""NCCL hangs in its very first collectives while its transport is overridden by the environment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.hangs import blamed
from logtui.diagnosis.predicates.stall import start_order
from logtui.diagnosis.rules.ranking import TRANSPORT_SETTING
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.record import Record

RISKY = (
    "NET_GDR_LEVEL",
    "P2P_LEVEL",
    "NET_PLUGIN",
    "NET_GDR_READ",
    "CROSS_NIC",
    "IB_GID_INDEX",
    "PROTO",
    "ALGO",
)


NARROWED = re.compile(r"P2P_LEVEL set by environment to (?:LOC|0)\b")
"""Without peer access NCCL goes through host memory, which works everywhere: what is set so works around a hang."""


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.steps:
        return
    for hang, _ in blamed(facts, RULE.id):
        settings = (r for r in facts.case.records.of("nccl.environment") if _is_risky(r.first_line))
        yield from (_claim(facts, setting, start_order(hang.group)[0]) for setting in islice(settings, 1))
        return


def _is_risky(line: str) -> bool:
    return any(name in line for name in RISKY) and NARROWED.search(line) is None


def _claim(facts: Facts, setting: Record, start: float) -> Claim:
    first = cite(facts.case, setting)
    name = setting.fields.get("variable", "NCCL's transport")
    return Claim(
        title=f"NCCL hangs in its first collectives with {name} overridden by the environment",
        cls=FailureClass.CONFIG,
        first=first,
        order=(min(start, setting.time) if setting.time is not None else start, setting.file, setting.line),
        rung=TRANSPORT_SETTING,
        supporting=(first,),
        missing=("the same job without that setting",),
        advice=(Advice("training", f"unset {name} and run again; NCCL chooses by itself"),),
    )


RULE = Rule(
    id="transport-setting",
    title="A transport setting that hangs NCCL",
    claim="No collective of the job's first ones ever finishes, and the environment overrides how NCCL moves data.",
    needs="NCCL's `set by environment` line and timeouts on two ranks within the first operations",
    refuted_by="training that made steps",
    find=_find,
    maturity="tried",
)
