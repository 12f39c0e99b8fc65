"""Times and line numbers for the few lines of a census that are shown."""

from __future__ import annotations

from logtui.diagnosis.findings import Evidence
from logtui.parsers.case import Case
from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError
from logtui.parsers.stamp import Stamp, TimeFrom, stamp_near

SHOWN = 400
"""Characters of a line that are kept."""


class Dating:
    """Reads stamps as the scan does; `about` is a time of the job, where one is known, for stamps without a year."""

    def __init__(self, case: Case, about: float | None) -> None:
        self._case = case
        self._about = about

    def time(self, file: int, stamped: bytes) -> Stamp | None:
        """The time of a line; None where it has no time of day."""
        if not stamped:
            return None
        near = self._about if self._about is not None else self._case.files[file].mtime
        stamp = stamp_near(clean(stamped), near)
        return stamp if stamp and stamp.source is not TimeFrom.UPTIME else None

    def evidence(self, file: int, offset: int, raw: bytes, stamped: bytes, rank: int | None) -> Evidence:
        """A line as evidence; its number is counted now."""
        stamp = self.time(file, stamped)
        shown = clean(raw).strip()[:SHOWN]
        zoned = stamp is not None and stamp.source is TimeFrom.ZONED
        return Evidence(
            self._case.files[file].name, self._number(file, offset), shown, stamp.epoch if stamp else None, zoned, rank
        )

    def _number(self, file: int, offset: int) -> int:
        try:
            return self._case.line_at(file, offset)
        except (LogtuiError, OSError):
            return 0
