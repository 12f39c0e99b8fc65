"""Imported by the fork server alone: workers that are forked from it find all formats and the engine ready."""

from __future__ import annotations

import gc

from logtui.parsers.scan.task import scanner

scanner("auto")
gc.freeze()
