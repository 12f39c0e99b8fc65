"""The files of a report that was found again: any line of any file, no records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from logtui.parsers.case import Case, FileIndex
from logtui.parsers.source import LogFile, Unread

if TYPE_CHECKING:
    from logtui.parsers.record import RecordTable


class BareCase(Case):
    """A case without records; numpy is not loaded for it until somebody asks for them."""

    def __init__(self, files: tuple[LogFile, ...], indexes: dict[int, FileIndex], unread: tuple[Unread, ...]) -> None:
        super().__init__(files, cast("RecordTable", None), indexes, unread)
        del self.records

    def __getattr__(self, name: str) -> Any:
        """The empty table, once it is wanted."""
        if name != "records":
            raise AttributeError(name)
        self.records = _no_records()
        return self.records


def _no_records() -> RecordTable:
    import numpy as np

    from logtui.parsers.record import ROW, RecordTable

    return RecordTable(np.empty(0, ROW), b"", [], [])
