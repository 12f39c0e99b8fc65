"""The core stays free of terminal libraries, and a headless run never pays for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCREEN = ("textual", "rich", "rapidfuzz")

WALK = f"""
import importlib, pkgutil, sys
import {{0}} as package
names = [package.__name__, *(m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + "."))]
for name in names:
    if name.rsplit(".", 1)[-1] == "__main__":
        continue
    importlib.import_module(name)
    brought = [m for m in {SCREEN!r} if m in sys.modules]
    if brought:
        sys.exit(f"{{{{name}}}} brings {{{{', '.join(brought)}}}}")
print(len(names))
"""

RUN = f"""
import sys
from logtui.tui.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*[m for m in {SCREEN!r} if m in sys.modules], file=sys.stderr)
"""


def _python(code: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run code away from the checkout, so that only what is installed is found."""
    command = [sys.executable, "-W", "error", "-c", code, *args]
    return subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)


@pytest.mark.parametrize("package", ["logtui.parsers", "logtui.diagnosis"])
def test_the_core_brings_no_terminal_library(package: str) -> None:
    run = _python(WALK.format(package))
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) == len(list((ROOT / package.split(".")[1]).rglob("*.py")))


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["LOGS", "--json"], ["LOGS", "--markdown"]])
def test_a_headless_run_brings_none(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "train.log").write_text("loss 2.31\n")
    run = _python(RUN, *[str(tmp_path) if a == "LOGS" else a for a in arguments])
    assert run.stdout
    assert run.stderr == "\n"


@pytest.mark.parametrize("module", ["tui", "parsers", "diagnosis"])
def test_short_names_are_not_ours(module: str) -> None:
    """A user's own `parsers` on the path neither breaks us nor is hidden by us."""
    run = _python(f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is not None)")
    assert run.returncode == 0


def test_a_foreign_package_of_the_same_name(tmp_path: Path) -> None:
    for name in ("tui", "parsers", "diagnosis"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('not ours')\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + RUN
    run = _python(code, "--version")
    assert (run.stderr, "logtui" in run.stdout) == ("\n", True)
