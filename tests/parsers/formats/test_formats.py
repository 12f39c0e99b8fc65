"""Every declared format, whoever wrote it: samples, anchors, names, roles, and how long a search may take."""

from __future__ import annotations

import re
import tempfile
from itertools import islice
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logtui.parsers import formats
from logtui.parsers.clean import clean
from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample, Scope
from logtui.parsers.pattern_checks import complaints, nested_repeats
from logtui.parsers.registry import registry
from logtui.parsers.scan.proof import make_engine
from logtui.parsers.scan.scanner import RangeScanner
from logtui.parsers.source import Compression, FileKind, LogFile

FORMATS = [f for scope in Scope for f in registry(scope).formats]
PATTERNS = [(f, p) for f in FORMATS for p in f.patterns]
SAMPLES = [(f, p, s) for f, p in PATTERNS for s in p.samples]
OF_WORKERS = [(f, p) for f, p in PATTERNS if f.scope is Scope.WORKERS]
SAMPLES_OF_WORKERS = [(f, p, s) for f, p, s in SAMPLES if f.scope is Scope.WORKERS]
SAMPLES_OF_DAEMONS = [(f, p, s) for f, p, s in SAMPLES if f.scope is Scope.DAEMONS]
GENERIC_WEIGHT = 45
"""A cause this weak is a catch-all: it may match where a specific one does, and loses to it."""
SEARCH_S = 0.25
"""CPU seconds that one regex may take on one window."""
WINDOW_CHARACTERS, MATCHES = 8192, 16
"""What of a long line is searched at most, and how many records in it are told apart."""

BOTH = {
    ("lhotse.batch_failed", "ais.http_error"): "the batch that failed, and what AIStore answered",
    ("comm.system_error", "pg.terminated"): "the watchdog's end, and the error that it died of",
    ("comm.remote_error", "pg.terminated"): "the watchdog's end, and the error that it died of",
    ("comm.async_exception", "comm.remote_error"): "a collective's failure, and the error that it failed with",
    ("comm.async_found", "comm.system_error"): "a collective's failure, and the error that it failed with",
    ("ray.worker_exit", "ray.actor_died"): "the actor's death, and how its process ended",
    ("comm.setup_failed", "store.wait_timeout"): "what was asked of the store, and the store's own error",
}
"""(a sample's pattern, another that matches it too) → why both are right."""
FACTS = frozenset({Role.INFO, Role.STATE, Role.NOISE})
"""Several patterns may read facts from one line; what a line says about a failure is said once."""
CATCH_ALLS = frozenset({"nccl.warn"})
"""Patterns that keep every line of a kind, those with a pattern of their own included."""

ORDINARY = (
    "INFO 11-21 04:12:09 [worker.py:241] Memory profiling takes 1.22 seconds",
    "WARNING: module-loading: no modulefiles found in /opt/modules/cuda/12.4",
    "[rank57]:   File \"/opt/venv/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py\", line 2501",
    "[rank57]:     work = group.allreduce([tensor], opts)",
    "[rank57]: Traceback (most recent call last):",
    "frame #3: c10d::ProcessGroupNCCL::watchdogHandler() + 0x4d2 (0x7f31f8 in /opt/torch/lib/libtorch_cuda.so)",
    "frame #12: <unknown function> + 0x94b43 (0x7f31f9 in /lib/x86_64-linux-gnu/libc.so.6)",
    "node007:4411:4583 [1] NCCL INFO Channel 02/0 : 1[1] -> 0[0] via P2P/CUMEM/read",
    "node007:4411:4583 [1] NCCL INFO Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1",
    "node007:4411:4583 [1] NCCL INFO Connected all rings",
    "node007:4411:4583 [1] NCCL INFO 24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels",
    "/opt/venv/lib/python3.12/site-packages/torch/utils/checkpoint.py:87: UserWarning: None of the inputs have grads",
    "  warnings.warn(",
    "Downloading shards: 100%|##########| 12/12 [00:03<00:00,  3.97it/s]",
    "loading checkpoint shard /data/checkpoints/step_1000/shard-00012.tar took 1.31 s",
    "2026-11-21 04:12:09 | INFO | fairseq.trainer | begin dry-run validation on \"valid\" subset",
    "wandb: Run summary: train/loss 2.31",
    "+ export NCCL_DEBUG=INFO",
    "NCCL_SOCKET_IFNAME=eth0",
    "> building train, validation, and test datasets for GPT ...",
)  # fmt: skip
"""Lines that any healthy job prints by the thousand."""


def _id(value: object) -> str:
    if isinstance(value, Pattern | LineFormat):
        return value.name
    return "" if isinstance(value, Sample) else str(value)


def _matches(pattern: Pattern, text: str) -> re.Match[str] | None:
    """As the scanner decides: an anchor, then the regex."""
    return pattern.compiled.search(text) if any(a in text for a in pattern.anchors) else None


@pytest.mark.parametrize(("declared", "pattern", "sample"), SAMPLES_OF_WORKERS, ids=_id)
def test_sample_matches_no_other_pattern_of_its_format(declared: LineFormat, pattern: Pattern, sample: Sample) -> None:
    text = clean(sample.text.encode())
    others = [
        p.name
        for p in declared.patterns
        if p is not pattern and not {p.role, pattern.role} <= FACTS and _matches(p, text)
    ]
    assert [o for o in others if (pattern.name, o) not in BOTH and o not in CATCH_ALLS] == []


