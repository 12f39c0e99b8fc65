"""A file below the paths the user gave, before anybody opened it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Found:
    """A file of any kind."""

    path: Path
    name: str
    """As shown to people."""
    info: os.stat_result
