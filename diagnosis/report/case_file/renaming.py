"""A case file's contents with pseudonyms: of every text the same ones, so that the lines still bear out the report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from logtui.diagnosis.model.evidence import MarkedLine
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.case_file.pseudonyms import Pseudonyms
from logtui.diagnosis.report.codec import made, plain
from logtui.diagnosis.report.secrets import Masks, mask
from logtui.parsers.files.case import Case
from logtui.parsers.files.excerpts import Excerpt

_HOST_FIELDS = frozenset(("host", "hosts", "culprit_hosts", "nodes_missing"))
_OF_OUR_WORDS = frozenset(
    "cls class confidence status role severity rule pattern time_from source kind mark side".split()
)
"""Fields whose values are words of the report itself."""
_LETTERS = re.compile("[A-Za-z]+")


@dataclass(frozen=True)
class Contents:
    """What is written."""

    report: Report
    marks: Sequence[MarkedLine]
    kept: Mapping[int, Excerpt]
    """By file."""
    names: Mapping[int, str]
    """Of files."""
    views: Mapping[str, Any]
    """What other views show, as members of JSON."""


def holds_secret(contents: Contents) -> bool:
    """Whether anything in it is to be masked."""
    lines = (line.decode() for e in contents.kept.values() for _, stretch in e.stretches for line in stretch)
    texts = (*_texts(plain(contents.report)), *_texts(contents.views), *(m.text + m.note for m in contents.marks))
    return any(mask(text)[1] for text in (*texts, *lines))


def renamed(contents: Contents, found: Pseudonyms | Masks) -> Contents:
    """The same with pseudonyms, or with secrets masked alone."""
    facts = plain(contents.report)
    names: dict[int, str] = {}
    by_name: dict[str, str] = {}
    for file, name in contents.names.items():
        new = found.replace(name)
        new = new if new not in by_name.values() else f"{new}~{file}"
        names[file] = by_name[name] = new
    texts = _Texts(found, by_name)
    return Contents(
        made(Report, texts.replaced(facts)),
        tuple(
            replace(m, file=by_name.get(m.file, m.file), text=found.replace(m.text), note=found.replace(m.note))
            for m in contents.marks
        ),
        {
            file: replace(
                e,
                stretches=tuple(
                    (n, tuple(found.replace(b.decode()).encode() for b in lines)) for n, lines in e.stretches
                ),
            )
            for file, e in contents.kept.items()
        },
        names,
        {name: texts.replaced(value) for name, value in contents.views.items()},
    )


def learned(case: Case, contents: Contents) -> Pseudonyms:
    """The names that stand anywhere in it."""
    facts = plain(contents.report)
    found = Pseudonyms(frozenset(_our_words([facts, contents.views])) - set(contents.names.values()))
    found.learn_hosts(_hosts(facts))
    found.learn_hosts(case.records.hosts)
    found.learn_hosts(file.hints.host for file in case.files)
    found.learn(contents.names.values())
    found.learn(str(file.path) for file in case.files)
    found.learn(text for mark in contents.marks for text in (mark.text, mark.note))
    found.learn(line.decode() for e in contents.kept.values() for _, stretch in e.stretches for line in stretch)
    found.learn(_texts(facts))
    found.learn(dict.fromkeys(_texts(contents.views)))
    return found


def _hosts(value: Any) -> Iterator[str]:
    """What stands in fields for hosts, wherever they are in the report."""
    if isinstance(value, Mapping):
        for key in _HOST_FIELDS.intersection(value):
            yield from _texts(value[key])
        if value.get("kind") == "host":
            yield from _texts(value.get("name"))
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ():
        yield from _hosts(inner)


def _our_words(value: Any) -> Iterator[str]:
    """Words that the report is read by: with one of them replaced, it would be of another shape."""
    for key, inner in value.items() if isinstance(value, Mapping) else ():
        if key.isidentifier():
            yield from _LETTERS.findall(key)
        if key in _OF_OUR_WORDS and isinstance(inner, str):
            yield from _LETTERS.findall(inner)
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _our_words(inner)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ():
        yield from _texts(inner)


class _Texts:
    """Replaces names in values of JSON; the same texts come a thousandfold."""

    def __init__(self, found: Pseudonyms | Masks, files: Mapping[str, str]) -> None:
        self._found = found
        self._known = dict(files)

    def replaced(self, value: Any) -> Any:
        """The value with all names replaced."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {self._text(key): self.replaced(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.replaced(inner) for inner in value]
        return value

    def _text(self, text: str) -> str:
        if text not in self._known:
            self._known[text] = self._found.replace(text)
        return self._known[text]
