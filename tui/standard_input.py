"""`logtui -`: logs from a pipe, `kubectl logs … | logtui -`, kept in a private folder while the run lasts.

What reads logs goes back and forth in files, so the pipe is written to one; keys then come from the terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

DASH = Path("-")
NAME = "stdin.log"
CHUNK = 1 << 20
FIRST_S = 5.0
"""The screen opens after the first bytes, or after so long."""


class Spool:
    """Copies a pipe to a file until it ends."""

    def __init__(self, source: int, target: Path) -> None:
        """`source` is a file descriptor of its own, which is closed at the end."""
        self._source, self._target = source, target
        self._begun, self.trouble = Event(), ""
        target.touch(mode=0o600)
        self._thread = Thread(target=self._copy, name="standard-input", daemon=True)
        self._thread.start()

    def _copy(self) -> None:
        try:
            with self._target.open("ab", buffering=0) as out:
                while block := os.read(self._source, CHUNK):
                    out.write(block)
                    self._begun.set()
        except OSError as error:
            self.trouble = error.strerror or str(error)
        finally:
            os.close(self._source)
            self._begun.set()

    def wait_for_all(self) -> None:
        """Until the pipe ends."""
        self._thread.join()

    def wait_for_some(self) -> None:
        """Until there is something to show."""
        self._begun.wait(FIRST_S)

    @property
    def goes_on(self) -> bool:
        """Whether more may come."""
        return self._thread.is_alive()


@contextmanager
def spooled() -> Iterator[tuple[Path, Spool]]:
    """The folder of the file that standard input is copied to; it is gone afterwards."""
    with TemporaryDirectory(prefix="logtui-") as folder:
        yield Path(folder), Spool(os.dup(sys.stdin.fileno()), Path(folder, NAME))


def keys_from_terminal() -> bool:
    """Let standard input, descriptor 0, be the terminal, for the screen; False where there is none."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        return False
    os.dup2(terminal, 0)
    os.close(terminal)
    return True
