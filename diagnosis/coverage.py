"""What was read and what was not; silence counted."""

from __future__ import annotations

from logtui.diagnosis.facts import Facts
from logtui.diagnosis.model import Coverage
from logtui.parsers.names import read_name
from logtui.parsers.registry import registry


def coverage(facts: Facts) -> Coverage:
    """Files, bytes, lines, ranks; every gap named."""
    case = facts.case
    expected, source = facts.expected
    storage = facts.storage
    lines = sum(i.lines for i in case.indexes.values()) + (storage.logs.lines if storage else 0)
    matched = sum(i.matched for i in case.indexes.values()) + (storage.logs.lines if storage else 0)
    return Coverage(
        files=len(case.files),
        files_unread=_unread(facts),
        bytes=sum(f.size for f in case.files),
        lines=lines,
        lines_unparsed=max(0, lines - matched),
        ranks_expected=expected,
        ranks_expected_from=source,
        ranks_seen=len(facts.seen_ranks),
        ranks_missing=facts.missing_ranks,
        nodes_missing=_nodes_missing(facts),
        share_read=case.share_read,
        site_formats=registry().site,
    )


def _unread(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Every file that was not read, or not to its end, and why; dumps, daemon logs and a site's formats included."""
    storage = facts.storage.logs.unread if facts.storage else ()
    dumps = facts.dumps.refused if facts.dumps else ()
    return (*((u.file, u.why) for u in (*facts.case.unread, *storage)), *dumps, *registry().refused)


def _nodes_missing(facts: Facts) -> tuple[str, ...]:
    """Node files that the numbering of the others says there should be."""
    by_job: dict[str | None, set[int]] = {}
    for file in facts.case.files:
        if file.hints.node is not None:
            by_job.setdefault(file.hints.job, set()).add(file.hints.node)
    empty = {name for name, _ in ((u.file, u.why) for u in facts.case.unread)}
    out: list[str] = []
    for nodes in by_job.values():
        count = facts.job.nodes or max(nodes) + 1
        out += [f"node {n}" for n in range(min(count, 100_000)) if n not in nodes and not _is_there(n, empty)]
    return tuple(out)


def _is_there(node: int, names: set[str]) -> bool:

    return any(read_name(name).node == node for name in names)
