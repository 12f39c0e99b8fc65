"""Formats of a site's own programs: TOML files in the configuration folder, same declaration and checks as ours.

They are data: nothing in them is run. A file with an error is left out as a whole, with the reason; ours stay.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from logtui.parsers.advice import Advice
from logtui.parsers.clean import clean
from logtui.parsers.errors import FormatRefused
from logtui.parsers.pattern import LineFormat, Pattern, Sample
from logtui.parsers.pattern_checks import complaints

MOST_BYTES = 1 << 20
"""A larger file is no declaration."""
MOST_ANCHORS = 20_000
"""Of all files together: the scan numbers anchors, ours too, in sixteen bits."""
SHOWN = 3
"""Complaints about one file that are told."""

_WORDS = {"class": "cls", "pattern": "patterns", "sample": "samples"}
"""What reads better in the file than the field's name."""


@dataclass(frozen=True, slots=True)
class SiteFormats:
    """What a folder gave."""

    formats: tuple[LineFormat, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    """(file, why)."""


def read_folder(folder: Path, taken: Iterable[str] = ()) -> SiteFormats:
    """All `*.toml` of a folder. Names of formats and patterns must differ from those `taken` and from each other."""
    found: list[LineFormat] = []
    refused: list[tuple[str, str]] = []
    names, room = set(taken), MOST_ANCHORS
    for path in sorted(folder.glob("*.toml")):
        try:
            declared = read_format(path)
            anchors = sum(len(pattern.anchors) for pattern in declared.patterns)
            if anchors > room:
                raise FormatRefused(path, f"more than {MOST_ANCHORS:,} anchors in all")
            _claim(declared, names)
        except FormatRefused as error:
            refused.append((_plain(str(path)), _plain(error.why)))
        else:
            found.append(declared)
            room -= anchors
    return SiteFormats(tuple(found), tuple(refused))


def _plain(text: str) -> str:
    """Without what a terminal would act on: an error quotes the file."""
    return clean(text.encode("utf-8", "replace"))


def read_format(path: Path) -> LineFormat:
    """One file, checked.

    Raises:
        FormatRefused: if it cannot be read, is no declaration, or fails a check.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FormatRefused(path, f"over {MOST_BYTES >> 20} MiB")
        declared = _declared(path, tomllib.loads(path.read_text(encoding="utf-8")))
        wrong = list(complaints(declared))
    except (OSError, ValueError) as error:  # not TOML, not UTF-8
        raise FormatRefused(path, str(error)) from error
    except RecursionError as error:  # tables, or parentheses of a regex
        raise FormatRefused(path, "nested too deeply") from error
    if wrong:
        more = f"; and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        raise FormatRefused(path, "; ".join(wrong[:SHOWN]) + more)
    return declared


def _declared(path: Path, data: Mapping[str, Any]) -> LineFormat:
    """Raises FormatRefused where a word is unknown, missing or of another type."""
    import msgspec  # a site without formats of its own never pays for it

    plain = _renamed(data)
    unknown = list(_unknown(plain))
    if unknown:
        raise FormatRefused(path, f"unknown word {unknown[0]}")
    try:
        return msgspec.convert(plain, LineFormat)
    except msgspec.ValidationError as error:
        raise FormatRefused(path, str(error)) from error


def _renamed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_WORDS.get(k, k): v if k == "fields" else _renamed(v) for k, v in value.items()}
    return [_renamed(v) for v in value] if isinstance(value, list) else value


def _unknown(data: Mapping[str, Any]) -> Iterator[str]:
    yield from _strangers(data, LineFormat)
    for pattern in _tables(data.get("patterns")):
        yield from _strangers(pattern, Pattern)
        for sample in _tables(pattern.get("samples")):
            yield from _strangers(sample, Sample)
        for advice in _tables(pattern.get("advice")):
            yield from _strangers(advice, Advice)


def _tables(value: object) -> Iterator[Mapping[str, Any]]:
    yield from (v for v in value if isinstance(v, Mapping)) if isinstance(value, list) else ()


def _strangers(table: Mapping[str, Any], shape: type) -> Iterator[str]:
    known = {f.name for f in dataclasses.fields(shape)}
    yield from (f"{name!r} of a {shape.__name__}" for name in table if name not in known)


def _claim(declared: LineFormat, names: set[str]) -> None:
    """Take the format's names. Raises FormatRefused where one is taken."""
    own = [declared.name, *(p.name for p in declared.patterns)]
    twice = sorted({name for name in own if name in names or own.count(name) > 1})
    if twice:
        raise FormatRefused(Path(declared.name), f"the name {twice[0]} is taken")
    names.update(own)
