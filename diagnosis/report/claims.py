"""What a saved report claims beyond its citations: titles, ranks, counts, compared with what the logs show now.

Each claim has a name, which says where it stands, and a text. Those of a fresh report are found in the same way, so
that whatever was altered, in the logs or in the report, differs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.json_report import as_dict
from logtui.diagnosis.report.markdown import render

Claims = dict[str, str]
_LINES = {
    "Verdict": re.compile(r"- \*\*(?P<name>Class|Culprit|Culprit host)\*\*: (?P<value>.*)"),
    "Job": re.compile(r"\| (?P<name>(?!Log folder|Report)[\w ]+) \| (?P<value>.*) \|"),
    "Root cause chain": re.compile(r"(?P<name>\d{1,9})\. (?P<value>.*)"),
    "Ranks": re.compile(r"\| (?P<name>\d[^|]*) \| (?P<value>.*) \| [^|]*\|"),
    "Counts": re.compile(r"\| (?P<name>[^|]+) \| (?P<value>\d.*) \|"),
}
"""By section of the markdown, the lines that claim something; last words of ranks are citations."""
_WHOLE = ("class", "title", "culprit_ranks", "culprit_hosts")


def refuted(saved: str, fresh: Report) -> list[str]:
    """The claims of a report's text that a fresh report of the same logs does not make, one sentence each.

    Raises:
        ValueError: if the text looks like JSON and is none.
    """
    if fresh.provisional:
        return []
    if saved.lstrip().startswith("{"):
        said, now = _of_json(json.loads(saved)), _of_json(as_dict(fresh))
    else:
        said, now = _of_markdown(saved), _of_markdown(render(fresh))
    return [
        f"{name}: the report says {text[:200]!r}, the logs {_instead(now, name)}"
        for name, text in said.items()
        if now.get(name) != text
    ]


def _instead(now: Claims, name: str) -> str:
    return f"{now[name][:200]!r}" if name in now else "nothing of that"


def _of_markdown(text: str) -> Claims:
    found, section = {"title": text.lstrip().split("\n", 1)[0]}, ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif section in _LINES and (m := _LINES[section].fullmatch(line)):
            found[f"{section}, {m['name']}"] = m["value"]
    return found


def _of_json(report: Any) -> Claims:
    return dict(_named(report)) if isinstance(report, dict) else {}


def _named(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    verdict = report.get("verdict") or {}
    yield from ((f"{key} of the verdict", _text(verdict.get(key))) for key in _WHOLE)
    yield from ((f"{key} of the job", _text(value)) for key, value in (report.get("job") or {}).items())
    yield from ((f"chain step {s.get('step')}", _text([s.get("what"), s.get("time")])) for s in _each(report, "chain"))
    for rank in _each(report, "ranks"):
        yield f"rank {rank.get('rank')}", _text([rank.get(key) for key in ("status", "role", "host", "groups")])
    yield from ((f"count of {c.get('pattern')}", _text(c.get("total"))) for c in _each(report, "counts"))
    yield from ((f"symptom {n}", _text(s.get("what"))) for n, s in enumerate(_each(report, "symptoms"), 1))


def _each(report: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    return (one for one in report.get(key) or () if isinstance(one, dict))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
