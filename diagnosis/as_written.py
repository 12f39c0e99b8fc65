"""Citations of lines that are read recoded, as they stand in their files: what a report quotes, `sed -n` shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from logtui.diagnosis.evidence import SHOWN
from logtui.diagnosis.model.evidence import Evidence
from logtui.parsers.files.case import Case
from logtui.parsers.source import Coding

T = TypeVar("T")
_NO_WORD = re.compile(r"\W+")
_OF_TEXT = re.compile(r'"(?:msg|message|text|log|event|error|err)"\s*:')
"""What a line longer than a citation is shown from."""


def as_written(case: Case, told: T) -> T:
    """`told`, and all it holds, with each citation of a line of JSON in words that stand in that line.

    Such a line is read as the text it carries, behind its time and its level: good to reason on, but not to be found
    in the file by who looks there.
    """
    recoded = {file.name: file.index for file in case.files if Coding.JSON in file.codings}

    def change(e: Evidence) -> Evidence:
        return _in_its_words(case.original(recoded[e.file], e.line), e) if e.file in recoded else e

    return cast(T, _mapped(told, change)) if recoded else told


def _in_its_words(line: str | None, e: Evidence) -> Evidence:
    if line is None or _bare(e.text) in _bare(line):
        return e
    said = e.text.partition(" ")[2] if e.text[:4].isdigit() else e.text
    if said and _bare(said) in _bare(line):
        return replace(e, text=said)
    key = _OF_TEXT.search(line) if len(line) > SHOWN else None
    return replace(e, text=line[key.start() if key else 0 :].strip()[:SHOWN])


def _bare(text: str) -> str:
    return _NO_WORD.sub("", text)


def _mapped(told: Any, change: Callable[[Evidence], Evidence]) -> Any:
    if isinstance(told, Evidence):
        return change(told)
    if isinstance(told, tuple) and type(told) is tuple:
        return tuple(_mapped(one, change) for one in told)
    if is_dataclass(told) and not isinstance(told, type):
        now = {f.name: getattr(told, f.name) for f in fields(told) if f.init}
        new = {name: _mapped(value, change) for name, value in now.items()}
        changed = {name: value for name, value in new.items() if value is not now[name]}
        return replace(told, **changed) if changed else told
    return told
