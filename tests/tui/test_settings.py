"""Themes and keys of the user's own, and mistakes in the file that names them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from logtui.tui.app import LogtuiApp
from logtui.tui.screens.commands import bound
from logtui.tui.settings import PRESETS, Settings, is_first_run, read_settings, unknown_keys
from logtui.tui.shared.looks import DARK, LIGHT, SIXTEEN, THEMES, VARIABLES, theme_for
from logtui.tui.widgets.frame import Breadcrumb

Settled = Callable[[Pilot[int]], Awaitable[None]]


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Settings]:
    def read(text: str) -> Settings:
        path = tmp_path / "config.toml"
        path.write_text(text)
        return read_settings(path)

    return read


def test_no_file_is_no_settings(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "config.toml") == Settings()


def test_what_a_file_says(written: Callable[[str], Settings]) -> None:
    found = written('theme = "logtui-light"\nmouse = false\n[keys]\npreset = "vim"\n"go.cause" = "C,ctrl+x"\n')
    assert (found.theme, found.mouse, found.problems) == ("logtui-light", False, ())
    assert found.keys == {**PRESETS["vim"], "go.cause": "C,ctrl+x"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("theme = ", "config.toml: Invalid value (at end of document)"),
        ("theme = 3", "theme is a name"),
        ('mouse = "no"', "mouse is true or false"),
        ('keys = "vim"', 'keys is a table: [keys], then preset = "vim" or "go.cause" = "C"'),
        ('[keys]\npreset = "emacs"', "no key preset 'emacs'; there are: default, vim, lnav"),
        ("[keys]\npreset = 1", "no key preset 1; there are: default, vim, lnav"),
        ('[keys]\n"go.cause" = ""', "go.cause wants keys, as in 'go.cause' = 'C,ctrl+x'"),
        ('colour = "red"', "unknown setting 'colour'"),
        ("keys = " + "[" * 9000, "config.toml: nested too deeply"),
    ],
)
def test_a_mistake_is_said_and_costs_itself_only(written: Callable[[str], Settings], text: str, problem: str) -> None:
    found = written(text)
    assert found.problems == (problem,)
    assert (found.theme, found.mouse, dict(found.keys)) == (None, True, {})


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert read_settings(tmp_path).problems == (f"{tmp_path.name}: Is a directory",)
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    assert "can't decode" in read_settings(tmp_path / "config.toml").problems[0]


def test_ids_that_nothing_has() -> None:
    assert list(unknown_keys(["go.caus", "zzzz", "go.find"], ["go.cause", "go.find"])) == [
        "no key is called 'go.caus'; did you mean 'go.cause'?",
        "no key is called 'zzzz'",
    ]


@pytest.mark.parametrize("preset", PRESETS)
async def test_presets_name_keys_that_exist(app: LogtuiApp, preset: str) -> None:
    async with app.run_test(size=(80, 24)):
        assert set(PRESETS[preset]) <= {binding.id for _, binding in bound(app.case_screen)}


def with_settings(job: Any, settings: Settings, hint: str = "") -> LogtuiApp:
    return LogtuiApp([job.path], title="demo", reader=job.read, settings=settings, hint=hint)


async def test_keys_of_the_users_own(job: Any, settled: Settled) -> None:
    app = with_settings(job, Settings(keys={"go.effect": "X"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        before = app.case_screen.selection
        await pilot.press("e")
        await settled(pilot)
        assert app.case_screen.selection == before
        await pilot.press("X")
        await settled(pilot)
        assert app.case_screen.selection != before


async def test_mistakes_are_told_on_the_screen(job: Any, settled: Settled) -> None:
    app = with_settings(job, Settings(theme="no-such", keys={"go.find": "e", "go.caus": "C"}, problems=("a word",)))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        assert {n.message for n in app._notifications} == {
            "config.toml: a word",
            "config.toml: no theme is called 'no-such'; T lists them",
            "config.toml: no key is called 'go.caus'; did you mean 'go.cause'?",
        }


async def test_a_theme_of_the_users_own(job: Any, settled: Settled) -> None:
    app = with_settings(job, Settings(theme=LIGHT.name))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert app.theme == LIGHT.name
        assert app.theme_variables["rank-waiting"] == LIGHT.variables["rank-waiting"]


async def test_the_hint_goes_with_the_first_key(job: Any, settled: Settled) -> None:
    app = with_settings(job, Settings(), hint="press something")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        hint = app.case_screen.query_one(Breadcrumb)
        assert str(hint.render()) == "press something"
        await pilot.press("right")
        await settled(pilot)
        assert str(hint.render()).startswith("[ ")


def test_the_first_run_comes_once(tmp_path: Path) -> None:
    state = tmp_path / "state" / "logtui"
    assert [is_first_run(state), is_first_run(state)] == [True, False]
    assert (state.stat().st_mode & 0o777, (state / "greeted").stat().st_mode & 0o777) == (0o700, 0o600)
    blocked = tmp_path / "a file"
    blocked.touch()
    assert not is_first_run(blocked)


def test_terminals_get_colours_that_they_have() -> None:
    assert [theme_for(system) for system in (None, "truecolor", "256", "standard")] == [DARK.name] * 3 + [SIXTEEN.name]


STANDARD = {f"#{r}{g}{b}" for r in ("00", "aa") for g in ("00", "aa") for b in ("00", "aa")} - {"#aaaa00"}
BRIGHT = {f"#{r}{g}{b}" for r in ("55", "ff") for g in ("55", "ff") for b in ("55", "ff")} | {"#aa5500"}


def test_sixteen_colours_are_a_terminals_own() -> None:
    own = {getattr(SIXTEEN, name) for name in "primary secondary accent warning error success foreground".split()}
    own |= {SIXTEEN.background, SIXTEEN.surface, SIXTEEN.panel, *SIXTEEN.variables.values()}
    assert own <= STANDARD | BRIGHT
    assert VARIABLES.keys() <= SIXTEEN.variables.keys()


@pytest.mark.parametrize("theme", THEMES, ids=lambda t: t.name)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)], ids=["80x24", "120x40", "200x50"])
def test_themes(job: Any, settled: Settled, snap_compare: Any, theme: Any, size: tuple[int, int]) -> None:
    async def ready(pilot: Pilot[int]) -> None:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)

    assert snap_compare(with_settings(job, Settings(theme=theme.name)), terminal_size=size, run_before=ready)
