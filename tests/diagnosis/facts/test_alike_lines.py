"""Lines that differ in digits alone: what is read of all at once is what is read of each."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts import final_step, loud_lines, understood
from logtui.diagnosis.facts.alike_lines import EXACT, FEW, MOST_ALIKE, Alike, Columns, kinds_of, number
from logtui.parsers.clean import clean
from logtui.parsers.records.shapes import ALIKE
from logtui.parsers.registry import registry

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*(?:e[-+]?\d+)?|nan")
FORMS = (
    "step {} of {}: loss {}.{}",
    "\x1b[{}mlr {}.{}e-0{}\x1b[0m",
    "at {}:{}:{} took {},{}",
    "version {}.{}.{}: nan",
    "[{}m 12s] {}",
    "█ {}█{}",
)
LINES = st.lists(
    st.tuples(st.sampled_from(FORMS), st.lists(st.integers(0, 10 ** (EXACT + 2)), min_size=5, max_size=5)),
    min_size=1,
    max_size=60,
)


def parts(raw: bytes) -> list[str]:
    """Halves of a line without its first word, and with blanks put together: digits move, and some go."""
    words = clean(raw).split()[1:]
    return [" ".join(words[:2]), " ".join(words[2:])]


@given(LINES)
def test_numbers_of_a_kind_are_those_of_each_line(lines: list[tuple[str, list[int]]]) -> None:
    raws = [form.format(*numbers).encode() for form, numbers in lines] * (FEW + 1)
    for kind in kinds_of(raws):
        for part, shown in enumerate(parts(kind.sample)):
            columns = Columns(kind, raws, parts, part)
            for span in (m.span() for m in NUMBER.finditer(shown)):
                each = [number(parts(raws[at])[part][slice(*span)]) for at in kind.at]
                np.testing.assert_array_equal(columns.read(*span), each)


def test_kinds_come_in_the_order_of_their_lines() -> None:
    kinds = kinds_of([b"b 1", b"a 1", b"b 2", b"[3m", b"a 22", b"[36m", b"b 3", b"[3m"])
    assert [(kind.sample, kind.at) for kind in kinds] == [
        (b"b 0", [0, 2, 6]),
        (b"a 0", [1]),
        (b"[3m", [3, 7]),
        (b"a 00", [4]),
        (b"[36m", [5]),
    ]


def test_one_of_a_kind_is_asked() -> None:
    asked: list[str] = []

    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    alike = Alike(length)
    assert [alike.of(text) for text in ("step 12", "step 57", "step 5")] == [7, 7, 6]
    assert asked == ["step 00", "step 0"]


def test_answers_are_bounded() -> None:
    alike = Alike(len)
    for length in range(MOST_ALIKE + 10):
        alike.of("x" * (length % 7) + chr(0x4E00 + length))
    assert len(alike) == 10


ASKED: tuple[Callable[[str], object], ...] = (
    final_step._tells,
    understood._look,
    lambda text: loud_lines._MAY_BE_LOUD.search(text) is not None,
)
"""What is asked of a text with its digits alike: none of it may tell one digit from another."""


@pytest.mark.parametrize("ask", ASKED, ids=["tells of a step", "looks like", "may be loud"])
def test_what_is_asked_of_a_kind_tells_no_digits_apart(ask: Callable[[str], object]) -> None:
    samples = {s.text for f in registry().formats for p in f.patterns for s in p.samples}
    assert len(samples) > 1000
    alike = {text: text.encode().translate(ALIKE).decode() for text in samples}
    assert [text for text, mask in alike.items() if ask(text) != ask(mask)] == []
