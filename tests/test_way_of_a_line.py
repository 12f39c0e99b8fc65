"""`docs/way-of-a-line.md`: every name in it exists, and the line it shows goes the way it tells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.evidence import still_says
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.options import Options
from logtui.diagnosis.predicates.hangs import blamed, hangs
from logtui.diagnosis.report.json_report import dumps
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.opening import Analysis, analyse_whole
from logtui.diagnosis.verdict.engine import decide
from logtui.parsers.files.discover import discover
from logtui.parsers.files.lines import NewlineCounter
from logtui.parsers.files.listing import list_files
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.records.record import Record
from logtui.parsers.records.shapes import Shapes
from logtui.parsers.registry import registry
from logtui.parsers.scan.blocks import BlockReader
from logtui.parsers.scan.matching import Matchers, hit_texts
from logtui.parsers.scan.plan import plan
from logtui.parsers.scan.proof import make_engine
from logtui.parsers.source import LogFile
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.raw.painting import format_spans
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.screens.case_screen import CaseScreen
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.looks import look_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/way-of-a-line.md").read_text(encoding="utf-8")
LINE: str = re.findall(r"```\n(.*?)\n```", PAGE, re.S)[0]
NAMES = re.findall(r"`((?:parsers|diagnosis|tui)/[\w/]+)\.py: ([\w., ]+)`", PAGE)
RANK, ODD, PER_NODE, NODES = 57, 42, 8, 8
FILE, NUMBER = "error-4821-7.out", 11
STEPS = ("Listing Discovery Plan Blocks Engine Matching Row Table Record Identity Collectives The_table_of_hangs Rule "
         "Ranking Report Read_again Texts Case_view Panes Painting").split()  # fmt: skip


@pytest.mark.parametrize(("path", "names"), NAMES, ids=" ".join)
def test_every_name_exists(path: str, names: str) -> None:
    module = import_module(f"logtui.{path.replace('/', '.')}")
    for name in names.split(", "):
        reduce(getattr, name.split("."), module)


def _said(step: str) -> str:
    """What the page says has become of the line after a step."""
    found = re.search(rf"^\d+\. \*\*{step.replace('_', ' ')}\.\*\*.*?→ (.*?)(?=^\d+\. |^## |\Z)", PAGE, re.M | re.S)
    assert found is not None, step
    return " ".join(found[1].split())


def test_the_steps_are_those_that_are_followed() -> None:
    assert re.findall(r"^\d+\. \*\*(.*?)\.\*\*", PAGE, re.M) == [step.replace("_", " ") for step in STEPS]
    assert len(NAMES) > 2 * len(STEPS)


def _of(rank: int) -> str:
    """The line as another rank writes it, a second later; a rank that never entered says nothing."""
    if rank in (RANK, ODD):
        return f"{LINE}\n" if rank == RANK else ""
    return LINE.replace("ank57]", f"ank{rank}]").replace("ank 57]", f"ank {rank}]").replace(":03.", ":04.") + "\n"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The job of the page, a file per node."""
    folder = tmp_path_factory.mktemp("job")
    for node in range(NODES):
        ranks = range(node * PER_NODE, (node + 1) * PER_NODE)
        steps = "".join(f"2026-03-05 15:11:{rank:02d} [rank{rank}]: step 900 loss 2.31\n" for rank in ranks)
        text = f"node{node:03d}: world size 64\n{steps}{''.join(map(_of, ranks))}"
        (folder / f"error-4821-{node}.out").write_text(text)
    return folder


@pytest.fixture(scope="module")
def file(logs: Path) -> LogFile:
    """The file that holds the line."""
    return next(f for f in discover([logs]).files if f.name == FILE)


@pytest.fixture(scope="module")
def read(logs: Path) -> Iterator[Analysis]:
    """The whole job, read and judged."""
    analysis = analyse_whole([logs], Options(no_cache=True, jobs=1))
    yield analysis
    analysis.case.close()


@pytest.fixture(scope="module")
def facts(read: Analysis) -> Facts:
    assert read.facts is not None
    return read.facts


@pytest.fixture(scope="module")
def record(read: Analysis, file: LogFile) -> Record:
    """The line as a record."""
    (found,) = (r for r in read.case.records.of("pg.timeout") if r.rank == RANK)
    assert (found.file, found.line) == (file.index, NUMBER)
    return found


def test_the_line_stands_where_the_page_says(logs: Path) -> None:
    assert f"line {NUMBER} of `{FILE}`" in " ".join(PAGE.split())
    assert (logs / FILE).read_text().splitlines()[NUMBER - 1] == LINE


def test_files(logs: Path, file: LogFile) -> None:
    assert f"`{FILE}`" in _said("Listing")
    assert FILE in [found.name for found in list_files([logs]).files]
    said = f"a file of kind `{file.kind}`, node `{file.hints.node}` of job `{file.hints.job}`"
    assert _said("Discovery") == said
    starts = [p.start for task in plan([file], 1, {}) for p in task.pieces]
    assert _said("Plan") == f"a range that begins at byte `{starts[0]}`"


