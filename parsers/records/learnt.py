"""Records that no format declares: lines that diagnosis learnt to read from the files themselves."""

from __future__ import annotations

from logtui.parsers.pattern import Pattern, Role

LEARNT = Pattern("progress.learnt", (), "", (), Role.INFO, numeric=("step", "ms"))
"""Lines that count training in a program's own words; nothing scans for them."""
