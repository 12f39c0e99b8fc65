"""A cited line in a few words."""

from __future__ import annotations

from logtui.diagnosis.report import Evidence
from logtui.tui.printable import printable
from logtui.tui.wording import time_text


def timed_text(cited: Evidence, limit: int = 160) -> str:
    """The line's text, with its time before it where the line itself does not say it."""
    text = printable(cited.text.strip())
    at = time_text(cited.time).strip()
    text = f"{at} {text}" if at and at not in text else text
    return text if len(text) <= limit else text[: limit - 1] + "…"
