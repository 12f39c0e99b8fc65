"""The layout of the JSON report as JSON Schema, made from the very types that write it.

Its version is semantic: the first number is the report's `schema` and grows when a key goes or changes its meaning, the
second when keys are added, the third when only words of the schema change.
"""

from __future__ import annotations

from typing import Any

import msgspec

from logtui.diagnosis.model.report import SCHEMA
from logtui.diagnosis.report.json_report import _Report
from logtui.parsers.pattern import FailureClass

VERSION = f"{SCHEMA}.2.0"
CLASSES = [cls.value for cls in FailureClass]
STATUSES = "never_entered waiting queued_ahead ahead behind crashed exited killed healthy silent".split()
CONFIDENCES = ["high", "medium", "low"]
_WORDS = {
    "class": CLASSES,
    "confidence": CONFIDENCES,
    "status": STATUSES,
    "role": ["initiator", "notified", "silent"],
    "side": ["storage", "client", "training", "infrastructure", "hardware"],
    "witness": ["log", "dumps", "ras"],
}
"""Closed sets, by the keys that hold one of them."""


def schema() -> dict[str, Any]:
    """The schema; what schema 1 leaves open in `ais` and `flight_recorder` is open in it."""
    made = msgspec.json.schema(_Report)
    found: dict[str, Any] = _renamed(made)
    for shape in found["$defs"].values():
        for key, field in shape["properties"].items():
            if key in _WORDS and field == {"type": "string"}:
                field["enum"] = _WORDS[key]
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:logtui:report:{VERSION}",
        "title": f"logtui report, schema {VERSION}",
        "description": "docs/report.md says what the keys mean. Keys may be added without a new first number.",
    }
    report = found["$defs"]["Report"]
    report["properties"]["schema"] = {"const": SCHEMA}
    report["required"].insert(0, "schema")
    return head | found


def _renamed(value: Any) -> Any:
    """Without the underscores that keep the types from being imported elsewhere."""
    if isinstance(value, dict):
        return {key.removeprefix("_"): _renamed(inner) for key, inner in value.items() if not _is_name(key, inner)}
    if isinstance(value, list):
        return [_renamed(inner) for inner in value]
    return value.replace("#/$defs/_", "#/$defs/") if isinstance(value, str) else value


def _is_name(key: str, inner: Any) -> bool:
    """Whether it titles a type, and is no key of the report that is called so."""
    return key == "title" and isinstance(inner, str)
