"""Progress bars as they stand in a line: which state one shows, and of what.

tqdm, Keras, rich as Lightning draws it, and the meters that count with an ETA.
"""

from __future__ import annotations

import re

from logtui.parsers.regex import regex

_TQDM = regex(
    r"(?:^ {0,3}|(?P<label>[^|]{1,80}?)(?: \|\|)?:? {1,4})\d{1,3}%\|[^|]{0,200}\| {0,8}(?P<step>\d{1,9})(?:\.0{1,2})?"
    r"/(?P<of>\d{1,8})(?:\.\d{1,2})? "
    r"\[(?!00:0\d<00:0\d, {1,3}\d{4}|[^\],]{0,20}, {1,3}\d{5}|[^\]]{0,60} ?(?:examples|[kMG]?B)/s)\d"
)
"""AllenNLP's labels end with bars. Not of what is done a thousand times a second within seconds, or ten thousand times,
or counted in examples and bytes: of nine digits are those of a data set that is fetched."""
_OPEN = regex(r"(?:^ {0,3}|(?P<label>[^|]{1,80}?):? {1,4})\|[^|]{0,200}\| {0,8}(?P<step>(?P<of>\d{1,9}))/\? \[\d")
"""Lightning's, of which nobody knows how long it gets: what it shows is all there is."""
_KERAS = regex(r"^ {0,8}(?P<label>)(?P<step>\d{1,9})/(?P<of>\d{1,9}) (?:\[[=>.]{8,80}\]|━{8,80})")
_DRAWN = regex(
    r"^(?! {0,12}\d{1,6}/\d)(?P<label>[^━%]{1,160}?):? {1,4}\d{1,3}% [━╸╺─]{4,80} {1,2}"
    r"(?P<step>\d{1,9})/(?P<of>\d{1,9}) \d{1,3}(?:\.\d)?(?:it/s|s/it)\b"
)
"""Ultralytics', since 8.3.2, but for rows that begin with an epoch; not of what is done a thousand times a second."""
_RICH = regex(r" (?P<step>\d{1,9})/(?P<of>\d{1,9}) \d{1,3}:\d\d:\d\d • .{0,40}?it/s(?P<label>.{0,200})")
"""Lightning's, with rich: losses stand behind it."""
_METERS = regex(r"(?P<label>[^\[\]]{0,40}(?:\[\d{1,6}\])?) {0,4}\[ {0,8}(?P<step>\d{1,9})/(?P<of>\d{1,9})\] {1,4}eta: ")


def bar_in(text: str) -> re.Match[str] | None:
    """The bar of a line, with its `step`, what it is `of` and its `label`; None where it has none.

    It is sought where a part of one stands: its label may begin anywhere, which makes the search a dear one.
    """
    if "] eta: " in text.replace("  ", " "):
        return _METERS.search(text)
    if "it/s" in text and " • " in text:
        return _RICH.search(text)
    if "/? [" in text:
        return _OPEN.search(text)
    if "% ━" in text:
        return _DRAWN.search(text)
    return _TQDM.search(text) if "%|" in text else _KERAS.search(text)
