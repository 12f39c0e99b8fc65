"""Which daemon a line speaks of: the one that does not answer, not the one that says so.

Daemons name each other by id, by the stream between them, or by address; clients by the address of the request, or by
what the cluster's answer quotes. Addresses are joined to daemons by the lines that each prints as it starts, or by the
primary's probes; one that stays is the one target's whose log is not there. Who is asked for an object that another
keeps stands in for that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from logtui.diagnosis.storage.client import ClientEvent, Endpoint
from logtui.diagnosis.storage.members import all_targets
from logtui.parsers.daemons.daemon import AisLogs, Message
from logtui.parsers.daemons.placement import objects_in

_NODE = re.compile(r"[tp]\[([^\]\s]{1,40})\]$")
_PEER_FIELDS = ("node", "peer", "primary", "failed")
_STREAM_FIELDS = ("dst", "peer")
_NOT_BLAMED = frozenset(
    {
        "membership.joined",
        "membership.new_map",
        "getbatch.entry_network",
        "getbatch.entry_timeout",
    }
)
"""Records that name the node that wrote them, or one to which nothing happened."""
_ADDRESSES = ("url", "dialed", "address")
_FIRST_CALL = re.compile(r"/ml/moss/noxid/.{0,200}[?&]tid=(\w{1,40})")
_QUOTED_CALL = re.compile(r'\\?"(https?://[^\s"\\]{3,400}+)\\?"')
_ANSWERED_BY = re.compile(r'"node": ?"[tp]\[([^\]"]{1,40})\]"')
_STATUS = re.compile(r"STATUS:(\d{3}), MESSAGE:")
_OWN_TROUBLE = re.compile(r"STATUS:5\d\d, MESSAGE:.{0,400}(?:out of space|no space left|input/output error|mountpath)")
"""A target that answers so speaks of its own disks."""
_OF_BATCHES = frozenset({"lhotse.batch_timeout", "lhotse.batch_truncated"})
SURE, VAGUE = 1.0, 0.4
"""How much one voice counts: the request itself failed there; or a batch did, which others have to fill."""


class Addresses:
    """Daemons by the addresses that they say they listen on, and by host name."""

    def __init__(self, logs: AisLogs, called: Iterable[Endpoint] = ()) -> None:
        """`called` are the servers that clients' lines name."""
        self._logs = logs
        self.targets = all_targets(logs)
        """Ids of the whole cluster; () while some are not known."""
        self._known: dict[str, str | None] = {}
        ports: set[str] = set()
        for message in logs.messages:
            if message.name == "lifecycle.access":
                host, port = message.fields["host"], message.fields["port"]
                label = logs.daemons[message.daemon].label
                self._add(f"{host}:{port}", label)
                self._add(host, label)
                ports |= {port} if label.startswith("p[") else set()
        for daemon in logs.daemons:
            if daemon.host:
                self._add(daemon.host, daemon.label)
        self._add_probed()
        self._add_the_last(e for e in called if e.port is not None and str(e.port) not in ports)

    def _add_probed(self) -> None:
        """Join the hosts of nodes whose logs are not there, by the primary's probes; a shared host tells nothing."""
        for message in self._logs.messages:
            address, node = message.fields.get("address"), message.fields.get("node")
            if message.name == "membership.slow_keepalive" and address and node and not self.of_text(address):
                self._add(address.rpartition(":")[0], self.node(node))

    def _add(self, key: str, label: str) -> None:
        self._known[key] = label if self._known.get(key, label) == label else None

    def _add_the_last(self, called: Iterable[Endpoint]) -> None:
        """Join the one address that no daemon claims to the one target whose log is not there."""
        missing = [t for t in self.targets if self._logs.named(t) is None]
        unclaimed = {(e.host, e.port) for e in called if not self.at(e.host, e.port)}
        if len(missing) == 1 and len(unclaimed) == 1:
            host, port = unclaimed.pop()
            self._add(f"{host}:{port}", f"t[{missing[0]}]")

    def at(self, host: str, port: int | None = None) -> str:
        """Label of the one daemon at this address, or with this host name, in full or shortened; "" for none."""
        keys = [f"{host}:{port}", host, host.split(".", 1)[0]] if not _is_address(host) else [f"{host}:{port}", host]
        return next((label for k in keys if (label := self._known.get(k))), "")

    def of_text(self, address: str) -> str:
        """By `host:port` or a URL."""
        try:
            parts = urlsplit(address if "://" in address else f"//{address}")
            return self.at(parts.hostname, parts.port) if parts.hostname else ""
        except ValueError:
            return ""

    def keeper(self, text: str) -> str:
        """Label of the one target that keeps the objects that a text names; "" where there is not one."""
        homes = {o.home(self.targets) for o in objects_in(text)} if self.targets else set()
        return self.node(f"t[{homes.pop()}]") if len(homes) == 1 else ""

    def node(self, node: str) -> str:
        """By id, bare or as `t[ID]`; a bare one that no log is of is a target's, as in the names of streams."""
        m = _NODE.match(node)
        known = self._logs.named(m[1] if m else node)
        return known.label if known else node if m else f"t[{node}]"


