"""Functions that read what others wrote raise nothing but the refusals that they announce, whatever they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from long_form import LONG, times
from mutations import cut, escapes, flip, numbers
from parse_functions import BY_HAND, BYTES, EXEMPT, TEXT, Call, call_of, exempt, functions, input_of, refusals

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.codec import NotThatShape, decode
from logtui.diagnosis.report.secrets import Masks
from logtui.parsers.exceptions.table import KINDS
from logtui.parsers.pattern import Scope
from logtui.parsers.prefix.grammar import HEADS
from logtui.parsers.prefix.wrapping import WRAPPINGS
from logtui.parsers.registry import registry

FOUND = {name: function for name, function in functions() if input_of(function)}
TRIED = {name: call for name, function in FOUND.items() if not exempt(name) and (call := call_of(name, function))}
SAMPLES: tuple[Any, ...] = (*HEADS, *KINDS, *(p for scope in Scope for p in registry(scope).patterns[::5]))
PIECES = [sample.text for one in SAMPLES for sample in one.samples] + [
    sample for w in WRAPPINGS for sample in w.samples
]
ODD = (
    "\x1b[31m", "\0", "\r", "\n", "\t", "\u202e", "\ufeff", "٣", "²", "9" * 400, "-1", "1e400", "nan", "{", "[", "(", '"', "\\",
)  # fmt: skip
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(ODD), st.text(max_size=20), st.integers().map(str)), max_size=8
).map("".join)  # fmt: skip


def _mutated(text: str, number: int) -> bytes:
    rng = Random(number)
    return rng.choice(SMALL)(rng, text.encode() or b"\n")


SMALL = (cut, escapes, flip, numbers, numbers, numbers)
MUTATED = st.builds(_mutated, TEXTS, st.integers(0, 1 << 32))
INPUTS = {
    TEXT: st.one_of(TEXTS, MUTATED.map(lambda data: data.decode("utf-8", "replace"))),
    BYTES: st.one_of(st.binary(max_size=200), MUTATED, TEXTS.map(lambda text: text.encode("utf-16"))),
}


def test_every_function_is_tried_or_exempt() -> None:
    """One that is new and in neither table is what this names."""
    assert sorted(name for name in FOUND if name not in TRIED and not exempt(name)) == []
    assert BY_HAND.keys() <= TRIED.keys(), "a row for what is no longer there"
    assert [beginning for beginning in EXEMPT if not any(name.startswith(beginning) for name in FOUND)] == []
    assert len(TRIED) > 80


@pytest.mark.parametrize("batch", range(times(1, 100)))
@pytest.mark.parametrize("kind", INPUTS)
def test_nothing_is_too_odd(kind: str, batch: int) -> None:
    """Each example is given to all functions; the long form gives each a million."""
    calls = [(name, call) for name, (wanted, call) in TRIED.items() if wanted == kind]

    @settings(max_examples=times(1000, 10_000))
    @given(INPUTS[kind], st.integers(0, 1 << 32))
    def each(data: Any, number: int) -> None:
        for name, call in calls:
            _refuses_at_most(name, call, data, Random(number))

    (seed(batch)(each) if LONG else each)()


def _refuses_at_most(name: str, call: Call, data: Any, rng: Random) -> None:
    try:
        result = call(data, rng)
        if isinstance(result, Iterator):
            list(result)
    except Exception as error:
        if {kind.__name__ for kind in type(error).__mro__}.isdisjoint(refusals(FOUND[name])):
            error.add_note(f"given to {name}")
            raise


ABOVE: dict[str, tuple[str, Callable[[Any], object]]] = {
    "report": (BYTES, lambda data: decode(Report, data)),
    "secrets": (TEXT, Masks().replace),
}


@pytest.mark.parametrize("name", ABOVE)
def test_nothing_is_too_odd_for_the_diagnosis(name: str) -> None:
    kind, function = ABOVE[name]

    @settings(max_examples=times(100, 100_000))
    @given(INPUTS[kind])
    def each(data: Any) -> None:
        with suppress(NotThatShape):
            function(data)

    each()
