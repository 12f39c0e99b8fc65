"""A pickle machine that can build containers and scalars, and nothing else.

The writer of dumps (torch's C++ pickler, protocol 2) needs about twenty opcodes. This machine knows those, and the
few that Python's own pickler uses for the same types when somebody packs a dump again. Whatever imports, calls,
builds or refers outwards has no handler here: it cannot run, it is refused by name.

Entries are spelled alike by the thousand. Once one is understood, an `EntryBlock` reads those that follow.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from logtui.parsers.dumps.block import EntryBlock, Lane
from logtui.parsers.errors import DumpRefused

# -- Limits of one dump


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


# -- Refusals

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


# -- Arguments of opcodes, never read past the end


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


# -- The machine

MAX_LANES = 4
"""Spellings of an entry kept per dump: with and without a duration, with and without frames."""
MAX_INT_BYTES = 16
_NEWEST_PROTOCOL = 5


class _Stopped(Exception):
    """STOP was reached."""


class Machine(Cursor):
    """Executes one pickle. `memo` may be shared to evaluate a piece of a dump after the whole has run."""

    def __init__(self, data: bytes, limits: Limits = LIMITS, memo: dict[int, object] | None = None) -> None:
        super().__init__(data)
        self.limits = limits
        self.memo: dict[int, object] = {} if memo is None else memo
        self.lanes: list[Lane] = []
        self._spelled: dict[str, bytes] = {}
        """How a memoised string is fetched: its GET opcode."""
        self._block: EntryBlock | None = None
        """Entries that lie ahead, sorted by the lanes known so far."""
        self._entries = 0
        """Read from blocks."""
        self._stack: list[object] = []
        self._below: list[list[object]] = []

    def run(self) -> object:
        """The object the pickle describes.

        Raises:
            DumpRefused: an opcode is not allowed, a limit is passed, or the data is truncated or malformed.
        """
        try:
            self._execute()
        except _Stopped:
            return self._result()
        except KeyError as error:
            raise DumpRefused(f"memo slot {error} is read before it is written, near byte {self.pos}") from None
        except IndexError:
            raise DumpRefused(self.ran_out()) from None
        raise DumpRefused(f"more than {self.limits.steps} opcodes")

    def _execute(self) -> None:
        data, handlers = self.data, _HANDLERS
        for _ in range(self.limits.steps):
            handler = handlers[data[self.pos]]
            self.pos += 1
            if handler is None:
                raise DumpRefused(forbidden(data, self.pos, self._stack))
            handler(self)

    def _result(self) -> object:
        if self._below or len(self._stack) != 1:
            raise DumpRefused(f"malformed pickle: {len(self._stack)} objects left at STOP")
        return self._stack[0]

    def _text(self, count: int) -> None:
        if count > self.limits.text_bytes and self.pos + count <= len(self.data):
            raise DumpRefused(f"a string of {count} bytes at byte {self.pos}")
        self._stack.append(self.take(count).decode("utf-8", "replace"))

    # Opcodes, by what they do

    def _proto(self) -> None:
        if (protocol := self.number(1)) > _NEWEST_PROTOCOL:
            raise DumpRefused(f"pickle protocol {protocol} is not known")

    def _frame(self) -> None:
        self.take(8)

    def _stop(self) -> None:
        raise _Stopped

    def _none(self) -> None:
        self._stack.append(None)

    def _true(self) -> None:
        self._stack.append(True)

    def _false(self) -> None:
        self._stack.append(False)

    def _int1(self) -> None:
        self._stack.append(self.data[self.pos])
        self.pos += 1

    def _int2(self) -> None:
        data, pos = self.data, self.pos
        self._stack.append(data[pos] | data[pos + 1] << 8)
        self.pos = pos + 2

    def _int4(self) -> None:
        self._stack.append(int.from_bytes(self.take(4), "little", signed=True))

    def _long1(self) -> None:
        if (count := self.number(1)) > MAX_INT_BYTES:
            raise DumpRefused(f"an integer of {count} bytes at byte {self.pos}")
        self._stack.append(int.from_bytes(self.take(count), "little", signed=True))

    def _float(self) -> None:
        self._stack.append(struct.unpack(">d", self.take(8))[0])

    def _text1(self) -> None:
        self._text(self.number(1))

    def _text4(self) -> None:
        self._text(self.number(4))

    def _text8(self) -> None:
        self._text(self.number(8))

    def _empty_list(self) -> None:
        self._stack.append([])

    def _empty_tuple(self) -> None:
        self._stack.append(())

    def _empty_dict(self) -> None:
        if self.lanes and self.data[self.pos : self.pos + 1] == b"(" and self._read_run():
            return
        self._stack.append({})

    def _read_run(self) -> bool:
        """Read entries that are spelled like earlier ones; whether there were any."""
        if self._block is None:
            self._block = EntryBlock(self.data, self.pos, tuple(self.lanes), self.limits.entries + 1)
        found = self._block.run_at(self.pos)
        if found is None:
            return False
        run, self.pos = found
        self._entries += len(run)
        if self._entries > self.limits.entries:
            raise DumpRefused(f"more than {self.limits.entries} entries")
        self._stack.append(run)
        return True

    def _mark(self) -> None:
        if len(self._below) >= self.limits.depth:
            raise DumpRefused(f"nested deeper than {self.limits.depth} levels at byte {self.pos - 1}")
        self._below.append(self._stack)
        self._stack = []

    def _since_mark(self) -> list[object]:
        items = self._stack
        self._stack = self._below.pop()
        return items

    def _append(self) -> None:
        item = self._stack.pop()
        self._list().append(item)

    def _appends(self) -> None:
        items = self._since_mark()
        self._list().extend(items)

    def _list(self) -> list[object]:
        target = self._stack[-1]
        if type(target) is not list:
            raise DumpRefused(f"malformed pickle: appends to a {type(target).__name__} at byte {self.pos - 1}")
        return target

    def _setitem(self) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._fill([key, value])

    def _setitems(self) -> None:
        self._fill(self._since_mark())

    def _fill(self, items: list[object]) -> None:
        target = self._stack[-1]
        if type(target) is not dict or len(items) % 2:
            raise DumpRefused(f"malformed pickle: sets items of a {type(target).__name__} at byte {self.pos - 1}")
        keys = items[::2]
        for key in keys:
            if type(key) is not str and type(key) is not int:
                raise DumpRefused(f"a key of type {type(key).__name__} at byte {self.pos - 1}")
        target.update(zip(keys, items[1::2], strict=True))
        if "profiling_name" in target and len(self.lanes) < MAX_LANES:
            self._learn(target)

    def _learn(self, entry: dict[str, object]) -> None:
        lane = Lane.learn(tuple(entry), self._spelled)
        if lane is not None and all(lane.spelled != known.spelled for known in self.lanes):
            self.lanes.append(lane)
            self._block = None

    def _tuple(self) -> None:
        items = self._since_mark()
        self._stack.append(tuple(items))

    def _tuple_of(self, count: int) -> None:
        if len(self._stack) < count:
            raise IndexError
        items = tuple(self._stack[-count:])
        del self._stack[-count:]
        self._stack.append(items)

    def _tuple1(self) -> None:
        self._tuple_of(1)

    def _tuple2(self) -> None:
        self._tuple_of(2)

    def _tuple3(self) -> None:
        self._tuple_of(3)

    def _put1(self) -> None:
        self._put(self.data[self.pos])
        self.pos += 1

    def _put4(self) -> None:
        self._put(self.number(4))

    def _memoize(self) -> None:
        self._put(len(self.memo))

    def _put(self, slot: int) -> None:
        if slot > self.limits.memo:
            raise DumpRefused(f"memo slot {slot} at byte {self.pos - 1}: at most {self.limits.memo} are allowed")
        if slot in self.memo:
            raise DumpRefused(f"memo slot {slot} is written twice, at byte {self.pos - 1}")
        value = self._stack[-1]
        self.memo[slot] = value
        if type(value) is str:
            self._spelled[value] = b"h%c" % slot if slot < 256 else b"j" + slot.to_bytes(4, "little")

    def _get1(self) -> None:
        self._stack.append(self.memo[self.data[self.pos]])
        self.pos += 1

    def _get4(self) -> None:
        self._stack.append(self.memo[self.number(4)])


_KNOWN: Final[dict[str, Callable[[Machine], None]]] = {
    "\x80": Machine._proto, "\x95": Machine._frame, ".": Machine._stop,
    "N": Machine._none, "\x88": Machine._true, "\x89": Machine._false,
    "K": Machine._int1, "M": Machine._int2, "J": Machine._int4, "\x8a": Machine._long1, "G": Machine._float,
    "\x8c": Machine._text1, "X": Machine._text4, "\x8d": Machine._text8,
    "]": Machine._empty_list, ")": Machine._empty_tuple, "}": Machine._empty_dict, "(": Machine._mark,
    "a": Machine._append, "e": Machine._appends, "s": Machine._setitem, "u": Machine._setitems,
    "t": Machine._tuple, "\x85": Machine._tuple1, "\x86": Machine._tuple2, "\x87": Machine._tuple3,
    "q": Machine._put1, "r": Machine._put4, "\x94": Machine._memoize,
    "h": Machine._get1, "j": Machine._get4,
}  # fmt: skip
"""The opcodes that exist. There is no other."""
_HANDLERS: Final = tuple(_KNOWN.get(chr(code)) for code in range(256))
