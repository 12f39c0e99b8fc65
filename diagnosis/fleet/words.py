"""Jobs and what recurs over them, in a line of text each."""

from __future__ import annotations

from logtui.diagnosis.fleet.job_line import JobLine
from logtui.diagnosis.fleet.recurring import Recurrence

NAMED_JOBS = 4


def job_text(line: JobLine, width: int) -> str:
    """Job, class, confidence, culprit, proof."""
    if not line.confidence:
        return f"{line.job:<{width}}  {line.cls:<20} {line.title}"
    return f"{line.job:<{width}}  {line.cls:<20} {line.confidence:<7} {line.culprit:<28} {line.place}"


def recurrence_text(found: Recurrence) -> str:
    """Culprit, in how many jobs and weeks, and some of them."""
    jobs = ", ".join(found.jobs[:NAMED_JOBS]) + (", …" if len(found.jobs) > NAMED_JOBS else "")
    weeks = f" in {', '.join(found.weeks)}" if found.weeks else ""
    return f"again: {found.kind} {found.name}, {len(found.jobs)} jobs{weeks} ({', '.join(found.classes)}): {jobs}"
