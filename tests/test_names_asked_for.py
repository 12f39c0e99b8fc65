"""Names of patterns, kinds of exceptions, signatures and rules that the code asks for are declared: a renamed pattern leaves nobody blind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from logtui.diagnosis.storage.counters import MEANINGS
from logtui.diagnosis.verdict.engine import all_rules
from logtui.parsers.exceptions.table import KINDS
from logtui.parsers.pattern import Scope
from logtui.parsers.records.record import ROW, RecordTable, Undeclared
from logtui.parsers.registry import registry

ROOT = Path(__file__).resolve().parents[1]
DECLARING = (
    "parsers/exceptions/",
    "parsers/formats/",
    "parsers/generator/",
    "parsers/records/learnt.py",
    "parsers/structure/",
)
"""Folders that declare names; the generator's are of its own templates, those of structure are calls of libraries."""
MADE = {"disks.saturated", "counters.wait", "lifecycle.restart"}
"""Names of what is made of many lines of a daemon, not of one."""
OF_COUNTERS = ("state.", "err.", "get.", "put.", "ratelim.", "stream.")
"""What names of a daemon's counters begin with."""
OF_FILES = (".py", ".json", ".toml", ".md", ".txt", ".tcss")
OF_MODULES = "logtui."
NAME = re.compile(r"([a-z]\w*)\.\w*")
MOSTLY = 0.75
"""Where so many words of a list are areas, all are meant to be."""


@lru_cache(maxsize=1)
def declared() -> frozenset[str]:
    return frozenset(p.name for scope in Scope for p in registry(scope).patterns) | {kind.name for kind in KINDS}


@lru_cache(maxsize=1)
def areas() -> frozenset[str]:
    """With the frameworks that have a pattern, not an area of their own."""
    names = [p.name.split(".", 1) for p in registry().patterns]
    return frozenset([area for area, _ in names] + [what for area, what in names if area == "framework"])


def modules(*packages: str) -> list[str]:
    found = (p.relative_to(ROOT).as_posix() for package in packages for p in sorted((ROOT / package).rglob("*.py")))
    return [name for name in found if not name.startswith(DECLARING)]


@lru_cache(maxsize=1000)
def tree_of(module: str) -> ast.Module:
    return ast.parse((ROOT / module).read_bytes())


def words(node: ast.AST) -> list[str]:
    """The words of a constant; several where it is split as it stands."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "split"
        and not node.args
    ):
        return [word for text in words(node.func.value) for word in text.split()]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def is_known(name: str) -> bool:
    """Whether a word with a dot is declared, begins names that are, or is no name of ours."""
    if name in declared() or name in MADE or name in MEANINGS:
        return True
    begins = name.endswith((".", "_")) and any(known.startswith(name) for known in declared())
    return begins or name.startswith((*OF_COUNTERS, OF_MODULES)) or name.endswith(OF_FILES)


def lists(tree: ast.Module) -> Iterator[list[str]]:
    """Words that stand beside each other: in tuples, sets and lists, as keys, and as the first of each of many pairs."""
    for node in ast.walk(tree):
        elements = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", None)
        if elements:
            firsts = (e.elts[0] if isinstance(e, ast.Tuple) and e.elts else e for e in elements)
            yield [word for first in firsts if first for word in words(first)]
        elif len(split := words(node)) > 1:
            yield split


def unknown(module: str) -> Iterator[str]:
    """Words that look like names, and are none. On the screen keys have such names too: there only ours are meant."""
    for word in {word for node in ast.walk(tree_of(module)) for word in words(node) if NAME.fullmatch(word)}:
        meant = not module.startswith("tui/") or word.split(".")[0] in areas()
        if meant and not is_known(word):
            yield f"{module}: {word}"


def test_each_name_is_declared() -> None:
    assert [line for module in modules("parsers", "diagnosis", "tui") for line in unknown(module)] == []


def test_each_area_is_declared() -> None:
    tables = [(module, found) for module in modules("parsers", "diagnosis") for found in lists(tree_of(module))]
    meant = [(m, t) for m, t in tables if len(t) > 3 and sum(word in areas() for word in t) >= MOSTLY * len(t)]
    assert [(module, word) for module, found in meant for word in found if word not in areas()] == []


def test_each_rule_that_is_asked_for_exists() -> None:
    ids = {rule.id for rule in all_rules()}
    asked = {""}
    for node in (node for module in modules("diagnosis") for node in ast.walk(tree_of(module))):
        if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith(("rule", "rule.id")):
            asked |= {word for to in node.comparators for word in words(to)}
    assert len(asked) > 3
    assert asked - ids == {""}


FIELD = re.compile(r'(?:\.number\(|fields\.get\(|fields\[|with_field\(\w+, |vote\(\w+, |_text\(\w+, )"(\w+)"')
"""Where the code asks a record for one of its fields."""


def test_fields_asked_for_are_declared() -> None:
    told = {
        name for scope in Scope for p in registry(scope).patterns for name in (*p.fields, *(p.numeric or ())) if name
    }
    asked = {name for module in modules("diagnosis", "tui") for name in FIELD.findall((ROOT / module).read_text())}
    assert len(asked) > 50
    assert asked - told == set()


def test_dozens_of_names_are_asked_for() -> None:
    """Or this would look for them where they no longer are."""
    asked = {
        word for module in modules("parsers", "diagnosis") for node in ast.walk(tree_of(module)) for word in words(node)
    }
    assert len(asked & declared()) > 50


@pytest.mark.parametrize(
    "name", ["nic.mlx5_link_down", "nic.link_dow", "nick.link_down", "nic.link_down_", "slurm.requeued_"]
)
def test_an_unknown_name_is_seen(name: str) -> None:
    assert NAME.fullmatch(name)
    assert not is_known(name)


def table() -> RecordTable:
    return RecordTable(np.empty(0, ROW), b"", [], registry().patterns)


def test_a_table_refuses_what_nobody_declares() -> None:
    held = table()
    assert list(held.of("nic.link_down", "nic.link_up")) == list(held.with_prefix("nic", "slurm")) == []
    with pytest.raises(Undeclared, match=r"nic\.mlx5_link_down"):
        held.of("nic.link_down", "nic.mlx5_link_down")
    with pytest.raises(Undeclared, match="nick"):
        next(held.with_prefix("nic", "nick"))
    with pytest.raises(Undeclared, match=r"nic\.gone"):
        held.total("nic.gone")


def test_a_table_without_patterns_holds_nothing() -> None:
    held = RecordTable(np.empty(0, ROW), b"", [], [])
    assert list(held.of("nic.link_down")) == list(held.with_prefix("nic")) == []
    assert held.total("nic.link_down") == 0
