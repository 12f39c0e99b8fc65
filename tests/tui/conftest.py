"""A job with real files and a hand-made report about them, and an app that shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from textual.pilot import Pilot

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import (
    ChainStep,
    Coverage,
    Exit,
    GroupState,
    JobFacts,
    PatternCount,
    RankState,
    Recommendation,
    Report,
    RunnerUp,
    StuckOn,
    Symptom,
    TimelineEvent,
    Verdict,
    Verification,
)
from logtui.diagnosis.session.opening import Analysis, Options, Update
from logtui.parsers.files.case import Case, FileIndex
from logtui.parsers.files.discover import discover
from logtui.parsers.records.record import ROW, RecordTable
from logtui.parsers.scan.plan import Progress
from logtui.tui.app import LogtuiApp
from logtui.tui.shared.case_view import CaseView

DIED = 1_772_725_323.0
"""2026-03-05 15:42:03."""
STALLED = DIED - 1800
CULPRIT = 57
PER_NODE = 8
LINES_PER_NODE = 400
LINES = LINES_PER_NODE + PER_NODE + 1


@dataclass
class Job:
    """Files below `path`, and the report that a diagnosis of them would give."""

    path: Path
    report: Report
    case: Case
    updates: list[Update] = field(default_factory=list)

    def read(self, paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        """Stands in for the session."""
        yield from self.updates

    def update(self, **changes: object) -> Update:
        """An update with some fields of the report changed."""
        size = sum(file.size for file in self.case.files)
        progress = Progress(len(self.case.files), len(self.case.files), size, size)
        return Update(progress, Analysis(self.case, replace(self.report, **changes)))  # type: ignore[arg-type]


def stamp(second: float) -> str:
    """Time of day, as the lines have it."""
    whole = int(second) % 86400
    return f"2026-03-05 {whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def write_node(path: Path, node: int) -> dict[str, tuple[int, str]]:
    """One node's log; returns the (line, text) of what the report cites."""
    lines = [
        f"{stamp(STALLED - 400 + n)} [rank{node * 8 + n % 8}]: step {n} loss 2.{n:03d}" for n in range(LINES_PER_NODE)
    ]
    cited: dict[str, tuple[int, str]] = {}
    for local in range(PER_NODE):
        rank = node * PER_NODE + local
        if rank == CULPRIT:
            lines.append(f"{stamp(STALLED - 2)} [rank{rank}]: opening shard /data/shard-00012.tar")
        else:
            lines.append(
                f"[rank{rank}]:[E305 15:42:03.000000000 ProcessGroupNCCL.cpp:629] [Rank {rank}] Watchdog caught "
                f"collective operation timeout: WorkNCCL(SeqNum=1234, OpType=ALLREDUCE, NumelIn=1024, NumelOut=1024, "
                f"Timeout(ms)=1800000) ran for 1800011 milliseconds before timing out."
            )
        cited[str(rank)] = (len(lines), lines[-1])
    lines.append(f"{stamp(DIED + 2)} srun: error: node{node:03d}: task {node}: Aborted")
    cited["srun"] = (len(lines), lines[-1])
    path.write_text("\n".join(lines) + "\n")
    return cited


def state_of(rank: int, name: str, line: int, text: str) -> RankState:
    """A waiting rank, or the one that never entered."""
    culprit = rank == CULPRIT
    at = Evidence(name, line, text, STALLED - 2 if culprit else DIED, rank=rank)
    group = GroupState(
        "0", "default_pg", 1233 if culprit else 1234, 1233 if culprit else 1234, 1233,
        None if culprit else StuckOn(1234, "ALLREDUCE", 1024, 1024, 1_800_000),
        "never_entered" if culprit else "waiting", at,
    )  # fmt: skip
    return RankState(
        rank, f"node{rank // 8:03d}", rank % 8, (name,), group.status, "notified" if culprit else "initiator",
        (group,), at, 399, Exit(None, "SIGABRT") if not culprit else None,
    )  # fmt: skip


