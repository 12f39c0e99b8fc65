"""Functions that read what others wrote raise nothing but their own refusals, whatever they are given."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from long_form import times

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.codec import decode
from logtui.diagnosis.report.secrets import Masks
from logtui.parsers.clean import clean
from logtui.parsers.dumps.reading import DumpReader
from logtui.parsers.errors import LogtuiError
from logtui.parsers.prefix.grammar import HEADS
from logtui.parsers.prefix.origin import read_origin
from logtui.parsers.prefix.stamp import find_places, stamp_at
from logtui.parsers.registry import registry

PIECES = [sample.text for head in HEADS for sample in head.samples] + [
    sample.text for pattern in registry().patterns[::7] for sample in pattern.samples
]
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(max_size=40), st.integers().map(str), st.sampled_from("[]():= \t\r\x1b\0")),
    max_size=8,
).map("".join)  # fmt: skip
ON_TEXT: dict[str, Callable[[str], object]] = {
    "origin": lambda text: read_origin(text, len(text)),
    "stamp": lambda text: stamp_at(find_places(text), text, len(text), 2026, 0.0),
    "secrets": lambda text: Masks().replace(text),
}
ON_BYTES: dict[str, Callable[[bytes], object]] = {
    "clean": clean,
    "dump": lambda data: DumpReader().decode(data, "x"),
    "pickled dump": lambda data: DumpReader().decode(b"\x80\x02" + data, "x"),
    "report": lambda data: decode(Report, data),
}
REFUSALS = (LogtuiError, ValueError)
EXAMPLES = times(100, 1_000_000)


@pytest.mark.parametrize("name", ON_TEXT)
@settings(max_examples=EXAMPLES)
@given(text=TEXTS)
def test_no_text_is_too_odd(name: str, text: str) -> None:
    ON_TEXT[name](text)


@pytest.mark.parametrize("name", ON_BYTES)
@settings(max_examples=EXAMPLES)
@given(data=st.one_of(st.binary(max_size=200), TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_no_bytes_are_too_odd(name: str, data: bytes) -> None:
    try:
        ON_BYTES[name](data)
    except REFUSALS as refused:
        assert str(refused)
