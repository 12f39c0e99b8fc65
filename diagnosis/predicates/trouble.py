"""What speaks of trouble in a line of any program, and what only seems to."""

from __future__ import annotations

import re

from logtui.diagnosis.facts.prose import is_prose, without_loud_level
from logtui.diagnosis.facts.survived import DROPPED
from logtui.parsers.regex import regex

_FAULT = r"\b[Ss]egmentation (?:[Ff]ault|[Vv]iolation)\b"
"""Both words: others segment pictures."""
_TROUBLE = regex(
    r"\b[A-Z]\w*(?:Error|Exception|Interrupt)\b|^E\d{4} |(?<!test_scalars \{')loss\W{1,4}nan\b"
    r"|\b(?:ERROR|FATAL|CRITICAL|Traceback|Killed|Terminated|Aborted|CANCELLED|core dumped)\b"
    r"|: not enough memory\b|\bRunner terminated\b|\bcancell?ation signal\b"  # Modal's
    r"|^r\([1-9]\d{0,3}\);\s*$"  # Stata's
    r"|\b(?:[Hh]alted|HALTED)\b|\b[Tt]ry again (?:later|tomorrow)\b"
    r"|(?<!#)\b[Tt]imed? ?out\b(?!['\"]? ?[=:] ?(?:\d|[Nn]one)| \d{1,7}s\))|\b[Aa]n unexpected error\b"
    r"|\b(?:(?<![\w]-)[Ff]ail(?:ed|ure)|[Aa]bort(?:ing|ed)|[Pp]anic(?=:|\s*$)|[Pp]anicked|[Dd]iverged|[Tt]raceback|[Ii]nterrupted)\b"
    r"|" + _FAULT + r"|\bFAIL(?:ED|URE)?\b"
)
CALM = regex(
    r"\b(?:INFO|DEBUG|WARN(?:ING)?)\b|\blevel=(?:info|debug|warn(?:ing)?)\b|\[(?:info|debug|warn(?:ing)?|skip(?:ped)?)\]"
    r"|^(?:\[rank\d{1,6}\]:|\d{1,5}: )?\[?[IWVD](?:\d{3,4}| \d{4}-\d\d-\d\d) "
    r"|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d{3,9}: [IWVD] |^\W{0,4}[Ww]arning:"
)
"""A level below error, which a line gives itself."""
BARE_LEVEL = regex(r"\d{1,12}\W{1,4}(?:WARN(?:ING)?|INFO|DEBUG)\W{0,3}$")
"""Such a level behind a time, and nothing else: the message stands on the next line."""
_SHUTS_DOWN = regex(r"Exception ignored in\b|Python is likely shutting down")
"""What destructors complain of, when all is done."""
WARNING = regex(r"^\S{1,300}\.py:\d{1,6}: \w{0,40}Warning\b|^ {2,8}(?:_?warnings?\.)?_?warn\w{0,12}\(")
"""Python's own, which says where it comes from, and the line of the program below it."""
_GRAVE = regex(
    r"\b(?:[Ii]nterrupt(?:ed)?|[Kk]illed|[Tt]erminated|CANCELLED|core dumped|[Dd]iverged)\b"
    r"|" + _FAULT + r"|(?<!test_scalars \{')loss\W{1,4}nan\b"
)
"""What ends a program, however calmly it says so."""
HEAD = 120
"""Characters of a line in which its own level stands."""
NONE = regex(
    r"\b(?:errors?|fail(?:ed|ures?)|abort(?:ed)?|exceptions?|crash(?:ed|es)?|timeouts?|killed|fehler|erreurs?)\b"
    r"(?: \w{1,20})?['\"]?[ :=]{1,3} {0,24}(?:0(?![.\d])|none\b)"
    r"|^\W{0,8}(?:Total )?failed (?:[\w-]{1,20} ){0,2}[\w-]{1,20} {0,12}[:=] {0,4}\d{1,9}(?: \([\d.]{1,6}%\))?\s*$"
    r"|\b(?:total|number of) failed (?:[\w-]{1,20} ){0,2}[\w-]{1,20} {0,12}[:=] {0,4}\d{1,9}\W{0,3}$"
    r"|\berrors? (?:analys[ei]s|rates?|metrics?|statistics|distribution|summary|breakdown|bars?|margin|bounds?)\b"
    r"|\b(?:absolute|squared?|mean|average|standard|relative|percent(?:age)?|prediction|reconstruction) errors?\b"
    r"|\bsuccess(?:ful(?:ly)?)? despite [^.]{1,80}"
    r"|\bsucceeded after \d{1,4} \w{0,8} ?(?:fail(?:ed|ures?)|errors?)\b"
    r"|\b(?:0|no|zero) (?:errors?|fail(?:ed|ures?)|exceptions?|crash(?:ed|es)?|fehler|erreurs?)\b"
    r"|^\s{0,16}\"[\w -]{1,60}\": \d{1,9},?\s*$",
    re.I,
)
"""What says that there was no trouble, or how often in a table of JSON's."""


_OUTPUT = regex(
    r"(?i)\W{0,4}(?:(?!(?:bad|error|invalid|unexpected|failed|wrong)\b)[\w-]{1,20} ){0,2}"
    r"(?:predict(?:ion|ed)|hypothesis|reference|ground[ _]truth|question|answer|prompt|response)s?"
    r"(?: \d{1,9})?['\"]?"
    r" {0,2}[:=] {0,2}(?!.{0,40}\b(?:error|exception)\b)|\[?\{['\"]role['\"]: ['\"]\w{1,12}['\"],"
)
"""What a model was asked, or said."""


def speaks_of_trouble(text: str) -> bool:
    """Whether a line complains, and is not itself of a level below error; or tells of an end by force."""
    if DROPPED.search(text) or _SHUTS_DOWN.search(text) or WARNING.match(text) or _OUTPUT.match(text):
        return False
    calm = CALM.search(text[:HEAD]) is not None
    text = without_loud_level(NONE.sub("", text))
    return (_GRAVE if calm else _TROUBLE).search(text) is not None and not is_prose(text)