@pytest.mark.parametrize(("declared", "pattern", "sample"), SAMPLES_OF_WORKERS, ids=_id)
def test_sample_is_no_cause_in_another_format(declared: LineFormat, pattern: Pattern, sample: Sample) -> None:
    text = clean(sample.text.encode())
    others = [
        p.name
        for f, p in OF_WORKERS
        if f is not declared and p.role is Role.CAUSE and p.weight > GENERIC_WEIGHT and _matches(p, text)
    ]
    assert [o for o in others if (pattern.name, o) not in BOTH] == []


@pytest.mark.parametrize(("declared", "pattern", "sample"), SAMPLES_OF_DAEMONS, ids=_id)
def test_daemon_sample_is_of_its_pattern(declared: LineFormat, pattern: Pattern, sample: Sample) -> None:
    """By the registry's order, as the scan of daemon logs decides."""
    first = next(p for p in registry(Scope.DAEMONS).patterns if _matches(p, sample.text))
    assert first.name == pattern.name


@pytest.mark.parametrize("declared", FORMATS, ids=_id)
def test_format_is_sound(declared: LineFormat) -> None:
    """The checks that a site's own formats face too."""
    assert list(complaints(declared)) == []


@pytest.mark.parametrize(("declared", "pattern"), PATTERNS, ids=_id)
def test_anchors_are_selective(declared: LineFormat, pattern: Pattern) -> None:
    wasted = [
        (a, line) for line in ORDINARY for a in pattern.anchors if a in line and not pattern.compiled.search(line)
    ]
    assert not wasted, "an anchor in ordinary lines that the regex then refuses"


def test_every_file_is_in_one_scope() -> None:
    """A folder without its `__init__.py` would be passed over in silence."""
    (top,) = map(Path, formats.__path__)
    files = [p for p in top.rglob("*.py") if "\nFORMAT = " in p.read_text(encoding="utf-8")]
    assert len(FORMATS) == len(files)
    assert all(f.scope is scope for scope in Scope for f in registry(scope).formats)


def test_names_are_unique() -> None:
    names = [p.name for _, p in PATTERNS]
    assert sorted(set(names)) == sorted(names)
    assert len({f.name for f in FORMATS}) == len(FORMATS)


def test_overlaps_still_exist() -> None:
    by_name = {p.name: p for _, p in PATTERNS}
    stale = [
        pair
        for pair in BOTH
        if not any(_matches(by_name[pair[1]], clean(s.text.encode())) for s in by_name[pair[0]].samples)
    ]
    assert not stale


@pytest.mark.parametrize(("declared", "pattern"), PATTERNS, ids=_id)
def test_search_ends_soon(declared: LineFormat, pattern: Pattern) -> None:
    """On windows made to make it hesitate: its samples over and over, cut, and the anchor before long runs."""
    sample, anchor = pattern.samples[0].text, pattern.anchors[0]
    texts = [
        sample * 60,
        sample[:-3] * 60,
        *(anchor + run * 3000 + anchor for run in ("a", " ", "1, ", "a b", "[", ":")),
    ]
    started = process_time()
    for text in texts:
        list(islice(pattern.compiled.finditer(text[:WINDOW_CHARACTERS]), MATCHES))
    assert process_time() - started < SEARCH_S * len(texts)


@pytest.mark.parametrize(
    ("regex", "safe"),
    [
        (r"(?:.*)+", False),
        (r"(?:\w+\s?)*x", False),
        (r"(?:a.*)+", False),
        (r"(?:(?:\d+)?)*", False),
        (r"\d+(?:, \d+)*", True),
        (r"(?:\S+ )?\[\d+\]", True),
        (r".{0,80}?\d+", True),
    ],
)
def test_repeat_lint_tells_them_apart(regex: str, safe: bool) -> None:
    assert (nested_repeats(regex) == []) is safe


_ENGINE = make_engine(registry().anchors)
_PIECES = st.one_of(
    st.sampled_from([s.text.encode() for _, _, s in SAMPLES]),
    st.sampled_from([a.encode() for _, p in PATTERNS for a in p.anchors]),
    st.sampled_from([b"\n", b"\r", b"\0", b"\x1b[31m", b"[rank57]:", b"[default3]:", b" 3: ", b"\xff\xfe"]),
    st.binary(max_size=40),
)


@given(st.lists(_PIECES, max_size=12))
@settings(max_examples=60)
def test_scanning_any_bytes_never_raises(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.log"
        path.write_bytes(data)
        file = LogFile(0, path, "a.log", len(data), 0.0, FileKind.WORKER, Compression.NONE)
        parts = RangeScanner(_ENGINE, registry()).scan(file)
    assert sum(part.lines for part in parts) == data.count(b"\n")


def test_fields_are_read_from_the_regex_as_it_will_be_compiled() -> None:
    for _, pattern in PATTERNS:
        assert pattern.fields == frozenset(pattern.compiled.groupindex), pattern.name
