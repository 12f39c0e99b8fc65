"""From dump files to findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from logtui.diagnosis.dumps.findings import FlightRecorderFindings, MissingDump
from logtui.diagnosis.dumps.joined import Joined, clock_skews, join, time_span
from logtui.diagnosis.dumps.mismatch import Mismatch, find_mismatches
from logtui.diagnosis.dumps.suspects import Scope, find_suspects, propose, rank_states
from logtui.diagnosis.dumps.waits import Head, Waiting, find_heads, find_roots, find_stuck, find_transfers
from logtui.parsers.dumps.dump import DumpSet
from logtui.parsers.dumps.placing import ranks_in_name
from logtui.parsers.dumps.reading import read_dumps
from logtui.parsers.source import LogFile

NO_DUMP_REASONS = (
    "no dump: the process died before, left through destroy_process_group, was blocked before its monitor could "
    "write, or the file was not collected"
)


def analyse_dumps(files: Sequence[LogFile], cancelled: Callable[[], bool] = lambda: False) -> FlightRecorderFindings:
    """Read the dumps among some files and say who keeps whom waiting. Never raises on what is in them."""
    return analyse(read_dumps(files, cancelled=cancelled))


def analyse(dumps: DumpSet) -> FlightRecorderFindings:
    """Say who keeps whom waiting. Pure; O(entries)."""
    joined = join(dumps)
    mismatches = find_mismatches(joined)
    heads = find_heads(joined)
    waiting = Waiting(heads, find_stuck(joined, heads), find_transfers(heads), _odd(heads, mismatches))
    suspects = find_suspects(joined, waiting, find_roots(joined, waiting))
    missing = _missing(joined)
    silent = any(log.silent for group in joined.groups for log in group.logs.values())
    scope = Scope(len(dumps.dumps), len(missing), silent)
    open_ends = (collective for collective in waiting.collectives if not collective.is_ending)
    stuck = tuple(sorted(open_ends, key=lambda c: not (c.missing or c.ahead or c.not_started)))
    return FlightRecorderFindings(
        joined, missing, mismatches, suspects, stuck,
        propose(suspects, mismatches, waiting, scope), rank_states(joined), clock_skews(joined), time_span(joined),
    )  # fmt: skip


def _odd(heads: Mapping[int, Head], mismatches: Sequence[Mismatch]) -> dict[int, Mismatch]:
    """Ranks that hang in a collective in which they called something else than most."""
    return {
        rank: mismatch
        for mismatch in mismatches
        for rank in mismatch.odd_ranks
        if rank in heads and (heads[rank].group.label, heads[rank].seq) == (mismatch.group, mismatch.seq)
    }


def _missing(joined: Joined) -> tuple[MissingDump, ...]:
    """Ranks without a dump: those that some group lists, and a few gaps, since ranks are numbered without any.

    A refused file with their number is the likeliest reason.
    """
    expected = {rank for group in joined.groups for rank in group.members}
    present = joined.dumps.by_rank
    if max(present, default=0) < 2 * len(present):
        expected.update(range(max(present, default=0)))
    refused: dict[int, str] = {}
    for file, why in joined.dumps.refused:
        for rank in ranks_in_name(file)[:1]:
            refused[rank] = f"{file} was refused: {why}"
    absent = sorted(expected - joined.dumps.by_rank.keys())
    return tuple(MissingDump(rank, refused.get(rank, NO_DUMP_REASONS)) for rank in absent)
