"""A terminal that is closed while the app runs ends it.

Textual 8 writes in a thread that dies of the first write that fails; the app then waits without end for room in the
queue before it. And it takes the end of all keys for a crash.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import IO, Any

from textual.app import App
from textual.driver import Driver

HANGUP = 129
"""The status of what a closed terminal ended."""


class ForgivingFile:
    """Passes on what is written, until nobody is there any more."""

    def __init__(self, file: IO[str], app: App[Any]) -> None:
        self._file, self._app, self._loop = file, app, asyncio.get_running_loop()
        self._lost = False

    def write(self, text: str) -> None:
        """Write, or note that this cannot be done."""
        if not self._lost:
            try:
                self._file.write(text)
            except OSError:
                self.lose()

    def flush(self) -> None:
        """Write what is still held back."""
        if not self._lost:
            try:
                self._file.flush()
            except OSError:
                self.lose()

    def lose(self) -> None:
        """There is no terminal any more: leave. From any thread."""
        self._lost = True
        with suppress(RuntimeError):  # it is over already
            self._loop.call_soon_threadsafe(lambda: self._app.exit(return_code=HANGUP))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def losable(base: type[Driver]) -> type[Driver]:
    """A driver like another, that leaves when its terminal is gone."""

    class LosableDriver(base):  # type: ignore[misc,valid-type]  # the platform chooses the class
        """Its file is ours."""

        _file: Any

        def __init__(self, app: App[Any], *more: Any, **options: Any) -> None:
            super().__init__(app, *more, **options)
            if hasattr(self, "_file"):
                self._file = ForgivingFile(self._file, app)

        def run_input_thread(self) -> None:
            """Keys, until there are none any more."""
            try:
                super().run_input_thread()
            except OSError:
                self._file.lose()

    return LosableDriver
