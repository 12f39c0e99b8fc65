"""The command in a real terminal: a pseudo-terminal of our own, its raw bytes, and all processes below it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE_S = 60.0
"""Machines that run tests are shared."""


@dataclass
class Terminal:
    """One run, and what it has written so far."""

    process: subprocess.Popen[bytes]
    screen: int
    """Our end of the terminal."""
    raw: bytearray = field(default_factory=bytearray)

    def read(self, seconds: float = 0.1) -> bytes:
        """What has come meanwhile."""
        before, end = len(self.raw), time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and select.select([self.screen], [], [], left)[0]:
            try:
                piece = os.read(self.screen, 1 << 16)
            except OSError:  # nobody is at the other end any more
                break
            if not piece:
                break
            self.raw += piece
        return bytes(self.raw[before:])

    def wait_for(self, *words: bytes, since: int = 0) -> None:
        """Until all of some words have been written."""
        self.until(lambda: all(word in self.raw[since:] for word in words), f"{words}")

    def until(self, true: Callable[[], bool], what: str) -> None:
        """Read on until something is so."""
        end = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end, f"waited for {what}; the end is {bytes(self.raw[-300:])!r}"
            self.read()

    def press(self, keys: bytes) -> None:
        """Type."""
        os.write(self.screen, keys)

    def send(self, number: signal.Signals) -> None:
        """A signal to the run alone."""
        self.process.send_signal(number)

    def wait_for_end(self) -> int:
        """The status it ends with."""
        self.until(lambda: self.process.poll() is not None, "the end")
        self.read()
        return self.process.wait()


@contextmanager
def terminal(*arguments: object, environment: Mapping[str, str] | None = None) -> Iterator[Terminal]:
    """Run the command in a terminal of 120 × 40 cells, as the leader of a session of its own."""
    screen, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "logtui", *map(str, arguments)], stdin=side, stdout=side, stderr=side,
        env=os.environ | dict(environment or {}), preexec_fn=_own_session,
    )  # fmt: skip
    os.close(side)
    run = Terminal(process, screen)
    try:
        yield run
    finally:
        for pid in session_of(process.pid):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()
        with suppress(OSError):
            os.close(screen)


def _own_session() -> None:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def session_of(leader: int) -> set[int]:
    """The processes that live in the session of some process, as /proc lists them; zombies do not live."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = path.read_text().rpartition(") ")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state != "Z":
            found.add(int(path.parent.name))
    return found
