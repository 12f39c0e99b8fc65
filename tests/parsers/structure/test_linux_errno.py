"""Error numbers in logs are Linux's, whatever machine reads them."""

from __future__ import annotations

import ast
import errno
import os
import sys
from pathlib import Path

import pytest

import logtui.parsers
from logtui.parsers.structure.linux_errno import ERRORS, TEXTS

PARSERS = Path(logtui.parsers.__file__).parent


@pytest.mark.skipif(sys.platform != "linux", reason="asks the machine itself, which must be Linux")
@pytest.mark.parametrize("name", ERRORS)
def test_numbers_and_texts_are_those_of_linux(name: str) -> None:
    number, text = ERRORS[name]
    assert getattr(errno, name) == number
    assert os.strerror(number) == text


def test_no_number_has_two_names() -> None:
    assert len(TEXTS) == len(ERRORS)


def test_parsers_never_ask_this_machine_what_a_number_means() -> None:
    asked = [path.name for path in PARSERS.rglob("*.py") if _asks(ast.parse(path.read_text(encoding="utf-8")))]
    assert asked == []


def _asks(tree: ast.AST) -> bool:
    imports = any(isinstance(n, ast.Import) and any(a.name == "errno" for a in n.names) for n in ast.walk(tree))
    calls = any(
        isinstance(n, ast.Attribute) and n.attr == "strerror" and isinstance(n.value, ast.Name) and n.value.id == "os"
        for n in ast.walk(tree)
    )
    return imports or calls
