"""Whether the end of a file shows a program at work, whatever it is called and however it writes its steps.

Step formats are declared for known trainers; a script's own lines are told by what they do: one sentence again and
again whose numbers change, or a progress bar that fills.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from logtui.parsers.case import Case

TAIL, NEAR, CLOSING_NEAR = 1000, 60, 15
"""Lines at the end of a file that are read; those among which progress must stand; those that may close a run."""
LONGEST = 4000
"""Characters of a line that are looked at, from its end: a bar rewrites one line thousands of times."""
TIMES = 3
"""So many different lines, or fillings of a bar, are progress."""
_NUMBER = re.compile(r"[-+]?\d+(?:[.,:]\d+)*(?:e[-+]?\d+)?%?")
_BAR = re.compile(r"(?<![\d/])(\d{1,12})/(\d{1,12}) \[")
_WORDS = re.compile(
    r"loss|\b(?:epochs?|steps?|iter(?:s|ation)?|batch(?:es)?|updates?|lr|learning.rate|acc(?:uracy)?|eta|rewards?|ppl"
    r"|perplexity|train\w*)\b",
    re.I,
)
_TROUBLE = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Interrupt)\b|^E\d{4} |loss\W{1,4}nan\b"
    r"|\b(?:ERROR|FATAL|CRITICAL|Traceback|Killed|Terminated|Aborted|CANCELLED|core dumped|[Tt]imed? ?out)\b"
    r"|\b(?:[Ff]ail(?:ed|ure)|[Aa]bort(?:ing|ed)|[Ss]egmentation|[Pp]anic|[Dd]iverged|[Tt]raceback|[Ii]nterrupted)\b"
)
_CLOSING = re.compile(
    r"\b(?:done|finished|complete[d]?|saved|end (?:of )?(?:training|evaluation|run))\b|Synced \d+ W&B file", re.I
)


def last_progress(case: Case, file: int) -> int | None:
    """The number of the last line of a file that shows progress; None where its end shows none, or trouble after it."""
    count = case.line_count(file)
    first = max(1, count - TAIL + 1)
    lines = [text[-LONGEST:] for text in case.bodies(file, first, TAIL)]
    at = max(_advancing(lines), default=None)
    if at is None or any(_TROUBLE.search(text) for text in lines[at + 1 :]):
        return None
    spoken = [text for text in lines if text.strip()]
    after = sum(1 for text in lines[at + 1 :] if text.strip())
    closed = any(_CLOSING.search(text) for text in spoken[-CLOSING_NEAR:])
    return first + at if after <= NEAR or closed else None


def _advancing(lines: Sequence[str]) -> Iterator[int]:
    """Indices of the last line of each sentence whose numbers change, and of each bar that fills."""
    sentences: dict[str, dict[str, int]] = defaultdict(dict)
    bars: dict[str, dict[str, int]] = defaultdict(dict)
    for index, text in enumerate(lines):
        for done, total in _BAR.findall(text):
            bars[total][done] = index
        if _WORDS.search(text) and _NUMBER.search(text):
            sentences[_NUMBER.sub("#", text.strip())[:LONGEST]][text] = index
    for seen in (*sentences.values(), *bars.values()):
        if len(seen) >= TIMES:
            yield max(seen.values())
