"""Conclusions that change when more files are read, and the line that overturned them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.json_report import as_dict
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.diagnosis.session.reading import with_revisions
from logtui.parsers.generator import DEMOS, generate

STEPS = "".join(f"2026-11-21 04:{n:02d}:00,000 INFO train: step {n} loss 2.31 step_time 0.500s\n" for n in range(30))
RAISED = (
    "[rank3]: Traceback (most recent call last):\n"
    '[rank3]:   File "/opt/job/train.py", line 7, in main\n'
    "[rank3]:     model.forward(x)\n"
    "[rank3]: AttributeError: 'NoneType' object has no attribute 'shape'\n"
)
XID = "Nov 21 04:31:00 node007 kernel: NVRM: Xid (PCI:0000:91:00): 79, pid=4242, name=python3, GPU has fallen off the bus.\n"


def read(*paths: Path) -> Report:
    analysis = analyse_whole(paths, Options(no_cache=True))
    analysis.case.close()
    return analysis.report


def halves(folder: Path, known: Callable[[str], bool]) -> tuple[Report, Report]:
    """What some of the files say, and what all of them say after that."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    first = read(*(p for p in files if known(p.name)))
    return first, with_revisions(read(*files), first)


@pytest.mark.parametrize("demo", ["oom", "exception", "behind"])
def test_the_other_half_of_the_nodes_overturns_the_first(tmp_path: Path, demo: str) -> None:
    truth = generate(DEMOS[demo], tmp_path)
    assert truth.first_bad_line is not None
    guilty = Path(truth.first_bad_line.file).name
    first, whole = halves(tmp_path, lambda name: name != guilty)
    assert first.verdict.culprit_ranks != truth.culprit_ranks
    (revision,) = whole.revisions
    assert (revision.was, revision.now) == (first.verdict.title, whole.verdict.title)
    assert revision.because is not None
    line = (tmp_path / Path(revision.because.file).name).read_text().split("\n")[revision.because.line - 1]
    assert revision.because.text[:60].strip() in line
    assert Path(revision.because.file).name == guilty


def test_a_kernel_log_that_is_added_overturns_the_exception(tmp_path: Path) -> None:
    (tmp_path / "rank3.log").write_text(STEPS + RAISED)
    first = read(tmp_path / "rank3.log")
    assert first.verdict.cls == "software"
    (tmp_path / "dmesg-node007.txt").write_text(XID)
    whole = with_revisions(read(tmp_path), first)
    assert whole.verdict.cls == "gpu-hardware"
    (revision,) = whole.revisions
    assert revision.because is not None and revision.because.place == "dmesg-node007.txt:1"
    assert "now:" in render(whole) and "`dmesg-node007.txt:1`" in render(whole)
    assert as_dict(whole)["revisions"][0]["because"] == {"file": "dmesg-node007.txt", "line": 1}


def test_files_that_add_nothing_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "rank3.log").write_text(STEPS + RAISED)
    first = read(tmp_path / "rank3.log")
    (tmp_path / "rank4.log").write_text(STEPS)
    assert with_revisions(read(tmp_path), first).revisions == ()


def test_what_healthy_rests_on_is_the_line_that_overturned_it(tmp_path: Path) -> None:
    (tmp_path / "launcher.log").write_text(RAISED)
    first = read(tmp_path / "launcher.log")
    (tmp_path / "launcher.log").write_text(RAISED + STEPS + "`Trainer.fit` stopped: `max_steps=30` reached.\n")
    whole = with_revisions(read(tmp_path), first)
    assert whole.verdict.cls == "healthy"
    assert whole.revisions[0].because is not None and "max_steps" in whole.revisions[0].because.text
