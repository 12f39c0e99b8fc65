"""The daemon file picker, driven by keys on the storage demo."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.session.opening import Options
from logtui.diagnosis.storage.panels import Bar, Picker, Row
from logtui.parsers.daemons.daemon import Gap
from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.daemons.bars import Shown, bracket, columns, failure_span, runs, window_columns
from logtui.tui.panes.daemons.pane import DaemonPane, legend
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.shared.destinations import record_time
from logtui.tui.shared.timeline_scale import Scale

Settled = Callable[[Pilot[int]], Awaitable[None]]
SIZES = [(80, 24), (120, 40), (200, 50)]
IDS = ["80x24", "120x40", "200x50"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_directory("storage", tmp_path_factory.mktemp("demo"))


@pytest.fixture
def storage_app(demo: Path) -> LogtuiApp:
    return LogtuiApp([demo], Options(jobs=1, no_cache=True), title="storage")


def pane(app: LogtuiApp) -> DaemonPane:
    return app.case_screen.query_one(DaemonPane)


def label(app: LogtuiApp) -> str:
    shown = pane(app).shown
    assert shown is not None
    return shown.picker.rows[pane(app).rows.cursor].label


def raw_text(app: LogtuiApp) -> str:
    viewer = app.case_screen.query_one(RawViewer)
    return viewer.text_of(viewer.cursor)


async def press(pilot: Pilot[int], settled: Settled, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_hidden_without_daemons(app: LogtuiApp, settled: Settled, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, settled, "6")
        assert not pane(app).display
        assert "daemons" not in pane(app).heading.name_shown.plain


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_the_target_that_the_verdict_names_is_two_keys_away(
    storage_app: LogtuiApp, settled: Settled, size: tuple[int, int]
) -> None:
    async with storage_app.run_test(size=size) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6")
        assert pane(storage_app).display
        assert storage_app.focused is pane(storage_app).rows
        assert label(storage_app) in pane(storage_app).rows.blamed
        await press(pilot, settled, "enter")
        assert isinstance(storage_app.focused, RawViewer)
        (blamed,) = pane(storage_app).rows.blamed
        assert blamed[2:-1] in str(storage_app.case_screen.selection.place)


async def test_from_the_ranks_line_to_the_targets_in_the_same_second(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        view = storage_app.case_screen.view
        assert view is not None
        assert view.daemons is not None
        link = next(k for k in view.daemons.links if k.how == "request id")
        await pilot.press("f", *link.client.file, "enter")
        await settled(pilot)
        await press(pilot, settled, "colon", *str(link.client.line), "enter")
        assert "batch.get() failed" in raw_text(storage_app)
        await press(pilot, settled, "6")
        assert label(storage_app) == link.daemon
        await press(pilot, settled, "enter")
        assert link.server is not None
        assert storage_app.case_screen.selection.place == link.server.place
        assert "not active" in raw_text(storage_app)
        shown = pane(storage_app).shown
        assert shown is not None
        chosen = shown.at_cursor(pane(storage_app).rows.cursor)
        assert chosen is not None
        assert chosen.name == link.server.file


async def test_left_and_right_move_the_shared_time(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6")
        before = storage_app.case_screen.selection
        await press(pilot, settled, "left")
        after = storage_app.case_screen.selection
        assert before.time is not None
        assert after.time is not None
        assert after.time < before.time
        shown = pane(storage_app).shown
        assert shown is not None
        assert shown.time == after.time
        for row, bar in zip(shown.picker.rows, shown.picker.at(after.time), strict=True):
            assert shown.at_cursor(shown.picker.rows.index(row)) == bar
        assert after.line != before.line, "the raw viewer shows the daemon's line at that time"


async def test_down_shows_the_next_daemons_line_at_the_same_time(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6")
        time, first = storage_app.case_screen.selection.time, storage_app.case_screen.selection.file
        await press(pilot, settled, "down")
        assert storage_app.case_screen.selection.time == time
        assert storage_app.case_screen.selection.file != first
        assert storage_app.focused is pane(storage_app).rows


async def test_f_narrows_to_files_that_cover_the_failure_and_back(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6")
        every = pane(storage_app).files.bars
        await press(pilot, settled, "f")
        some = pane(storage_app).files.bars
        assert 0 < len(some) < len(every)
        assert all(bar.covers for bar in some)
        await press(pilot, settled, "f")
        assert pane(storage_app).files.bars == every


async def test_every_file_of_a_daemon_can_be_opened(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6", "tab")
        files = pane(storage_app).files
        assert storage_app.focused is files
        await press(pilot, settled, "home")
        assert storage_app.case_screen.selection.place == f"{files.bars[0].name}:1"
        assert raw_text(storage_app).startswith("Started up at ")
        await press(pilot, settled, "enter")
        assert storage_app.case_screen.selection.file == files.bars[0].name
        assert isinstance(storage_app.focused, RawViewer)


async def test_a_daemons_line_keeps_the_workers_time(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6", "enter")
        before = storage_app.case_screen.selection.time
        await press(pilot, settled, "down")
        after = storage_app.case_screen.selection.time
        assert before is not None
        assert after is not None
        assert abs(after - before) < 60


async def test_zoom_and_back(storage_app: LogtuiApp, settled: Settled) -> None:
    async with storage_app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, settled, "6")
        rows = pane(storage_app).rows
        assert rows.scale is not None
        whole = rows.scale.span
        await press(pilot, settled, "plus", "plus")
        assert rows.scale.span == pytest.approx(whole / 4)
        await press(pilot, settled, "right", "minus", "0")
        assert rows.scale.span == whole


def bar(start: float | None, end: float | None, file: int = 0, **fields: object) -> Bar:
    """An INFO file that rotated in, unless said otherwise."""
    known: dict[str, Any] = {
        "name": f"file{file}", "level": "INFO", "line": 1, "start_from": "header", "end_from": "last record",
        "started": False, "clean_end": True, "records": 9, "duplicate_of": "", "covers": False,
    }  # fmt: skip
    return Bar(file=file, start=start, end=end, **{**known, **fields})


SCALE = Scale(0.0, 19.0, 20)


def drawn(
    bars: tuple[Bar, ...], time: float | None = None, window: tuple[float, float] | None = None, **row: Any
) -> str:
    known: dict[str, Any] = {"restarts": (), "gaps": ()}
    rows = (Row(0, "t[a]", "target", "h", "4.1", bars, **{**known, **row}),)
    return columns(Shown(Picker(rows, 0.0, 19.0, window), time), 0, SCALE)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param(drawn((bar(2, 9), bar(10, 15, 1))), "  ▗▄▄▄▄▄▄▄▗▄▄▄▄▄    ", id="two files"),
        pytest.param(drawn((bar(2, 9), bar(10, 15, 1)), 12.0), "  ▗▄▄▄▄▄▄▄██████    ", id="the one at the cursor"),
        pytest.param(drawn((bar(4, 9),), restarts=(6.0,)), "    ▗▄╎▄▄▄          ", id="a restart"),
        pytest.param(
            drawn((bar(4, 9),), gaps=(Gap(None, 4.0, "rotated away"), Gap(9.0, 12.0, "not collected"))),
            "╱╱╱╱▗▄▄▄▄▄╲╲╲       ",
            id="gaps",
        ),
        pytest.param(drawn((bar(4, 9),), window=(8.0, 12.0)), "    ▗▄▄▄▄▄░░░       ", id="the failure uncovered"),
        pytest.param(drawn((bar(None, None),)), " " * 20, id="undated"),
        pytest.param(drawn((bar(-9, -2), bar(30, 40, 1))), " " * 20, id="out of sight"),
        pytest.param(
            drawn((bar(2, 9), bar(2, 15, 1, level="ERROR")), 4.0), "  ████████▄▄▄▄▄▄    ", id="an ERROR file lies below"
        ),
    ],
)
def test_glyphs_by_column(text: str, wanted: str) -> None:
    assert text == wanted


@pytest.mark.parametrize(
    ("time", "wanted"),
    [pytest.param(98.0, "file1", id="buffered"), pytest.param(40.0, "file0", id="the cursor moved on")],
)
def test_a_record_older_than_its_files_header_belongs_to_that_file(time: float, wanted: str) -> None:
    rows = (Row(0, "t[a]", "target", "h", "4.1", (bar(2, 100), bar(102, 150, 1)), (), ()),)
    chosen = Shown(Picker(rows, 0.0, 150.0, None), time, file="file1").at_cursor(0)
    assert chosen is not None
    assert chosen.name == wanted


def test_the_failure_and_the_cursor_have_styles_of_their_own() -> None:
    assert list(runs("▄▄█░ ╱", 0, (1, 3), 4)) == [
        ("▄", "file"), ("▄█", "failing"), ("░", "window"), (" ", "time"), ("╱", "gap"),
    ]  # fmt: skip


def test_the_failures_bracket_and_axis() -> None:
    picker = Picker((), 0.0, 19.0, (5.0, 9.0))
    assert window_columns(Shown(picker, None), SCALE) == (5, 9)
    assert bracket((5, 9), 20) == "     ├───┤ failure  "
    assert bracket((0, 15), 20) == "├── failure ───┤    "[:20]
    assert bracket(None, 4) == "    "
    assert failure_span(picker) == (4.0, 10.0)
    assert failure_span(Picker((), 0.0, 19.0, None)) == (0.0, 19.0)


@pytest.mark.parametrize(
    ("text", "near", "wanted"),
    [
        pytest.param("I 23:59:50.500000 x", 1_000 * 86400.0 + 5, 1_000 * 86400.0 - 9.5, id="before midnight"),
        pytest.param("W 00:00:10.000000 x", 1_000 * 86400.0 - 5, 1_000 * 86400.0 + 10, id="after midnight"),
        pytest.param(
            "2026-03-05T00:00:10.1Z I 00:00:10.000000 x", 1_000 * 86400.0, 1_000 * 86400.0 + 10, id="collected"
        ),
        pytest.param("Started up at 2026/03/05", 1_000 * 86400.0, None, id="a header"),
    ],
)
def test_a_records_day_is_the_nearest(text: str, near: float, wanted: float | None) -> None:
    shift = -8 * 3600.0
    found = record_time(text, near + shift, shift)
    assert found == (None if wanted is None else pytest.approx(wanted + shift))


def test_the_legend_tells_every_glyph() -> None:
    assert all(glyph in legend().plain for glyph in "█▄╎╱╲┄░")


@pytest.mark.parametrize("size", [(80, 24), (200, 50)], ids=["80x24", "200x50"])
@pytest.mark.parametrize("keys", [("6",), ("6", "f")], ids=["all", "failure"])
def test_looks(
    storage_app: LogtuiApp, settled: Settled, snap_compare: Any, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    async def run(pilot: Pilot[int]) -> None:
        await settled(pilot)
        await press(pilot, settled, *keys)

    assert snap_compare(storage_app, terminal_size=size, run_before=run)
