"""Both engines find every anchor, everywhere, and the same records follow."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scanning import log_file, shown

from logtui.parsers.errors import EngineFault
from logtui.parsers.files.discover import discover
from logtui.parsers.records.record import RecordTable
from logtui.parsers.registry import registry
from logtui.parsers.scan import engine as engines
from logtui.parsers.scan import proof
from logtui.parsers.scan.engine import SCAN_LIMIT, Engine, NumpyEngine
from logtui.parsers.scan.proof import make_engine
from logtui.parsers.scan.sweep import Sweep

CORPUS = Path(os.environ.get("LOGTUI_CORPUS", Path(__file__).resolve().parents[4] / "shared" / "corpus"))
ANCHORS = (
    b"ababababab",
    b"babababa",
    b"aaaaaaa",
    b"aaaaaaaa",
    b"abcabca",
    b"cccccccccccc",
    b"\xff\xfe\xfdabcd",
    "żółty rank".encode(),
)
NATIVE = pytest.param(
    "hyperscan", marks=pytest.mark.skipif("hyperscan" not in make_engine((b"abcdefg",)).name, reason="no wheel")
)
BOTH = pytest.mark.parametrize("name", [NATIVE, "numpy"])


def naive(text: bytes, anchors: tuple[bytes, ...]) -> list[int]:
    return sorted(
        at + len(anchor) << 16 | i
        for i, anchor in enumerate(anchors)
        for at in range(len(text))
        if text.startswith(anchor, at)
    )


@BOTH
@given(text=st.text("abc", max_size=200).map(str.encode) | st.binary(max_size=100), at=st.integers(0, 60))
def test_every_occurrence_is_found(name: str, text: bytes, at: int) -> None:
    text = text[:at] + ANCHORS[at % len(ANCHORS)] + text[at:]
    hits = make_engine(ANCHORS, name).scan(bytearray(text), len(text))
    assert hits.tolist() == naive(text, ANCHORS)


@BOTH
@given(pad=st.integers(0, 9), count=st.integers(0, 40))
def test_only_the_first_bytes_count(name: str, pad: int, count: int) -> None:
    text = b"." * pad + b"abcabca" + b"." * 30
    hits = make_engine(ANCHORS, name).scan(memoryview(text), min(count, len(text)))
    assert (len(hits) == 1) == (count >= pad + 7)


@BOTH
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview], ids=lambda k: k.__name__)
def test_any_buffer_will_do(name: str, kind: type) -> None:
    assert len(make_engine(ANCHORS, name).scan(kind(b"x abcabca x"), 11)) == 1


@BOTH
def test_nothing_to_look_for_finds_nothing(name: str) -> None:
    if name == "numpy":
        assert len(make_engine((), name).scan(b"abcdefgh", 8)) == 0


def test_all_declared_anchors_are_found_at_every_alignment() -> None:
    anchors = registry().anchors
    both = [make_engine(anchors, "numpy"), make_engine(anchors)]
    for shift in range(4):
        text = b"." * shift + proof.sample(anchors)[0] * 2
        first, second = (e.scan(text, len(text)) for e in both)
        assert np.array_equal(first, second)
        assert set((first & 0xFFFF).tolist()) == set(range(len(anchors)))


class Broken:
    """An engine that misses the last hit, or invents one."""

    name = "broken"

    def __init__(self, inner: Engine, invent: bool) -> None:
        self._inner, self._invent = inner, invent

    def scan(self, block: bytearray | memoryview | bytes, count: int) -> engines.Hits:
        hits = self._inner.scan(block, count)
        return np.append(hits, (count << 16) | 1) if self._invent else hits[:-1]


@pytest.mark.parametrize("invent", [True, False], ids=["invents", "misses"])
def test_an_engine_that_errs_is_not_used(invent: bool) -> None:
    with pytest.raises(EngineFault):
        proof.prove(Broken(NumpyEngine(ANCHORS), invent), ANCHORS)


def test_without_the_wheel_the_other_engine_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hyperscan", None)
    monkeypatch.delitem(sys.modules, "logtui.parsers.scan.hyperscan_engine", raising=False)
    assert make_engine(ANCHORS).name == "numpy"
    with pytest.raises(ImportError):
        make_engine(ANCHORS, "hyperscan")


@pytest.mark.parametrize("anchors", [(b"abc\0defgh",), (b"",)], ids=["NUL", "empty"])
def test_literals_the_library_cannot_hold_are_refused(anchors: tuple[bytes, ...]) -> None:
    pytest.importorskip("hyperscan")
    with pytest.raises(Exception):  # noqa: B017 - the library's own kinds of error
        make_engine(anchors, "hyperscan")


def test_short_literals_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        make_engine((b"abcdef",), "numpy")


def test_the_library_is_never_given_more_than_it_can_count() -> None:
    pytest.importorskip("hyperscan")
    with pytest.raises(ValueError, match="too long"):
        make_engine(ANCHORS, "hyperscan").scan(b"", SCAN_LIMIT)


def test_rare_words_are_chosen_by_the_text_itself() -> None:
    engine = NumpyEngine((b"common wordrareword",))
    engine.scan(b"tiny text", 9)
    text = b"common word" * engines.SAMPLE
    assert len(engine.scan(text, len(text))) == 0
    assert len(engine.scan(b"..common wordrareword", 21)) == 1


def records(paths: list[Path], engine: str) -> RecordTable:
    sweep = Sweep(discover(paths), engine, jobs=1)
    for _ in sweep.run():
        pass
    return sweep.case().records


def assert_same(first: RecordTable, second: RecordTable) -> None:
    assert shown(first) == shown(second)
    assert first.counts == second.counts


def test_both_engines_give_the_same_records_of_all_samples(tmp_path: Path) -> None:
    texts = [s.text for p in registry().patterns for s in p.samples]
    log_file(tmp_path / "samples.log", "\n".join(texts).encode() * 3)
    assert_same(records([tmp_path], "numpy"), records([tmp_path], "auto"))


@pytest.mark.skipif(not (CORPUS / "incidents").is_dir(), reason="no corpus here")
def test_both_engines_give_the_same_records_of_the_corpus() -> None:
    cases = sorted(p for p in (CORPUS / "incidents").iterdir() if p.is_dir())
    assert cases
    assert_same(records(cases, "numpy"), records(cases, "auto"))
