"""Run the tests that a change touches, within a minute: `make quick`, or `python tests/quick.py [REVISION]`.

What changed since a revision (HEAD; the last commit where nothing has), and files git does not know yet. Tests run in
this order until the time is over: changed ones, those that import a changed module, those of its folder's mirror.
`make test` runs all.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("parsers", "diagnosis", "tui")
ALWAYS = ("test_layout.py", "test_sizes.py", "test_names_asked_for.py")
SECONDS = 50.0
"""After so many no further test is begun; starting and stopping take the rest of the minute."""


class Budget:
    """Ends the run when the time is over, and says so."""

    def __init__(self, seconds: float) -> None:
        self._until = monotonic() + seconds
        self._session: pytest.Session | None = None
        self.is_over = False
        self.failed = 0

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Called once, where the tests are handed out."""
        self._session = session

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called after each test, in whatever process it ran."""
        self.failed += report.failed
        if self._session is not None and report.when == "call" and monotonic() > self._until:
            self.is_over = True
            self._session.shouldstop = "the minute is over, tests are left: `make test` runs all"


def main(argv: list[str]) -> int:
    """Pick and run; the exit status is pytest's, and 0 where no test is touched, or the time ran out before one failed."""
    changed = list(_changed(argv[0] if argv else "HEAD")) or list(_changed("HEAD~1"))
    tests = list(dict.fromkeys(_touched(changed)))
    if not tests:
        print("no test is touched")
        return 0
    print(f"{len(changed)} files changed, tests in {len(tests)} files", flush=True)
    budget = Budget(SECONDS)
    status = pytest.main(["-n", "auto", "--dist", "loadfile", "--maxfail", "10", *map(str, tests)], plugins=[budget])
    return int(budget.failed > 0) if budget.is_over else int(status)


def _changed(since: str) -> Iterator[Path]:
    """Python files below the root."""
    for command in (["diff", "--name-only", since], ["ls-files", "--others", "--exclude-standard"]):
        run = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True)
        yield from (ROOT / name for name in run.stdout.splitlines() if name.endswith(".py") and (ROOT / name).exists())


def _touched(changed: list[Path]) -> Iterator[Path]:
    """Test files, the nearest to the change first."""
    every = sorted((ROOT / "tests").rglob("test_*.py"))
    yield from (path for path in every if path in changed)
    modules = [path.relative_to(ROOT) for path in changed if path.relative_to(ROOT).parts[0] in PACKAGES]
    if modules or changed:
        yield from (path for path in every if path.name in ALWAYS)
    names = {"logtui." + ".".join(path.with_suffix("").parts) for path in modules}
    yield from (path for path in every if names & set(_imported(path)))
    for module in modules:
        mirror = ROOT / "tests" / module.parent
        yield from sorted(mirror.glob("test_*.py")) if len(module.parts) > 2 else ()


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
