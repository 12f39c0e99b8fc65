"""What a program prints of what it reads, or at a level that it chose to be loud: sentences of a text, and records of
things that begin or are done."""

from __future__ import annotations

import re

from logtui.parsers.regex import regex

_SENTENCE = regex(r"^\W{0,4}[A-Z][^:=_/\\\[\]{}<>|#]{70,1500}[.!?]['\")]{0,2}\s{0,4}$")
_WORD = re.compile(r"\b[a-z]{2,20}\b")
LEAST = 12
"""Words of a sentence that tells a story."""
_OF_MACHINES = regex(
    r"(?i)\b(?:jobs?|process(?:es)?|memory|tasks?|runs?|running|nodes?|workers?|disks?|gpus?|cuda|cpus?|programs?|errors?"
    r"|files?|kernels?|servers?|scripts?|signals?|exit(?:ed)?|commands?|threads?|limits?|time ?out|python|host|daemon"
    r"|connections?|ranks?|containers?|pods?|training|models?|data ?sets?|checkpoints?|application|package|module"
    r"|library|exceptions?|steps?|epochs?|execution|system|batch(?:es)?|device|driver|version|config\w*|arguments?|options?)\b"
)
_LOUD_LEVEL = regex(
    r"\b(?:ERROR|CRITICAL|FATAL)\b(?=\W{1,4}(?:[\w.]{1,60}\W{1,4}){0,2}?"
    r"(?:[Ss]tart(?:ing|ed)|[Bb]egin(?:ning)?|[Ff]inished|[Dd]one|[Cc]ompleted?|[Ll]oad(?:ing|ed)|[Ss]av(?:ing|ed)"
    r"|[Ee]poch|[Ss]tep)\b(?!\W{1,4}(?:with )?(?:error|fail)))"
)
"""A level that says more than its message does."""


_ENDS_ONE = regex(r"[.!?] {1,2}[A-Z]")
_NAMES_ONE = regex(r"\w(?:Error|Exception)\b|Traceback|\b(?:ERROR|FATAL|CRITICAL)\b")
SENTENCES, MANY = 3, 60
"""Of a paragraph, at least, and its words."""


def _is_paragraph(text: str) -> bool:
    """Whether a line holds many sentences, of whatever: what a model is told, or says."""
    told = len(_ENDS_ONE.findall(text)) >= SENTENCES and len(_WORD.findall(text)) >= MANY
    return told and text[:1].isalpha() and _NAMES_ONE.search(text) is None


def is_prose(text: str) -> bool:
    """Whether a line is a sentence of some text, such as programs print that work on texts: long, with no mark of a
    record, and of nothing that belongs to machines; or many of them, of whatever."""
    if _is_paragraph(text):
        return True
    if _SENTENCE.match(text) is None or _OF_MACHINES.search(text) is not None:
        return False
    return len(_WORD.findall(text)) >= LEAST


def without_loud_level(text: str) -> str:
    """A record without its level, where it says that something begins or is done: who logs so logs all so."""
    return _LOUD_LEVEL.sub("", text)
