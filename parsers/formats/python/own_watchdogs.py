"""Watchdogs that programs write themselves: that nothing moves, and where it last did."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_LONG = r"(?:for|since|in|within|after) (?:the last |more than |over )?\d[\d.,]{0,9} ?(?:ms|s|sec|secs|seconds?|m|min|minutes?|h|hours?)\b"
_READING = (
    r"\b(?:next_batch|get_batch|load_batch|data_?(?:loader|iter\w{0,6}|wait|fetch\w{0,4})|dataset|loader|"
    r"next\(\w{0,20}\)|(?:read|fetch|load|decode|prefetch)(?:ing)?_?\w{0,20} ?(?:batch|sample|shard|data|file)?)\b"
)

FORMAT = LineFormat(
    name="own_watchdogs",
    title="programs' own watchdogs",
    reference="nobody's template: threads in training programs that watch the last sign of progress",
    patterns=(
        Pattern(
            name="watchdog.no_data",
            anchors=("no progress ", "No progress ", "stalled for ", "stuck for ", "no heartbeat ", "No heartbeat "),
            regex=r"(?i:no (?:progress|heartbeat)|\bstalled|\bstuck) " + _LONG + r".{0,60}" + _READING,
            samples=(
                Sample("watchdog: no progress for 57 s, last seen in next_batch"),
                Sample("rank 57 stalled for 300 seconds in data loader"),
                Sample("WARNING no heartbeat since 57 s; last place: fetch_shard"),
                Sample("stuck for 5 min at read_sample"),
                Sample("No progress in 57s (dataloader)"),
                Sample("No heartbeat for 57s, at load_batch"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.DATA_LOADING_STALL,
            weight=62,
            marks=(Mark.TAKES_DOWN,),
            title="a rank stood still where it reads data, as its own watchdog says",
            advice=(Advice("storage", "look what that rank read in that minute[ on {host}]"),),
        ),
    ),
)