def build_job(folder: Path, nodes: int = 16) -> Job:
    """The classic: all ranks but one wait for half an hour in an all-reduce."""
    logs = folder / "logs"
    logs.mkdir()
    ranks: list[RankState] = []
    events: list[TimelineEvent] = []
    proof: Evidence | None = None
    for node in range(nodes):
        name = f"error-4821-{node}.out"
        cited = write_node(logs / name, node)
        for rank in range(node * PER_NODE, (node + 1) * PER_NODE):
            state = state_of(rank, name, *cited[str(rank)])
            ranks.append(state)
            seen = state.last_words
            assert seen is not None
            if rank == CULPRIT:
                proof = seen
                events.append(TimelineEvent(seen.time, "exact", "worker", rank, "last words", name, seen.line))
            else:
                events.append(
                    TimelineEvent(DIED, "exact", "nccl", rank, "watchdog timeout", name, seen.line, severity="error")
                )
        line, text = cited["srun"]
        events.append(TimelineEvent(DIED + 2, "exact", "launcher", None, text[20:], name, line, severity="warning"))
    assert proof is not None
    watchdog = next(s.last_words for s in ranks if s.rank == 0)
    assert watchdog is not None
    chain = (
        ChainStep(1, "rank 57 stalls while it opens a shard", STALLED - 2, evidence=(proof,), leads_to=2),
        ChainStep(2, "127 ranks wait in ALLREDUCE #1234 for 30 min", STALLED, evidence=(watchdog,), leads_to=3),
        ChainStep(3, "the watchdogs kill the job", DIED, evidence=(watchdog,)),
    )
    runner = RunnerUp("network", "the fabric lost a message", "rank 57 never enqueued the operation", (watchdog,))
    title = "rank 57 (node007 gpu1) never entered ALLREDUCE #1234 of default_pg: stalled in data loading"
    verdict = Verdict(
        "data-loading-stall", title, "high", (CULPRIT,), ("node007",), proof, (runner,),
        ("storage logs from 15:05 to 15:15",), "never-entered", (watchdog,),
    )  # fmt: skip
    job = JobFacts("4821", "NeMo", "2.5", "torchrun", "slurm", nodes * 8, nodes, 8, STALLED - 400, DIED, last_step=399)
    found = discover([logs])
    size = sum(file.size for file in found.files)
    report = Report(
        "0.1.0", job, Coverage(len(found.files), (), size, nodes * LINES, 0, nodes * 8, None, nodes * 8), verdict, chain,
        (Symptom("127 watchdog timeouts", (watchdog,)),), tuple(ranks), tuple(events),
        counts=(PatternCount("store-reset", 128, noise=True),),
        recommendations=(Recommendation("storage", "look at what served /data/shard-00012.tar", (proof,)),),
        verification=Verification(4, ()),
    )  # fmt: skip
    indexes = {file.index: whole_index(file.size, LINES) for file in found.files}
    case = Case(found.files, RecordTable(np.empty(0, ROW), b"", [], [], []), indexes)
    made = Job(logs, report, case)
    made.updates = [made.update()]
    return made


def whole_index(size: int, lines: int) -> FileIndex:
    """What a scan leaves behind for a file of one block."""
    zero = np.zeros(1, np.int64)
    return FileIndex(zero, zero, size, lines, lines, complete=True)


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same screen on every machine: colours, home, no page ever late."""
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("NO_COLOR", "VISUAL", "EDITOR", "PAGER", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("logtui.tui.panes.raw.window.PATIENCE_S", 30.0)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """The classic, 128 ranks."""
    return build_job(tmp_path)


@pytest.fixture
def app(job: Job) -> LogtuiApp:
    """The app on the classic."""
    return LogtuiApp([job.path], title="demo", reader=job.read)


@pytest.fixture
def view(job: Job) -> CaseView:
    """The classic as the panes see it."""
    return CaseView(job.report, job.case)


async def settle(pilot: Pilot[int]) -> None:
    """Until nothing runs and nothing waits to be drawn; what a worker has found may start another."""
    await pilot.pause()  # reading starts after the first frame
    while True:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        if all(worker.is_finished for worker in pilot.app.workers):
            return


@pytest.fixture
def settled() -> Callable[[Pilot[int]], Awaitable[None]]:
    """`await settled(pilot)`: the background work is done and drawn."""
    return settle


@pytest.fixture
def job_of(tmp_path: Path) -> Callable[[int], Job]:
    """The classic with another number of nodes of eight ranks; at least eight of them."""
    return lambda nodes: build_job(tmp_path, nodes)
