"""Where in a dump a claim rests."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.parsers.flight_recorder.dump import Dump


@dataclass(frozen=True, slots=True)
class EntryRef:
    """One entry of one dump, for people to look at."""

    file: str
    index: int | None
    """Position among the dump's entries, from 0; None where the claim rests on what is not there."""
    rank: int
    what: str
    """The entry in a few words."""

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {"file": self.file, "entry": self.index, "rank": self.rank, "what": self.what}


def refer(dump: Dump, row: int) -> EntryRef:
    """Cite an entry."""
    entry = dump.entries.entry(row)
    number = f"p2p #{entry.p2p_seq}" if entry.is_p2p else f"#{entry.seq}"
    state = entry.state.name.lower() + (", retired" if entry.retired else "")
    return EntryRef(dump.file, row, dump.rank, f"{entry.call} {number} of {entry.group}: {state}")


def refer_last(dump: Dump, rows: int | None = None) -> EntryRef:
    """Cite the newest entry of a dump, or say that there is none."""
    last = len(dump.entries) - 1 if rows is None else rows
    if last < 0:
        return EntryRef(dump.file, None, dump.rank, "no entries: everything it launched has finished")
    return refer(dump, last)
