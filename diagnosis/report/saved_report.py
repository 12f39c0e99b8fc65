"""Citations of a saved report, read again from the logs: has anything drifted since it was written?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.report.quoting import plain_quote
from logtui.diagnosis.report.secrets import masked
from logtui.parsers.files.case import Case

_CITATION = re.compile(r"`(?P<file>[^`\n]+?):(?P<line>\d{1,15})` `(?P<text>[^`\n]+)`")
"""A bullet: place, then the quoted line."""
_ROW = re.compile(r"`(?P<text>[^`\n]+)` \| `(?P<file>[^`\n]+?):(?P<line>\d{1,15})` \|")
"""A row of the timeline table: the quoted line, then its place."""
_FENCED = r"(?P<fence>`{2,8}) (?P<file>[^\n]{1,400}?):(?P<line>\d{1,15}) (?P=fence)"
"""A place in a file whose name holds backticks."""
_ODD = (re.compile(_FENCED + r" `(?P<text>[^`\n]{1,400})`"), re.compile(r"`(?P<text>[^`\n]{1,400})` \| " + _FENCED))


def citations(path: Path) -> list[Evidence]:
    """Every (file, line, text) that a saved markdown or JSON report cites, each once.

    Raises:
        OSError: if the report cannot be read.
        ValueError: if it is neither of the two.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    if text.lstrip().startswith("{"):
        found = list(_in_json(json.loads(text)))
    else:
        found = [
            Evidence(m["file"].replace("\\|", "|"), int(m["line"]), m["text"])
            for regex in (_CITATION, _ROW, *_ODD)
            for m in regex.finditer(text)
        ]
    if not found:
        raise ValueError("no citation in it: not a report that logtui wrote")
    return list({(e.file, e.line, e.text): e for e in found}.values())


def _in_json(value: Any) -> Iterator[Evidence]:
    if isinstance(value, dict):
        if isinstance(value.get("text"), str) and isinstance(value.get("line"), int) and "file" in value:
            yield Evidence(str(value["file"]), value["line"], value["text"])
        for inner in value.values():
            yield from _in_json(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _in_json(inner)


def drifted(case: Case, found: list[Evidence]) -> list[tuple[Evidence, str]]:
    """Citations that the logs no longer bear out, each with the reason."""
    return [(e, why) for e in found if (why := _why(case, e))]


def _why(case: Case, e: Evidence) -> str:
    file = case.file_named(e.file)
    if file is None:
        return "the file is gone"
    now = case.lines(file.index, e.line, 1)
    if not now:
        return "the file ends before that line"
    cited = plain_quote(e.text).strip("…")
    kept = masked(now[0])
    return "" if cited in plain_quote(kept, width=0) else f"the line now reads: {kept.strip()[:160]}"
