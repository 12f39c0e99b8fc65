"""The folders of the screen: imports go one way, and the table of panes holds every pane once."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from logtui.tui.screens.pane_table import PANES
from logtui.tui.widgets.pane import Pane

ROOT = Path(__file__).resolve().parents[2]
TUI = ROOT / "tui"


def _name(path: Path) -> str:
    return ".".join(("logtui", "tui", *path.relative_to(TUI).with_suffix("").parts)).removesuffix(".__init__")


def _imports() -> dict[str, set[str]]:
    """Per module the modules of ours that it names in an import, wherever it stands."""
    modules = {_name(path): path for path in TUI.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in modules.items():
        nodes = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.ImportFrom)]
        named = {part for n in nodes for part in (n.module or "", *(f"{n.module}.{a.name}" for a in n.names))}
        found[name] = (named & set(modules)) - {name}
    return found


def test_folders_import_one_way() -> None:
    assert len(_imports()) > 50
    packages = {_name(path) for path in TUI.rglob("__init__.py")}
    pairs = {
        (source if source in packages else source.rpartition(".")[0], target.rpartition(".")[0])
        for source, targets in _imports().items()
        for target in targets - packages
    }
    both = {(a, b) for a, b in pairs if a != b and (b, a) in pairs}
    assert both == set()


def test_every_pane_is_in_the_table_with_a_key_of_its_own() -> None:
    assert {row.kind for row in PANES.values()} == set(Pane.__subclasses__())
    keys = [row.key for row in PANES.values()]
    assert keys == sorted(set(keys))
    assert set(keys) <= set(range(1, 10))
    assert all(row.absent for row in PANES.values() if row.needs)


def test_the_documents_show_the_table_as_it_is() -> None:
    rows = re.findall(r"^\| (\d) \| (\w+) \|", (ROOT / "docs/app.md").read_text(encoding="utf-8"), re.M)
    assert rows == [(str(row.key), name) for name, row in PANES.items()]


def test_the_first_frame_waits_for_no_heavy_module() -> None:
    """What reads and diagnoses is imported once the screen is there."""
    code = "import sys, logtui.tui.app; print(*(m for m in ('numpy', 'hyperscan', 'rapidfuzz', 'zstandard', 'logtui.diagnosis') if m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
