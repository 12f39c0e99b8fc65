"""Arguments of opcodes, never read past the end."""

from __future__ import annotations

from logtui.parsers.errors import DumpRefused


class Cursor:
    """A place in the bytes of a pickle."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.pos = 0

    def take(self, count: int) -> bytes:
        """The next `count` bytes.

        Raises:
            DumpRefused: there are fewer.
        """
        end = self.pos + count
        if end > len(self.data):
            left = len(self.data) - self.pos
            raise DumpRefused(f"truncated: {count} bytes are announced at byte {self.pos}, {left} are left")
        piece = self.data[self.pos : end]
        self.pos = end
        return piece

    def number(self, count: int) -> int:
        """An unsigned integer of `count` bytes."""
        return int.from_bytes(self.take(count), "little")

    def ran_out(self) -> str:
        """Why nothing could be fetched, from the data or from the stack."""
        if self.pos + 1 >= len(self.data):
            return f"truncated: ends at byte {len(self.data)}, before STOP"
        return f"malformed pickle: nothing to work on at byte {self.pos}"
