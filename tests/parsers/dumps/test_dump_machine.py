"""Hostile and broken pickles are refused, each by its name; honest ones come out as Python's own reader gives them."""

from __future__ import annotations

import os
import pickle
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logtui.parsers.dumps.machine import Limits, Machine
from logtui.parsers.dumps.reading import check_nesting
from logtui.parsers.errors import DumpRefused

SMALL = Limits(size_bytes=1 << 16, depth=8, steps=2_000, memo=100, text_bytes=1_000)


class _Runs:
    def __init__(self, call: Callable[..., Any], *args: object) -> None:
        self.asked = call, args

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return self.asked


def _text(text: bytes) -> bytes:
    return b"X" + struct.pack("<I", len(text)) + text


HOSTILE = (
    ("imports", b"\x80\x02cos\nsystem\n.", "opcode GLOBAL ('os.system') at byte 2"),
    ("imports by name on the stack", pickle.dumps(_Runs(os.system, "true"), 4), "opcode STACK_GLOBAL ('posix.system')"),
    ("runs a command", pickle.dumps(_Runs(os.system, "true"), 2), "opcode GLOBAL ('posix.system')"),
    ("evaluates", pickle.dumps(_Runs(eval, "1"), 2), "opcode GLOBAL ('__builtin__.eval')"),
    ("instantiates", b"\x80\x02(icollections\nOrderedDict\n.", "opcode INST ('collections.OrderedDict')"),
    ("calls", b"\x80\x02))R.", "opcode REDUCE at byte 4"),
    ("sets attributes", b"\x80\x02}}b.", "opcode BUILD at byte 4"),
    ("makes an object", b"\x80\x02))\x81.", "opcode NEWOBJ at byte 4"),
    ("persistent id", b"\x80\x02K\x01Q.", "opcode BINPERSID at byte 4"),
    ("persistent id as text", b"\x80\x02Pstorage\n.", "opcode PERSID at byte 2"),
    ("extension registry", b"\x80\x02\x82\x01.", "opcode EXT1 at byte 2"),
    ("sets", pickle.dumps({1}, 4), "opcode EMPTY_SET"),
    ("bytes", pickle.dumps(b"\0\1", 4), "opcode SHORT_BINBYTES"),
    ("text integers", b"\x80\x02I" + b"9" * 500 + b"\n.", "opcode INT at byte 2"),
    ("out-of-band buffer", b"\x80\x05\x97.", "opcode NEXT_BUFFER at byte 2"),
    ("duplicates the stack", b"\x80\x02]2.", "opcode DUP at byte 3"),
    ("escape sequence in a name", b"\x80\x02c\x1b[2J\nx\n.", "opcode GLOBAL ('\\x1b[2J.x') at byte 2"),
    ("no such opcode", b"\x80\x02\xff.", "opcode 0xff at byte 2"),
    ("future protocol", b"\x80\x09.", "pickle protocol 9 is not known"),
    ("string longer than the file", b"\x80\x02X\xff\xff\xff\xffabc", "truncated: 4294967295 bytes are announced at byte 7, 3 are left"),
    ("string longer than memory", b"\x80\x04\x8d" + b"\xff" * 8 + b"abc", "bytes are announced at byte 11, 3 are left"),
    ("long string", b"\x80\x02" + _text(b"x" * 1001) + b".", "a string of 1001 bytes at byte 7"),
    ("huge integer", b"\x80\x02\x8a\xff" + b"\x01" * 255 + b".", "an integer of 255 bytes at byte 4"),
    ("memo slot to fill the memory", b"\x80\x02]r\xff\xff\xff\xff.", "memo slot 4294967295 at byte 7: at most 100 are allowed"),
    ("memo slot written twice", b"\x80\x02]q\x00}q\x00.", "memo slot 0 is written twice, at byte 6"),
    ("memo slot never written", b"\x80\x02h\x07.", "memo slot 7 is read before it is written, near byte 3"),
    ("many marks", b"\x80\x02" + b"(" * 9 + b".", "nested deeper than 8 levels at byte 10"),
    ("too many opcodes", b"\x80\x02" + b"]" * 3000 + b".", "more than 2000 opcodes"),
    ("list as a key", b"\x80\x02}]K\x01s.", "a key of type list at byte 6"),
    ("deep tuple as a key", b"\x80\x02})" + b"\x85" * 1500 + b"K\x01s.", "a key of type tuple at byte 1506"),
    ("appends to a number", b"\x80\x02K\x01K\x02a.", "malformed pickle: appends to a int at byte 6"),
    ("odd number of items", b"\x80\x02}(K\x01u.", "malformed pickle: sets items of a dict at byte 6"),
    ("stack runs dry", b"\x80\x02a" + b"N" * 9, "malformed pickle: nothing to work on"),
    ("no mark", b"\x80\x02]e" + b"N" * 9, "malformed pickle: nothing to work on"),
    ("two objects", b"\x80\x02]].", "malformed pickle: 2 objects left at STOP"),
    ("open mark", b"\x80\x02](.", "malformed pickle: 0 objects left at STOP"),
    ("no end", b"\x80\x02]", "truncated: ends at byte 3, before STOP"),
    ("ends within an argument", b"\x80\x02J\x01\x02", "truncated: 4 bytes are announced at byte 3, 2 are left"),
    ("header alone", b"\x80", "truncated"),
)  # fmt: skip