def _is_address(host: str) -> bool:
    return host.replace(".", "").isdigit() or ":" in host


@dataclass(frozen=True, slots=True)
class Voice:
    """One line that speaks against a daemon. Times are the daemons' clock."""

    against: str
    """Label of a daemon, as `t[ID]`, whether or not its log is there."""
    by: str
    """Label of a daemon, `rank 3`, or a file of clients."""
    time: float
    weight: float
    message: Message | None = None
    event: ClientEvent | None = None

    @property
    def own(self) -> bool:
        """Whether a client quotes what the daemon says of itself."""
        return self.event is not None and _OWN_TROUBLE.search(self.event.text) is not None


def accused_of(addresses: Addresses, logs: AisLogs, message: Message) -> tuple[str, ...]:
    """Other daemons that a record says do not answer."""
    if message.pattern.blames not in ("peer", "network", "membership"):
        return ()
    return tuple(d for d in _distinct(_named_by(addresses, message)) if d != logs.daemons[message.daemon].label)


def _named_by(addresses: Addresses, message: Message) -> Iterator[str]:
    fields = message.fields
    if message.name in _NOT_BLAMED:
        return
    names: tuple[str, ...] = _STREAM_FIELDS if message.name.startswith("shared_dm.") else _PEER_FIELDS
    if message.name == "shared_dm.receive_broken":  # the receiver tells of its sender
        names = ("src",)
    yield from (addresses.node(fields[f]) for f in names if fields.get(f))
    yield from (_called(addresses, fields[f]) for f in _ADDRESSES if fields.get(f))


def _called(addresses: Addresses, url: str) -> str:
    """The node that a URL leads to; one that asks it to begin a batch names it too."""
    first = _FIRST_CALL.search(url)
    return addresses.of_text(url) or (addresses.node(first[1]) if first else "")


def accused_by_client(addresses: Addresses, event: ClientEvent) -> tuple[tuple[str, ...], float]:
    """Daemons that a client's line speaks against, and how much its voice counts."""
    text = event.text
    status = _STATUS.search(text)
    if status is None and "Client Error" in text:  # it answered
        return (), SURE
    if status is None:
        weight = VAGUE if event.name in _OF_BATCHES else SURE
        return _distinct(addresses.at(e.host, e.port) for e in event.endpoints), weight
    quoted = _distinct(_called(addresses, m[1]) for m in _QUOTED_CALL.finditer(text))
    if quoted:
        return quoted, SURE
    answered = _ANSWERED_BY.search(text)
    if answered and status[1] == "404":
        return _stands_in_for(addresses, answered[1], text), SURE
    at_fault = int(status[1]) >= 500 or status[1] == "429"
    return (_distinct([addresses.node(answered[1])]) if answered and at_fault else ()), SURE


def _stands_in_for(addresses: Addresses, asked: str, text: str) -> tuple[str, ...]:
    """The target that keeps an object, where another was asked for it: it was no member then."""
    keeper = addresses.keeper(text)
    return (keeper,) if keeper and keeper != addresses.node(f"t[{asked}]") else ()


def _distinct(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label for label in found if label))


def voices(
    logs: AisLogs, addresses: Addresses, span: tuple[float, float], clients: Sequence[ClientEvent], shift_s: float
) -> list[Voice]:
    """Everything that speaks against a daemon within a span of the daemons' clock, by time."""
    found = [
        Voice(label, logs.daemons[m.daemon].label, m.time, SURE, m)
        for m in logs.messages
        if m.time is not None and span[0] <= m.time <= span[1]
        for label in accused_of(addresses, logs, m)
    ]
    for event in clients:
        labels, weight = accused_by_client(addresses, event)
        by = f"rank {event.rank}" if event.rank is not None else f"file {event.record.file}"
        found += [Voice(label, by, event.time - shift_s, weight, event=event) for label in labels]
    return sorted(found, key=lambda v: v.time)
