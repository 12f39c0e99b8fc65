"""What a rank asked its library to do: operation, peers, shapes, types; and where in the program it did so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Shapes: TypeAlias = "tuple[tuple[int, ...], ...]"
"""One shape per tensor."""


class Frame(NamedTuple):
    """One function of a stack, innermost first in it."""

    name: str
    filename: str
    line: int

    def __str__(self) -> str:
        return f"{self.name} at {self.filename}:{self.line}"


Stack: TypeAlias = "tuple[Frame, ...]"


@dataclass(frozen=True, slots=True)
class Call:
    """One operation as asked for; ranks that agree share an equal value."""

    backend: str
    op: str
    me: int | None = None
    """Own rank within the group, for sends and receives."""
    peer: int | None = None
    """The other one; None for a receive from anybody."""
    input_sizes: Shapes = ()
    output_sizes: Shapes = ()
    input_dtypes: tuple[str, ...] = ()
    output_dtypes: tuple[str, ...] = ()

    @property
    def is_p2p(self) -> bool:
        """Whether it is a single send or receive."""
        return self.op in {"send", "recv"}

    @property
    def closes_group(self) -> bool:
        """Whether it ends a coalesced group: it stands for the entries of the same number before it."""
        return self.op.lower().endswith("coalesced") and not self.input_sizes_known

    @property
    def input_sizes_known(self) -> bool:
        """Whether any tensor is named; the entry that closes a coalesced group names none."""
        return any(self.input_sizes) or any(self.output_sizes)

    def __str__(self) -> str:
        detail = ""
        if self.is_p2p:
            arrow, peer = ("->" if self.op == "send" else "<-"), "?" if self.peer is None else self.peer
            detail = f" {self.me}{arrow}{peer}"
        return f"{self.op}{detail}"


_NAME = re.compile(r"(?:(?P<backend>[^:\s]*):)?(?P<op>\S*)(?:\s+(?P<detail>.*))?", re.DOTALL)
_PEERS = re.compile(r"(?P<me>\d{1,9})(?:->|<-)(?P<peer>\d{1,9}|\?)$")


def parse_name(profiling_name: str) -> tuple[str, str, int | None, int | None]:
    """Split `nccl:send 1->2` into backend, operation, own rank and peer within the group."""
    found = _NAME.fullmatch(profiling_name)
    if found is None:
        return "", profiling_name, None, None
    peers = _PEERS.match(found["detail"] or "")
    me = int(peers["me"]) if peers else None
    peer = int(peers["peer"]) if peers and peers["peer"] != "?" else None
    return found["backend"] or "", found["op"], me, peer
