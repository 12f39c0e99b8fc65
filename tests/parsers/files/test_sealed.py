"""Whatever becomes of a kept file, it gives what was written or nothing, and at once."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from time import process_time, time

import pytest
from long_form import times

from logtui.parsers.files.sealed import STALE_S, Damaged, forget_unfinished, open_sealed, write_sealed

CONTENTS = bytes(range(256)) * 300
MOST = 1 << 20


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "kept"
    write_sealed(path, lambda out: out.write(CONTENTS))
    return path


def read(path: Path) -> bytes:
    with open_sealed(path, MOST) as source:
        return source.read()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def _flip(rng: random.Random, data: bytes) -> bytes:
    out = bytearray(data)
    out[rng.choice((rng.randrange(12), rng.randrange(len(out))))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _zeros(rng: random.Random, data: bytes) -> bytes:
    """A page that never reached the disk."""
    at = rng.randrange(len(data))
    return data[:at] + bytes(len(data[at : at + 4096])) + data[at + 4096 :]


def _twice(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at - 64 : at] + data[at:]


def _swapped(rng: random.Random, data: bytes) -> bytes:
    a, b = sorted(rng.sample(range(0, len(data), 512), 2))
    return data[:a] + data[b : b + 512] + data[a + 512 : b] + data[a : a + 512] + data[b + 512 :]


def _more(rng: random.Random, data: bytes) -> bytes:
    return data + rng.randbytes(rng.choice((1, 100, 5000)))


DAMAGE: tuple[Callable[[random.Random, bytes], bytes], ...] = (_cut, _flip, _zeros, _twice, _swapped, _more)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda d: d.__name__)
def test_no_damage_is_believed(kept: Path, damage: Callable[[random.Random, bytes], bytes]) -> None:
    whole, begun = kept.read_bytes(), process_time()
    for seed in range(times(200, 20_000)):
        broken = damage(random.Random(seed), whole)
        kept.write_bytes(broken)
        if broken == whole:  # zeros for zeros
            assert read(kept) == CONTENTS
        else:
            with pytest.raises(Damaged):
                read(kept)
    assert process_time() - begun < times(20, 2000)


def test_what_was_written_comes_back(kept: Path) -> None:
    assert read(kept) == CONTENTS
    assert oct(kept.stat().st_mode & 0o777) == "0o600"
    assert names(kept.parent) == ["kept"]


def test_a_pipe_of_that_name_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "kept")
    with pytest.raises(Damaged):
        read(tmp_path / "kept")


def test_nothing_is_read_of_what_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(Damaged, match="not a file of ours"):
        read(path)


def test_what_cannot_be_finished_leaves_what_was_there(kept: Path) -> None:
    def fails(_out: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_sealed(kept, fails)
    assert read(kept) == CONTENTS
    assert names(kept.parent) == ["kept"]


def test_what_killed_processes_left_goes_after_a_while(tmp_path: Path) -> None:
    for name, age in (("a.new", 0.0), ("b.new", 2 * STALE_S), ("b.json", 2 * STALE_S)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time() - age,) * 2)
    forget_unfinished(tmp_path)
    assert names(tmp_path) == ["a.new", "b.json"]
