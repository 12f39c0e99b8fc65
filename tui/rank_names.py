"""Ranks and nodes by the names people type: `57`, `r57`, `node007`, `node007:3`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from logtui.tui.case_view import CaseView

_RANK = re.compile(r"(?:rank|r)?\s*(\d+)", re.I)
_LOCAL = re.compile(r"(?P<host>\S+?)(?::|\s+(?:gpu|local)?\s*)(?P<local>\d+)", re.I)


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
