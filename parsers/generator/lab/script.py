"""What a daemon writes in one scene, as a table of records: when, who, which release, severity, source, text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import Template

_ROW = re.compile(
    r"(?P<after>\d{1,4}\.\d{2,3}) (?P<who>[tp]{1,2}) (?P<only>\S{1,40}) (?P<severity>[IWE]) (?P<source>\S{1,40}) (?P<text>.+)"
)
_BOUND = re.compile(r"(?P<sign><|>=)(?P<release>\d\.\d)")
CHANGED = "4.3"
"""From here on the second of two line numbers is the nearer one."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a scene."""

    after_s: float
    who: str
    """`t`, `p` or both."""
    only: tuple[str, ...]
    """`<4.3`, `>=4.3` by release, or a word that the teller gives; all must hold."""
    severity: str
    file: str
    """The source file; "" for those that records do not name."""
    lines: tuple[int, ...]
    text: Template

    def holds(self, letter: str, version: str, words: frozenset[str]) -> bool:
        """Whether this kind of daemon, of this release, writes it here."""
        return letter in self.who and all(_holds(only, version, words) for only in self.only)

    def source(self, version: str) -> str:
        """`moss:434`; "" where the record does not say."""
        return f"{self.file}:{self.lines[-1] if version >= CHANGED else self.lines[0]}" if self.file else ""


def script(text: str) -> tuple[Row, ...]:
    """Rows of a table, one a line: `0.010 tp >=4.3,again W config:2134,2968 text with $names`; `*` is always, `-` no source."""
    return tuple(_row(line) for line in text.strip().splitlines())


def _row(line: str) -> Row:
    found = _ROW.fullmatch(line)
    if found is None:
        raise ValueError(f"no row of a scene: {line!r}")
    file, _, numbers = found["source"].partition(":")
    only = () if found["only"] == "*" else tuple(found["only"].split(","))
    lines = tuple(int(n) for n in numbers.split(",")) if numbers else ()
    text = Template(found["text"].replace("\\n", "\n").replace("\\t", "\t"))
    return Row(float(found["after"]), found["who"], only, found["severity"], "" if file == "-" else file, lines, text)


def _holds(only: str, version: str, words: frozenset[str]) -> bool:
    bound = _BOUND.fullmatch(only)
    if bound is None:
        return only in words
    return version < bound["release"] if bound["sign"] == "<" else version >= bound["release"]
