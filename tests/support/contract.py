"""The machine-readable report, schema 1, as data: exact keys, types and closed sets of words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator


@dataclass(frozen=True)
class Maybe:
    """Null, or this shape."""

    shape: object


@dataclass(frozen=True)
class Each:
    """An object with keys of its own, each value of this shape."""

    shape: object


@dataclass(frozen=True)
class AtLeast:
    """An object with these keys, and perhaps others that schema 1 leaves open."""

    shape: Mapping[str, object]


def words(text: str) -> frozenset[str]:
    """A closed set."""
    return frozenset(text.split())


CLASSES = words(
    "storage-io network gpu-hardware gpu-oom cuda-software host-oom data data-loading-stall collective-mismatch "
    "init-rendezvous software config infrastructure slow-training healthy unknown"
)
STATUSES = words("never_entered waiting queued_ahead ahead behind crashed exited killed healthy silent")
EXPLANATIONS = words("cause consequence survived noise unexplained")
ROLES = words("initiator notified silent")
CONFIDENCES = words("high medium low")
SIDES = words("storage client training infrastructure hardware")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?([+-]\d\d:\d\d)?")
NUMBER = (int, float)

# A type means itself, a list any number of its item, a dict exactly its keys, a set one of its words.
PLACE = {"file": str, "line": int}
EVIDENCE = {**PLACE, "text": str}
LINE = {**EVIDENCE, "time": Maybe(TIME), "inherited": bool}
STUCK_ON = {
    "seq": Maybe(int), "op": Maybe(str), "numel_in": Maybe(int), "numel_out": Maybe(int), "timeout_ms": Maybe(int),
}  # fmt: skip
EXPLAINED = {"verdict": EXPLANATIONS, "why": str, "what": str, "count": int, "evidence": LINE}
GROUP = {
    "group": str, "desc": Maybe(str), "enqueued": Maybe(int), "started": Maybe(int), "completed": Maybe(int),
    "stuck_on": Maybe(STUCK_ON), "evidence": Maybe(PLACE),
}  # fmt: skip
RANK = {
    "rank": int, "host": Maybe(str), "local_rank": Maybe(int), "files": [str], "status": STATUSES, "role": ROLES,
    "groups": [GROUP], "last_words": Maybe(LINE), "last_step": Maybe(int),
    "exit": Maybe({"code": Maybe(int), "signal": Maybe(str), "evidence": Maybe(PLACE)}), "guessed": bool,
}  # fmt: skip
DAEMON = AtLeast({
    "id": Maybe(str), "role": str, "host": Maybe(str),
    "files": [AtLeast({
        "file": str, "start": Maybe(TIME), "end": Maybe(TIME), "start_from": Maybe(str), "end_from": Maybe(str),
        "restart": Maybe(bool),
    })],
    "counters": [AtLeast({"name": str, "from": Maybe(NUMBER), "to": Maybe(NUMBER), "delta": Maybe(NUMBER), **PLACE})],
    "signatures": list,
})  # fmt: skip
ODD_LINE = {
    "writers": [str], "ranks": [int], "said_by": int, "peers": int, "count": int, "why": str, "evidence": LINE,
}  # fmt: skip
ODD_LINES = {
    "looked_at": {"bytes": int, "of": int, "lines": int, "files": int, "left_out": int},
    "odd": [ODD_LINE],
    "unsaid": [{"rank": int, "early_s": Maybe(NUMBER), "others": int, "evidence": LINE}],
    "last_words": [{"rank": int, "silent_s": Maybe(NUMBER), "evidence": LINE}],
    "baseline": Maybe(str),
    "new": [ODD_LINE],
}  # fmt: skip
PHASE = {"phase": words("set-up training evaluation export teardown"), "ended": str}
WITNESSES = {
    "testimonies": [{"witness": words("log dumps ras"), "ranks": [int], "what": str, "evidence": [EVIDENCE]}],
    "disagreements": [{"what": str, "evidence": [EVIDENCE]}],
}
REPORT = {
    "schema": int,
    "logtui": str,
    "job": {
        "id": Maybe(str), "framework": Maybe(str), "framework_version": Maybe(str), "launcher": Maybe(str),
        "scheduler": Maybe(str), "world_size": Maybe(int), "nodes": Maybe(int), "gpus_per_node": Maybe(int),
        "started": Maybe(TIME), "ended": Maybe(TIME), "resumed_from": Maybe(str), "last_step": Maybe(int),
        "data_source": Maybe(str), "activity": Maybe(str), "resumed": Maybe(bool), "parallel": dict, "tensor_nodes": int,
    },
    "coverage": {
        "files": int, "files_unread": [{"file": str, "why": str}], "bytes": int, "lines": int, "lines_unparsed": int,
        "ranks_expected": Maybe(int), "ranks_expected_from": Maybe(PLACE), "ranks_seen": int, "ranks_missing": [int],
        "nodes_missing": [str], "understood": [{"what": str, "share": NUMBER}],
        "unknown_sentences": [{"sentence": str, "share": NUMBER, **PLACE}],
    },
    "verdict": {
        "class": CLASSES, "title": str, "confidence": CONFIDENCES, "culprit_ranks": [int], "culprit_hosts": [str],
        "first_evidence": Maybe(LINE),
        "runners_up": [{"class": CLASSES, "title": str, "why_not": str, "evidence": [EVIDENCE]}],
        "missing": [str], "meanings": [{"what": str, "evidence": [EVIDENCE]}],
    },
    "chain": [{"step": int, "time": Maybe(TIME), "what": str, "evidence": [EVIDENCE], "leads_to": Maybe(int),
               "inherited": bool}],
    "symptoms": [{"what": str, "evidence": [EVIDENCE], "meaning": str}],
    "ranks": [RANK],
    "timeline": [{
        "time": Maybe(TIME), "time_from": str, "source": str, "rank": Maybe(int), "what": str, **PLACE,
        "proof": bool,
    }],
    "clocks": [{
        "source": str, "zone": Maybe(str), "offset_s": Maybe(NUMBER), "derived_from": [PLACE], "residual_s": Maybe(NUMBER),
    }],
    "ais": Maybe(AtLeast({"daemons": [DAEMON]})),
    "flight_recorder": Maybe(AtLeast({"dumps": int, "missing_ranks": [int], "mismatches": list, "suspects": list})),
    "counts": [{
        "pattern": str, "total": int, "by_file": Each(int), "by_rank": Each(int),
        "retry": Maybe({"max": int, "of": Maybe(int), "exhausted": bool}), "noise": bool,
    }],
    "errors": [{"type": str, "total": int, "ranks": [int], "evidence": EVIDENCE}],
    "steps": Maybe({
        "first": Maybe(int), "last": Maybe(int), "median_ms": Maybe(NUMBER),
        "slow": [{"from_step": int, "to_step": int, "ratio": NUMBER, "evidence": Maybe(PLACE)}],
        "changes": [{
            "step": int, "time": Maybe(TIME), "before_ms": NUMBER, "after_ms": NUMBER, "evidence": EVIDENCE,
            "nearby": [EVIDENCE],
        }],
        "slow_ranks": [{"rank": int, "what": str, "evidence": EVIDENCE}],
        "periodic": Maybe({"every": int, "ratio": NUMBER, "evidence": EVIDENCE}),
    }),
    "recommendations": [{"side": SIDES, "what": str, "because": [EVIDENCE]}],
    "verification": {"checked": int, "failed": list},
    "revisions": [{"was": str, "now": str, "because": Maybe(PLACE)}],
    "odd_lines": Maybe(ODD_LINES),
    "attempts": [{
        "attempt": int, "begins": Maybe(EVIDENCE), "class": CLASSES, "title": str, "confidence": CONFIDENCES,
        "culprit_ranks": [int], "culprit_hosts": [str], "first_evidence": Maybe(EVIDENCE),
        "phases": [PHASE],
    }],
    "recurring": [{"kind": str, "name": str, "attempts": [int], "evidence": [EVIDENCE]}],
    "witnesses": Maybe(WITNESSES),
    "explained": [EXPLAINED],
    "phases": [PHASE],
}  # fmt: skip

PUBLISHED = Draft202012Validator(json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text()))


def against_schema(report: Any) -> list[str]:
    """Where a report differs from the schema that is published."""
    return [f"{error.json_path}: {error.message}" for error in PUBLISHED.iter_errors(report)]


def violations(value: Any, shape: object = REPORT, where: str = "report") -> Iterator[str]:
    """Where a value differs from its shape, one sentence each; nothing where it fits."""
    if isinstance(shape, Maybe):
        if value is not None:
            yield from violations(value, shape.shape, where)
    elif isinstance(shape, AtLeast):
        known = {key: value[key] for key in shape.shape if key in value} if isinstance(value, dict) else value
        yield from _of_object(known, shape.shape, where)
    elif isinstance(shape, Mapping):
        yield from _of_object(value, shape, where)
    elif isinstance(shape, Each):
        if not isinstance(value, dict):
            yield f"{where} is no object: {value!r}"
            return
        for key, item in value.items():
            yield from violations(item, shape.shape, f"{where}[{key!r}]")
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{where} is no list: {value!r}"
            return
        for n, item in enumerate(value):
            yield from violations(item, shape[0], f"{where}[{n}]")
    elif not _fits(value, shape):
        yield f"{where} is {value!r}"


def _of_object(value: Any, shape: Mapping[str, object], where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where} is no object: {value!r}"
        return
    for key in shape.keys() - value.keys():
        yield f"{where} lacks {key}"
    for key in value.keys() - shape.keys():
        yield f"{where} has {key}, which the contract does not name"
    for key in shape.keys() & value.keys():
        yield from violations(value[key], shape[key], f"{where}.{key}")


def _fits(value: Any, shape: object) -> bool:
    if isinstance(shape, frozenset):
        return value in shape
    if isinstance(shape, re.Pattern):
        return isinstance(value, str) and shape.fullmatch(value) is not None
    assert isinstance(shape, type | tuple)
    return isinstance(value, shape) and (shape in (bool, object) or not isinstance(value, bool))
