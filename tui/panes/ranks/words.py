"""Ranks in words: what the grid's glyphs mean, the numbers that decide about the rank under the cursor, and the names
that people type: `57`, `r57`, `node007`, `node007:3`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from logtui.parsers.bounded import compile_bounded
from logtui.tui.panes.ranks.modes.known import rank_look
from logtui.tui.panes.ranks.modes.reading import Reading
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.looks import ABSENT, StatusLook
from logtui.tui.shared.prefixes import without_prefix
from logtui.tui.shared.wording import about, printable

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import Evidence
    from logtui.diagnosis.model.report import RankState

ROLES = {"initiator": "its watchdog fired", "notified": "told by others"}

_RANK = re.compile(r"(?:rank|r)?\s*(\d+)", re.I)
_LOCAL = compile_bounded(r"(?P<host>\S+?)(?::|\s+(?:gpu|local)?\s*)(?P<local>\d+)", re.I)


def _coloured(look: StatusLook, text: str) -> Content:
    return Content.styled(text, f"$rank-{look.css}")


def legend(reading: Reading, guessed: int = 0) -> Content:
    """`◆ never entered 1  ■ waiting 127`, loudest first; then how many ranks' numbers are guesses."""
    counts = reading.counts
    parts = [
        Content.assemble(
            _coloured(look, look.glyph), f"\xa0{look.words}\xa0".replace(" ", "\xa0"), (f"{counts[look]:,}", "bold")
        )
        for look in reading.order
        if counts[look] and look.status != ABSENT
    ]
    if guessed:
        parts.append(Content.assemble("_\xa0guessed\xa0", (f"{guessed:,}", "bold")))
    return Content("  ").join(parts)


def rank_detail(view: CaseView, rank: int, group: str | None, reading: Reading, room: int = 80) -> Content:
    """Who the rank is; the numbers that decide, of the mode or else its counters; its last words: a line each.

    Of who it is what fits into `room` columns, so that its last words are not pushed out of sight.
    """
    state = view.states.get(rank)
    look = rank_look(view, rank, group)
    who = [state.host or ""] if state else []
    who += [f"local {state.local_rank}"] if state and state.local_rank is not None else []
    who += ["number guessed"] if state and state.guessed else []
    who += [ROLES[state.role]] if state and state.role in ROLES else []
    who = [part for part in who if part]
    while who and len(f"{look.glyph} rank {rank} {look.words}  {' · '.join(who)}") > room:
        who.pop()
    head = Content.assemble(
        _coloured(look, f"{look.glyph} "), (f"rank {rank} ", "bold"), _coloured(look, look.words),
        ("  " + " · ".join(who), "dim"),
    )  # fmt: skip
    if state is None:
        return Content("\n").join([head, Content("no line of this rank was found in any file")])
    said = reading.says(rank)
    return Content("\n").join(
        [
            head,
            Content(said) if said else _numbers(view, rank, group),
            Content(_last_words(state, view.own_words.get(rank))),
        ]
    )


def _numbers(view: CaseView, rank: int, group: str | None) -> Content:
    """`enqueued 1233 of 1234  completed 1233  in ALLREDUCE #1234  default_pg`."""
    found = view.state_in(rank, group)
    if found is None:
        return Content("no collective state in the logs")
    enqueued, completed = view.usual_counters.get(found.group, (None, None))
    stuck = found.stuck_on
    on = f"  in {stuck.op or '?'} #{_number(stuck.seq)}" if stuck else ""
    return Content.assemble(
        "enqueued ", (_number(found.enqueued), "bold"), _against(found.enqueued, enqueued),
        "  completed ", (_number(found.completed), "bold"),
        _against(found.completed, completed, "" if found.enqueued != enqueued else "others "),
        on, (f"  {printable(found.desc or found.group)}", "dim"),
    )  # fmt: skip


def _against(own: int | None, usual: int | None, who: str = "others ") -> str:
    """What the others have, where it differs."""
    return "" if own == usual or usual is None else f" ({who}{usual})"


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _last_words(state: RankState, own: Evidence | None) -> str:
    """How the rank ended, and what it wrote last itself; where that is not known, what was written for it."""
    ended, end = state.exit, ""
    if ended is not None and (ended.signal or ended.code is not None):
        end = f"ended by {ended.signal} · " if ended.signal else f"exit code {ended.code} · "
    words = own or state.last_words
    said = f"{about(words.time, words.inherited)} {without_prefix(printable(words.text))}".strip() if words else ""
    return f"{end}last words {said}" if words else end.removesuffix(" · ")


def named_rank(view: CaseView, typed: str, odd: Sequence[int] = ()) -> int | None:
    """The rank that is meant: by number; of a node its loudest odd rank, else its first. None where there is none."""
    typed = typed.strip().removeprefix("/")
    number = _RANK.fullmatch(typed)
    if number:
        return int(number[1]) if int(number[1]) in frozenset(view.ranks) else None
    ranks = _ranks_on(view, typed)
    if ranks:
        return next((rank for rank in odd if rank in ranks), min(ranks))
    local = _LOCAL.fullmatch(typed)
    if local is None:
        return None
    here = _ranks_on(view, local["host"])
    return next((r for r in sorted(here) if view.states[r].local_rank == int(local["local"])), None)


def names_a_number(typed: str) -> bool:
    """Whether a rank is meant, there or not."""
    return _RANK.fullmatch(typed.strip().removeprefix("/")) is not None


def _ranks_on(view: CaseView, name: str) -> frozenset[int]:
    """Ranks of the one node that is called so, begins or ends so, or has it in its name; the first of several."""
    name = name.lower()
    hosts = {s.host: s.host.lower() for s in view.report.ranks if s.host}
    for fits in (str.__eq__, _short, str.startswith, str.endswith, str.__contains__):
        found = next((host for host, lower in hosts.items() if fits(lower, name)), None)
        if found is not None:
            return frozenset(s.rank for s in view.report.ranks if s.host == found)
    return frozenset()


def _short(host: str, name: str) -> bool:
    return host.split(".")[0] == name
