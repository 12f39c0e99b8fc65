"""Harmless lines in any quantity, fast: blocks of text in which only times and step numbers change."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from logtui.parsers.generator import clock
from logtui.parsers.generator.event import Event, Source, Writer
from logtui.parsers.generator.layout import Router
from logtui.parsers.generator.stage import Stage

CHUNK = 1 << 16
"""Bytes written with one stamp, about."""
_STAMP = b"\x01"
_ON_STDERR = (
    "{stamp},{ms:03d} INFO shards: rank {rank} fetched 64 samples from shard-{n:05d}.tar at offset {big} in 0.{ms:03d} s",
    "{stamp},{ms:03d} DEBUG train: rank {rank} forward 0.{ms:03d} s backward 0.{n:05d} s memory 58.{ms:03d} GiB",
    "{stamp},{ms:03d} INFO cache: rank {rank} prefetch queue depth {c} timeout=600s retries=0 hits {big} misses 0",
    '{stamp},{ms:03d} DEBUG urllib3.connectionpool: https://storage.cluster.local:443 "GET /corpus/shard-{n:05d}.tar HTTP/1.1" 206 {big}',
)
_ON_STDOUT = (
    "{host}:{pid}:{tid} [{local}] NCCL INFO Channel {c:02d}/0 : {rank}[{local}] -> {peer}[{local}] via P2P/CUMEM",
    "{host}:{pid}:{tid} [{local}] NCCL INFO NET/IB : mlx5_{c}:1 timeout 22 retry_cnt 7",
    "{stamp} rank {rank} batch {n} tokens {big} padding 0.{ms:03d}",
)


class Padding:
    """Spreads the missing bytes over the files, between the first step and the fault."""

    def __init__(self, stage: Stage, files: dict[str, list[Event]]) -> None:
        self.stage = stage
        self.router = Router(stage.world)
        have = sum(
            len(e.text) + 1 + len(self.router.prefix(e.source)) * (1 + e.text.count("\n"))
            for v in files.values()
            for e in v
        )
        lacking = max(0, stage.spec.size_bytes - have)
        self.homes = {name: ranks for name, events in files.items() if (ranks := _ranks(events))}
        self.kinds = {name: _kinds(files[name]) for name in self.homes}
        self.share = lacking // len(self.homes) if self.homes else 0

    def between(self, name: str, events: list[Event]) -> Iterator[tuple[list[Event], bytes]]:
        """Slices of a file's events, each with the padding that comes before it."""
        if self.share < CHUNK // 16 or name not in self.homes:
            yield events, b""
            return
        count = max(1, round(self.share / CHUNK))
        template = self._template(name, self.share // count)
        first, last = self.stage.trained_from, self.stage.trained_to
        done = 0
        for i in range(count):
            at = first + (last - first) * (i + 0.5) / count
            upto = done
            while upto < len(events) and (events[upto].time <= at or (upto and events[upto - 1].glue)):
                upto += 1
            yield events[done:upto], b""
            yield [], template.replace(_STAMP, clock.dashed(at).encode())
            done = upto
        yield events[done:], b""

    def _template(self, name: str, size: int) -> bytes:
        rng = Random(f"padding {self.stage.spec.seed} {name}")
        kinds = self.kinds[name]
        rows: list[str] = []
        length = 0
        while length < size:
            row = self._row(rng, rng.choice(kinds), rng.choice(self.homes[name]))
            rows.append(row)
            length += len(row) + 19 * row.count("\x01") + 1
        return ("\n".join(rows) + "\n").encode()

    def _row(self, rng: Random, kind: str, rank: int) -> str:
        world, per = self.stage.world, self.stage.spec.gpus_per_node
        pid = world.pid(rank)
        text = kind.format(
            stamp="\x01", ms=rng.randrange(1000), rank=rank, n=rng.randrange(100_000), big=rng.randrange(1 << 30),
            host=world.node(rank).host, pid=pid, tid=pid + 300, local=world.local(rank), c=rng.randrange(24),
            peer=(rank + per) % self.stage.spec.world_size,
        )  # fmt: skip
        return self.router.prefix(Source(Writer.RANK, rank)) + text


def _ranks(events: list[Event]) -> list[int]:
    """The ranks that write to a file."""
    return sorted({e.source.index for e in events if e.source.writer is Writer.RANK and e.source.attempt == 0})


def _kinds(events: list[Event]) -> tuple[str, ...]:
    """The harmless lines that fit a file's streams."""
    streams = {e.stdout for e in events}
    return (_ON_STDERR if False in streams else ()) + (_ON_STDOUT if True in streams else ())
