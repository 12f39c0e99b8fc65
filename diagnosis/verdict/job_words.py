"""What the report tells of the job beyond its scale: what it does, its data, its layout, and how it started."""

from __future__ import annotations

from dataclasses import replace

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.parallel import layout, nodes_of_a_group
from logtui.diagnosis.facts.purpose import read_activity, read_data_source
from logtui.diagnosis.facts.steps import first_step
from logtui.diagnosis.model.report import JobFacts

FIRST_STEPS = 1
"""A run whose first printed step is no later began at the beginning."""


def told_job(facts: Facts) -> JobFacts:
    """The job's facts with those that only a reader asks for."""
    job = facts.job
    sizes = layout(facts)
    return replace(
        job,
        activity=read_activity(facts.case, bool(facts.lived)),
        data_source=read_data_source(facts.case) or job.data_source,
        resumed=_resumed(facts),
        parallel=sizes,
        tensor_nodes=nodes_of_a_group(facts, sizes["TP"]) if "TP" in sizes else 1,
    )


def _resumed(facts: Facts) -> bool | None:
    if facts.job.resumed_from is not None:
        return True
    first = first_step(facts.last.steps)
    return False if first is not None and first <= FIRST_STEPS else None
