"""The head line in words: what job this is, and how much of it was read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from logtui.tui.wording import count_text, time_text

if TYPE_CHECKING:
    from logtui.diagnosis.report import Coverage, JobFacts, Report


def job_words(report: Report, title: str, room: int, states: str | None = None) -> str:
    """`job 4821 · NeMo 2.5 · 16 nodes × 8 = 128 ranks · died 15:42:03 · 127 waiting, …`, what fits into `room`.

    `states` are `state_words`, for callers that ask again and again.
    """
    states = state_words(report) if states is None else states
    job = report.job
    name = f"job {job.id}" if job.id else title
    framework = " ".join(filter(None, (job.framework or "", job.framework_version or "")))
    scale, ended = (_scale(job), _ended(report)) if job.world_size else ("", _ended(report))
    short = scale.partition(" = ")[0]  # the number of ranks stands at the other end of the line
    for parts in (
        (name, framework, scale, ended, states),
        (name, framework, scale, ended),
        (name, framework, short, ended),
        (name, short, ended),
        (name, ended),
    ):
        words = " · ".join(filter(None, parts))
        if len(words) <= room:
            return words
    return name


def _ended(report: Report) -> str:
    if report.job.ended is None:
        return ""
    verb = "ended" if report.verdict.cls in ("healthy", "slow-training") else "died"
    return f"{verb} {time_text(report.job.ended)}"


def _scale(job: JobFacts) -> str:
    if job.nodes and job.gpus_per_node:
        return f"{job.nodes} nodes × {job.gpus_per_node} = {job.world_size} ranks"
    return count_text(job.world_size or 0, "rank")


def state_words(report: Report) -> str:
    """`127 waiting, 1 never entered`."""
    counts = Counter(state.status.replace("_", " ") for state in report.ranks)
    return ", ".join(f"{n} {status}" for status, n in counts.most_common(3))


def coverage_words(report: Report) -> str:
    """`128/128 ranks · 16/16 files`; what is missing counts, and it is said where nothing tells the number of ranks."""
    coverage = report.coverage
    unread = len(troubled_files(coverage))
    ranks = f"{coverage.ranks_seen}/{coverage.ranks_expected} ranks"
    if not coverage.ranks_expected:
        ranks = f"{count_text(coverage.ranks_seen, 'rank')} seen" if coverage.ranks_seen else "no rank named"
    files = f"{coverage.files - unread if coverage.files >= unread else coverage.files}/{coverage.files} files"
    share = f"{coverage.share_read:.0%} read · " if coverage.share_read < 0.9995 else ""
    return f"{share}{ranks} · {files}"


def coverage_is_partial(report: Report) -> bool:
    """Whether anything that should be there was not read."""
    coverage = report.coverage
    lost = coverage.ranks_missing or coverage.nodes_missing or troubled_files(coverage)
    return bool(lost) or coverage.share_read < 0.9995


def troubled_files(coverage: Coverage) -> list[str]:
    """Files that were not read though there was something to read."""
    return [name for name, why in coverage.files_unread if is_trouble(why)]


def is_trouble(why: str) -> bool:
    """Whether the reason why a file was not read is any: nothing is lost with one that holds nothing."""
    from logtui.parsers.source import EMPTY

    return bool(why) and why != EMPTY
