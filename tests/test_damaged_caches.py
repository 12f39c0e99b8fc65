"""A damaged cache costs time and never an answer: seeded corruptions of index and report, each in a whole run."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from time import process_time

import pytest
from long_form import times
from tiny_job import write_tiny_job

from logtui.diagnosis.report import json_report
from logtui.diagnosis.report.kept import store
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.scan import sweep
from logtui.parsers.scan.cache_files import kept_directory

MOST_S = 2.0
"""Of the processor, beside three times what a healthy run takes."""


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sweep, "LEAST_INDEXED_BYTES", 0)
    monkeypatch.setattr(store, "LEAST_BYTES", 0)
    monkeypatch.setattr(store, "SETTLED_NS", -(10**15))
    return write_tiny_job(tmp_path / "job")


def answer(job: Path, no_cache: bool = False) -> tuple[str, float]:
    """The report of a run, and the processor seconds it took."""
    begun = process_time()
    analysis = analyse_whole([job], Options(jobs=1, no_cache=no_cache))
    analysis.case.close()
    return json_report.dumps(analysis.report), process_time() - begun


def damage(rng: random.Random, path: Path, whole: Path) -> None:
    """One file cut, changed, grown, replaced by another one, or by something that is no file."""
    data = path.read_bytes()
    at, kind = rng.randrange(len(data)), rng.randrange(8)
    changes = (
        data[:at],
        data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :],
        data[:at] + rng.choice((b"\0", b"9", b'"', b"[", b"-")) * rng.choice((1, 50, 5000)) + data[at:],
        data[:at] + data[at + rng.randrange(1, 200) :],
        data.replace(b"1", b"2"),
        rng.choice(sorted(whole.iterdir())).read_bytes(),
    )
    path.unlink()
    if kind < len(changes):
        path.write_bytes(changes[kind])
    elif kind == len(changes):
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")


def test_corrupted_caches_never_change_the_answer(job: Path, tmp_path: Path) -> None:
    expected, healthy = answer(job, no_cache=True)
    assert answer(job)[0] == expected
    shutil.copytree(kept_directory(), tmp_path / "whole")
    assert {p.suffix for p in kept_directory().iterdir()} == {".index", ".report"}
    for seed in range(times(30, 1000)):
        rng = random.Random(seed)
        shutil.rmtree(kept_directory())
        shutil.copytree(tmp_path / "whole", kept_directory())
        for path in rng.sample(sorted(kept_directory().iterdir()), rng.choice((1, 2))):
            damage(rng, path, tmp_path / "whole")
        found, took = answer(job)
        assert found == expected, f"seed {seed}"
        assert took < MOST_S + 3 * healthy, f"seed {seed}"
