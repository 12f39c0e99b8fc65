"""Structured records, as plain log records say the same."""

from __future__ import annotations

import pytest

from logtui.diagnosis.predicates.record_heads import behind_head


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2031-02-03T04:05:06.789+00:00 FATAL no room left", "FATAL no room left"),
        ("[2031-02-03T04:05:06Z] ERROR no room left", "ERROR no room left"),
        ('time="2031-02-03T04:05:06Z" level=fatal msg="no \\"room\\" left" error="disk full"', 'FATAL no "room" left: disk full'),
        ('ts=57 level=error caller=run.go:57 msg=failed err="x y"', "ERROR failed: x y"),
        ("2031-02-03 04:05:06 ERROR no room left", "2031-02-03 04:05:06 ERROR no room left"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_stands_behind_a_head(text: str, said: str) -> None:
    assert behind_head(text) == said
