"""Many jobs in a line each, and what recurs over them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_job import write_tiny_job

from logtui.diagnosis.fleet.job_line import UNREAD, JobLine, Proof, job_lines
from logtui.diagnosis.fleet.recurring import Recurrence, recurring
from logtui.diagnosis.options import Options
from logtui.diagnosis.report.json_report import dumps
from logtui.diagnosis.session.opening import analyse_whole
from logtui.tui.cli import main


def line(job: str, text: str, *hosts: str, time: str | None = "2026-02-24T15:09:37") -> JobLine:
    return JobLine(job, "gpu-hardware", "t", "high", culprit_hosts=hosts, proof=Proof("a.log", 7, text, time))


XID = "NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, GPU has fallen off the bus."
OTHER_XID = "NVRM: Xid (PCI:0000:86:00): 79, pid=77, GPU has fallen off the bus."


def found(*lines: JobLine) -> dict[tuple[str, str], tuple[str, ...]]:
    return {(r.kind, r.name): r.jobs for r in recurring(lines)}


CASES: tuple[tuple[str, tuple[JobLine, ...], dict[tuple[str, str], tuple[str, ...]]], ...] = (
    ("same host", (line("a", "x", "n7"), line("b", "y", "n7"), line("c", "z", "n8")), {("host", "n7"): ("a", "b")}),
    ("same Xid on other hosts", (line("a", XID, "n7"), line("b", OTHER_XID, "n8")), {("xid", "79"): ("a", "b")}),
    (
        "same GPU",
        (line("a", XID, "n7"), line("b", XID, "n7")),
        {("host", "n7"): ("a", "b"), ("gpu", "n7 0000:3b:00"): ("a", "b"), ("xid", "79"): ("a", "b")},
    ),
    (
        "same mount",
        (line("a", "OSError: [Errno 5] '/mnt/nvme3/s.tar'"), line("b", "read of /mnt/nvme3/t.tar failed")),
        {("mount", "/mnt/nvme3"): ("a", "b")},
    ),
    (
        "a disk of the same name on another host",
        (line("a", "blk_update_request: I/O error, dev sdb, sector 9", "n1"), line("b", "I/O error, dev sdb,", "n2")),
        {},
    ),
    ("localhost is every host", (line("a", "x", "localhost"), line("b", "y", "localhost")), {}),
    ("one job alone", (line("a", XID, "n7"),), {}),
)


@pytest.mark.parametrize(("lines", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_recurs(lines: tuple[JobLine, ...], expected: dict[tuple[str, str], tuple[str, ...]]) -> None:
    assert found(*lines) == expected


def test_weeks_are_told_in_order_and_undated_jobs_count() -> None:
    lines = [
        line("a", "x", "n7", time="2026-03-05T01:00:00+00:00"),
        line("b", "x", "n7"),
        line("c", "x", "n7", time=None),
    ]
    assert recurring(lines) == [Recurrence("host", "n7", ("a", "b", "c"), ("gpu-hardware",), ("2026-W09", "2026-W10"))]


@pytest.fixture
def jobs(tmp_path: Path) -> list[Path]:
    """Logs, the report saved of them, what is no report, and nothing."""
    logs = write_tiny_job(tmp_path / "logs")
    saved = tmp_path / "saved.json"
    saved.write_text(dumps(analyse_whole([logs]).report))
    (tmp_path / "odd.json").write_text('{"schema": 1, "logtui": "x", "job": {}, "verdict": {"class": 5}}')
    return [logs, saved, tmp_path / "odd.json", tmp_path / "nosuch"]


def test_a_saved_report_gives_the_line_of_its_logs(jobs: list[Path]) -> None:
    logs, saved, odd, missing = job_lines(jobs, Options(jobs=1, no_cache=True))
    assert logs.proof == Proof("error-4821-0.out", 6, logs.proof.text if logs.proof else "", "2025-11-21T04:12:09")
    assert (saved.cls, saved.title, saved.culprit_ranks, saved.proof) == (
        logs.cls,
        logs.title,
        logs.culprit_ranks,
        logs.proof,
    )
    assert (odd.cls, missing.cls) == (UNREAD, UNREAD)
    assert "no such file" in missing.title


def test_the_command_prints_a_line_for_each_and_goes_on(jobs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", *map(str, jobs)]) == 2
    first, second, *_, last = capsys.readouterr().out.splitlines()
    assert first.split()[0] == str(jobs[0])
    assert first.endswith("error-4821-0.out:6")
    assert second.split()[1:] == first.split()[1:]
    assert last.split()[:2] == [str(jobs[3]), "unread"]
    assert main(["report", str(jobs[0])]) == 1


def test_json_lines_are_objects(jobs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--json-lines", *map(str, jobs[:2])]) == 1
    objects = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert [o["job"] for o in objects if "job" in o] == [str(jobs[0]), str(jobs[1])]
    assert objects[0]["first_evidence"]["line"] == 6
    assert {"class", "confidence", "culprit_ranks", "culprit_hosts", "title"} <= objects[0].keys()
