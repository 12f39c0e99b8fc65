"""The modes of the rank grid that we bring along, in the order `v` shows them."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING

from logtui.tui.panes.ranks.modes.reading import UNKNOWN, Mode, Reading, usual_value
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.looks import ABSENT, BY_STATUS, LOOKS, StatusLook, look_of
from logtui.tui.shared.wording import duration_text, time_text

if TYPE_CHECKING:
    from logtui.diagnosis.model.report import GroupState, RankState

NOT_MEMBER = BY_STATUS[ABSENT]


def _status(view: CaseView, group: str | None) -> Reading:
    looks = {rank: rank_look(view, rank, group) for rank in view.ranks}
    others = tuple(dict.fromkeys(look for look in looks.values() if look not in LOOKS))
    blamed, unknown = (tuple(o for o in others if bool(o.like) is known) for known in (True, False))
    overall = group is None
    return Reading(
        looks, (*blamed, *LOOKS, *unknown), quiet=frozenset({BY_STATUS["healthy"]}), aside=frozenset({NOT_MEMBER}),
        first=view.report.verdict.culprit_ranks if overall else (), key=partial(_numbers, view, group),
    )  # fmt: skip


def rank_look(view: CaseView, rank: int, group: str | None) -> StatusLook:
    """The look of a rank's state; where others that are not blamed share it, one that the verdict blames stands out."""
    look = look_of(view.status(rank, group))
    shared = rank in view.report.verdict.culprit_ranks and (group, look.status) in view.blameless_states
    return StatusLook(f"blamed_{look.status}", "▣", f"{look.words}, blamed", like="crashed") if shared else look


def _numbers(view: CaseView, group: str | None, rank: int) -> Hashable:
    """What two ranks of one state must share to be called identical."""
    found = view.state_in(rank, group)
    if found is None:
        return None
    return (found.group if group else "", found.enqueued, found.completed, found.stuck_on and found.stuck_on.seq)


BEHIND = StatusLook("fewer", "▼", "enqueued less than the group", like="behind")
AHEAD = StatusLook("more", "▲", "enqueued more than the group", like="ahead")
PENDING = (
    *(StatusLook(f"pending{n}", str(n), "pending", like="waiting" if n else "healthy") for n in range(10)),
    StatusLook("many", "+", "pending, 10 or more", like="queued_ahead"),
)


def _pending(view: CaseView, group: str | None) -> Reading:
    looks = {rank: _pending_look(view, view.state_in(rank, group), group) for rank in view.ranks}
    order = (BEHIND, AHEAD, *reversed(PENDING), UNKNOWN, NOT_MEMBER)
    return Reading(looks, order, aside=frozenset({NOT_MEMBER, UNKNOWN}), key=partial(_numbers, view, group))


def _pending_look(view: CaseView, found: GroupState | None, group: str | None) -> StatusLook:
    if found is None:
        return UNKNOWN if group is None else NOT_MEMBER
    usual, _ = view.usual_counters.get(found.group, (None, None))
    if found.enqueued is None:
        return UNKNOWN
    if usual is not None and found.enqueued != usual:
        return BEHIND if found.enqueued < usual else AHEAD
    if found.completed is None:
        return UNKNOWN
    return PENDING[max(0, min(found.enqueued - found.completed, len(PENDING) - 1))]


AGES = (
    (3600.0, StatusLook("hours", "█", "over an hour", like="never_entered")),
    (600.0, StatusLook("minutes10", "▆", "over 10 min", like="behind")),
    (60.0, StatusLook("minutes", "▄", "over a minute", like="waiting")),
    (10.0, StatusLook("seconds10", "▂", "over 10 s", like="waiting")),
    (float("-inf"), StatusLook("seconds", "▁", "until the end", like="healthy")),
)


def _last_words(view: CaseView, group: str | None) -> Reading:
    times = view.last_times
    end = max(view.report.job.ended or 0.0, max(times.values(), default=0.0))
    looks = {r: _age_look(end - times[r]) if r in times else UNKNOWN for r in view.ranks}

    def says(rank: int) -> str:
        if rank not in times:
            return "no dated line of its own"
        return f"last own line {time_text(times[rank]).strip()}, {duration_text(end - times[rank])} before the end"

    return Reading(looks, (*(look for _, look in AGES), UNKNOWN), says, aside=frozenset({UNKNOWN}))


def _age_look(age: float) -> StatusLook:
    return next(look for least, look in AGES if age >= least)


SLOW = (
    (2.0, StatusLook("twice", "█", "twice as slow", like="never_entered")),
    (1.25, StatusLook("slower", "▆", "over 25% slower", like="behind")),
    (1.05, StatusLook("bit", "▄", "over 5% slower", like="waiting")),
    (0.95, StatusLook("usual", "▃", "as the others", like="healthy")),
    (0.0, StatusLook("faster", "▁", "over 5% faster", like="ahead")),
)


