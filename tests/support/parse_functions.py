"""Every function of `parsers/` that is given text or bytes, found by its annotations, and how each is tried.

A new one is found by itself, and tried where its other arguments are of kinds that are known here. One that needs more
wants a row in `BY_HAND`; one that reads nothing that others wrote wants a reason in `EXEMPT`.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from logtui import parsers
from logtui.parsers.clean import clean
from logtui.parsers.dumps.dump import State
from logtui.parsers.dumps.reading import DumpReader
from logtui.parsers.exceptions.table import KINDS
from logtui.parsers.files.line_dates import LineDates
from logtui.parsers.files.transcoding import recoded_head
from logtui.parsers.files.utf16 import Utf16Pieces
from logtui.parsers.prefix.origin import find_origin, named_rank, read_origin
from logtui.parsers.prefix.stamp import find_places
from logtui.parsers.prefix.wrapping import WRAPPINGS, Unwrapper
from logtui.parsers.records.addresses import is_blind
from logtui.parsers.records.shapes import ALIKE, Shapes
from logtui.parsers.registry import registry
from logtui.parsers.scan.alike_stamps import Clock
from logtui.parsers.scan.layouts import WORTH, Layouts
from logtui.parsers.scan.matching import Matchers
from logtui.parsers.source import Coding, LogFile
from logtui.parsers.structure.hints import HINTS
from logtui.parsers.tracebacks.frames import Frame, FrameReader, is_got_otherwise, is_looked_up, is_retried

TEXT, BYTES = "str", "bytes"
FIRST = {"str": TEXT, "bytes": BYTES, "bytearray": BYTES, "memoryview": BYTES}
"""What the first argument may be annotated with, and which kind of input that is."""
Call = Callable[[Any, Random], object]
"""A function given a hostile first argument; the others are told by chance."""

EXEMPT = {
    "generator.": "writes logs, and reads none",
    "scan.blocks.": "fills a buffer from a file",
    "scan.cluster.": "is given an address",
    "scan.laid.": "is given texts by their places in a block, and their layouts; tried in test_dense",
    "scan.program.": "is given names of packages",
    "scan.rows.": "keeps a text as it is",
    "scan.task.": "is given names of engines",
    "bounded.compile_bounded": "is given regexes of ours, or of a site once they compile",
    "pattern_checks.": "is given regexes that compile",
    "refusals.": "declares patterns, and reads none",
    "records.shapes.telling": "is given regexes of ours",
    "records.shapes.widened": "is given regexes of ours",
    "records.shapes.Answers.": "is given lines of the one shape it was made for; tried with Shapes",
    "records.columns.": "is given names of columns",
    "records.record.": "is given names of ours, of fields and patterns",
    "registry.": "is given names of patterns and areas",
    "prefix.grammar.": "is given names of heads",
    "prefix.stamp.frame_of": "is given a match of one of our regexes; tried with find_stamp",
    "prefix.stamp.read_match": "is given a match of one of our regexes; tried with find_stamp",
    "prefix.wrapping.unwrapper": "is given what find_wrapping says",
    "dumps.block.": "is given a pickle at a place that the machine has checked; tried with DumpReader",
    "dumps.building.": "is given names of fields",
    "dumps.machine.": "is given a pickle at a place in it; tried with DumpReader",
    "daemons.daemon.": "is given names of nodes that were read",
    "daemons.stats.StatsLine.": "is given names of counters",
    "files.case.": "is given names of files that were read",
}  # fmt: skip
"""Why functions whose names begin so are not tried."""


def _wrapping(rng: Random) -> str:
    return " ".join(rng.sample([w.name for w in WRAPPINGS], rng.choice((1, 1, 2))))


def _frames(text: str, rng: Random) -> tuple[Frame, ...]:
    reader = FrameReader()
    for line in text.split("\n"):
        reader.take(line)
        reader.exception(line)
    return reader.frames


def _unwrapped(raw: bytes, rng: Random) -> object:
    unwrapper = Unwrapper(_wrapping(rng))
    return unwrapper.size(raw), unwrapper.read(raw), unwrapper.split(raw), unwrapper.body(raw)


@lru_cache(maxsize=1)
def _layouts() -> tuple[Layouts, int]:
    """Those of a scanner, and how many literals it looks for."""
    known = registry()
    return Layouts(Matchers(known), Shapes()), len(known.anchors)


def _layout(raw: bytes, rng: Random) -> None:
    """A text that is met again, as if some literals had been found in it."""
    layouts, literals = _layouts()
    layouts.begin_block(Clock(2026, 1_770_000_000.0))
    anchors = tuple(rng.choices(range(literals), k=rng.choice((1, 1, 2, 3))))
    for _ in range(WORTH + 1):
        layouts.of(raw.translate(ALIKE), anchors, 0, lambda _: raw)


def _shape(raw: bytes, rng: Random) -> None:
    """What is known of one line holds for all that are equal but for their digits."""
    shapes = Shapes()
    for line in (raw, re.sub(rb"\d", b"7", raw), raw):
        if shape := shapes.of(line):
            text, hit = line.decode(), rng.randrange(len(line) + 1)
            assert shape.origin(text, hit).read(text) == read_origin(text, hit)
            assert shape.named_rank(text) == named_rank(text)
            assert shape.stamps(text) == find_places(text)


def _coloured(raw: bytes, rng: Random) -> None:
    """Where the characters of the text stand holds for all lines that are equal but for their digits."""
    _, places = Shapes().coloured(raw) or (None, None)
    for line in (raw, re.sub(rb"\d", b"7", raw)) if places is not None else ():
        assert bytes(line[at] for at in places or ()).decode() == clean(line)


class _Held:
    """Bytes in memory, as a source."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def size(self) -> int:
        return len(self._data)

    def read_at(self, offset: int, count: int) -> bytes:
        return self._data[offset : offset + count]

    def close(self) -> None:
        """Nothing is open."""


