"""The shape of the repository: what is easily broken by adding a file, and noticed late."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("diagnosis", "parsers", "tui")
# Joined here, so that this file does not hold what it looks for.
OF_ONE_MACHINE = re.compile(
    "|".join(("/" + "work/", "/" + "home/", "/root" + "/", "pypi" + r"\.org", "python" + "hosted"))
)


def _tracked() -> list[Path]:
    """Files under version control, or none where this is no checkout."""
    try:
        run = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [path for name in run.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def test_each_package_folder_has_its_link() -> None:
    links = {p.name: p.resolve() for p in (ROOT / ".src/logtui").iterdir() if p.is_symlink()}
    folders = {p.parent.name: p.parent for p in ROOT.glob("*/__init__.py")}
    assert links == folders
    assert sorted(folders) == list(PACKAGES)


def test_each_package_folder_is_in_the_build() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    for package in PACKAGES:
        assert package in targets["wheel"]["only-include"]
        assert package in targets["sdist"]["only-include"]
        assert targets["wheel"]["sources"][package] == f"logtui/{package}"


def test_each_folder_of_modules_is_a_package() -> None:
    folders = {p.parent for package in PACKAGES for p in (ROOT / package).rglob("*.py")}
    assert [f for f in folders if not (f / "__init__.py").exists()] == []


def test_tests_are_no_packages() -> None:
    """An `__init__.py` there puts the checkout on sys.path, and `import parsers` would pass here and fail elsewhere."""
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_test_files_have_names_of_their_own() -> None:
    names = Counter(p.name for p in (ROOT / "tests").rglob("test_*.py"))
    assert [n for n, count in names.items() if count > 1] == []


def test_each_dependency_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    listed = re.search(r"^dependencies = \[\n(.*?)^\]", text, re.M | re.S)
    assert listed is not None
    lines = [line for line in listed[1].splitlines() if not line.startswith("  # ")]
    assert lines
    assert [line for line in lines if not re.search(r'^  "[^"]+", +# \S', line)] == []


def test_nothing_of_one_machine_stands_in_the_tree() -> None:
    found = []
    for path in _tracked():
        if path.suffix not in {".py", ".md", ".toml", ".tcss", ".svg", ".txt", ".yml", ""}:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if OF_ONE_MACHINE.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == []


def test_no_worker_writes_its_arguments_out() -> None:
    """Without a description the framework takes the `repr` of all arguments: of a case or of dumps, for seconds."""
    workers = [(p.name, call) for p in (ROOT / "tui").rglob("*.py") for call in re.findall(r"@work\(.*", p.read_text())]
    assert len(workers) > 5
    assert [(name, call) for name, call in workers if 'description="-"' not in call and "read-logs" not in call] == []


def _modules() -> dict[str, Path]:
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    names = [".".join(("logtui", *path.relative_to(ROOT).with_suffix("").parts)) for path in files]
    return {name.removesuffix(".__init__"): path for name, path in zip(names, files, strict=True)}


def _imported(path: Path, modules: Set[str]) -> Iterator[str]:
    """All that a module imports, inside of functions and for type checkers too."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{path}: a relative import"
            inner = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules else node.module for name in inner)


def _imports() -> dict[str, set[str]]:
    """Which of our modules each of our modules imports."""
    modules = _modules()
    return {name: set(_imported(path, modules.keys())) & modules.keys() for name, path in modules.items()}


def _circle(graph: Mapping[str, Set[str]]) -> list[str]:
    """Some modules of which each imports the one before it; none if there is no such circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = _imports()
    assert sum(map(len, graph.values())) > 1000
    assert _circle(graph) == []


def test_no_folder_and_a_folder_in_it_import_each_other() -> None:
    graph = _imports()
    packages = {name for name, path in _modules().items() if path.name == "__init__.py"}

    def folder(name: str) -> str:
        return name if name in packages else name.rpartition(".")[0]

    pairs = {(folder(name), folder(other)) for name, found in graph.items() for other in found}
    down = {(a, b) for a, b in pairs if b.startswith(f"{a}.")}
    assert len(down) > 5
    assert [(a, b) for a, b in sorted(down) if (b, a) in pairs] == []


def test_a_circle_is_seen() -> None:
    assert sorted(set(_circle({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}))) == ["a", "b", "c"]
    assert _circle({"a": {"b"}, "b": {"c", "d"}, "c": {"d"}}) == []
