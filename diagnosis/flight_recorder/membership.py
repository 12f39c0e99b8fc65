"""Joining groups and watermarks, which dumps keep under different numbers."""

from __future__ import annotations

from collections.abc import Mapping

from logtui.parsers.flight_recorder.dump import Dump
from logtui.parsers.flight_recorder.groups import GroupConfig, Watermarks

UNSAID = Watermarks(-1, -1, -1)


def watermarks_by_name(dump: Dump) -> dict[str, Watermarks]:
    """`pg_status` by group name.

    Its keys are local numbers; an entry that has both joins them. A group without entries is joined by order: both
    numbers grow as groups are created, so if there are as many of one kind as of the other and no entry objects,
    the n-th name is the n-th number.
    """
    known = {group.name: group.pg_id for group in dump.entries.groups}
    by_order = _by_order(dump.pg_config, dump.pg_status)
    if all(by_order.get(name, number) == number for name, number in known.items()):
        known = by_order | known
    return {name: dump.pg_status[number] for name, number in known.items() if number in dump.pg_status}


def _by_order(config: Mapping[str, GroupConfig], status: Mapping[int, Watermarks]) -> dict[str, int]:
    if len(config) != len(status) or not all(name.isdecimal() for name in config):
        return {}
    return dict(zip(sorted(config, key=int), sorted(status), strict=True))


def members_by_name(dump: Dump) -> dict[str, tuple[int, ...]]:
    """Members of each group that has entries or is configured; () where the dump does not say.

    gloo files all its groups under the empty name, so that only the last one is left: it is believed if there is
    no more than one.
    """
    members = {name: config.members for name, config in dump.pg_config.items() if name}
    unnamed = dump.pg_config.get("")
    used = {group.name for group in dump.entries.groups}
    for name in used - members.keys():
        members[name] = unnamed.members if unnamed is not None and len(used) == 1 else ()
    return members


def descriptions(dump: Dump) -> dict[str, str]:
    """What each group is for, in the words of the program."""
    said = {name: config.desc for name, config in dump.pg_config.items() if name}
    return said | {group.name: group.desc for group in dump.entries.groups if group.desc}
