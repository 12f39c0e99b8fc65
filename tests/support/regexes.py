"""Every regex of the program: declared in a pattern or compiled anywhere, recorded as it is compiled.

Run in a process of its own, before anything of the program is imported: `python regexes.py` prints them as JSON.
"""

from __future__ import annotations

import ast
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

LAYERS = ("parsers", "diagnosis", "tui")
LEFT_OUT = ("logtui.parsers.generator", "logtui.tui.__main__", "logtui.__main__")
"""What writes logs of its own reads none of anybody else."""
MATCHED = ("logtui.parsers.prefix.wrapping", "head pod", "head mpi", "head srun", "head pdsh", "head subject")
"""Looked for at the beginning of a line alone, and handed on by other names."""
_SEARCHES = frozenset({"search", "finditer", "findall", "sub", "subn", "split", "scanner"})


@dataclass(frozen=True)
class Regex:
    """One regex and where it is compiled."""

    where: str
    """`module.name` where it has one, a pattern's name, or `module:line`."""
    source: str
    flags: int
    is_bytes: bool
    is_searched: bool
    """Whether it is looked for at every place of a text, or only matched where it is known to begin."""

    @property
    def compiled(self) -> re.Pattern[Any]:
        """The regex as the program has it."""
        return re.compile(self.source.encode("latin-1") if self.is_bytes else self.source, self.flags)


@lru_cache(maxsize=1)
def all_regexes() -> tuple[Regex, ...]:
    """All regexes, recorded in a fresh process."""
    path = os.pathsep.join([str(Path(__file__).parents[2] / ".src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    known = {**os.environ, "PYTHONPATH": path}
    out = subprocess.run([sys.executable, __file__], stdout=subprocess.PIPE, text=True, check=True, env=known).stdout
    return tuple(Regex(*row) for row in json.loads(out))


def _module_of(frame: FrameType | None) -> tuple[str, int] | None:
    """The module of the program that asks for a regex, and the line; None where it is a library's."""
    while frame is not None and frame.f_globals.get("__name__", "") in (
        "re",
        "functools",
        "logtui.parsers.bounded",
        __name__,
    ):
        frame = frame.f_back
    name = "" if frame is None else frame.f_globals.get("__name__", "")
    return (name, frame.f_lineno) if frame is not None and name.startswith("logtui.") else None


def _record() -> list[Regex]:
    """Import everything, compile everything declared, read a job; what was compiled on the way."""
    found: dict[tuple[object, int], tuple[str, int]] = {}
    compile_ = re._compile  # type: ignore[attr-defined]

    def compile_and_note(pattern: Any, flags: Any) -> Any:
        made = compile_(pattern, flags)
        if (place := _module_of(sys._getframe(1))) is not None:
            found.setdefault((made.pattern, made.flags), place)
        return made

    re._compile = compile_and_note  # type: ignore[attr-defined]
    late = import_module("logtui.parsers.regex")
    late.regex = lambda source, flags=0: re.compile(source, flags)  # type: ignore[attr-defined]  # all, and at once
    modules = [import_module(name) for name in _module_names()]
    names = dict(_declared())
    _use_lazy_ones()
    for module in modules:
        for attribute, value in vars(module).items():
            if isinstance(value, re.Pattern) and found.get((value.pattern, value.flags), ("",))[0] == module.__name__:
                names.setdefault((value.pattern, value.flags), f"{module.__name__}.{attribute}")
    return [_described(key, place, names.get(key, "")) for key, place in found.items()]


def _described(key: tuple[Any, int], place: tuple[str, int], name: str) -> Regex:
    source, flags = key
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    where = name or f"{place[0]}:{place[1]}"
    kept = flags & ~re.UNICODE if isinstance(source, str) else flags
    is_searched = not where.startswith(MATCHED) and (not name.startswith("logtui.") or _is_searched(name))
    return Regex(where, text, kept, isinstance(source, bytes), is_searched)


def _module_names() -> Iterator[str]:
    for layer in LAYERS:
        package = import_module(f"logtui.{layer}")
        for info in pkgutil.walk_packages(package.__path__, f"logtui.{layer}."):
            if not info.name.startswith(LEFT_OUT):
                yield info.name


def _declared() -> Iterator[tuple[tuple[Any, int], str]]:
    """The regexes of all patterns, compiled."""
    from logtui.parsers.pattern import Scope
    from logtui.parsers.prefix.grammar import HEADS
    from logtui.parsers.registry import registry

    for pattern in (p for scope in Scope for p in registry(scope).patterns):
        yield (pattern.compiled.pattern, pattern.compiled.flags), pattern.name
    for head in HEADS:
        yield (head.compiled.pattern, head.compiled.flags), f"head {head.name}"


def _use_lazy_ones() -> None:
    """What is compiled only when it is needed: reading jobs with failures of some kinds needs it."""
    from tempfile import TemporaryDirectory

    from logtui.diagnosis.report.json_report import dumps
    from logtui.diagnosis.report.markdown import render
    from logtui.diagnosis.session.opening import Options, analyse_whole
    from logtui.parsers.generator import Fault, JobSpec, generate

    for fault in (Fault.EXCEPTION_ONE_RANK, Fault.DATA_STALL):
        with TemporaryDirectory() as folder:
            generate(JobSpec(fault=fault, world_size=8, culprits=(5,), pytorch="2.7"), Path(folder))
            report = analyse_whole([Path(folder)], Options(no_cache=True, jobs=1)).report
            dumps(report)
            render(report)


@lru_cache(maxsize=1)
def _searched_names() -> frozenset[str]:
    """Names of regexes that anything searches with, or hands on: anything but `NAME.match(…)` and `.fullmatch(…)`."""
    import logtui

    found: set[str] = set()
    for layer in LAYERS:
        for path in Path(logtui.__path__[0], layer).resolve().rglob("*.py"):
            tree = ast.parse(path.read_text())
            matched = {
                id(node.value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Attribute) and node.attr in ("match", "fullmatch")
            }
            used = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
            found |= {f"{path.stem}.{node.id}" for node in used if id(node) not in matched}
    return frozenset(found)


def _is_searched(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    used = f".{attribute}"
    if attribute.startswith("_"):
        return f"{module.rpartition('.')[2]}{used}" in _searched_names()
    return any(known.endswith(used) for known in _searched_names())


if __name__ == "__main__":
    json.dump([[r.where, r.source, r.flags, r.is_bytes, r.is_searched] for r in _record()], sys.stdout)
