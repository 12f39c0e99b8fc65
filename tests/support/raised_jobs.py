"""Whole jobs round real exceptions: what one rank raised amid training, all of them at the start, or one of them survived."""

from __future__ import annotations

from collections.abc import Callable, Iterable

RANKS = 4
STEPS = 30
CULPRIT = 2
_SUMMARY = "=" * 60


def _started() -> list[str]:
    return [f"2026-01-02 03:04:0{rank},123 INFO train: rank {rank}/{RANKS} on node007" for rank in range(RANKS)]


def _stepped(first: int = 1) -> list[str]:
    return [
        f"2026-01-02 03:05:{n:02d},123 INFO train: step {n} loss {2 + 1 / n:.4f} step_time 0.912s"
        for n in range(first, first + STEPS)
    ]


def _said_by(rank: int, shown: Iterable[str]) -> list[str]:
    return [f"[rank{rank}]: {line}" if line else "" for line in shown]


def _failed(ranks: Iterable[int]) -> list[str]:
    """What torchrun says of them: the first is the one that it saw end."""
    first, *others = ranks
    ended = {first: (0, 1), **{rank: (n, 1) for n, rank in enumerate(others, 1)}}
    killed = [rank for rank in range(RANKS) if rank not in ended]
    entries = [*ended.items(), *((rank, (n, -15)) for n, rank in enumerate(killed, len(ended)))]
    shown = [_entry(rank, number, code) for rank, (number, code) in entries]
    return [
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
        _SUMMARY,
        "train.py FAILED",
        "Failures:",
        *(line for entry in shown[1:] for line in entry),
        "Root Cause (first observed failure):",
        *shown[0],
        _SUMMARY,
    ]


def _entry(rank: int, number: int, code: int) -> list[str]:
    return [
        f"[{number}]:",
        "  time      : 2026-01-02_03:06:07",
        "  host      : node007",
        f"  rank      : {rank} (local_rank: {rank})",
        f"  exitcode  : {code} (pid: {4200 + rank})",
        "  error_file: <N/A>",
    ]


def one_rank(shown: list[str]) -> list[str]:
    """Amid training, one rank raises, and torchrun ends the others."""
    return [*_started(), *_stepped(), *_said_by(CULPRIT, shown), *_failed([CULPRIT])]


def every_rank(shown: list[str]) -> list[str]:
    """At the start all raise the same."""
    ranks = range(RANKS)
    return [*_started(), *(line for rank in ranks for line in _said_by(rank, shown)), *_failed(ranks)]


def survived(shown: list[str]) -> list[str]:
    """The program logs the exception and trains on to its end."""
    caught = "2026-01-02 03:05:40,123 WARNING train: caught, going on without it"
    return [*_started(), *_stepped(), caught, *shown, *_stepped(STEPS + 1), "training finished"]


JOBS: tuple[Callable[[list[str]], list[str]], ...] = (one_rank, every_rank, survived)