def _line_date(raw: bytes, rng: Random) -> object:
    near = rng.choice((0.0, 1.7e9, 4e9))
    dates = LineDates(LogFile(0, Path("a.log"), "a.log", len(raw), near), _Held(raw), near, near)
    return dates.time_of(raw), dates.in_order, dates.first


BY_HAND: dict[str, tuple[str, Call]] = {
    "dumps.reading.DumpReader.decode": (
        BYTES,
        lambda data, rng: DumpReader().decode(rng.choice((b"", b"\x80\x02")) + data, "x"),
    ),
    "dumps.dump.State.of": (TEXT, lambda text, rng: State.of(text)),
    "exceptions.declaration.ExceptionKind.fields": (TEXT, lambda text, rng: rng.choice(KINDS).fields(text)),
    "exceptions.declaration.ExceptionKind.has_type": (TEXT, lambda text, rng: rng.choice(KINDS).has_type(text)),
    "exceptions.declaration.ExceptionKind.says_so": (TEXT, lambda text, rng: rng.choice(KINDS).says_so(text, text)),
    "tracebacks.frames.is_looked_up": (TEXT, lambda text, rng: is_looked_up(text, [Frame(text, 57, text)])),
    "tracebacks.frames.is_got_otherwise": (
        TEXT,
        lambda text, rng: is_got_otherwise("KeyError", [Frame(text, 5, text)], [Frame(text, 57, text, text)] * 2),
    ),
    "files.transcoding.recoded_head": (BYTES, lambda data, rng: recoded_head(data, rng.sample([*Coding], 2))),
    "files.utf16.Utf16Pieces.decode": (BYTES, lambda data, rng: Utf16Pieces().decode(data, rng.choice((False, True)))),
    "prefix.origin.OriginPlaces.read": (
        TEXT,
        lambda text, rng: find_origin(text, rng.randrange(len(text) + 1)).read(text),
    ),
    "prefix.wrapping.Unwrapper.body": (BYTES, _unwrapped),
    "prefix.wrapping.Unwrapper.read": (BYTES, _unwrapped),
    "prefix.wrapping.Unwrapper.size": (BYTES, _unwrapped),
    "prefix.wrapping.Unwrapper.split": (BYTES, _unwrapped),
    "records.addresses.is_blind": (TEXT, lambda line, rng: is_blind(r"comm (?P<comm>0x[0-9a-f]+) rank \d+", line)),
    "scan.layouts.Layouts.of": (BYTES, _layout),
    "records.shapes.Shape.named_rank": (BYTES, _shape),
    "records.shapes.Shape.origin": (BYTES, _shape),
    "records.shapes.Shape.stamps": (BYTES, _shape),
    "records.shapes.Shapes.of": (BYTES, _shape),
    "records.shapes.Shapes.coloured": (BYTES, _coloured),
    "files.line_dates.LineDates.time_of": (BYTES, _line_date),
    "structure.hint.Hint.found": (TEXT, lambda text, rng: rng.choice(HINTS).found(text)),
    "tracebacks.frames.is_retried": (TEXT, lambda text, rng: is_retried(text, _frames(text, rng))),
    "tracebacks.frames.FrameReader.exception": (TEXT, _frames),
    "tracebacks.frames.FrameReader.take": (TEXT, _frames),
}

