"""The documents keep step with the code: links lead somewhere, keys and options exist, examples run."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from contract import CLASSES, REPORT, ROLES, STATUSES, AtLeast, Each, Maybe
from textual.app import App
from textual.binding import Binding
from textual.keys import format_key
from textual.screen import Screen

import logtui.tui
from logtui.parsers.generator import demo_directory
from logtui.tui.arguments import OPEN, parse

ROOT = Path(__file__).resolve().parents[1]
PAGES = tuple(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md", *PAGES)
EXAMPLES = {
    "parsers/formats/schedulers/jobwrap.py", "parsers/exceptions/feature_store.py", "diagnosis/rules/node_drained.py",
    "tests/diagnosis/rules/test_node_drained.py", "parsers/generator/faults/quota.py", "tui/panes/counts.py",
    "tui/panes/ranks/modes/files.py",
}  # fmt: skip
"""Files that CONTRIBUTING writes as examples."""


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", _text(name))
    folder = (ROOT / name).parent
    assert [t for t in targets if "://" not in t and not (folder / t).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_named_in_the_text_exist(name: str) -> None:
    named = set(re.findall(r"`((?:parsers|diagnosis|tui|tests|benchmarks|screenshots|docs)/[\w./-]+)`", _text(name)))
    assert [p for p in sorted(named - EXAMPLES) if not (ROOT / p).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_modules_named_with_dots_exist(name: str) -> None:
    named = re.findall(r"(?<![\w./-])(?:logtui\.)?((?:parsers|diagnosis|tui)\.[a-zA-Z][\w.]*\w)(?!/)", _text(name))
    for dotted in {n for n in named if n.rpartition(".")[2] not in ("py", "md", "toml")}:
        pkgutil.resolve_name(f"logtui.{dotted}")


def test_the_layout_names_every_room_and_nothing_else() -> None:
    block = _text("CONTRIBUTING.md").split("## Layout\n\n```\n", 1)[1].split("```", 1)[0]
    found = re.findall(r"^(parsers|diagnosis|tui)/ .*\n((?:  .*\n)+)", block, re.M)
    assert len(found) == 3
    for package, rooms in found:
        named = {n for row in rooms.splitlines() for n in re.split(r"\s{2,}", row.strip())[0].split(", ")}
        folders = {f"{path.parent.name}/" for path in (ROOT / package).glob("*/__init__.py")}
        assert {n for n in named if n.endswith("/")} == folders
        assert [n for n in named - folders if not (ROOT / package / f"{n}.py").is_file()] == []


def test_every_test_of_the_whole_is_told_about() -> None:
    files = {f"tests/{path.name}" for path in (ROOT / "tests").glob("test_*.py")}
    assert files - set(re.findall(r"`(tests/\w+\.py)`", _text("tests/README.md"))) == set()


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", _text("Makefile"), re.M))
    named = {t for name in ("README.md", "CONTRIBUTING.md") for t in re.findall(r"make ([a-z]+)(?=`| +#)", _text(name))}
    assert named <= targets


def test_every_option_is_in_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse([OPEN, "--help"])
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", capsys.readouterr().out))
    assert len(options) > 15
    assert options - {"--help"} <= set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", _text("README.md")))


def _bindings() -> Iterator[Binding]:
    """Every declared key: the app's, and those of Textual that it keeps."""
    yield from (b for cls in (App, Screen) for b in cls.BINDINGS if isinstance(b, Binding))
    yield Binding(App.COMMAND_PALETTE_BINDING, "command_palette")
    for found in pkgutil.walk_packages(logtui.tui.__path__, "logtui.tui."):
        for item in vars(importlib.import_module(found.name)).values():
            if isinstance(item, type):
                yield from (b for b in vars(item).get("BINDINGS", ()) if isinstance(b, Binding))


def test_every_key_in_the_readme_is_bound() -> None:
    keys = {key for binding in _bindings() for key in binding.key.split(",")}
    bound = keys | {format_key(key) for key in keys}
    rows = re.findall(r"^\| ((?:`[^`]+`(?: / )?)+) \|", _text("README.md").split("## Headless")[0], re.M)
    named = {key for row in rows for key in re.findall(r"`([^`]+)`", row)}
    assert named
    assert named - bound == set()


def _keys(shape: object) -> Iterator[str]:
    while isinstance(shape, Maybe | Each | AtLeast):
        shape = shape.shape
    if isinstance(shape, Mapping):
        yield from shape
    for part in shape.values() if isinstance(shape, Mapping) else shape if isinstance(shape, list) else ():
        yield from _keys(part)


def test_every_key_and_word_of_the_report_is_described() -> None:
    named = set(re.findall(r"[\"`]([\w-]+)[\"`]", _text("docs/report.md")))
    named |= set(re.findall(r"\w+", " ".join(re.findall(r"side` \((.*?)\)", _text("docs/report.md")))))
    assert {*_keys(REPORT), *CLASSES, *STATUSES, *ROLES} - named == set()


def test_the_example_for_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    demo_directory("classic", tmp_path).rename(tmp_path / "logs")
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", _text("docs/python.md"), re.S)
    exec(compile(code, "docs/python.md", "exec"), {})
    first, title, proof, *ranks = capsys.readouterr().out.splitlines()
    assert first == "data-loading-stall high (57,)"
    assert "rank 57 never entered" in title
    assert proof.startswith("error-4821-7.out:")
    assert ranks[0].startswith("57 node007 never_entered")


def test_the_site_has_every_page() -> None:
    named = set(re.findall(r"([\w-]+\.md)", _text("mkdocs.yml")))
    assert named == {path.name for path in (ROOT / "docs").glob("*.md")}


def test_each_class_has_its_place_and_the_demos_are_of_it(tmp_path: Path) -> None:
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", _text("docs/classes.md"), re.M | re.S))
    assert sections.keys() == CLASSES
    shown = {cls: name for cls, text in sections.items() for name in re.findall(r"`logtui --demo (\w+)`", text)}
    assert len(shown) > 10
    for cls, name in shown.items():
        assert logtui.diagnose(demo_directory(name, tmp_path), jobs=1).verdict.cls == cls, name


def test_the_tests_that_hold_the_attack_surface_exist() -> None:
    rows = [row for row in _text("SECURITY.md").splitlines() if row.startswith("| ") and "what comes in" not in row]
    named = [re.findall(r"`(tests/[\w/.]+)`", row) for row in rows]
    assert len(rows) > 8 and all(named)
    assert [path for row in named for path in row if not (ROOT / path).exists()] == []
