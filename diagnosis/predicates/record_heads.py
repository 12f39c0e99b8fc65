"""What a structured record says, as plain log records say it: `ERROR no room left`.

Words of failure are looked for behind anything but letters; a time with a `T` in it, or the keys of logfmt (logrus,
go-kit), would hide them.
"""

from __future__ import annotations

import re

from logtui.parsers.regex import regex

_STAMP = regex(
    r"^\W{0,2}(?:\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:[A-Z]{3,4} )?\d{4})\]?[ \t:,|-]{1,4}"
)
"""A time in which letters stand."""
_LOGFMT = regex(
    r"^(?=.{0,200}?\blevel=(?P<level>\w{3,9})\b).{0,300}?\bmsg=(?:\"(?P<said>[^\"\\]{0,400}(?:\\.[^\"\\]{0,400}){0,20})\""
    r"|(?P<word>[^\"\s]\S{0,100}))(?P<rest>.{0,600})"
)
_WHY = regex(
    r"\b(?:err|error|reason)=(?:\"(?P<said>[^\"\\]{0,400}(?:\\.[^\"\\]{0,400}){0,20})\"|(?P<word>[^\"\s]\S{0,200}))"
)
_ESCAPED = re.compile(r"\\(.)")


_BELOW_ERROR = regex(
    r"^\W{0,2}(?:[IWVD]\d{4} \d\d:\d\d:\d\d"
    r"|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d{3,9}: [IWVD] [\w/]{1,200}\.(?:cc|cpp|h):\d)"
)
"""A record of glog, Abseil or TensorFlow at a level below errors, whatever words it has."""


def below_error(text: str) -> bool:
    """Whether a record of a runtime in C++ is at a level below errors."""
    return _BELOW_ERROR.match(text) is not None


def behind_head(text: str) -> str:
    """A record without its time; of logfmt its level in capitals, what it says, and why."""
    record = _LOGFMT.match(text) if "level=" in text else None
    if record is None:
        return _STAMP.sub("", text, count=1)
    why = _WHY.search(record["rest"])
    reason = f": {_plain(why)}" if why else ""
    return f"{record['level'].upper()} {_plain(record)}{reason}"


def _plain(found: re.Match[str]) -> str:
    return _ESCAPED.sub(r"\1", found["said"] or found["word"] or "")
