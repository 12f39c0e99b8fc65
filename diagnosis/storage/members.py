"""Who belongs to the cluster: the daemons whose logs are there, and those that only others speak of."""

from __future__ import annotations

from logtui.parsers.daemons.daemon import AisLogs
from logtui.parsers.numbers import wholes_in

_MAPS = frozenset({"membership.loaded_map", "membership.new_map", "membership.joined"})
"""Records that count the cluster's targets."""
_NAMES = ("src", "dst", "peer", "node")


def unseen_nodes(logs: AisLogs) -> tuple[str, ...]:
    """Nodes whose logs were not given: those that messages name, as `t[ID]`, and those that cluster maps count."""
    labels = () if any(not d.id for d in logs.daemons) else _only_named(logs)
    given, expected = sum(d.role == "target" for d in logs.daemons), _members(logs)
    lacking = expected - given - sum(label.startswith("t[") for label in labels)
    return (*labels, f"{lacking} more of {expected} targets") if lacking > 0 else labels


def all_targets(logs: AisLogs) -> tuple[str, ...]:
    """Ids of the cluster's targets, also of those that others name; () while some are not known."""
    logged = [d.id for d in logs.daemons if d.role == "target"]
    named = [label[2:-1] for label in _only_named(logs) if label.startswith("t[")]
    known = tuple(dict.fromkeys((*logged, *named)))
    return known if all(known) and len(known) == _members(logs) else ()


def _only_named(logs: AisLogs) -> tuple[str, ...]:
    """Labels of nodes that messages name and that no log is of."""
    known = {d.label for d in logs.daemons}
    values = (message.fields.get(field, "") for message in logs.messages for field in _NAMES)
    return tuple(sorted({label for value in values if value and (label := _label(value)) and label not in known}))


def _members(logs: AisLogs) -> int:
    """Targets of the cluster, by the largest map that any daemon tells of."""
    counts = [m.fields.get("targets") or "" for m in logs.messages if m.name in _MAPS]
    return max((n for text in counts for n in wholes_in(text)), default=0)


def _label(value: str) -> str:
    if value[1:2] == "[" and value.endswith("]"):
        return value
    return f"t[{value}]" if value.isalnum() else ""
