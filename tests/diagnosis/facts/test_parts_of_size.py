"""Lines that may say a world size are found by their parts, in a text as a whole."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from logtui.diagnosis.facts.stated_size import _MAY_SAY, _PARTS, WORDINGS, _with_parts

PIECES = st.sampled_from(
    [w.sample for w in WORDINGS] + [p.decode() for p in _PARTS] + ["step 57", " 5", "\n", "RANKS", ", total 7"]
)


@given(st.lists(PIECES, max_size=8).map(" ".join))
@example("\n\nWorld size 5\n\nloss")
def test_the_parts_find_what_the_expression_finds(text: str) -> None:
    raw = text.encode()
    whole = [line for line in raw.split(b"\n") if _MAY_SAY.search(line)]
    assert [line for line in _with_parts(raw) if _MAY_SAY.search(line)] == whole
