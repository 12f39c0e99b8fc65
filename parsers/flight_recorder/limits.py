"""How much one dump may ask of us before it is refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one dump; generous for real ones (2,000 entries with stacks take half a megabyte)."""

    size_bytes: int = 128 << 20
    """Unpacked size of a pickle."""
    json_bytes: int = 32 << 20
    """Size of a JSON dump; a hostile one takes thirty times its text."""
    entries: int = 200_000
    """Entries per dump; the ring holds 2,000 unless it was made larger."""
    depth: int = 32
    """Nesting of containers; real dumps have five levels."""
    steps: int = 5_000_000
    """Opcodes executed one by one; bounds time, and memory with it."""
    memo: int = 1_000_000
    """Highest memo slot."""
    text_bytes: int = 4 << 20
    """One string; the longest real one lists the ranks of a group."""


LIMITS = Limits()
