"""What is published: where it installs, and what comes with it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from logtui.tui.cli import main

ROOT = Path(__file__).resolve().parents[1]


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"release_{name}", ROOT / "release" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


wheels = _script("wheels")
PLATFORMS = {platform.title: platform for platform in wheels.PLATFORMS}


def _names(title: str, python: str) -> set[str]:
    return {requirement.name for requirement in wheels.wanted(PLATFORMS[title], python)}


def test_the_page_has_a_cell_for_every_platform_and_python() -> None:
    told = wheels.promised(wheels.PAGE.read_text(encoding="utf-8"))
    assert told.keys() == {(title, python) for title in PLATFORMS for python in wheels.PYTHONS}
    assert all(cell in (wheels.FAST, wheels.PLAIN) or cell.startswith(wheels.NO) for cell in told.values())
    assert all(told[title, "3.11"] == wheels.FAST for title in PLATFORMS if "ppc64le" not in title)


def test_hyperscan_is_asked_for_only_where_there_are_wheels_of_it() -> None:
    asked = {title for title in PLATFORMS if "hyperscan" in _names(title, "3.12")}
    assert set(PLATFORMS) - asked == {"Linux ppc64le, glibc 2.28 or newer"}


@pytest.mark.parametrize(("python", "needed"), [("3.13", True), ("3.14", False)])
def test_the_backport_of_zstd_is_needed_below_3_14(python: str, needed: bool) -> None:
    assert ("backports.zstd" in _names("Linux x86-64, glibc 2.28 or newer", python)) is needed


def test_a_promise_that_fails_is_told_and_one_that_was_none_is_not() -> None:
    told = {("a", "3.11"): "yes", ("b", "3.11"): "no: numpy", ("c", "3.11"): "yes, numpy engine", ("d", "3.11"): "yes"}
    now = {("a", "3.11"): "no: numpy", ("b", "3.11"): "no: msgspec", ("c", "3.11"): "yes", ("d", "3.11"): "yes"}
    assert wheels.broken(told, now) == ["a, Python 3.11: yes is now no: numpy"]
    assert wheels.broken(told, now | {("d", "3.11"): "yes, numpy engine"})[1:] == [
        "d, Python 3.11: yes is now yes, numpy engine"
    ]


def test_every_dependency_is_explained_to_who_installs() -> None:
    page = wheels.PAGE.read_text(encoding="utf-8")
    assert [name for title in PLATFORMS for name in _names(title, "3.11") if name not in page] == []


# -- Completions and the man page


SHELL = ROOT / "tui" / "shell"


def test_completions_and_man_page_are_those_of_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python release/shell.py` writes them where they are not."""
    pytest.importorskip("shtab")
    monkeypatch.setenv("COLUMNS", "80")
    written = _script("shell").written()
    assert {path.name: path.read_text(encoding="utf-8") for path in SHELL.iterdir()} == written


COMPLETED = (
    ("logtui --mark", ["--markdown"]),
    ("logtui repo", ["report"]),
    ("logtui report --json-", ["--json-lines"]),
    ("logtui --engine nu", ["numpy"]),
    ("logtui report lo", ["logs_dir"]),
)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(("typed", "offered"), COMPLETED, ids=[typed for typed, _ in COMPLETED])
def test_bash_completes(tmp_path: Path, typed: str, offered: list[str]) -> None:
    (tmp_path / "logs_dir").mkdir()
    words = typed.split(" ")
    script = (
        f'source "{SHELL}/logtui.bash"; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; '
        '_shtab_logtui 2>/dev/null; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    run = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.stdout.split() == offered


@pytest.mark.parametrize(("shell", "file"), [("zsh", "_logtui"), ("fish", "logtui.fish")])
def test_other_shells_take_theirs(shell: str, file: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    assert subprocess.run([shell, "-n", SHELL / file], capture_output=True, check=False).stderr == b""


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "zsh"]) == 0
    assert capsys.readouterr().out == (SHELL / "_logtui").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here")
def test_the_man_page_is_sound_and_tells_every_option() -> None:
    command = ["groff", "-man", "-Tascii", "-ww", str(SHELL / "logtui.1")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stderr == ""
    shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", run.stdout)
    assert [word for word in ("--markdown", "--json-lines", "NO_COLOR", "config.toml") if word not in shown] == []
