"""Lines read as columns give the records that they give line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from two_ways import by_columns, by_layouts, line_by_line, scans, write

from logtui.parsers.clean import places_of_text
from logtui.parsers.numbers import real
from logtui.parsers.scan import alike, dense, layouts
from logtui.parsers.scan.layouts import Layout


def _step(random: Random, n: int) -> str:
    return f"step:{n}/20000 train_loss:{random.uniform(1, 12):.4f} train_time:{n * 311}ms step_avg:{311.5:.2f}ms"


def _iteration(random: Random, n: int) -> str:
    loss = random.uniform(1, 3)
    return (
        f" iteration {n % 60:8d}/      50 | consumed samples: {n * 64:12d} | elapsed time per iteration (ms): "
        f"{random.uniform(300, 900):.1f} | learning rate: 1.500E-04 | lm loss: {loss:.6E} | number of skipped "
        "iterations:   0 | number of nan iterations:   0 |"
    )


def _spawned(random: Random, n: int) -> str:
    hour, minute = n // 300 % 24, n // 5 % 60
    return f"[2026-02-0{1 + n // 400} {hour:02d}:{minute:02d}:{n % 60:02d},{n % 1000:03d}] [INFO] [launch.py:253:main] process {random.randint(1000, 9999)} spawned with command: ['python']"


def _nccl(random: Random, n: int) -> str:
    at = random.randrange(16)
    return f"node{at // 8:03d}:{4000 + at}:{4100 + at} [{at % 8}] NCCL INFO comm 0x55d0 rank {at:2d} nranks 16 cudaDev {at % 8} busId {at % 8}1000 - Init COMPLETE"


def _broken(random: Random, n: int) -> str:
    rank = random.randrange(8)
    return f"[rank{rank}]:[W20{n % 10} 11:0{n % 10}:{n % 60:02d}.{n:09d} TCPStore.cpp:106] [c10d] sendBytes failed on SocketImpl(fd={n % 90 + 10}, addr=[localhost]:{n % 900}): Broken pipe"


def _bars(random: Random, n: int) -> str:
    bars = "\r".join(
        f"{k:3d}%|{'█' * (k // 10):10}| {k}/100 [00:{k:02d}<01:{99 - k:02d}, 1.00it/s]" for k in range(0, 100, 9)
    )
    return f"{bars}\r{{'loss': '{random.uniform(1, 2):.4f}', 'grad_norm': '{random.uniform(1, 2):.3f}', 'epoch': '0.{n % 10}'}}"


def _words(random: Random, n: int) -> str:
    return f"worker {n} at {n // 60 % 24:02d}:{n % 60:02d}:00 has nothing to say of {random.randint(0, 1 << random.randint(1, 40))}"


def _coloured(random: Random, n: int) -> str:
    return f"node{n % 8}: \x1b[9{n % 8}m [WARNING] \x1b[0m sparse_attn requires a torch version >= 1.5 and < 2.{n % 3}"


def _version(random: Random, n: int) -> str:
    return f"torch version .................... {random.randint(0, 3)}.{n % 10}.1+cu12{n % 9}"


def _pipe(random: Random, n: int) -> str:
    return f"steps: {n} loss: {random.uniform(1, 12):.4f} iter time (s): {random.uniform(1, 30):.3f} samples/sec: 0.761"


def _member(random: Random, n: int) -> str:
    at, comm, parent = random.randrange(16), random.getrandbits(47), random.getrandbits(44)
    return f"node{at // 8:03d}:{4000 + at}:{4100 + at} [{at % 8}] NCCL INFO comm 0x{comm:x} rank {at} nranks 16 cudaDev {at % 8} busId {at % 8}b000 commId 0x{parent:x} - Init COMPLETE"


def _kernel(random: Random, n: int) -> str:
    return f"[{n * 17.25:12.6f}] Out of memory: Killed process {random.randint(1000, 9999)} (python) total-vm:{random.randint(10, 99)}kB, anon-rss:7kB"


def _swift(random: Random, n: int) -> str:
    rate = random.choice((f"{random.random():.{n % 5 + 1}f}", f"{random.random():.3e}", "nan"))
    return f"{{'loss': '{rate}', 'grad_norm': '{rate}', 'global_step/max_steps': '{n}/900', 'train_speed(s/it)': '{rate}', 'elapsed_time': '{n}s'}}"


def _mlperf(random: Random, n: int) -> str:
    return f':::MLLOG {{"namespace": "", "time_ms": {1_690_000_000_123 + n * 311}, "event_type": "POINT_IN_TIME", "key": "run_start", "value": null, "metadata": {{"file": "train.py", "lineno": {n % 90 + 10}}}}}'


KINDS = (
    _step,
    _iteration,
    _spawned,
    _nccl,
    _broken,
    _bars,
    _words,
    _coloured,
    _version,
    _pipe,
    _member,
    _kernel,
    _swift,
    _mlperf,
)


def _log(kinds: Sequence[int], lines: int, seed: int) -> str:
    random = Random(seed)
    return "".join(KINDS[random.choice(kinds)](random, n) + "\n" for n in range(lines))


MIXTURES: Iterable[tuple[int, ...]] = (
    (0,),
    (1,),
    (2, 6),
    (3,),
    (4, 6),
    (5,),
    (0, 1, 2),
    (7, 2),
    (8,),
    (9,),
    (10,),
    (11, 6),
    (12,),
    (13,),
    tuple(range(len(KINDS))),
)


@pytest.mark.parametrize("kinds", MIXTURES, ids=lambda kinds: "+".join(KINDS[k].__name__[1:] for k in kinds))
def test_columns_give_the_same_records(kinds: tuple[int, ...], tmp_path: Path) -> None:
    path = write(tmp_path / "train.log", _log(kinds, 900, seed=7).encode())
    expected = line_by_line(path)
    assert any(scan[5] for scan in expected)
    assert by_columns(path) == expected
    assert by_layouts(path) == expected


def test_lines_alike_are_read_as_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    take = dense.DenseBlock.take

    def counted(block: dense.DenseBlock) -> dense.Taken:
        taken = take(block)
        read.append(sum(len(woven.rows) for woven in taken.woven))
        return taken

    monkeypatch.setattr(dense.DenseBlock, "take", counted)
    scans(write(tmp_path / "train.log", _log((0,), 3000, seed=1).encode()))
    assert sum(read) > 2900


def test_digits_that_decide_part_lines_alike(tmp_path: Path) -> None:
    last = " iteration {:8d}/      50 | consumed samples:          640 | elapsed time per iteration (ms): 312.5 | lm loss: 2.1E+00 |\n"
    path = write(tmp_path / "train.log", "".join(last.format(10 + n % 41) for n in range(400)).encode())
    assert by_columns(path) == line_by_line(path)


def test_a_clock_that_no_day_has_is_not_that_of_lines_alike(tmp_path: Path) -> None:
    hours = (99, 3, 24, 23, 0)
    lines = (
        f"I1121 {hour:02d}:58:02.117000 11807 torch/distributed/elastic/agent/server/api.py:525] [default] Worker group FAILED. 2/3 attempts left; will restart worker group"
        for hour in hours
    )
    path = write(tmp_path / "train.log", "\n".join([*lines, ""]).encode())
    assert by_columns(path) == line_by_line(path)


@pytest.mark.parametrize("kind", [_step, _iteration, _coloured, _member, _kernel, _swift, _mlperf])
def test_texts_met_again_are_read_by_their_layouts(
    kind: Callable[[Random, int], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "train.log", (_log((KINDS.index(kind),), 3000, seed=3)).encode())
    left: list[int] = []
    laid = dense.DenseBlock._laid

    def counted(block: dense.DenseBlock) -> tuple[list[int], list[Layout]]:
        found = laid(block)
        left.append(int(block._left.sum()) - len(found[0]))
        return found

    monkeypatch.setattr(dense.DenseBlock, "_laid", counted)
    by_layouts(path)
    assert 0 < sum(left) < 600


def test_a_stamp_that_is_none_is_found_out_where_a_layout_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks = ["11:02:03"] * 40 + ["24:00:00", "24:00:01", "99:99:99"] * 3
    Random(5).shuffle(clocks)
    line = "[2026-02-03 {},123] [INFO] [launch.py:253:main] process 4242 spawned with command: ['python']\n"
    path = write(tmp_path / "train.log", ("".join(map(line.format, clocks))).encode())
    assert by_layouts(path) == line_by_line(path)


def test_layouts_are_forgotten_where_they_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "train.log", (_log(tuple(range(len(KINDS))), 12_000, seed=9)).encode())
    expected = line_by_line(path)
    for name, bound in (("MOST", 3), ("MOST_BYTES", 200), ("MOST_NOTES", 4), ("MET", 5), ("VARIANTS", 1)):
        with monkeypatch.context() as patched:
            patched.setattr(layouts, name, bound)
            assert by_layouts(path) == expected


@pytest.mark.parametrize(
    "texts",
    [
        ("3.1400", "2.7183", "0.0001"),
        ("17", "23", "99"),
        ("-1.5E+03", "-2.5E+03"),
        ("1,234.5", "9,876.0"),
        ("nan", "nan"),
        ("123456789012345678", "999999999999999999"),
        ("0.123456789012345678", "0.999999999999999999"),
    ],
)
def test_numbers_of_a_column_are_those_of_each_line(texts: tuple[str, ...]) -> None:
    signs = np.frombuffer("".join(texts).encode(), np.uint8).reshape(len(texts), -1)
    column = alike.Alike(signs, texts[0]).real((0, len(texts[0])))
    assert [repr(number) for number in column.tolist()] == [repr(real(text)) for text in texts]


def test_a_choice_of_coloured_lines_keeps_where_their_texts_stand() -> None:
    lines = ["\x1b[31mrank 17\x1b[0m", "\x1b[32mrank 23\x1b[0m"]
    places = places_of_text(lines[0].encode())
    assert places is not None
    signs = np.frombuffer("".join(lines).encode(), np.uint8).reshape(2, -1)
    both = alike.Alike(signs, "rank 17", places)
    assert both.whole((5, 7)).tolist() == [17, 23]
    assert both.of(np.array([1])).text == "rank 23"
