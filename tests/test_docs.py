"""The documents keep step with the code: links lead somewhere, keys and options exist, examples run."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from contract import CLASSES, REPORT, ROLES, STATUSES, AtLeast, Each, Maybe
from textual.app import App
from textual.binding import Binding
from textual.keys import format_key
from textual.screen import Screen

import logtui.tui
from logtui.diagnosis import rules
from logtui.diagnosis.engine import all_rules
from logtui.diagnosis.session import analyse_whole
from logtui.parsers import formats
from logtui.parsers.registry import registry
from logtui.tui.arguments import OPEN, parse

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")))
EXAMPLES = {
    "parsers/formats/jobwrap.py", "tests/diagnosis/test_node_drained.py",
    "tui/panes/counts.py", "tui/panes/ranks/modes/files.py",
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


def _examples() -> dict[str, dict[str, Any]]:
    """The modules that CONTRIBUTING shows, run, by what they define."""
    found: dict[str, dict[str, Any]] = {}
    for source in re.findall(r"```python\n(.*?)```", _text("CONTRIBUTING.md"), re.S):
        module = ModuleType("example")
        exec(compile(source, "CONTRIBUTING.md", "exec"), vars(module))
        found[next(name for name in ("FORMAT", "RULE", "PANE", "MODES") if name in vars(module))] = vars(module)
    return found


def test_the_example_format_reads_its_samples() -> None:
    (pattern,) = _examples()["FORMAT"]["FORMAT"].patterns
    for sample in pattern.samples:
        match = pattern.compiled.search(sample.text)
        assert match is not None
        assert sample.fields.items() <= match.groupdict().items()
        assert any(anchor in sample.text for anchor in pattern.anchors)


@pytest.fixture
def example_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The examples as files beside the formats and rules there are, where they must be found without more ado."""
    sources = re.findall(r"```python\n(.*?)```", _text("CONTRIBUTING.md"), re.S)
    for package, word, clear in (
        (formats, "FORMAT = ", registry.cache_clear),
        (rules, "RULE = ", all_rules.cache_clear),
    ):
        folder = tmp_path / package.__name__
        folder.mkdir()
        (folder / "zz_example.py").write_text(next(s for s in sources if word in s))
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        clear()
    yield
    for package in (formats, rules):
        sys.modules.pop(f"{package.__name__}.zz_example", None)
    monkeypatch.undo()
    registry.cache_clear()
    all_rules.cache_clear()


@pytest.mark.usefixtures("example_modules")
def test_the_example_rule_fires_on_the_example_format(tmp_path: Path) -> None:
    sample = registry().pattern("jobwrap.drained").samples[0].text
    (tmp_path / "train.log").write_text(f"step 900 loss 2.31\n{sample}\n")
    with ThreadPoolExecutor(1) as fresh:  # a thread keeps its scanner, and the formats that were known then
        verdict = fresh.submit(analyse_whole, [tmp_path / "train.log"]).result().report.verdict
    assert (verdict.rule, verdict.title) == ("node-drained", "node007 was drained for maintenance M-4821")
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.line == 2
