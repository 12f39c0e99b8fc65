"""A dump, and all dumps of a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from logtui.parsers.flight_recorder.entries import EntryTable
from logtui.parsers.flight_recorder.groups import GroupConfig, Watermarks


@dataclass(frozen=True, slots=True, eq=False)
class Dump:
    """What one rank's recorder held. Every key of the file is optional, so everything here may be empty."""

    rank: int
    rank_from: str
    """What told the rank: `name`, `groups` or `directory`."""
    file: str
    version: str
    """As written; "" for the bare list of torch 2.2. `2.10` is minor ten, not a fraction."""
    library: str
    """Version of the communication library, "" if not said."""
    pg_config: Mapping[str, GroupConfig]
    pg_status: Mapping[int, Watermarks]
    entries: EntryTable


@dataclass(frozen=True, slots=True, eq=False)
class DumpSet:
    """The dumps of one job, one per rank, by rank; and the files that could not be used, with the reason."""

    dumps: tuple[Dump, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    by_rank: Mapping[int, Dump] = field(default_factory=dict)

    @classmethod
    def of(cls, dumps: list[Dump], refused: list[tuple[str, str]]) -> DumpSet:
        """Order the dumps by rank."""
        by_rank = {dump.rank: dump for dump in sorted(dumps, key=lambda dump: dump.rank)}
        return cls(tuple(by_rank.values()), tuple(refused), by_rank)
