"""The head line in words: what job this is, and how much of it was read."""

from __future__ import annotations

from collections import Counter

from logtui.diagnosis.report import JobFacts, Report
from logtui.tui.wording import count_text, time_text


def job_words(report: Report, title: str, room: int) -> str:
    """`job 4821 · NeMo 2.5 · 16 nodes × 8 = 128 ranks · died 15:42:03 · 127 waiting, …`, what fits into `room`."""
    parts = _job_parts(report, title)
    while len(" · ".join(parts)) > room and len(parts) > 1:
        parts.pop()
    return " · ".join(parts)


def _job_parts(report: Report, title: str) -> list[str]:
    """The weightiest first."""
    job = report.job
    parts = [f"job {job.id}" if job.id else title]
    if job.framework:
        parts.append(" ".join(filter(None, (job.framework, job.framework_version))))
    parts += [_scale(job)] if job.world_size else []
    if job.ended is not None:
        verb = "ended" if report.verdict.cls in ("healthy", "slow-training") else "died"
        parts.append(f"{verb} {time_text(job.ended)}")
    parts += [_states(report)] if report.ranks else []
    return parts


def _scale(job: JobFacts) -> str:
    if job.nodes and job.gpus_per_node:
        return f"{job.nodes} nodes × {job.gpus_per_node} = {job.world_size} ranks"
    return count_text(job.world_size or 0, "rank")


def _states(report: Report) -> str:
    counts = Counter(state.status.replace("_", " ") for state in report.ranks)
    return ", ".join(f"{n} {status}" for status, n in counts.most_common(3))


def coverage_words(report: Report) -> str:
    """`128/128 ranks · 16/16 files`; what is missing counts, what is unknown is a question mark."""
    coverage = report.coverage
    unread = len(coverage.files_unread)
    ranks = f"{coverage.ranks_seen}/{coverage.ranks_expected or '?'} ranks"
    files = f"{coverage.files - unread if coverage.files >= unread else coverage.files}/{coverage.files} files"
    share = f"{coverage.share_read:.0%} read · " if coverage.share_read < 0.9995 else ""
    return f"{share}{ranks} · {files}"


def coverage_is_partial(report: Report) -> bool:
    """Whether anything that should be there was not read."""
    coverage = report.coverage
    lost = coverage.ranks_missing or coverage.nodes_missing or coverage.files_unread
    return bool(lost) or coverage.share_read < 0.9995
