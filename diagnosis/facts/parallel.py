"""How ranks are divided for tensor, pipeline, data and other parallelism, where dumps or logs say so."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from logtui.diagnosis.facts.case_facts import Facts
from logtui.parsers.numbers import wholes_in
from logtui.parsers.regex import regex

Members = tuple[int, ...]

_WORDS = (
    ("TP", r"tensor_model_parallel(?:_group)?|(?:mesh_)?tp|tensor model"),
    ("PP", r"pipeline_model_parallel(?:_group)?|(?:mesh_)?pp|pipeline model"),
    ("DP", r"data_parallel(?:_group)?(?:_with_cp)?|(?:mesh_)?dp(?:_shard|_replicate|_shard_cp|_cp)?|fsdp|data"),
    ("CP", r"context_parallel(?:_group)?|(?:mesh_)?cp|context"),
    ("EP", r"expert_model_parallel(?:_group)?|(?:mesh_)?ep"),
)
_KINDS = tuple((name, regex(words, re.I)) for name, words in _WORDS)
_MESH = regex(r"(?<!\w)(\w{1,40})=(\d{1,6})")
_MESH_NAMES = {"dp_replicate": "DP", "dp_shard": "DP", "tp": "TP", "pp": "PP", "cp": "CP"}
ORDER = ("TP", "CP", "DP", "PP")
"""From the fastest varying to the slowest: how Megatron and torchtitan number ranks unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One way the ranks are divided. A rank is in at most one of the groups."""

    name: str
    """TP, PP, DP, CP or EP."""
    groups: tuple[Members, ...]
    """Members of each group, groups by their lowest rank."""
    known_from: str
    """What says so, in a few words."""


def dimension_name(description: str | None) -> str | None:
    """The dimension a process group's description speaks of; None where it is another kind of group."""
    text = (description or "").strip()
    return next((name for name, words in _KINDS if words.fullmatch(text)), None)


def dimensions(facts: Facts) -> tuple[Dimension, ...]:
    """Every dimension with more than one group of more than one rank, the best source of each."""
    found: dict[str, Dimension] = {}
    for known_from, pairs in (
        ("flight-recorder dumps", _from_dumps(facts)),
        ("the groups' lines", _from_lists(facts)),
        ("the sizes printed, in the usual order", _from_sizes(facts)),
        ("the process groups of the watchdogs' lines", _from_watchdogs(facts)),
    ):
        for name, groups in _divided(pairs).items():
            found.setdefault(name, Dimension(name, groups, known_from))
    order = {name: n for n, (name, _) in enumerate(_KINDS)}
    return tuple(sorted(found.values(), key=lambda d: order[d.name]))


def _divided(pairs: Iterable[tuple[str, Members]]) -> dict[str, tuple[Members, ...]]:
    """Groups per dimension; of overlapping ones the first counts."""
    taken: dict[str, set[int]] = defaultdict(set)
    groups: dict[str, list[Members]] = defaultdict(list)
    for name, members in pairs:
        if members and not taken[name] & set(members):
            taken[name] |= set(members)
            groups[name].append(tuple(sorted(members)))
    return {name: tuple(sorted(found)) for name, found in groups.items() if len(found) > 1 and max(map(len, found)) > 1}


def _from_dumps(facts: Facts) -> Iterator[tuple[str, Members]]:
    for group in facts.dumps.joined.groups if facts.dumps else ():
        name = dimension_name(group.desc)
        if name is not None:
            yield name, tuple(group.members)


def _from_lists(facts: Facts) -> Iterator[tuple[str, Members]]:
    for record in facts.case.records.of("nemo.group"):
        name = dimension_name(record.fields.get("kind"))
        if name is not None:
            yield name, tuple(wholes_in(record.fields.get("ranks", "")))


def _from_watchdogs(facts: Facts) -> Iterator[tuple[str, Members]]:
    for group in facts.collectives.groups.values():
        name = dimension_name(group.desc)
        if name is not None:
            yield name, tuple(sorted({*group.counters, *group.timeouts}))


def _from_sizes(facts: Facts) -> Iterator[tuple[str, Members]]:
    world = facts.expected[0] or 0
    sizes = _sizes(facts)
    inner = sizes["TP"] * sizes["CP"] * sizes["PP"]
    if inner < 2 or world < inner or world % inner:
        return
    sizes["DP"] = world // inner
    stride = 1
    for name in ORDER:
        for start in (r for r in range(world) if r // stride % sizes[name] == 0):
            yield name, tuple(range(start, start + stride * sizes[name], stride))
        stride *= sizes[name]


def layout(facts: Facts) -> dict[str, int]:
    """Ranks in a group of each dimension that the ranks are divided by, from the printed sizes or the known groups."""
    sizes = _sizes(facts)
    world = facts.job.world_size or 0
    inner = sizes["TP"] * sizes["CP"] * sizes["PP"]
    if inner > 1 and world and world % inner == 0:
        sizes["DP"] = world // inner
    for one in dimensions(facts) if inner == 1 else ():
        sizes[one.name] = max(map(len, one.groups))
    return {name: size for name, size in sizes.items() if size > 1}


def nodes_of_a_group(facts: Facts, size: int) -> int:
    """Over how many nodes a group of neighbouring ranks lies, at most; 1 where that is not known."""
    hosts = facts.hosts
    spans = [len({hosts[r] for r in range(start, start + size) if r in hosts}) for start in range(0, len(hosts), size)]
    per_node = facts.job.gpus_per_node
    return max([1, *spans, -(-size // per_node) if per_node and not hosts else 1])


def _sizes(facts: Facts) -> dict[str, int]:
    """Sizes of the dimensions as the framework prints them at the start; 1 where nothing is said."""
    sizes = dict.fromkeys(ORDER, 1)
    for record in facts.case.records.of("megatron.argument", "megatron.world"):
        for field in ("tp", "pp", "cp"):
            sizes[field.upper()] = max(record.number(field) or 1, 1) if record.number(field) else sizes[field.upper()]
        if record.fields.get("name") == "context_parallel_size":
            sizes["CP"] = max(record.number("value") or 1, 1)
    for record in facts.case.records.of("torchtitan.mesh"):
        for key, value in _MESH.findall(record.fields.get("layout", "")):
            if _MESH_NAMES.get(key, "DP") != "DP":
                sizes[_MESH_NAMES[key]] = max(int(value), 1)
    return sizes
