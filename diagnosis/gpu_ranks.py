"""Which rank runs on a GPU that the kernel or nvidia-smi names by its PCI address, from NCCL's Init lines."""

from __future__ import annotations

import re

from logtui.parsers.nccl_ranks import nccl_devices, nccl_rank_map
from logtui.parsers.record import RecordTable

Address = tuple[int, int, int]
"""PCI domain, bus, device."""
_PCI = re.compile(r"(?:([0-9a-fA-F]{4,8}):)?([0-9a-fA-F]{2}):([0-9a-fA-F]{2})(?:\.\d)?$")


class GpuRanks:
    """(host, PCI address) → rank."""

    def __init__(self, records: RecordTable) -> None:
        """Join NCCL's `host:pid … busId` with the rank of that process."""
        ranks = nccl_rank_map(records)
        self._ranks: dict[tuple[str, Address], int] = {}
        for process, bus_id in nccl_devices(records).items():
            address = _from_bus_id(bus_id)
            if process in ranks and address is not None:
                self._ranks[short(process[0]), address] = ranks[process]

    def at(self, host: str | None, pci: str) -> int | None:
        """The rank on a GPU; None where the job's lines do not say. Without a host there must be just one such GPU."""
        address = _from_text(pci)
        if address is None:
            return None
        if host:
            return self._ranks.get((short(host), address))
        found = {rank for (_, at), rank in self._ranks.items() if at == address}
        return found.pop() if len(found) == 1 else None


def short(host: str) -> str:
    """A host's name up to its first dot, as NCCL prints it."""
    return host.split(".", 1)[0]


def _from_bus_id(text: str) -> Address | None:
    """NCCL's number: domain, then two digits each of bus and device, one of the function, all hexadecimal."""
    try:
        number = int(text, 16)
    except ValueError:
        return None
    return number >> 20, number >> 12 & 0xFF, number >> 4 & 0xFF


def _from_text(text: str) -> Address | None:
    m = _PCI.search(text.strip())
    return (int(m[1] or "0", 16), int(m[2], 16), int(m[3], 16)) if m else None
