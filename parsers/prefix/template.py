"""The template of a line: what stays of it when everything that differs from rank to rank and time to time is masked.

Two lines of one template come from the same statement of a program, as a rule: `read 12 shards from /data/a` and `read
7 shards from /mnt/b` are both `read <n> shards from <path>`.
"""

from __future__ import annotations

import re

from logtui.parsers.bounded import compile_bounded
from logtui.parsers.clean import clean, segment
from logtui.parsers.prefix.origin import split

WIDTH = 200
"""Characters of a template that are kept; what differs later is taken for the same."""
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_DATA = (
    "tar|parquet|jsonl?|bin|idx|np[yz]|wds|gz|zst|pt|pth|ckpt|safetensors|arrow|lmdb|h5|hdf5|tfrecords?"
    "|wav|flac|mp3|jpe?g|png|txt|[ct]sv"
)
_NAMES = compile_bounded(
    r"(?P<path>[A-Za-z][\w+.-]*://[^\s'\",;)\]}>]+|(?<![\w.<])~?/[^\s'\",:;)\]}>]+)"     # a URL or an absolute path
    rf"|(?P<file>(?<![\w/-])[\w-][\w.-]*\.(?:{_DATA})\b)"                             # a file of data
    r"|(?P<hex>\b0x[0-9a-fA-F]+\b|\b(?=[0-9a-f-]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b)"  # an address, a hash, a UUID
    r"|(?P<day>\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?=[A-Z\d])"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (?= ?\d))"           # a part of a date
    r"|(?P<bar>[█▏▎▍▌▋▊▉]+ *|(?<=\|)[#=>\- ]{4,}(?=\|))"                               # a progress bar
)  # fmt: skip
_NUMBER = re.compile(r"(?:(?<![\w.-])[-+])?\d(?:[\d,]*\d)?(?:\.\d+)?(?:[eE][-+]?\d+)?")
_MASKS = {"path": "<path>", "file": "<file>", "hex": "<hex>", "day": "", "bar": "<bar>"}


def rough_key(raw: bytes) -> bytes:
    """The line with all digits alike: equal keys have equal templates, at a tenth of the cost."""
    return raw.translate(_DIGITS)


def template(raw: bytes) -> str:
    """The template of a line; of one rewritten with `\\r`, that of what stood there last."""
    shown = segment(raw, len(raw))[0] if b"\r" in raw else raw
    return template_of(split(clean(shown if shown.strip() else raw.replace(b"\r", b" "))).body)


def template_of(text: str) -> str:
    """The template of a cleaned text without prefixes."""
    named = _NAMES.sub(lambda m: _MASKS[m.lastgroup or "path"], text[: 2 * WIDTH])
    return " ".join(_NUMBER.sub("<n>", named).split())[:WIDTH]
