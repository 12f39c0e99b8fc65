"""A case of any size made in memory: ranks in three kinds of process groups, records by the million, one huge file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import (
    ChainStep,
    Coverage,
    GroupState,
    JobFacts,
    RankState,
    Report,
    StuckOn,
    TimelineEvent,
    Verdict,
)
from logtui.diagnosis.session.opening import Analysis, Options, Update
from logtui.parsers.files.case import Case, FileIndex
from logtui.parsers.files.discover import discover
from logtui.parsers.records.record import ROW, RecordTable, Rows
from logtui.parsers.registry import registry
from logtui.parsers.scan.plan import Progress

DIED = 1_772_725_323.0
RUN_S = 18 * 3600.0
LIMIT_S = 1800.0
PER_NODE = 8
TENSOR = 8
EVENTS = 2000
HUGE = "huge.log"
BLOCK_LINES = 8192


@dataclass(frozen=True)
class BigJob:
    """A report and the case it is about; `read` stands in for the session."""

    folder: Path
    case: Case
    report: Report

    def read(self, paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        """One update, at once."""
        progress = Progress(len(self.case.files), len(self.case.files), 1, 1)
        yield Update(progress, Analysis(self.case, self.report, facts=Facts(self.case)))


def build(folder: Path, ranks: int, records: int, huge_bytes: int) -> BigJob:
    """Write `folder` and describe it. `huge_bytes` is the size of the file that the raw viewer shows."""
    folder.mkdir(parents=True)
    block = _block()
    blocks = max(huge_bytes // len(block), 1)
    with (folder / HUGE).open("wb") as out:
        for _ in range(blocks):
            out.write(block)
    nodes = -(-ranks // PER_NODE)
    for node in range(min(nodes, 256)):
        (folder / f"error-4821-{node}.out").write_bytes(block[: 1 << 14])
    files = discover([folder]).files
    huge = next(f.index for f in files if f.name == HUGE)
    at = np.arange(blocks, dtype=np.int64)
    lines = blocks * BLOCK_LINES
    index = FileIndex(at * len(block), at * BLOCK_LINES, blocks * len(block), lines, lines, complete=True)
    case = Case(files, RecordTable(_rows(records, ranks, len(files)), b"", [], registry().patterns), {huge: index})
    return BigJob(folder, case, _report(ranks, len(files), lines))


def _block() -> bytes:
    """Some 1 MB of lines that are alike but not equal."""
    text = "2026-03-05 {:02d}:{:02d}:{:02d},{:03d} INFO trainer: [rank{}] step {} loss 2.{:04d} grad norm 0.{:04d} {}\n"
    return "".join(
        text.format(n // 3600, n // 60 % 60, n % 60, n % 1000, n % 512, n, n * 7 % 9999, n * 13 % 9999, "x" * (n % 60))
        for n in range(BLOCK_LINES)
    ).encode()


def _rows(count: int, ranks: int, files: int) -> Rows:
    rng = np.random.default_rng(7)
    rows = np.zeros(count, ROW)
    rows["file"] = np.sort(rng.integers(0, files, count))
    rows["pattern"] = rng.integers(0, len(registry().patterns), count)
    rows["rank"] = rng.integers(0, ranks, count)
    rows["time"] = DIED - RUN_S + np.sort(rng.random(count)) * RUN_S
    rows["time_from"], rows["line"] = 2, np.arange(1, count + 1)
    rows["text"], rows["host"] = -1, -1
    return rows


def _report(ranks: int, files: int, lines: int) -> Report:
    culprit = ranks * 57 // 128
    proof = Evidence(HUGE, lines // 2, "opening shard", DIED - LIMIT_S, rank=culprit)
    verdict = Verdict(
        "data-loading-stall", f"rank {culprit} never entered ALLREDUCE #1234 of default_pg: stalled in data loading",
        "high", (culprit,), (f"node{culprit // PER_NODE:04d}",), proof,
    )  # fmt: skip
    states = tuple(_state(rank, ranks, culprit, lines) for rank in range(ranks))
    step = RUN_S / EVENTS
    timeline = tuple(
        TimelineEvent(
            DIED - RUN_S + n * step, "exact", ("worker", "nccl", "launcher", "steps")[n % 4], n % ranks,
            f"event {n}", HUGE, 1 + n * 17 % lines, severity=("info", "warning", "error")[n % 3],
        )
        for n in range(EVENTS)
    )  # fmt: skip
    chain = (ChainStep(1, "it stalls", proof.time, evidence=(proof,)),)
    job = JobFacts(
        "4821", "NeMo", "2.5", "torchrun", "slurm", ranks, -(-ranks // PER_NODE), PER_NODE, DIED - RUN_S, DIED
    )
    coverage = Coverage(files, (), 0, lines, 0, ranks, None, ranks)
    return Report("0", job, coverage, verdict, chain, (), states, timeline)


def _state(rank: int, ranks: int, culprit: int, lines: int) -> RankState:
    odd = rank == culprit
    at = Evidence(HUGE, 1 + rank * 41 % lines, "last words", DIED - LIMIT_S if odd else DIED - rank % 7, rank=rank)
    stuck = None if odd else StuckOn(1234, "ALLREDUCE", 1024, 1024, int(LIMIT_S * 1000))
    status = "never_entered" if odd else "waiting"
    world = GroupState("0", "default_pg", 1234 - odd, 1234 - odd, 1233, stuck, status, at)
    tensor = GroupState(f"{1 + rank // TENSOR}", "TENSOR_MODEL_PARALLEL_GROUP", 88, 88, 88, None, "healthy", at)
    host = f"node{rank // PER_NODE:04d}"
    words = ("notified" if odd else "initiator", (world, tensor), at, None, None, rank % 3)
    return RankState(rank, host, rank % PER_NODE, (f"error-4821-{rank // PER_NODE}.out",), status, *words)
