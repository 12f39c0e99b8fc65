"""`logtui watch`: lines, exit status, and what the user's command is told."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from logtui.tui import cli

STEPS = "".join(f"2026-03-05 10:{n // 6:02}:{n % 6}0 INFO rank 0 step {n}/500 loss 2.5\n" for n in range(30))


@pytest.fixture
def late(tmp_path: Path) -> Path:
    """A job whose last step was an hour ago; its name holds what a terminal and a shell would act on."""
    logs = tmp_path / "logs"
    logs.mkdir()
    path = logs / "rank0 \x1b[31m$(touch pwned).log"
    path.write_text(STEPS)
    an_hour_ago = path.stat().st_mtime - 3600
    os.utime(path, (an_hour_ago, an_hour_ago))
    return logs


def test_an_alarm_is_one_line_and_status_1(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["watch", str(late), "--once"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert " steps-overdue: step 30 is 60 minutes late" in line
    assert "\x1b" not in line


def test_as_json(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["watch", str(late), "--once", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["line"]) == ("steps-overdue", 30)


def test_the_command_is_told_by_its_environment_alone(late: Path, tmp_path: Path) -> None:
    out = tmp_path / "told"
    script = tmp_path / "tell.py"
    script.write_text(
        "import os, sys; open(sys.argv[1], 'w').write(os.environ['LOGTUI_KIND'] + os.environ['LOGTUI_LINE'])"
    )
    command = f"{sys.executable} {script} {out}"
    assert cli.main(["watch", str(late), "--exit-on-alarm", "--on-alarm", command]) == 1
    assert out.read_text() == "steps-overdue30"
    assert not list(tmp_path.rglob("pwned"))


def test_a_command_that_is_not_there_is_said(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["watch", str(late), "--once", "--on-alarm", "/no/such/command"]) == 1
    assert "--on-alarm" in capsys.readouterr().err


def test_a_job_that_completed_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rank0.log").write_text(STEPS + "2026-03-05 10:06:00 INFO training finished\n")
    assert cli.main(["watch", str(tmp_path)]) == 0
    assert "completed" in capsys.readouterr().out


def test_nothing_to_read_is_status_2(tmp_path: Path) -> None:
    assert cli.main(["watch", str(tmp_path / "none"), "--once"]) == 2


@pytest.mark.parametrize("every", ["0", "nan", "1e9", "soon"])
def test_a_pause_that_is_none_is_refused(every: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["watch", str(tmp_path), "--every", every])
    assert ended.value.code == 2
