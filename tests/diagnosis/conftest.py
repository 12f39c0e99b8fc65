"""Cases from text: each test writes the lines it is about and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.session.opening import Analysis, analyse_whole

Files = Mapping[str, str]


@pytest.fixture
def analysed(tmp_path: Path) -> Callable[[Files], Analysis]:
    """Write files below a directory and analyse them: name → text."""

    def make(files: Files) -> Analysis:
        for name, text in files.items():
            path = tmp_path / "logs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return analyse_whole([tmp_path / "logs"])

    return make


@pytest.fixture
def facts_of(analysed: Callable[[Files], Analysis]) -> Callable[[Files], Facts]:
    """The facts of some files."""
    return lambda files: Facts(analysed(files).case)


@pytest.fixture
def report_of(analysed: Callable[[Files], Analysis]) -> Callable[[Files], Report]:
    """The whole report about some files."""
    return lambda files: analysed(files).report


class WatchdogText:
    """Lines of the watchdog family with values of our own, in the wording of PyTorch 2.7."""

    DEFAULT = "PG ID 0 PG GUID 0(default_pg)"

    @staticmethod
    def head(rank: int, clock: str = "04:12:09") -> str:
        return f"[rank{rank}]:[E1121 {clock}.112358132 ProcessGroupNCCL.cpp:683] "

    def timeout(
        self,
        rank: int,
        seq: int = 1234,
        op: str = "ALLREDUCE",
        numel: int = 4096,
        clock: str = "04:12:09",
        ran: int = 600031,
    ) -> str:
        work = f"WorkNCCL(SeqNum={seq}, OpType={op}, NumelIn={numel}, NumelOut={numel}, Timeout(ms)=600000)"
        text = f"[Rank {rank}] Watchdog caught collective operation timeout: {work} ran for {ran} milliseconds before timing out."
        return f"{self.head(rank, clock)}{text}\n"

    def status(self, rank: int, seq: int, enqueued: int, completed: int, group: str = DEFAULT) -> str:
        return (
            f"{self.head(rank)}[{group} Rank {rank}]  failure detected by watchdog at work sequence id: {seq} "
            f"PG status: last enqueued work: {enqueued}, last completed work: {completed}\n"
        )

    def notified(self, rank: int, source: int = 0, done: int = 1233) -> str:
        return (
            f"{self.head(rank)}[{self.DEFAULT} Rank {rank}] Observed flight recorder dump signal from another rank via TCPStore.\n"
            f"{self.head(rank)}[{self.DEFAULT} Rank {rank}] Received a dump signal due to a collective timeout from  rank {source} and "
            f"we will try our best to dump the debug info. Last enqueued NCCL work: {done}, last completed NCCL work: {done}.This is\n"
        )

    def victim(
        self, rank: int, seq: int = 1234, enqueued: int | None = None, op: str = "ALLREDUCE", **timing: str
    ) -> str:
        top = seq if enqueued is None else enqueued
        return self.timeout(rank, seq, op, **timing) + self.status(rank, seq, top, seq - 1)  # type: ignore[arg-type]


@pytest.fixture
def lines() -> WatchdogText:
    """Watchdog lines to build jobs from."""
    return WatchdogText()
