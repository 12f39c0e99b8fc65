"""How far an MLPerf run came, by its own log (`mlcommons/logging`, `mlperf_logging.mllog`).

Each benchmark counts in units of its own beside it; the result is judged by the metadata of the MLLOG lines: a step
where they name one, else the epoch, else samples.
"""

from __future__ import annotations

from collections.abc import Iterable

from logtui.parsers.regex import regex

OF_MLPERF = b":::MLLOG"
_KEYS = (
    regex(r'"(?:step|step_num|iteration|iter_num)": (\d{1,9})(?:\.0)?\b(?!\.\d)'),
    regex(r'"epoch_num": (\d{1,9})(?:\.0)?\b(?!\.\d)'),
    regex(r'"(?:samples_count|train_samples)": (\d{1,12})(?:\.0)?\b(?!\.\d)'),
)
"""What is counted, what the rules of the benchmarks compare first."""


def mlperf_step(end: Iterable[str]) -> int | None:
    """The last step, epoch or sample of the MLLOG lines at the end of a file; None where it has none."""
    lines = [text for text in end if OF_MLPERF.decode() in text]
    found = ([int(n) for text in lines for n in key.findall(text)] for key in _KEYS)
    return next((max(numbers) for numbers in found if numbers), None)
