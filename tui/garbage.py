"""Circular garbage is looked for while nobody presses keys: in the middle of a frame it costs as much as several."""

from __future__ import annotations

import gc
from typing import Any

from textual.app import App

YOUNG = 20_000
"""Objects made since the last look, over which a look is taken at those alone: some milliseconds."""
RARELY = 1_000
"""So many looks at the young before one at the older ones comes by itself."""
LOOK_S = 0.5
STILL = 1_000
"""Objects that are made between two looks while nothing happens."""
LONG_IDLE = 120
"""Looks without a key, after which all objects are gone through, once."""


def spare_frames() -> None:
    """What was imported lives as long as the process; what is made later is looked at in small portions."""
    gc.freeze()
    gc.set_threshold(YOUNG, RARELY, RARELY)
    gc.enable()


def tidy_when_idle(app: App[Any]) -> None:
    """Look for garbage whenever the app has been idle for half a second."""
    app.set_interval(LOOK_S, IdleCollector().look)


class IdleCollector:
    """Knows from the number of objects made whether anything happens."""

    def __init__(self) -> None:
        self._seen = gc.get_count()[:2]
        self._idle = 0
        """Looks since something happened."""

    def look(self) -> None:
        """Collect once when things have become still, and everything once when they stayed so."""
        young, looks = gc.get_count()[:2]
        still = looks == self._seen[1] and young - self._seen[0] < STILL
        self._idle = self._idle + 1 if still else 0
        if self._idle in (1, LONG_IDLE):
            gc.collect(2 if self._idle == LONG_IDLE else 1)
        self._seen = gc.get_count()[:2]
