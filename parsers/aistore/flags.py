"""The bits of `state.flags`."""

from __future__ import annotations

NORMAL = 6
"""Cluster and node started, nothing else."""
_NAMES = (
    "vote-in-progress", "cluster-started", "node-started", "rebalancing", "rebalance-interrupted", "resilvering",
    "resilver-interrupted", "restarted", "OOS", "OOM", "in-maintenance-mode", "low-usable-capacity", "low-memory",
    "disk-fault", "number-of-goroutines", "high-number-of-goroutines", "tls-cert-will-soon-expire", "tls-cert-expired",
    "tls-cert-invalid", "keep-alive-errors", "out-of-cpu", "low-cpu", "disk-OOS", "disk-low-capacity",
)  # fmt: skip
RESTARTED = 1 << 7
RED = (1 << 8) | (1 << 9) | (1 << 13) | (1 << 15) | (1 << 17) | (1 << 20) | (1 << 22)
"""OOS, OOM, disk fault, too many goroutines, expired certificate, out of CPU, disk OOS."""


def flag_names(flags: int) -> tuple[str, ...]:
    """Every set bit by name, the two normal ones left out; unknown bits as `bit-N`."""
    return tuple(
        _NAMES[bit] if bit < len(_NAMES) else f"bit-{bit}"
        for bit in range(max(0, flags).bit_length())
        if flags >> bit & 1 and bit not in (1, 2)
    )


def is_red(flags: int) -> bool:
    """Whether any of the alerts that stop service is up."""
    return bool(flags & RED)