def _step_time(view: CaseView, group: str | None) -> Reading:
    times = view.activity.step_ms if view.activity else {}
    usual = usual_value(times)

    def look(rank: int) -> StatusLook:
        if rank not in times or not usual:
            return UNKNOWN
        return next(look for least, look in SLOW if times[rank] >= least * usual)

    def says(rank: int) -> str:
        if rank not in times:
            return f"prints no step times ({len(times)} ranks do)"
        return f"step time {times[rank]:,.0f} ms (median of ranks {usual:,.0f} ms)"

    return Reading({r: look(r) for r in view.ranks}, (*(s for _, s in SLOW), UNKNOWN), says, aside=frozenset({UNKNOWN}))


NO_ERROR = StatusLook("none", "·", "no error", like="silent")
ERRORS = (
    *(StatusLook(f"errors{n}", str(n), f"error{'s' if n > 1 else ''}", like="behind") for n in range(1, 10)),
    StatusLook("errors", "+", "errors, 10 or more", like="crashed"),
)


def _errors(view: CaseView, group: str | None) -> Reading:
    counts = {rank: _error_count(view.states.get(rank)) for rank in view.ranks}
    looks = {rank: ERRORS[min(n, len(ERRORS)) - 1] if n else NO_ERROR for rank, n in counts.items()}

    def says(rank: int) -> str:
        first = view.states[rank].first_error if rank in view.states else None
        return f"{counts.get(rank, 0)} errors" + (f", the first {time_text(first.time).strip()}" if first else "")

    return Reading(looks, (*reversed(ERRORS), NO_ERROR), says, frozenset({NO_ERROR}))


def _error_count(state: RankState | None) -> int:
    return 0 if state is None else max(state.errors, int(state.first_error is not None))


NOT_SEEN = StatusLook("unseen", "·", "end not seen", like="silent")
CLEAN = StatusLook("clean", "0", "exit 0", like="healthy")
CODE = StatusLook("code", "!", "exit code", like="exited")
SIGNALS = {
    name: StatusLook(name, letter, name, like=like)
    for name, letter, like in (
        ("SIGSEGV", "S", "crashed"), ("SIGBUS", "B", "crashed"), ("SIGFPE", "F", "crashed"), ("SIGILL", "I", "crashed"),
        ("SIGKILL", "K", "killed"), ("SIGABRT", "A", "waiting"), ("SIGTERM", "T", "exited"),
    )
}  # fmt: skip
OTHER_SIGNAL = StatusLook("signal", "?", "other signal", like="killed")


def _exits(view: CaseView, group: str | None) -> Reading:
    order = (*SIGNALS.values(), OTHER_SIGNAL, CODE, CLEAN, NOT_SEEN)
    looks = {rank: _exit_look(view.states.get(rank)) for rank in view.ranks}
    return Reading(looks, order, partial(_exit_words, view), frozenset({NOT_SEEN, CLEAN}))


def _exit_look(state: RankState | None) -> StatusLook:
    ended = state.exit if state else None
    if ended is None:
        return NOT_SEEN
    if ended.signal:
        return SIGNALS.get(ended.signal, OTHER_SIGNAL)
    return NOT_SEEN if ended.code is None else CODE if ended.code else CLEAN


def _exit_words(view: CaseView, rank: int) -> str:
    state = view.states.get(rank)
    ended = state.exit if state else None
    if ended is None or (ended.code is None and not ended.signal):
        return "its end was not seen"
    at = time_text(ended.evidence.time).strip() if ended.evidence else ""
    return (f"ended by {ended.signal}" if ended.signal else f"exit code {ended.code}") + (f" at {at}" if at else "")


DUMPS = {
    "missing": StatusLook("missing", "◇", "no dump, others list it", like="never_entered"),
    "written": StatusLook("written", "◒", "written, not given here", like="behind"),
    "read": StatusLook("read", "◆", "dump read", like="healthy"),
}
NO_DUMP = StatusLook("none", "·", "no dump", like="silent")


def _dumps(view: CaseView, group: str | None) -> Reading:
    found = view.activity.dumps if view.activity else _dumps_read(view)
    looks = {rank: DUMPS.get(found.get(rank, ""), NO_DUMP) for rank in view.ranks}
    return Reading(looks, (*DUMPS.values(), NO_DUMP), lambda rank: looks[rank].words, frozenset({NO_DUMP}))


def _dumps_read(view: CaseView) -> dict[int, str]:
    """Of a case file: which ranks' dumps it was made from."""
    if view.dumps is None:
        return {}
    missing = dict.fromkeys(view.dumps.missing_ranks, "missing")
    return missing | dict.fromkeys(view.dumps.joined.dumps.by_rank, "read")


MODES = (
    Mode("status", _status),
    Mode("enqueued − completed", _pending),
    Mode("last words", _last_words, looks_closer=True),
    Mode("step time", _step_time, looks_closer=True),
    Mode("errors", _errors),
    Mode("exit", _exits),
    Mode("dump", _dumps, looks_closer=True),
)
