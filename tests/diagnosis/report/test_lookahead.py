"""Looking at the files from another process: the same answer, and nothing left of it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from tiny_job import write_tiny_job

from logtui.diagnosis.report import json_report
from logtui.diagnosis.report.kept import store
from logtui.diagnosis.report.kept.lookahead import Lookahead, looking_ahead
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.errors import PathMissing
from logtui.parsers.scan import cache_files


@pytest.fixture(autouse=True)
def everything_is_worth_keeping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small jobs too, files written a moment ago, and whatever threads the tests before have left."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "LEAST_BYTES", 0)
    monkeypatch.setattr(store, "SETTLED_NS", -(10**15))
    monkeypatch.setattr(threading, "active_count", lambda: 1)


@pytest.fixture
def job(tmp_path: Path) -> Path:
    return write_tiny_job(tmp_path / "job")


def text(paths: list[Path], ahead: Lookahead | None) -> str:
    analysis = analyse_whole(paths, ahead=ahead)
    analysis.case.close()
    return json_report.dumps(analysis.report)


def has_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_kept_report_is_found(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = text([job], None)
    with looking_ahead([job], Options()) as ahead:
        assert ahead is not None
        monkeypatch.setattr("logtui.diagnosis.session.reading.Reading", None)  # nothing is read here
        monkeypatch.setattr(store, "list_files", None)  # nor looked at
        assert text([job], ahead) == first


@pytest.mark.parametrize("kept", [False, True], ids=["new", "kept"])
def test_it_is_the_look_of_a_store(job: Path, kept: bool) -> None:
    if kept:
        text([job], None)
    with looking_ahead([job], Options()) as ahead:
        assert ahead is not None
        look = ahead.look
        assert ahead.has_found() is kept
        here = store.store_for([job], Options()).look()
        assert look is not None and here is not None
        assert look.key == here.key and look.at_ns < here.at_ns and look.found is here.found is kept


def test_a_changed_job_is_read_anew(job: Path) -> None:
    text([job], None)
    with (job / "error-4821-1.out").open("ab") as out:
        out.write(b"[rank9]: torch.OutOfMemoryError: CUDA out of memory.\n")
    with looking_ahead([job], Options()) as ahead:
        assert "CUDA out of memory" in text([job], ahead)
    assert "CUDA out of memory" in text([job], None)


def test_what_changes_after_the_look_is_not_kept(job: Path) -> None:
    with looking_ahead([job], Options()) as ahead:
        assert ahead is not None
        look = ahead.look
        (job / "error-4821-2.out").write_text("[rank9]: torch.OutOfMemoryError: CUDA out of memory.\n")
        found = store.store_for([job], Options(), look)
        assert [f.name for f in found.listing.files][-1] == "error-4821-2.out"
        assert found.load() is None
    text([job], None)
    assert store.store_for([job], Options(), look).load() is None


@pytest.mark.parametrize("worth", [False, True], ids=["small", "failed"])
def test_without_an_answer_it_is_done_here(job: Path, monkeypatch: pytest.MonkeyPatch, worth: bool) -> None:
    first = text([job], None)
    with monkeypatch.context() as patch:
        if worth:
            patch.setattr(store, "key_of", None)
        else:
            patch.setattr(store, "LEAST_BYTES", 1 << 30)
        with looking_ahead([job], Options()) as ahead:
            assert ahead is not None
            assert ahead.look is None
    with looking_ahead([job], Options(no_cache=True)) as ahead:
        assert ahead is None
        assert text([job], ahead) == first


def test_a_missing_path_is_told_here(tmp_path: Path) -> None:
    with looking_ahead([tmp_path / "nowhere"], Options()) as ahead, pytest.raises(PathMissing):
        analyse_whole([tmp_path / "nowhere"], ahead=ahead)


def test_the_process_ends_with_who_asked(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "list_files", lambda paths: time.sleep(600))
    with pytest.raises(KeyboardInterrupt), looking_ahead([job], Options()) as ahead:
        assert ahead is not None
        assert not has_ended(ahead.pid)
        raise KeyboardInterrupt
    assert ahead is not None
    assert has_ended(ahead.pid)
    assert not cache_files.kept_directory().exists()


def test_threads_and_forks_do_not_mix(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    with looking_ahead([job], Options()) as ahead:
        assert ahead is None
