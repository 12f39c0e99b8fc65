"""The piece of a line that matters."""

from __future__ import annotations

import pytest

from logtui.parsers.gist import first_shown, gist, piece

DECIDES = "slurmstepd: error: *** JOB 77 ON node003 CANCELLED AT 2026-02-24T15:00:00 DUE TO TIME LIMIT ***"


@pytest.mark.parametrize("width", [60, 100, 140])
def test_the_words_that_decide_stay_however_far_right_they_stand(width: int) -> None:
    shown = gist("x" * 63_000 + " " + DECIDES, width)
    assert len(shown) <= width
    assert shown.startswith("…")
    assert "CANCELLED" in shown or "slurmstepd" in shown


def test_what_fits_is_not_cut() -> None:
    assert gist(DECIDES, len(DECIDES)) == DECIDES


def test_a_line_that_nothing_knows_keeps_its_head() -> None:
    assert piece("y" * 300) is None
    assert gist("y" * 300, 10) == "y" * 9 + "…"


def test_the_head_is_not_cut_while_the_piece_is_in_sight() -> None:
    text = DECIDES + " " + "z" * 300
    found = piece(text)
    assert found is not None
    assert first_shown(text, found[1] + 1) == 0
    assert first_shown("z " * 200 + DECIDES, 80) > 0
