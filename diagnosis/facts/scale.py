"""How many ranks a job has, where no line says it outright: by communicators, a launcher's settings, devices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.votes import votes
from logtui.parsers.records.nccl import AT_ONCE, all_sizes
from logtui.parsers.records.record import Record

MOST = 1_000_000
_INTEGERS = re.compile(r"\d+")
_DEVICES = re.compile(r"\[([\d, ]*)\]")


def derived_world_size(identity: Identity, least: int) -> int | None:
    """The size of which the best witness speaks; None where it is smaller than `least`, which were seen."""
    for read in WITNESSES:
        size = read(identity)
        if size is not None and 0 < size < MOST:
            return size if size >= least else None
    return None


def with_field(identity: Identity, field: str) -> Iterator[Record]:
    """Records of all patterns that have a field of this name."""
    return identity.case.records.at(identity.case.records.with_field(field))


def vote(identity: Identity, field: str) -> int | None:
    """The number that most lines give a field; of several as frequent the largest."""
    return votes(identity.case.records, field, MOST - 1).best


def _elastic(identity: Identity) -> int | None:
    """torchrun's own list of the sizes that its workers get."""
    sizes = (n for r in with_field(identity, "world_sizes") for n in _numbers(r, "world_sizes"))
    return max(sizes, default=None)


def _communicators(identity: Identity) -> int | None:
    """NCCL's largest communicator is that of the world."""
    records, most = identity.case.records, -1
    rows, sizes = all_sizes(records)
    for first in range(0, len(rows), AT_ONCE):
        for at in (first + np.flatnonzero(sizes[first : first + AT_ONCE].astype(np.int64) > most)).tolist():
            if sizes[at] > most:
                most = max(most, records[int(rows[at])].number("nranks") or -1)
    return most if most >= 0 else None


def _devices(identity: Identity) -> int | None:
    """DeepSpeed's hosts and the devices on each."""
    maps = (_DEVICES.findall(r.fields.get("gpu_map", "")) for r in with_field(identity, "gpu_map"))
    return max((sum(len(_INTEGERS.findall(part)) for part in parts) for parts in maps), default=None)


def _settings(identity: Identity) -> int | None:
    """Nodes times processes of each, as torchrun repeats or is given them."""
    nodes = vote(identity, "min_nodes") or vote(identity, "nodes")
    per_node = vote(identity, "nproc_per_node") or vote(identity, "gpus_per_node")
    return nodes * per_node if nodes and per_node else None


def _processes(identity: Identity) -> int | None:
    """What accelerate is told."""
    return vote(identity, "processes")


def _batches(identity: Identity) -> int | None:
    """Where Hugging Face's trainer says it: the total batch is what each device takes, times accumulation, times ranks.

    The newest start counts; a quotient that is not whole says that the batch is cut another way.
    """
    said = {
        name: number
        for record in with_field(identity, "total_batch")
        for name in ("total_batch", "device_batch", "accumulation")
        if (number := record.number(name))
    }
    share = said.get("device_batch", 0) * said.get("accumulation", 0)
    total = said.get("total_batch", 0)
    return total // share if share and total and total % share == 0 else None


def _numbers(record: Record, field: str) -> list[int]:
    return [int(n) for n in _INTEGERS.findall(record.fields.get(field, "")) if len(n) < 8]


WITNESSES: tuple[Callable[[Identity], int | None], ...] = (
    _elastic,
    _communicators,
    _devices,
    _processes,
    _settings,
    _batches,
)
"""In the order of trust."""
