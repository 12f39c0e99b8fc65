"""Where logtui itself fails: exit status 2, one sentence, and what was read is still given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from contract import violations
from tiny_job import write_tiny_job

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.session import reading
from logtui.diagnosis.verdict import bare, engine
from logtui.tui import cli

HUGE = "1" + "0" * 400
I64_MAX = str((1 << 63) - 1)


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """Eight ranks on two nodes."""
    return write_tiny_job(tmp_path / "logs")


def _fails(_facts: Facts) -> object:
    raise OverflowError("result\x1b[31m too large\nfor a float")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A diagnosis with a bug, outside of all rules."""
    monkeypatch.setattr(engine, "TOLERANT", True)
    monkeypatch.setattr(reading, "report_on", _fails)


@pytest.mark.usefixtures("broken")
def test_a_failed_diagnosis_still_gives_what_was_read(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([str(job), "--json", "--no-cache"]) == 2
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert list(violations(report)) == []
    assert (report["verdict"]["class"], report["verdict"]["title"]) == ("unknown", bare.TITLE)
    assert "OverflowError" in report["verdict"]["missing"][0]
    assert report["coverage"]["lines"] == sum(p.read_bytes().count(b"\n") for p in job.iterdir())
    assert {c["pattern"]: c["total"] for c in report["counts"]}["pg.timeout"] == 7
    assert err.count("\n") == 1 and "please report" in err and "\x1b" not in err


@pytest.mark.usefixtures("broken")
def test_a_failed_diagnosis_is_not_kept(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.main([str(job), "--markdown"]) == 2
    monkeypatch.undo()
    assert cli.main([str(job), "--markdown", "--no-cache"]) == 1


@pytest.mark.parametrize("traced", [False, True])
def test_any_other_error_of_ours(
    job: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], traced: bool
) -> None:
    monkeypatch.setattr(cli, "_headless", lambda paths, args: _fails(args))
    if traced:
        monkeypatch.setenv(cli.TRACEBACK, "1")
    assert cli.main([str(job), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1].startswith(f"logtui: {cli.PLEASE_REPORT}: OverflowError")
    assert ("Traceback" in err) is traced
    assert traced or err.count("\n") == 1


@pytest.mark.parametrize("garbage", [HUGE, I64_MAX, "9" * 5000, "-" + HUGE])
@pytest.mark.parametrize("field", ["Timeout(ms)=600000", "ran for 600031", "SeqNum=1234", "NumelIn=4096", "work: 1234"])
@pytest.mark.parametrize("flag", ["--json", "--markdown"])
def test_numbers_beyond_all_bounds_cost_only_themselves(
    job: Path, field: str, garbage: str, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in job.iterdir():
        head = field.rstrip("0123456789")
        path.write_text(path.read_text().replace(field, head + garbage))
    assert cli.main([str(job), flag, "--no-cache"]) in (0, 1)
    assert capsys.readouterr().err == ""


def test_years_beyond_all_calendars(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wait that began three hundred million years ago has no beginning."""
    for path in job.iterdir():
        path.write_text(path.read_text().replace("ran for 600031", f"ran for {I64_MAX}"))
    assert cli.main([str(job), "--json", "--no-cache"]) in (0, 1)
    report = json.loads(capsys.readouterr().out)
    times = [event["time"] for event in report["timeline"] if event.get("time")]
    assert times and all(time.startswith("202") for time in times)
