"""What a terminal shows of a line, piece by piece, where it may hold a counter of training."""

from __future__ import annotations

from logtui.diagnosis.facts.step_words import EITHER_ABROAD
from logtui.parsers.regex import regex

LONGEST = 2000
"""Characters of a line that are looked at, from its end."""
REWRITTEN = 8
"""States of a rewritten line that are looked at, the last one among them."""
_COUNTED = (
    "loss", "step", "iter", "batch", "epoch", "upd", "tick", "train", "trl:", "round", "episode", "learn: ",
    *EITHER_ABROAD,
)  # fmt: skip
_GLUED = regex(r"(?:(?<=it/s\])|(?<=s/it\]))(?=\S| {1,200}\W?\d{4}[-/]\d\d)")
"""Where a bar ends and a line of something else begins without a break, or with the time."""
_OF_TOTAL = regex(r"/(?:(?<=\d/)|(?<=\d /)) ?\d")
_OF_WORDS = regex(r" of (?=\d)(?:(?<=\d of )|(?<=\d out of ))")
_IT = regex(r"it(?![a-z_])(?<![a-z_]it)|^e\d{1,4} |(?<![\w/.])s\d{2,9} ")


def may_count(text: str) -> bool:
    """Whether a line may hold a counter. Every line is asked: each test begins with words, which are found fast."""
    low = text.lower()
    if any(map(low.__contains__, _COUNTED)):
        return True
    return bool(_OF_TOTAL.search(low) or _OF_WORDS.search(low) or _IT.search(low))


def shown(text: str) -> list[str]:
    """What a terminal shows of a line one after the other, where it is rewritten, or its end: some of many."""
    pieces = [piece[-LONGEST:].partition("^C")[0] for piece in text.split("\r") if piece.strip()]
    every = -(-len(pieces) // REWRITTEN) or 1
    return [_behind_bar(_last_bar(piece)) for piece in pieces[::-every][::-1]]


def _last_bar(text: str) -> str:
    """Of bars glued together the last."""
    return text[text.rfind("]", 0, text.rfind("%|")) + 1 :] if text.count("%|") > 1 else text


def _behind_bar(text: str) -> str:
    """The line that is glued to a bar, where it may count; else all of it."""
    line = _GLUED.split(text)[-1] if "it/s]" in text or "s/it]" in text else text
    return line if line is text or may_count(line) else text