OTHERS: dict[str, Callable[[Any, Random], Any]] = {
    "hit: int": lambda given, rng: rng.randrange(len(given) + 1),
    "year: int": lambda given, rng: rng.choice((1970, 2026, 9999)),
    "near: float": lambda given, rng: rng.choice((0.0, 1.7e9, 4e9)),
    "day0: float": lambda given, rng: rng.choice((0.0, 1.7e9)),
    "wrapping: str": lambda given, rng: rng.choice(("", _wrapping(rng))),
    "labels: Labels": lambda given, rng: {("pid", 7): 5, ("local_rank", 0): 3},
    "values: Mapping[str, str]": lambda given, rng: {"host": _piece(given, rng), "pci": "", "rank": given},
    "int": lambda given, rng: rng.choice((0, 1, 7, 80, 300)),
    "bool": lambda given, rng: rng.random() < 0.5,
    "str": lambda given, rng: _piece(given, rng) if isinstance(given, str) else "rank7.log",
    "str | None": lambda given, rng: rng.choice((None, _piece(given, rng))),
    "Sequence[str]": lambda given, rng: given.split("\n"),
    "tuple[str, ...]": lambda given, rng: tuple(given.split(" ")[:2]),
}
"""Other arguments, by name and annotation or by annotation alone: told by what the first one is."""


def _piece(text: str, rng: Random) -> str:
    start = rng.randrange(len(text) + 1)
    return text[start : start + rng.choice((1, 8, 200))]


def functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Public functions, and methods of public classes, whose first argument is text or bytes, by their names."""
    for info in pkgutil.walk_packages(parsers.__path__, "logtui.parsers."):
        module = import_module(info.name)
        short = info.name.removeprefix("logtui.parsers.")
        for name, value in _of(module, module):
            yield f"{short}.{name}", value
            if inspect.isclass(value):
                yield from ((f"{short}.{name}.{method}", f) for method, f in _of(value, module))


def _of(holder: Any, module: ModuleType) -> Iterator[tuple[str, Any]]:
    """What a module or class defines and shows."""
    for name, value in vars(holder).items():
        mine = getattr(value, "__module__", "") == module.__name__ or isinstance(value, classmethod | staticmethod)
        if mine and callable(getattr(value, "__func__", value)) and not name.startswith("_"):
            yield name, getattr(value, "__func__", value)


def input_of(function: Callable[..., object]) -> str:
    """TEXT, BYTES, or "" for functions that are given neither."""
    if inspect.isclass(function):
        return ""
    own = _arguments(function)
    return FIRST.get(str(own[0].annotation), "") if own else ""


def _arguments(function: Callable[..., object]) -> list[inspect.Parameter]:
    """All but `self`, which nobody annotates."""
    given = inspect.signature(function).parameters.values()
    return [p for p in given if p.annotation is not p.empty]


def exempt(name: str) -> bool:
    """Whether there is a reason not to try a function."""
    return any(name.startswith(beginning) for beginning in EXEMPT)


def call_of(name: str, function: Callable[..., object]) -> tuple[str, Call] | None:
    """Which input a function is given, and how it is tried; None where that is not known."""
    if name in BY_HAND:
        return BY_HAND[name]
    others = [
        OTHERS.get(f"{p.name}: {p.annotation}") or OTHERS.get(str(p.annotation)) for p in _arguments(function)[1:]
    ]
    if not all(others) or "self" in inspect.signature(function).parameters:
        return None
    return input_of(function), lambda given, rng: function(given, *(other(given, rng) for other in others if other))


def refusals(function: Callable[..., object]) -> frozenset[str]:
    """The exceptions that its docstring says it raises."""
    _, _, raises = (inspect.getdoc(function) or "").partition("Raises")
    return frozenset(re.findall(r"\b[A-Z]\w+", raises))