def test_from_bytes_to_a_match(file: LogFile) -> None:
    known, reader = registry(), BlockReader()
    matchers, lines = Matchers(known), NewlineCounter(reader.buffer)
    (block,) = reader.read(file, 0, None)
    # The other ranks of the node wrote their lines behind it.
    before = block.begin + bytes(block.buffer[block.begin : block.end]).index(LINE.encode()) + len(LINE) + 1
    assert _said("Blocks") == f"a block whose first `{lines.count(block.begin, before)}` lines end with it"
    text = memoryview(block.buffer)[block.begin : block.end]
    hits = make_engine(known.anchors).scan(text, len(text)).tolist()
    anchors = {known.anchors[hit & 0xFFFF].decode() for hit in hits if hit >> 16 <= before - block.begin}
    (said,) = re.findall("`(.*)`", _said("Engine"))
    assert said in anchors
    texts = hit_texts(block, hits, matchers.anchor_lengths, Shapes())
    found = {known.patterns[p].name for t in texts if t.text.startswith(LINE) for p, _ in matchers.confirmed(t)}
    assert _said("Matching") == f"the pattern `{' '.join(found)}` matches"


def test_the_record(record: Record) -> None:
    clock = (iso(record.time) or "")[11:19]
    assert _said("Row") == f"rank `{record.rank}`, which a `{record.rank_from.word}` says; `{clock}`"
    assert f"line `{record.line}`" in _said("Table")
    said = re.findall(r"`(\w+)` (\w+)", _said("Record"))
    assert len(said) == 3
    assert dict(said).items() <= dict(record.fields).items()


def test_facts(facts: Facts, record: Record) -> None:
    assert _said("Identity") == f"global rank `{facts.identity.rank_of(record)[0]}`"
    timeout = facts.collectives.groups["0"].timeouts[RANK]
    assert timeout.record.line == NUMBER
    clock, seconds = (iso(timeout.start) or "")[11:19], (timeout.ran_ms or 0) // 1000
    assert _said("Collectives") == f"group `{timeout.group}`, a wait of {seconds} s that began at `{clock}`"


def test_the_column_and_the_claim(facts: Facts) -> None:
    (hang,) = hangs(facts)
    assert (RANK in hang.waiting, hang.never_entered) == (True, {ODD})
    decision = decide(facts)
    assert decision.winner is not None
    rule, claim = decision.winner.rule, decision.winner.claim
    ((_, ranks),) = blamed(facts, rule.id)
    assert _said("The_table_of_hangs") == f"the row `{rule.id}` blames rank `{ranks[0]}`"
    assert claim.title.startswith(_said("Rule").strip("“”"))
    assert _said("Ranking") == f"strength `{claim.strength}`, no rival"
    assert not decision.losers


def test_the_report_and_its_proof(read: Analysis) -> None:
    report = read.report
    first, state = report.verdict.first_evidence, report.ranks[RANK]
    assert first is not None
    said = f"rank 57 is `{state.status}`, an `{state.role}`; the verdict's first evidence is `{first.place}`"
    assert _said("Report") == said
    assert first.text == LINE
    assert _said("Read_again") == f"`{report.verification.checked}` checked, none failed"
    assert not report.verification.failed
    assert still_says(read.case, first)
    assert json.loads(dumps(report))["verdict"]["first_evidence"]["text"] == LINE
    assert f"{first.place}" in _said("Texts")
    markdown = render(report)
    assert first.place in markdown
    assert LINE[60:160] in markdown


async def _settled(pilot: Pilot[int]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def _shown(app: LogtuiApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def test_the_case_view_proves_the_rank_by_the_line(read: Analysis) -> None:
    view = CaseView(read.report, read.case)
    proof = view.proof(RANK)
    assert proof is not None
    assert (proof.place, proof.text) == (f"{FILE}:{NUMBER}", LINE)
    assert f"`{look_of(view.status(RANK)).glyph}`" in _said("Panes")


async def test_the_line_is_on_the_screen(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logtui.tui.panes.raw.window.PATIENCE_S", 30.0)
    app = LogtuiApp([logs], Options(no_cache=True, jobs=1))
    async with app.run_test(size=(160, 40)) as pilot:
        await _settled(pilot)
        for key in (":", *"rank", "space", *"57", "enter"):
            await pilot.press(key)
            await _settled(pilot)
        assert isinstance(app.screen, CaseScreen)
        viewer = app.screen.query_one(RawViewer)
        assert (viewer.cursor, viewer.text_of(viewer.cursor)) == (NUMBER, LINE)
        number, head = re.findall("`(.*?)`", _said("Painting"))
        assert re.search(rf"{number}\W.*{re.escape(head)}", _shown(app))
    matches, fields = format_spans(LINE)
    assert "Watchdog caught" in " ".join(LINE[start:end] for start, end, _ in matches)
    assert "ALLREDUCE" in [LINE[start:end] for start, end, _ in fields]
