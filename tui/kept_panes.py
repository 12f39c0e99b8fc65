"""How the panes are set, to be kept for the next time and put back."""

from __future__ import annotations

from textual.dom import DOMNode

from logtui.tui.line_rules import LineRules, OtherRanks, parse_rule
from logtui.tui.rank_modes import MODES
from logtui.tui.session_store import Looks, Session
from logtui.tui.widgets.clock_link import ClockLink
from logtui.tui.widgets.rank_pane import RankPane
from logtui.tui.widgets.raw_pane import RawPane


class KeptPanes:
    """The panes that have something to keep. Their widgets are looked up once: a session is kept as the screen goes."""

    def __init__(self, screen: DOMNode) -> None:
        self._ranks, self._raw = screen.query_one(RankPane), screen.query_one(RawPane)
        self._clock = screen.query_one(ClockLink)
        self._filters, self._searcher = self._raw.filters, self._raw.searcher
        self._window = self._raw.viewer.window

    def settings(self) -> Session:
        """All but marks and place."""
        rules, found = self._filters.rules, self._searcher.matches
        mode = MODES[self._ranks.mode].name if self._ranks.mode else ""
        return Session(
            rules=tuple(rule.typed for rule in rules.rules),
            search=found.regex.pattern if found else "",
            looks=Looks(mode, self._ranks.wanted, rules.others.value, rules.rank, self._window.wrapped),
            clock=self._clock.given,
        )

    def put_back(self, kept: Session) -> None:
        """Set the panes as they were; what no longer fits is left out."""
        looks = kept.looks
        mode = next((n for n, mode in enumerate(MODES) if mode.name == looks.mode), 0)
        self._ranks.put_back(mode, looks.arrangement)
        others = next((way for way in OtherRanks if way.value == looks.others), OtherRanks.SHOWN)
        rank = None if others is OtherRanks.SHOWN else looks.others_than
        others = OtherRanks.SHOWN if rank is None else others
        self._raw.set_rules(LineRules(tuple(map(parse_rule, kept.rules)), rank, others))
        if looks.wrapped != self._window.wrapped:
            self._raw.viewer.action_wrap()
        if kept.search:
            self._raw.resume_search(kept.search)
        if kept.clock is not None:
            self._clock.take(kept.clock)
