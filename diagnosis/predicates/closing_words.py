"""What programs say as they come to an end: that something is done, saved or through, and how long it took."""

from __future__ import annotations

import re

from logtui.parsers.regex import regex

CLOSING = regex(
    r"\b(?:done|finished|complete[d]?|saved|end (?:of )?(?:training|evaluation|run))\b|Synced \d+ W&B file", re.I
)
ELSEWHERE = (
    r"\b(?:termin(?:ée?|ad[oa]|ato)|fertig|abgeschlossen|beendet|finalizad[oa]|completato|conclu[ií]d[oa]|готово"
    r"|заверш[её]н\w{0,2})\b|完成|结束|完了|終了|완료"
)
"""That something is done, in other languages."""
THROUGH = regex(
    r"\b(?:all done|finish(?:ed)?(?! (?:for )?(?:the )?(?:iteration|epoch|step|batch))|completed?|saved|stored"
    r"|exit\w* (?:normally|successfully))\b|^\W{0,3}done\W{0,3}$"
    r"|^[^A-Za-z]{0,40}(?:INFO\W{1,4}(?:[\w.]{1,40}\W{1,3})?)?done(?:[!.]| \w{3,20}ing\b)|(?-i:\bDONE\b\W{0,3}$)"
    r"|^\W{0,3}done: (?:https?://|/)\S|\b(?:job|program|script|simulation|calculation|analysis)\s{1,3}(?:is )?done\b"
    r"|^end of do-file\s*$"  # Stata's
    r"|^[=*#-]{2,20} .{0,80}\bdone [=*#-]{2,20}\s*$|" + ELSEWHERE,
    re.I,
)
TOOK = regex(
    r"(?i)(?<![a-z])(?:total|elapsed|overall|run(?:ning)?|wall|execution|computation)"
    r"(?:[- ](?:clock|wall|elapsed|run|cpu|execution))?"
    r"[- _]?time\b[^\n]{0,24}\d|总(?:耗时|用时)[:：]? ?\d"
)


def closes(text: str) -> bool:
    """Whether a line says that something is done."""
    return THROUGH.search(text) is not None or CLOSING.search(text) is not None


def ends_work(text: str) -> bool:
    """Whether a line says that something is done, or how long all of it took."""
    return closes(text) or TOOK.search(text) is not None
