"""Each dump read once for all reports that are made while the logs are being read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from logtui.parsers.source import LogFile

if TYPE_CHECKING:
    from logtui.diagnosis.dumps.findings import FlightRecorderFindings

EARLY_BYTES = 8 << 20
"""An early report, which somebody waits for, reads no more of dumps than this: a quarter of a second."""


class DumpReading:
    """Reads the dumps among some files at most once."""

    def __init__(self, cancelled: Callable[[], bool] = lambda: False) -> None:
        self._cancelled = cancelled
        self._found: dict[tuple[str, ...], FlightRecorderFindings] = {}

    def whole(self, files: Sequence[LogFile]) -> FlightRecorderFindings | None:
        """What the dumps say; None where there are none."""
        names = tuple(file.name for file in files)
        if names and names not in self._found:
            from logtui.diagnosis.dumps.analyse import analyse_dumps  # most jobs come without dumps

            self._found[names] = analyse_dumps(files, self._cancelled)
        return self._found.get(names)

    def early(self, files: Sequence[LogFile]) -> FlightRecorderFindings | None:
        """The same where it is known already or quickly read."""
        small = sum(file.size for file in files) <= EARLY_BYTES
        return self.whole(files) if small else self._found.get(tuple(file.name for file in files))
