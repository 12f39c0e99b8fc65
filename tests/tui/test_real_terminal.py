"""The app in a real terminal: told to end, left alone, put aside, and fed with what wants to act on the terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hostile_job import forge_case, write_hostile_job
from terminal import PATIENCE_S, Terminal, session_of, terminal
from tiny_job import write_tiny_job

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
SHOWN = b"never entered"
ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"


@pytest.fixture
def job(tmp_path: Path) -> Path:
    return write_tiny_job(tmp_path / "logs")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of our own."""
    path = tmp_path / "tmp"
    path.mkdir()
    monkeypatch.setenv("TMPDIR", str(path))
    return path


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """No signal is ignored, though whoever started the tests may do so: what they start would inherit that."""
    hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGHUP, hangup)
    signal.signal(signal.SIGINT, interrupt)


def gone(leader: int) -> bool:
    """Whether all processes of a session have ended, or do so in a while."""
    end = time.monotonic() + PATIENCE_S
    while session_of(leader):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


MOMENTS: dict[str, Callable[[Terminal], object]] = {
    "while it starts": lambda run: run.read(0.4),
    "while it reads": lambda run: run.wait_for(ALTERNATE),
    "when all is shown": lambda run: run.wait_for(SHOWN),
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda s: s.name)
def test_signals_end_it_at_any_moment(job: Path, temporary: Path, moment: str, number: signal.Signals) -> None:
    with terminal(job) as run:
        MOMENTS[moment](run)
        run.send(number)
        assert run.wait_for_end() in (128 + number, -number)
        assert gone(run.process.pid)
        if ALTERNATE in run.raw:
            assert run.raw.rindex(NORMAL) > run.raw.rindex(ALTERNATE), "the terminal is given back"
            assert run.raw.rindex(b"\x1b[?25h") > run.raw.rindex(b"\x1b[?25l"), "and its cursor"
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("deaf", [False, True], ids=["told", "under nohup"])
def test_a_terminal_that_is_closed_ends_it(job: Path, temporary: Path, deaf: bool) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if deaf else signal.SIG_DFL)
    try:
        with terminal(job) as run:
            run.wait_for(SHOWN)
            os.close(run.screen)
            assert run.process.wait(PATIENCE_S) in (129, -signal.SIGHUP)
            assert gone(run.process.pid)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert list(temporary.iterdir()) == []


def test_put_aside_and_fetched_back_it_is_drawn_anew(job: Path) -> None:
    with terminal(job) as run:
        run.wait_for(SHOWN)
        run.read(0.3)
        aside = len(run.raw)
        run.press(b"\x1a")
        stat = Path(f"/proc/{run.process.pid}/stat")
        run.until(lambda: stat.read_text().rpartition(") ")[2][0] == "T", "it to be stopped")
        run.wait_for(NORMAL, since=aside)  # a stopped process writes no more
        back = len(run.raw)
        run.send(signal.SIGCONT)
        run.wait_for(ALTERNATE, SHOWN, since=back)
        run.press(b"q")
        assert run.wait_for_end() == 0


@pytest.fixture
def piped(job: Path, temporary: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run that reads a pipe which does not end."""
    assert temporary.is_dir(), "it is that of the run"
    with subprocess.Popen(
        [sys.executable, "-m", "logtui", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        start_new_session=True,
    ) as run:  # fmt: skip
        assert run.stdin is not None
        run.stdin.write((job / "error-4821-0.out").read_bytes())
        run.stdin.flush()
        yield run
        run.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda s: s.name)
def test_what_came_through_a_pipe_goes_with_it(
    piped: subprocess.Popen[bytes], temporary: Path, number: signal.Signals
) -> None:
    end = time.monotonic() + PATIENCE_S
    while not any(p.stat().st_size for p in temporary.glob("*/stdin.log")):
        assert time.monotonic() < end
        time.sleep(0.02)
    piped.send_signal(number)
    assert piped.wait(PATIENCE_S) in (128 + number, -number)
    assert gone(piped.pid)
    assert list(temporary.iterdir()) == []


# -- What wants to speak through us

OURS = re.compile(
    rb"\x1b\[[?<>=]?[0-9;:]*[A-Za-z]"  # styles, places, modes
    rb"|\x1b\[\?[0-9;]*\$p"  # whether a mode is known
    rb"|\x1b\]?[78=>c]|\x1b\([B0]"
)
"""What the framework sends."""
POINTER = b"\x1b]22;default\x07"
"""The shape of the mouse's pointer, as the framework sets it with each screen."""
NOT_OURS = (
    b"\x1b[31;5;8m",
    b"\x1b[6n",
    b"\x1b[5n",
    b"\xc2\x9b",
    b"\x1b]",
    b"\x1bP",
    b"\x1b_",
    b"\x07",
    b"\x0e",
    b"\x0f",
    b"\x05",
)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A job whose names, lines and dumps are full of it."""
    return write_hostile_job(tmp_path / "logs")


def _forged(job: Path) -> Path:
    """A case file of it that somebody has changed."""
    path = job.parent / "job.tar.zst"
    with terminal(job, "--case", path) as run:
        assert run.wait_for_end() == 1
    return forge_case(path, job.parent / "forged.tar.zst")


@pytest.mark.parametrize("opened", [lambda job: job, _forged], ids=["logs", "case file"])
def test_nothing_of_the_input_acts_on_the_terminal(hostile: Path, opened: Callable[[Path], Path]) -> None:
    with terminal(opened(hostile)) as run:
        run.wait_for(b"[rank")
        run.read(1.0)
        run.press(b"d")
        run.wait_for(b"something unfinished")
        run.press(b"\r")
        run.wait_for(b"newest")  # one operation with its stack
        for keys in (
            b"q",
            b"q",
            b"\r",
            b"G",
            b"\t",
            b"\t",
            b"\x1b[B\r",
            b"r",
            b"\x1b",
            b"F",
            b"?",
            b"\x1b",
            b"b",
            b"\x1b",
        ):
            run.press(keys)
            run.read(0.3)
        run.press(b"\x03q")
        run.press(b"q")
        run.read(1.0)
        sent = bytes(run.raw).replace(POINTER, b"")
    assert [what for what in NOT_OURS if what in sent] == []
    assert "\u202e".encode() not in sent
    assert b"\x1b" not in OURS.sub(b"", sent), "sequences that nobody declared"


@pytest.mark.parametrize("arguments", [["--json"], ["--markdown"], ["--case", "/no/such/\x1b[31mfolder"]])
def test_nothing_of_the_input_acts_on_the_terminal_without_a_screen(hostile: Path, arguments: list[str]) -> None:
    with terminal(hostile, *arguments) as run:
        run.wait_for_end()
    assert (
        re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]", _own_cleared(run.raw))
        is None
    )


def _own_cleared(sent: bytes | bytearray) -> bytes:
    """Without the clearing of our line of progress."""
    return bytes(sent).replace(b"\x1b[2K", b"").replace(b"\x1b[K", b"")