@pytest.mark.parametrize(("data", "message"), [h[1:] for h in HOSTILE], ids=[h[0] for h in HOSTILE])
def test_hostile_pickles_are_refused_by_name(data: bytes, message: str) -> None:
    with pytest.raises(DumpRefused) as refused:
        Machine(data, SMALL).run()
    assert message in str(refused.value)


SELF_CONTAINING = (
    ("list in itself", b"\x80\x02]q\x00h\x00a."),
    ("list in its list", b"\x80\x02]q\x00]q\x01h\x00aa."),
    ("dictionary in itself", b"\x80\x02}q\x00" + _text(b"k") + b"h\x00s."),
)


@pytest.mark.parametrize("data", [s[1] for s in SELF_CONTAINING], ids=[s[0] for s in SELF_CONTAINING])
def test_containers_in_themselves_are_refused(data: bytes) -> None:
    root = Machine(data).run()
    with pytest.raises(DumpRefused, match="contains itself"):
        check_nesting(root, 32)


def test_depth_is_bounded_without_marks_too() -> None:
    root = Machine(b"\x80\x02" + b"]" * 40 + b"a" * 39 + b".").run()
    with pytest.raises(DumpRefused, match="nested deeper than 32 levels"):
        check_nesting(root, 32)


def test_shared_containers_cost_nothing_extra() -> None:
    level: list[object] = []
    for _ in range(30):  # a billion leaves for whoever walks them all
        level = [level, level]
    check_nesting(Machine(pickle.dumps(level, 2)).run(), 32)


SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(max_size=20)
)
KEYS = st.text(max_size=8) | st.integers(0, 99)
OBJECTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4) | st.tuples(inner, inner),
    max_leaves=20,
)


@given(OBJECTS, st.integers(2, pickle.HIGHEST_PROTOCOL))
def test_agrees_with_pythons_reader(value: object, protocol: int) -> None:
    assert Machine(pickle.dumps(value, protocol)).run() == value


@given(st.binary(max_size=200))
def test_arbitrary_bytes_give_an_object_or_a_refusal(data: bytes) -> None:
    try:
        Machine(b"\x80\x02" + data, SMALL).run()
    except DumpRefused as refused:
        assert str(refused)


@settings(max_examples=300)
@given(st.lists(st.sampled_from([b"]", b"}", b"(", b"e", b"u", b"a", b"s", b"t", b"\x86", b"K\x01", b"q\x00", b"q\x01",
                                 b"h\x00", b"h\x01", b"N", b"X\x01\0\0\0k", b"."]), max_size=60))  # fmt: skip
def test_arbitrary_programs_of_allowed_opcodes(program: list[bytes]) -> None:
    try:
        check_nesting(Machine(b"\x80\x02" + b"".join(program), SMALL).run(), SMALL.depth)
    except DumpRefused as refused:
        assert str(refused)
