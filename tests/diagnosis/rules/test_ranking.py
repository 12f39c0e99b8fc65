"""The one page of strengths: nothing else in the diagnosis holds a number by which claims compete."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM
from logtui.diagnosis.rules import ranking
from logtui.diagnosis.rules.ranking import Rung

DIAGNOSIS = Path(__file__).resolve().parents[3] / "diagnosis"
PAGE = DIAGNOSIS / "rules" / "ranking.py"
COMPETING = {"strength", "weight", "rung", "at_most"}
"""Attributes and arguments whose values are places in the order."""
MAKERS = {"Rung", "declared", "below", "capped"}
CAPS = {HIGH, MEDIUM, LOW}
DECLARED = {"exception_table.py"}
"""Declared data: each row of it has its weight."""


def _value(node: ast.AST) -> object:
    """The number or word that an expression holds: its own, or an element's; None where it holds none."""
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool):
        return node.value if isinstance(node.value, int) or node.value in CAPS else None
    inner = (_value(child) for child in ast.iter_child_nodes(node) if not isinstance(node, ast.Call | ast.Subscript))
    return next((v for v in inner if v is not None), None)


def _competes(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in COMPETING


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _numbers(tree: ast.Module) -> Iterator[int]:
    """Lines that hold a strength: given to a claim or a rung, compared or summed with one, or set beside a class."""
    held = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def number(node: ast.AST) -> bool:
        known = held.get(node.id) if isinstance(node, ast.Name) else node
        return known is not None and _value(known) is not None

    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call):
            parts = [k.value for k in node.keywords if k.arg in COMPETING]
            parts += node.args if _name(node) in MAKERS else []
        elif isinstance(node, ast.Compare) and any(map(_competes, ast.walk(node))):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.BinOp) and (_competes(node.left) or _competes(node.right)):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Tuple) and any(ast.unparse(e).startswith("FailureClass.") for e in node.elts):
            parts = list(node.elts)
        yield from (part.lineno for part in parts if number(part))


def _modules() -> list[Path]:
    return [p for p in sorted(DIAGNOSIS.rglob("*.py")) if p != PAGE and p.name not in DECLARED]


@pytest.mark.parametrize("path", _modules(), ids=lambda p: p.relative_to(DIAGNOSIS).as_posix())
def test_no_strength_stands_elsewhere(path: Path) -> None:
    assert list(_numbers(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "text",
    [
        "Claim(rung=Rung(60))",
        "S = 60\nClaim(strength=S)",
        "Claim(at_most='low')",
        "ok = event.weight >= 60",
        "FROM = 40\nok = event.weight >= FROM",
        "rung = declared(event.weight - 12)",
        "WORDS = {'Killed': (FailureClass.HOST_OOM, 50, 'killed')}",
        "rung = NEVER_ENTERED.below(8)",
        "rung = NEVER_ENTERED.capped('low')",
    ],
)
def test_a_strength_elsewhere_is_found(text: str) -> None:
    assert list(_numbers(ast.parse(text)))


def test_the_rungs_stand_in_order() -> None:
    rungs = [value for value in vars(ranking).values() if isinstance(value, Rung)]
    strengths = [rung.strength for rung in rungs]
    assert len(strengths) > 40
    assert strengths == sorted(strengths, reverse=True)
    assert {rung.at_most for rung in rungs} == CAPS


def test_every_rung_is_taken() -> None:
    names = {name for name, value in vars(ranking).items() if isinstance(value, Rung)}
    trees = (ast.parse(p.read_text(encoding="utf-8")) for p in (DIAGNOSIS / "rules").glob("*.py"))
    read = {n.id for t in trees for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    assert names - read == set()
