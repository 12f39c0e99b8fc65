"""What a message points at: the client, a peer, the node itself, or the resource that ran short."""

from __future__ import annotations

from collections.abc import Sequence

from logtui.parsers.aistore.daemon import Message
from logtui.parsers.aistore.ingest import AisLogs


def client_left(message: Message) -> bool:
    """Whether a failed transmission only says that the client was gone: its socket broke, which is its own doing."""
    if message.name in ("getbatch.client_gone", "getbatch.abandoned"):
        return True
    cause = message.fields.get("cause", "") if message.name == "getbatch.truncated" else ""
    return cause.startswith("write tcp") or "context canceled" in cause


def loaded(message: Message) -> str:
    """Which of the grades of a load message is high: `dsk=critical` blames the disks."""
    text = message.fields.get("grades") or ""
    for grade, name in (("dsk", "disk"), ("mem", "memory"), ("cpu", "cpu")):
        if f"{grade}=critical" in text or f"{grade}=high" in text:
            return name
    for name in ("disk", "mem", "cpu"):
        if message.fields.get(name) in ("critical", "high", "3", "4"):
            return "memory" if name == "mem" else name
    return "load"


def blamed(logs: AisLogs, run: Sequence[Message]) -> tuple[str, ...]:
    """Peers that the messages name, and the node itself where the trouble is its own."""
    found: dict[str, None] = {}
    for message in run:
        fields = message.fields
        own = logs.daemons[message.daemon].id
        for key in ("src", "peer"):
            if fields.get(key) and fields[key] != own and message.pattern.blames in ("peer", "network"):
                found.setdefault(fields[key])
        if message.pattern.blames in ("disk", "memory", "cpu", "capacity", "load", "restart"):
            named = fields.get("node", "")
            found.setdefault(named[2:-1] if named[1:2] == "[" else own)
    return tuple(found)
