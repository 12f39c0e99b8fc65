"""What an opcode that has no handler would have done, for people to read."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 80


def forbidden(data: bytes, pos: int, stack: Sequence[object]) -> str:
    """Name the opcode before `pos`, and what it would have imported.

    Names come from the dump: they are quoted, so that no escape sequence in them works.
    """
    import pickletools  # only a refusal needs the names

    code = data[pos - 1]
    names = {ord(op.code): op.name for op in pickletools.opcodes}
    what = names.get(code, f"{code:#04x}")
    if what in {"GLOBAL", "INST"}:
        asked = ".".join(data[pos : pos + SHOWN].decode("latin-1").split("\n")[:2])
        what += f" ({asked!a})"
    elif what == "STACK_GLOBAL":
        asked = ".".join(name[:SHOWN] for name in stack[-2:] if isinstance(name, str))
        what += f" ({asked!a})"
    return f"opcode {what} at byte {pos - 1}: a dump holds containers and scalars only"
