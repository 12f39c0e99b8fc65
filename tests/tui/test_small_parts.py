"""Words, places, commands: functions without a screen."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.style import Style
from textual.geometry import Size

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Coverage, ReadWindow
from logtui.tui.editor import editor_command
from logtui.tui.panes.findings import finding_items
from logtui.tui.panes.ranks.arrangement import short_host
from logtui.tui.panes.ranks.modes.known import rank_look
from logtui.tui.panes.raw.expressions import Spotter, bounded, compile_search
from logtui.tui.panes.raw.painting import HIGHLIGHTED_CHARS, TOKENS, pieces
from logtui.tui.screens.export import export_directory, new_path
from logtui.tui.screens.finder import matching, places_of
from logtui.tui.screens.pane_table import (
    PANES,
    STACKED,
    THREE_COLUMNS,
    THREE_ROWS,
    TOO_SMALL,
    TWO_COLUMNS,
    PaneOrder,
    layout_for,
)
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.destinations import first_place, line_facts
from logtui.tui.shared.looks import LOOKS, look_of
from logtui.tui.shared.prefixes import without_prefix
from logtui.tui.shared.wording import (
    coverage_is_partial,
    coverage_words,
    job_words,
    printable,
    timed_text,
)
from logtui.tui.widgets.pane import fitting_note

STYLES = {name: Style(meta={"token": name}) for name in (*TOKENS, "match")}


def tokens(text: str, search: str | None = None) -> list[tuple[str, str]]:
    regex = Spotter(compile_search(search)) if search else None
    cut = pieces(text, lambda name: STYLES.get(name, Style()), Style(), regex)
    return [(s.text, s.style.meta["token"]) for s in cut if s.style and s.style.meta]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-05 15:42:03,120 ok", [("2026-03-05 15:42:03,120", "time")]),
        ("[rank57]: hello", [("[rank57]:", "rank")]),
        ("  12: hello", [("  12: ", "rank")]),
        ("RuntimeError: boom", [("RuntimeError", "error")]),
        ("retry 3", [("retry", "warning"), ("3", "number")]),
        ("open /data/a.tar", [("/data/a.tar", "path")]),
        ("terror of numbers2", []),
    ],
)
def test_tokens_picked_out(text: str, expected: list[tuple[str, str]]) -> None:
    assert tokens(text) == expected


def test_what_a_search_matches_lies_above_other_tokens() -> None:
    cut = tokens("RuntimeError: 7", "error: 7")
    assert cut == [("Runtime", "error"), ("Error", "match"), (": ", "match"), ("7", "match")]
    assert "".join(s.text for s in pieces("abc", lambda n: Style(), Style(), Spotter(compile_search("x*")))) == "abc"


def test_an_expression_that_takes_too_long_is_given_up_while_drawing() -> None:
    endless, line = re.compile("(a+)+$"), "a" * 64 + "!"
    spotter = Spotter(endless)
    assert spotter.spans("aaa") == [(0, 3)]
    assert spotter.spans(line) == []
    assert spotter.too_slow
    passes = bounded(lambda text: endless.search(text) is not None)
    assert [passes(text) for text in ("b", line, "b")] == [False, True, True]


def test_far_right_nothing_is_picked_out() -> None:
    text = "x" * HIGHLIGHTED_CHARS + " RuntimeError"
    assert tokens(text) == []
    assert "".join(s.text for s in pieces(text, lambda n: Style(), Style())) == text


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ["less", "+57", "/l/a.log"]),
        ({"EDITOR": "vim", "PAGER": "more"}, ["vim", "+57", "/l/a.log"]),
        ({"VISUAL": "emacs -nw", "EDITOR": "vim"}, ["emacs", "-nw", "+57", "/l/a.log"]),
        ({"EDITOR": "/opt/helix/hx"}, ["/opt/helix/hx", "/l/a.log:57"]),
        ({"EDITOR": "code"}, ["code", "--wait", "--goto", "/l/a.log:57"]),
        ({"EDITOR": "something"}, ["something", "/l/a.log"]),
        ({"EDITOR": "  ", "PAGER": "most"}, ["most", "+57", "/l/a.log"]),
        ({"EDITOR": "vim '"}, ["vim '", "/l/a.log"]),
    ],
)
def test_editors_are_told_the_line_as_they_take_it(environ: dict[str, str], expected: list[str]) -> None:
    assert editor_command(Path("/l/a.log"), 57, environ) == expected


def test_reports_are_never_written_beside_the_logs(tmp_path: Path) -> None:
    logs, work, home = tmp_path / "logs", tmp_path / "work", tmp_path / "home"
    for folder in (logs / "deep", work, home):
        folder.mkdir(parents=True)
    (logs / "a.log").touch()
    assert export_directory(work, [logs], home) == work
    assert export_directory(logs, [logs], home) == home
    assert export_directory(logs / "deep", [logs], home) == home
    assert export_directory(logs, [logs / "a.log"], home) == home
    assert export_directory(tmp_path, [tmp_path], home) not in (tmp_path, home)


@pytest.mark.parametrize(
    ("job", "name"),
    [("4821", "4821"), (None, "job"), ("../../etc", "etc"), ("a b\x1b[0m", "a-b-0m"), ("", "job")],
)
def test_reports_never_replace_a_file(tmp_path: Path, job: str | None, name: str) -> None:
    first, second = new_path(tmp_path, job), new_path(tmp_path, job)
    assert first.name == f"logtui-report-{name}.md"
    assert second.name == f"logtui-report-{name}-2.md"
    assert (first.read_text(), second.read_text()) == ("", "")
    assert first.parent == tmp_path


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("[rank57]:[E305 15:42:03.000000000 ProcessGroupNCCL.cpp:629] [Rank 57] Watchdog", "Watchdog"),
        ("2026-03-05 15:42:03,120 INFO start", "INFO start"),
        (" 12: [default3]:loss", "loss"),
        ("[rank1]:[E224 15:39:41.1 P.cpp:1] [PG ID 0 PG GUID 0(default_pg) Rank 1]  failure", "failure"),
        ("node007: [rank1]: ValueError", "ValueError"),
        ("[Sat Mar  4 04:10:52 2023] INFO: task python:2 blocked", "INFO: task python:2 blocked"),
        ("W0224 15:10:41.815000 5398 torch/distributed/elastic/api.py:1010] Sending", "Sending"),
        ("plain", "plain"),
    ],
)
def test_prefixes_shown_elsewhere_are_left_out(text: str, body: str) -> None:
    assert without_prefix(text) == body


def test_a_cited_line_says_its_time_and_rank_once() -> None:
    assert timed_text(Evidence("a", 1, "boom", 1_772_725_323.0)) == "15:42:03 boom"
    assert timed_text(Evidence("a", 1, "[rank5]: boom", 1_772_725_323.0, rank=5)) == "15:42:03 r5 boom"
    assert timed_text(Evidence("a", 1, "[rank5]: boom")) == "[rank5]: boom"
    assert timed_text(Evidence("a", 1, "x" * 50), 10) == "xxxxxxxxx…"


def test_the_head_line_drops_what_does_not_fit(view: CaseView) -> None:
    whole = job_words(view.report, "demo", 200)
    assert whole == "job 4821 · NeMo 2.5 · 16 nodes × 8 = 128 ranks · died 15:42:03 · 127 waiting, 1 never entered"
    assert job_words(view.report, "demo", 50) == "job 4821 · NeMo 2.5 · 16 nodes × 8 · died 15:42:03"
    assert job_words(view.report, "demo", 40) == "job 4821 · 16 nodes × 8 · died 15:42:03"


def test_coverage_says_what_is_missing(view: CaseView) -> None:
    assert not coverage_is_partial(view.report)
    assert coverage_words(view.report) == "128/128 ranks · 16/16 files"
    partial = replace(
        view.report,
        coverage=Coverage(4, (("x", "empty"),), ranks_expected=16, ranks_seen=9, ranks_missing=(9,), share_read=0.5),
    )
    assert coverage_is_partial(partial)
    assert coverage_words(partial) == "50% read · 9/16 ranks · 4/4 files", "an empty file is no trouble"
    cut = replace(partial, coverage=replace(partial.coverage, files_unread=(("x", "permission denied"),)))
    assert coverage_words(cut) == "50% read · 9/16 ranks · 3/4 files"
    unnamed = replace(partial, coverage=Coverage(4, (), ranks_seen=0))
    assert coverage_words(unnamed) == "no rank's own lines · 4/4 files", "others speak of ranks"
    assert coverage_words(replace(unnamed, ranks=())) == "no rank named · 4/4 files"


def test_coverage_says_of_which_time_it_is(view: CaseView) -> None:
    for window, words in (
        (ReadWindow(1_771_941_600.0, 1_771_945_200.0), "14:00:00–15:00:00 only · "),
        (ReadWindow(1_771_941_600.0, None), "14:00:00– only · "),
        (ReadWindow(None, 1_771_945_200.0), "–15:00:00 only · "),
    ):
        report = replace(view.report, coverage=replace(view.report.coverage, window=window))
        assert coverage_words(report) == f"{words}128/128 ranks · 16/16 files"


def test_findings_come_in_the_order_people_ask(view: CaseView) -> None:
    items = finding_items(view.report)
    headings = [item.text for item in items if item.kind == "heading"]
    assert headings == [
        "VERDICT",
        "CAUSE CHAIN",
        "WHY NOT",
        "WHAT TO DO",
        "WHAT WOULD SETTLE IT",
        "LOUD, BUT NOT THE CAUSE",
        "FOLDED AS NOISE",
        "VERIFICATION",
    ]
    assert all(item.evidence is None for item in items if item.kind in ("heading", "note"))
    assert all("\x1b" not in item.text for item in items)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("57", "rank 57"),
        ("rank 5", "rank 5 "),
        ("node012", "rank 96 node012"),
        ("4821-11", "file error-4821-11.out"),
        ("fabric", "finding the fabric lost"),
        ("", "finding"),
    ],
)
def test_the_finder_offers_the_best_first(view: CaseView, typed: str, first: str) -> None:
    assert matching(list(places_of(view)), typed)[0].words.startswith(first)


def test_the_finder_leaves_out_what_does_not_fit(view: CaseView) -> None:
    assert {place.words.split()[2] for place in matching(list(places_of(view)), "node012")} == {"node012"}
    assert matching(list(places_of(view)), "zzzzqqqq") == []


def test_a_line_says_whose_and_when(view: CaseView) -> None:
    text = "[rank12]:[E305 15:42:03.000000000 ProcessGroupNCCL.cpp:629] timeout"
    assert line_facts(view, "error-4821-1.out", text, None) == (12, 1_772_725_323.0)
    assert line_facts(view, "error-4821-1.out", "nothing", None) == (None, None)


@pytest.mark.parametrize(
    ("size", "layout"),
    [
        ((80, 24), STACKED),
        ((200, 24), STACKED),
        ((99, 40), STACKED),
        ((120, 35), STACKED),
        ((120, 40), THREE_ROWS),
        ((121, 30), TWO_COLUMNS),
        ((200, 50), THREE_COLUMNS),
        ((59, 24), TOO_SMALL),
        ((80, 14), TOO_SMALL),
    ],
)
def test_layouts_by_size(size: tuple[int, int], layout: str) -> None:
    assert layout_for(Size(*size)) == layout


def test_panes_that_share_a_place_come_forward_one_at_a_time() -> None:
    order = PaneOrder()
    assert order.hidden(STACKED) == {"timeline", "findings", "files", "daemons"}
    order.bring("files")
    assert order.hidden(STACKED) == {"ranks", "timeline", "findings", "daemons"}
    assert order.hidden(TWO_COLUMNS) == {"findings", "daemons"}
    assert order.hidden(THREE_COLUMNS) == {"daemons"}
    assert set(order.recent) == set(PANES)


def test_every_state_has_a_glyph_of_its_own_one_cell_wide() -> None:
    glyphs = [look.glyph for look in LOOKS]
    assert len(set(glyphs)) == len(glyphs)
    assert all(len(glyph) == 1 for glyph in glyphs)
    assert look_of("levitating").words == "levitating"


def test_a_proof_without_a_time_is_read_for_one(view: CaseView) -> None:
    first = view.report.verdict.first_evidence
    assert first is not None
    verdict = replace(view.report.verdict, first_evidence=replace(first, time=None))
    assert first_place(CaseView(replace(view.report, verdict=verdict), view.case)).time == first.time


@pytest.mark.parametrize(("wrote", "culprits", "rank"), [(57, (57, 3), 57), (9, (3,), 3), (9, (), 9), (None, (), 57)])
def test_the_user_starts_at_the_verdicts_line_with_a_culprit(
    view: CaseView, wrote: int | None, culprits: tuple[int, ...], rank: int
) -> None:
    first = view.report.verdict.first_evidence
    assert first is not None
    verdict = replace(view.report.verdict, first_evidence=replace(first, rank=wrote), culprit_ranks=culprits)
    place = first_place(CaseView(replace(view.report, verdict=verdict), view.case))
    assert (place.rank, place.file, place.line) == (rank, first.file, first.line)


def test_the_first_place_falls_back_to_the_verdict_and_to_the_first_file(view: CaseView) -> None:
    assert first_place(view).rank == 57
    job, coverage = replace(view.report.job, world_size=None), replace(view.report.coverage, ranks_expected=None)
    nobody = replace(view.report, ranks=(), job=job, coverage=coverage)
    unnamed = replace(nobody, verdict=replace(nobody.verdict, culprit_ranks=()))
    assert first_place(CaseView(unnamed, view.case)).place == "error-4821-7.out:402"
    chained = replace(unnamed, verdict=replace(unnamed.verdict, first_evidence=None, supporting=()))
    assert first_place(CaseView(chained, view.case)).place == "error-4821-7.out:402"
    nothing = replace(chained, chain=())
    assert first_place(CaseView(nothing, view.case)).place == "error-4821-0.out:1"
    assert first_place(CaseView(nothing)).place is None


def test_printable_keeps_text_and_drops_orders() -> None:
    assert printable("größe 你好 ▶") == "größe 你好 ▶"
    assert printable("\x1b[2Ja\r\nb\x00") == "·[2Ja··b·"


def test_a_blamed_rank_stands_out_among_others_of_its_state(view: CaseView) -> None:
    verdict = replace(view.report.verdict, culprit_ranks=(3,))
    other = CaseView(replace(view.report, verdict=verdict), view.case)
    assert (rank_look(other, 3, None).glyph, rank_look(other, 3, None).words) == ("▣", "waiting, blamed")
    assert rank_look(other, 57, None).glyph == "◆"
    assert rank_look(view, 57, None).glyph == "◆", "nobody else never entered"


def test_a_note_is_cut_between_its_parts() -> None:
    assert fitting_note("AIS 23:59:20 · workers 15:59:20 · 9 files", 36) == "AIS 23:59:20 · workers 15:59:20"
    assert fitting_note("proves the verdict", 10) == "proves th…"


def test_an_address_is_no_host_with_a_domain() -> None:
    assert (short_host("192.168.205.202"), short_host("node007.example.org")) == ("192.168.205.202", "node007")
