"""Regexes in which no repeat is without end: a text of somebody else's costs time in proportion to its length.

A search begins anew at every character, and each beginning runs as far as its repeats take it: an endless one makes a
line of 16,000 characters cost 16,000 times 16,000. Declarations are written with `+` and `*`, which read best, and are
compiled with a bound that no part of a real line reaches. At the end of a regex a repeat takes what there is and
nothing is tried again; that one stays as it is. A test measures the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

WORD, TEXT = 256, 1024
"""Characters of a repeat that declares no bound of its own: of one that takes some characters (a name, a number,
blanks; or turns of a group), and of one that takes nearly all (a message, a path)."""

RegexToken = tuple[str, str]
"""Kind and text."""
_PARTS = (
    r"(?P<escape>\\[\s\S])"
    r"|(?P<set>\[\^?\]?(?:[^\]\\]|\\[\s\S]){0,100}+\])"
    r"|(?P<comparison>\(\?P=\w{1,64}\)|\(\?\()"
    r"|(?P<negative>\(\?<?!)"
    r"|(?P<open>\((?!\?)|\(\?(?:P<\w{1,64}>|<=|[:=>]))"
    r"|(?P<flags>\(\?)"
    r"|(?P<close>\))"
    r"|(?P<repeat>(?:[*+?]|\{\d{0,9},?\d{0,9}\})[+?]?)"
    r"|(?P<other>[.^$|])"
)
_TOKEN = re.compile(_PARTS + r"|(?P<literal>[\s\S])")
_PLAIN = re.compile(_PARTS + r"|(?P<literal>[^\\\[(){}*+?.^$|]{1,64}|[\s\S])")
"""The same with literals that stand side by side in one."""
_ENDLESS = re.compile(r"\+|\*|\{(?P<least>\d{0,9}),\}")
_NEARLY_ALL = frozenset({".", r"\S", r"\D", r"\W"})
_AFTER_ALL = re.compile(r"(?:\)\??|\$)*")
"""What may stand behind a repeat that is the last thing a regex takes."""


def regex_tokens(regex: str) -> Iterator[RegexToken]:
    """The parts of a regex, one after the other."""
    for m in _TOKEN.finditer(regex):
        assert m.lastgroup is not None, "every token has a kind"
        yield m.lastgroup, m[0]


def bounded(regex: str) -> str:
    """The same regex with a bound for every endless repeat but one at its end."""
    out, before = [], ""
    for m in _PLAIN.finditer(regex):
        text, is_repeat = m[0], m.lastgroup == "repeat"
        is_last = is_repeat and _AFTER_ALL.fullmatch(regex, m.end()) is not None
        out.append(_with_bound(text, before) if is_repeat and not is_last else text)
        before = text
    return "".join(out)


def _with_bound(repeat: str, repeated: str) -> str:
    endless = _ENDLESS.match(repeat)
    if endless is None:
        return repeat
    least = "1" if repeat[0] == "+" else endless["least"] or "0"
    most = TEXT if repeated in _NEARLY_ALL or repeated.startswith("[^") else WORD
    return f"{{{least},{max(most, int(least))}}}{repeat[endless.end() :]}"


def compile_bounded(regex: str, flags: int = 0) -> re.Pattern[str]:
    """A regex compiled with those bounds."""
    return re.compile(bounded(regex), flags)
