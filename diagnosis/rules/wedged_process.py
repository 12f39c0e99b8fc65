"""A rank's own watchdog thread is stuck: its process hangs inside a CUDA or NCCL call."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of, singled_out
from logtui.diagnosis.predicates.hangs import well_covered
from logtui.diagnosis.rules.ranking import WEDGED, WEDGED_ALONE, WEDGED_AMONG_MANY
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    wedged = facts.collectives.wedged
    if not wedged:
        return
    rank, record = min(wedged.items(), key=lambda kv: (kv[1].time or 0.0, kv[1].file, kv[1].line))
    ranks = singled_out(facts, set(wedged)) if well_covered(facts) else ()
    seconds = record.number("seconds") or 0
    first = cite(facts.case, record, rank)
    begun = (record.time or 0.0) - seconds if record.time is not None else 0.0
    yield Claim(
        title=f"rank {rank} hangs inside a CUDA or NCCL call" + (f" for {seconds} s" if seconds else ""),
        cls=FailureClass.CUDA_SOFTWARE,
        first=first,
        order=(begun, record.file, record.line),
        rung=WEDGED if ranks else WEDGED_AMONG_MANY if well_covered(facts) else WEDGED_ALONE,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=(first,),
        missing=("the kernel log of that host (Xid lines), and a stack of the process (py-spy, gdb)",),
    )


RULE = Rule(
    id="wedged-process",
    title="A process is wedged in the driver",
    claim="The heartbeat monitor found the rank's watchdog thread itself stuck: this process, not the others.",
    needs="a heartbeat monitor line",
    refuted_by="most ranks' logs are missing, so that it may have been all of them",
    find=_find,
    maturity="tried",
    references=("pytorch ProcessGroupNCCL heartbeat monitor",),
)
