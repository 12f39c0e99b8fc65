"""What users install: `logtui` and nothing beside it, with every module and style sheet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

pytest.importorskip("hatchling", reason="the build backend is not installed here")

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("diagnosis", "parsers", "tui")


def _build(kind: str, source: Path, target: Path) -> Path:
    """Call the build backend as pip does, without the isolation that would need the network."""
    code = f"import hatchling.build, sys; print(hatchling.build.build_{kind}(sys.argv[1]))"
    run = subprocess.run([sys.executable, "-c", code, target], cwd=source, capture_output=True, text=True, check=True)
    return target / run.stdout.splitlines()[-1]


def _names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout."""
    return _build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


def test_it_holds_one_package(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in _names(wheel)}
    name = "-".join(wheel.name.split("-")[:2])
    assert tops == {"logtui", f"{name}.dist-info", f"{name}.data"}


def test_shells_and_man_find_their_files(wheel: Path) -> None:
    shared = {name.split("/data/", 1)[1] for name in _names(wheel) if ".data/data/" in name}
    assert shared == {
        "share/bash-completion/completions/logtui",
        "share/zsh/site-functions/_logtui",
        "share/fish/vendor_completions.d/logtui.fish",
        "share/man/man1/logtui.1",
    }


def test_it_holds_every_module_and_style_sheet(wheel: Path) -> None:
    wanted = {
        f"logtui/{path.relative_to(ROOT).as_posix()}"
        for package in PACKAGES
        for pattern in ("*.py", "*.tcss")
        for path in (ROOT / package).rglob(pattern)
    }
    root = {"logtui/__init__.py", "logtui/__main__.py", "logtui/py.typed"}
    held = {name for name in _names(wheel) if name.startswith("logtui/")}
    assert wanted | root <= held
    assert [name for name in held - wanted - root if name.endswith((".py", ".pyc"))] == []


def test_it_holds_the_license(wheel: Path) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in _names(wheel))


def test_a_wheel_from_the_source_archive_is_the_same(wheel: Path, tmp_path: Path) -> None:
    archive = _build("sdist", ROOT, tmp_path)
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)
    again = _build("wheel", tmp_path / archive.name.removesuffix(".tar.gz"), tmp_path)
    assert _names(again) == _names(wheel)
