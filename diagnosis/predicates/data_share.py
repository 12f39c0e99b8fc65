"""How much of a step's time goes into waiting for data, as its own line puts it: the loader is then what is slow,
however steady the steps are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median
from weakref import WeakKeyDictionary

import numpy as np

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Recommendation, Symptom
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

MOST_SHARE, FEWEST, ASKED, SERIES = 0.5, 8, 48, 4
"""Of a step, so much is spent on data before it is told; lines that must say so; lines and series that are read."""
WIDTH = 600
_NUMBER = r"(\d{1,6}\.\d{1,6})"
_WORDINGS = (
    # torchvision's MetricLogger, mmengine, detectron2
    regex(rf"\btime: {{0,3}}{_NUMBER}(?: \([\d.]+\))?\b.{{0,80}}?\bdata(?:_time)?: {{0,3}}{_NUMBER}"),
    # PyTorch's ImageNet example, and what was made of it
    regex(rf"\bTime {{1,4}}{_NUMBER}s? \([^)]{{1,12}}\).{{0,40}}?\bData {{1,4}}{_NUMBER}", re.I),
    regex(rf"\b(?:batch|step|iter)_time[:= ]{{1,3}}{_NUMBER}.{{0,80}}?\bdata_time[:= ]{{1,3}}{_NUMBER}"),
)
"""Each has the time of a step first, then what of it went by until its data was there, in one unit."""
MEANING = "The GPUs idle for that long in each step: reading, decoding or augmenting is what limits the pace."


@dataclass(frozen=True, slots=True)
class DataShare:
    """The usual step of a job, in the unit of its lines."""

    step: float
    data: float
    line: Evidence

    @property
    def what(self) -> str:
        """In words."""
        return f"{self.data / self.step:.0%} of a step's time is waiting for data ({self.data:g} of {self.step:g})"


_SHARES: WeakKeyDictionary[Facts, DataShare | None] = WeakKeyDictionary()
"""Of each case, once asked for: its lines are read from disk."""


def data_share(facts: Facts) -> DataShare | None:
    """The medians of steps that say both; None where they do not, or data takes less than half of the time."""
    if facts not in _SHARES:
        _SHARES[facts] = _share(facts)
    return _SHARES[facts]


def _share(facts: Facts) -> DataShare | None:
    for series in facts.steps[:SERIES]:
        if _read(_text(facts, facts.case.records[int(series.rows[-1])])) is None:
            continue  # most loops do not say it, and are asked once
        rows = series.rows[np.unique(np.linspace(0, len(series.rows) - 1, ASKED).astype(np.intp))]
        lines = [facts.case.records[int(row)] for row in rows]
        told = [(found, record) for record in lines if (found := _read(_text(facts, record))) is not None]
        if len(told) < FEWEST:
            continue
        step, data = (median(found[n] for found, _ in told) for n in (0, 1))
        if 0 < MOST_SHARE * step <= data <= step:
            return DataShare(step, data, cite(facts.case, told[-1][1]))
    return None


def _text(facts: Facts, record: Record) -> str:
    """Its line from disk: of steps that were learnt from the file no text is kept."""
    return record.first_line or "".join(facts.case.bodies(record.file, record.line, 1))


def _read(line: str) -> tuple[float, float] | None:
    found = next((m for wording in _WORDINGS if (m := wording.search(line[:WIDTH]))), None)
    return (float(found[1]), float(found[2])) if found else None


def data_symptom(facts: Facts) -> tuple[Symptom, ...]:
    """What it looks like in a report."""
    share = data_share(facts)
    return (Symptom(share.what, (share.line,), MEANING),) if share else ()


def data_advice(facts: Facts) -> tuple[Recommendation, ...]:
    """What to do about it."""
    share = data_share(facts)
    if share is None:
        return ()
    what = f"{share.what}: more or faster loader workers, fewer transforms, data nearer to the node"
    return (Recommendation("training", what, (share.line,)),)
