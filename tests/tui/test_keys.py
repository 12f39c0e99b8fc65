"""Keys and help agree: every key that a pane lists does something there, and every key that a help text names is one."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.pilot import Pilot
from textual.screen import Screen

from logtui.diagnosis.session.opening import Options
from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.panes.findings import FindingList
from logtui.tui.panes.raw.viewer import RawViewer
from logtui.tui.screens.commands import keys_here
from logtui.tui.screens.pane_table import PANES
from logtui.tui.screens.typed_commands import Typed, read_command

Settled = Callable[[Pilot[int]], Awaitable[None]]
KEYS = {
    "/": "slash", ":": "colon", "&": "ampersand", ",": "comma", ".": "full_stop", "+": "plus", "-": "minus",
    "[": "left_square_bracket", "]": "right_square_bracket", "*": "asterisk", "|": "vertical_line",
}  # fmt: skip
ELSEWHERE = {"tab"}
"""Keys of the framework."""


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_directory("storage", tmp_path_factory.mktemp("demo"))


@pytest.fixture
def storage_app(storage: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> LogtuiApp:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return LogtuiApp([storage], Options(jobs=1, no_cache=True))


def named_in(text: str) -> Iterator[str]:
    """Keys in bold, as `**n** / **N**` or `**& !…**`."""
    for words in re.findall(r"\*\*([^*]+)\*\*", text):
        key = words.strip("`").split(" ")[0]
        if len(key) == 1 or key in ("enter", "up", "down", "left", "right", "tab", "escape"):
            yield key


def bindings(screen: Screen[object]) -> dict[str, Binding]:
    return {key: active.binding for key, active in screen.active_bindings.items() if active.enabled}


@pytest.mark.parametrize("pane", PANES)
async def test_every_key_that_the_help_of_a_pane_names_works_there(
    storage_app: LogtuiApp, settled: Settled, pane: str
) -> None:
    async with storage_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        storage_app.case_screen.action_pane(pane)
        await settled(pilot)
        bound = bindings(storage_app.screen)
        unknown = {key for key in named_in(PANES[pane].kind.HELP_TEXT) if KEYS.get(key, key) not in bound} - ELSEWHERE
        assert not unknown


@pytest.mark.parametrize("pane", PANES)
async def test_every_key_listed_in_a_pane_is_told_and_does_something(
    storage_app: LogtuiApp, settled: Settled, pane: str
) -> None:
    async with storage_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        storage_app.case_screen.action_pane(pane)
        await settled(pilot)
        for node, binding in ((a.node, a.binding) for a in storage_app.screen.active_bindings.values()):
            if binding.id is None:
                continue
            assert binding.tooltip or binding.description
            name = binding.action.partition("(")[0].removeprefix("app.").removeprefix("screen.")
            owner = storage_app if binding.action.startswith("app.") else node
            assert hasattr(owner, f"action_{name}"), binding.id
        listed = keys_here(storage_app.screen)
        assert len(listed) > 30
        assert all(what for _, what in listed)


@pytest.mark.parametrize("pane", ["ranks", "timeline", "findings", "files", "raw", "daemons"])
async def test_pages_go_by_the_same_keys_everywhere(storage_app: LogtuiApp, settled: Settled, pane: str) -> None:
    async with storage_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        storage_app.case_screen.action_pane(pane)
        await settled(pilot)
        assert {"pageup", "pagedown", "ctrl+f", "ctrl+b", "home", "end", "g", "G"} <= bindings(
            storage_app.screen
        ).keys()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("q", Typed(action="app.quit")),
        ("quit", Typed(action="app.quit")),
        ("123", Typed(line=123)),
        ("goto 123", Typed(line=123)),
        ("rank 57", Typed(rank="57")),
        ("node007", Typed(rank="node007")),
        ("time 15:42", Typed(time="15:42")),
        ("findings", Typed(action="screen.pane('findings')")),
        ("goto there", Typed(rank="goto there")),
    ],
)
def test_what_is_typed_behind_the_colon(typed: str, meant: Typed) -> None:
    assert read_command(typed) == meant


async def test_commands_are_done_from_any_pane(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for typed in ("5", "rank 3", "nonsense"):
            await pilot.press("colon", "ctrl+a", "ctrl+k", *(k if k != " " else "space" for k in typed), "enter")
            await settled(pilot)
        assert app.case_screen.selection.rank == 3
        assert "nonsense" in [n.message for n in app._notifications][-1]
        await pilot.press("colon", "ctrl+a", "ctrl+k", "q", "enter")
        await settled(pilot)
        assert not app.is_running or app._exit


async def test_matches_are_stepped_through_from_any_pane(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("5", "slash", *"watchdog", "enter")
        await settled(pilot)
        viewer = app.case_screen.query_one(RawViewer)
        first = viewer.cursor
        await pilot.press("3")
        await settled(pilot)
        assert app.case_screen.query_one(FindingList).has_focus
        await pilot.press("n")
        await settled(pilot)
        assert viewer.cursor > first


async def test_escape_goes_a_step_back_once_all_is_read(app: LogtuiApp, settled: Settled) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        began = app.case_screen.selection.place
        await pilot.press("e")
        await settled(pilot)
        assert app.case_screen.selection.place != began
        await pilot.press("escape")
        await settled(pilot)
        assert app.case_screen.selection.place == began
