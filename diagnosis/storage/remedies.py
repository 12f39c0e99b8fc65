"""What to do about a storage cluster that failed its clients, by what its daemons' lines blame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from logtui.diagnosis.model.report import Recommendation
from logtui.diagnosis.storage.judgement import CITED, Judgement
from logtui.diagnosis.storage.standing import Standing

DAEMONS = 4
BY_BLAME: Mapping[str, str] = {
    "disk": "look at the disks of {daemons}: iostat -x, smartctl, what else works on them (rebalance, eviction)",
    "memory": "give {daemons} more memory, or less to do at once: batches and cold reads hold whole objects",
    "cpu": "give {daemons} more processors, or less to do at once; look at what else runs there",
    "load": "lower the load on {daemons}: fewer loader workers, smaller batches, or more targets",
    "capacity": "free space on {daemons}: ais storage cleanup, ais bucket evict; watermarks say when it refuses",
    "restart": "find out why {daemons} restarted: its log before, the kernel log (OOM killer), kubectl describe pod",
    "membership": "find out why {daemons} left or joined: node, network, maintenance; ais show cluster",
    "network": "check the network between {daemons} and the other targets: drops, retransmits, MTU",
    "peer": "look first at {daemons}, which delivered nothing to the others: its own log of that minute",
    "backend": "check the cloud behind the bucket for that minute: throttling, credentials, endpoint",
    "config": "correct the setting that the line names: ais config cluster",
    "data": "check that the objects exist: ais object ls; a manifest may name what was evicted or never put",
}
"""What a daemon's line blames → what to do; `client` calls for nothing on this side."""


def remedies(judgement: Judgement) -> Iterator[Recommendation]:
    """What the first cause and the first effect call for, each with the daemons' own lines."""
    if judgement.standing is not Standing.IMPLICATED:
        return
    daemons = ", ".join(judgement.blamed[:DAEMONS]) or "the targets"
    blames = dict.fromkeys(o.blames for o in (judgement.root, judgement.effect) if o is not None)
    for blame in blames:
        if blame in BY_BLAME:
            yield Recommendation("storage", BY_BLAME[blame].format(daemons=daemons), judgement.because[:CITED])
