"""What a job does, with which data, and whether it began anew: as programs say at their start, in words of their own.

Asked for where no declared line tells. A word that its line denies (`finetune ... False`) says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import spread
from logtui.parsers.files.ends import head
from logtui.parsers.regex import regex

TRAINING, FINE_TUNING, INFERENCE = "training", "fine-tuning", "inference"
HEAD_BYTES = 128 << 10
"""Bytes at the beginning of a file that are looked at."""
MOST_FILES = 4
WIDTH = 1000
"""Characters of a line that are looked at."""
DOES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        INFERENCE,
        regex(
            r"Initializing a V\d LLM engine|Initializing an LLM engine|vLLM API server version|sglang\.launch_server"
            r"|trtllm-serve|text-generation-launcher|Uvicorn running on"
        ),
    ),
    (
        FINE_TUNING,
        regex(r"(?i)(?<![a-z0-9/._])fine-?_?tun(?:e|ing)(?![a-z])|SFTTrainer|\|\| trainable%|stage[ :=]{1,3}sft\b"),
    ),
)
"""What a line at the start says that the job does, the most telling first."""
_TOLD_WITH = (
    b"llm", b"sglang", b"text-generation-launcher", b"uvicorn", b"tun", b"sfttrainer", b"trainable%", b"stage",
)  # fmt: skip
_NAMED_WITH = (b"data", b"train_file", b"manifest_filepath", b"shar_path", b"tarred_audio", b"://")
"""In small letters, of which every line has one that these expressions find: few lines are left to be asked."""
_DENIED = regex(r"(?i)\b(?:false|none|no|not|without)\b|\.py\b|warn")
_NAMED = regex(
    r"(?i)(?<![a-z_])(?:data_?(?:path|dir|root)|dataset(?:_(?:name|path|dir))?|train_(?:data(?:_path)?|files?)"
    r"|manifest_filepath|shar_path|tarred_audio_filepaths)['\"]?(?: ?\.{3,80} ?| {0,40}[:=] {0,4})['\"\[({]{0,3}"
    r"(?P<source>[\w.:/~-]{0,80}[/:][\w.:/~{}*-]{1,160}|[\w-]{2,60}(?=['\"\s,]|$))"
)
_PLACE = regex(r"(?<![\w/])(?P<source>(?:ais|s3|gs|oss|az)://[\w.-]{1,63}(?:/[\w.-]{1,80})?)")
_NO_SOURCE = regex(r"(?i)none|null|true|false|str|dict|list|\d+")


def read_activity(case: Case, trained: bool) -> str | None:
    """Training, fine-tuning or inference; None where neither a line nor a step tells."""
    lines = _lines(case, _TOLD_WITH)
    said = {does for line in lines for does, words in DOES if words.search(line) and not _denies(does, line)}
    if INFERENCE in said and not trained:
        return INFERENCE
    return FINE_TUNING if FINE_TUNING in said else TRAINING if trained else None


def _denies(does: str, line: str) -> bool:
    """Whether a line speaks of it to say that it is not so; a server's banner is full of settings that are off."""
    return does != INFERENCE and bool(_DENIED.search(line))


def read_data_source(case: Case) -> str | None:
    """Where samples are read: what an argument names, or the bucket that most lines do."""
    named: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for line in _lines(case, _NAMED_WITH):
        for words, found in ((_NAMED, named), (_PLACE, places)):
            match = words.search(line)
            if match is not None and not _NO_SOURCE.fullmatch(match["source"]):
                found[match["source"]] += 1
    return next((found.most_common(1)[0][0] for found in (named, places) if found), None)


def _lines(case: Case, words: Sequence[bytes]) -> Iterator[str]:
    """Lines of the beginnings of files with one of some words."""
    for file in spread(case.files)[:MOST_FILES] if case.share_read >= 1.0 else ():
        text = head(file, HEAD_BYTES)
        low = text.lower()
        there = [word for word in words if word in low]
        for raw in text.split(b"\n") if there else ():
            if any(map(raw[:WIDTH].lower().__contains__, there)):
                yield clean(raw[:WIDTH])
