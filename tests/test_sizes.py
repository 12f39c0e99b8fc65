"""Modules that hold one idea, functions that fit the eye."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("parsers", "diagnosis", "tui")
MODULE_LINES = 500
FUNCTION_LINES = 40
MEDIAN_LINES = 12

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _modules(package: str) -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def _functions(package: str) -> Iterator[tuple[int, str]]:
    """Lines from `def` to the last one, and where; nested functions count in the outer one and by themselves."""
    for name, text in _modules(package):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, Function):
                yield (node.end_lineno or node.lineno) - node.lineno + 1, f"{name}:{node.lineno} {node.name}()"


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_hold_one_idea(package: str) -> None:
    long = [f"{name}: {lines} lines" for name, text in _modules(package) if (lines := text.count("\n")) > MODULE_LINES]
    assert not long, f"over {MODULE_LINES} lines; a second idea lives there: {long}"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_function_is_long(package: str) -> None:
    long = [f"{where}: {lines} lines" for lines, where in _functions(package) if lines > FUNCTION_LINES]
    assert not long, f"over {FUNCTION_LINES} lines: {long}"


@pytest.mark.parametrize("package", PACKAGES)
def test_most_functions_are_short(package: str) -> None:
    found = sorted(_functions(package), reverse=True)
    middle = median(lines for lines, _ in found)
    longest = ", ".join(f"{where} {lines}" for lines, where in found[:5])
    assert middle < MEDIAN_LINES, f"median {middle} lines of {len(found)} functions; the longest: {longest}"
