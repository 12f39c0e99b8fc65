"""UTF-16, with and without a mark, beside plain bytes, broken, and what only looks like it."""

from __future__ import annotations

import struct
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.files.transcoding import Given, Utf16Text, recoded_head
from logtui.parsers.files.utf16 import MOST_HELD, Utf16Pieces, find_order, holds_utf16, is_garbled
from logtui.parsers.source import Coding

TEXT = "step 57 loss 2.5\r\ngrößer 😀 x\r\n第三轮训练开始，损失《上升》\r\n" * 9
PLAIN = "Epoch 5 done\nmüde Grüße von der anderen Konsole\n"
MARK = "\ufeff"
ORDERS = ("utf-16-le", "utf-16-be")


def _decoded(data: bytes, size: int = 1 << 12) -> str:
    pieces = Utf16Pieces()
    out = [pieces.decode(data[at : at + size]) for at in range(0, len(data), size)]
    return b"".join([*out, pieces.decode(b"", final=True)]).decode()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("after", "read"),
    [
        pytest.param(b"", "", id="nothing"),
        pytest.param(PLAIN.encode(), PLAIN, id="plain lines"),
        pytest.param(b"exit code 57\n", "exit code 57\n", id="one plain line"),
        pytest.param(PLAIN.encode() * 9000, PLAIN * 9000, id="many plain lines"),
    ],
)
def test_plain_bytes_may_follow(order: str, after: bytes, read: str) -> None:
    assert _decoded((MARK + TEXT).encode(order) + after) == TEXT + read


def test_plain_bytes_may_follow_in_the_middle_of_a_line() -> None:
    assert _decoded((MARK + TEXT + "half a ").encode("utf-16-le") + PLAIN.encode()) == f"{TEXT}half a {PLAIN}"


@pytest.mark.parametrize("mark", ["", MARK], ids=["no mark", "mark"])
def test_utf16_may_follow_plain_bytes(mark: str) -> None:
    data = PLAIN.encode() * 5 + (mark + "wide again\r\n" * 5).encode("utf-16-le") + PLAIN.encode()
    assert holds_utf16(data)
    assert _decoded(data, 64) == PLAIN * 5 + "wide again\r\n" * 5 + PLAIN


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("size", [1 << 16, 100_003])
def test_long_lines_come_in_pieces(order: str, size: int) -> None:
    long = "loss 😀 2.5 " * (MOST_HELD // 4) + "\r\n"
    assert _decoded((MARK + TEXT + long + TEXT).encode(order), size) == TEXT + long + TEXT


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param((MARK + "abc\n").encode("utf-16-le")[:-1], "abc�", id="half a newline"),
        pytest.param((MARK + "ab😀").encode("utf-16-le")[:-2], "ab�", id="half a pair"),
        pytest.param((MARK + "a").encode("utf-16-le") + b"\x00\xdc" + "b\n".encode("utf-16-le"), "a�b\n", id="the other half"),
        pytest.param(MARK.encode("utf-16-le"), "", id="a mark alone"),
    ],
)  # fmt: skip
def test_what_is_broken_is_replaced(data: bytes, text: str) -> None:
    assert _decoded(data) == text


@pytest.mark.parametrize(
    ("head", "order"),
    [
        pytest.param("step 57 of 9000\n".encode("utf-16-le"), "utf-16-le", id="little"),
        pytest.param("step 57 of 9000\n".encode("utf-16-be"), "utf-16-be", id="big"),
        pytest.param("größer, müder, süßer\n".encode("utf-16-le"), "utf-16-le", id="with umlauts"),
        pytest.param(b"step 57 of 9000\n", None, id="plain"),
        pytest.param(b"step" + b"\0" * 99, None, id="a hole"),
        pytest.param("step 57 of 9000\n".encode("utf-32-le"), None, id="utf-32"),
        pytest.param(struct.pack("<99h", *range(99)), None, id="small numbers"),
        pytest.param(struct.pack("<99i", *range(99)), None, id="numbers"),
        pytest.param(b"a\0b\0", None, id="too little to tell"),
    ],
)
def test_the_order_of_a_text_without_a_mark(head: bytes, order: str | None) -> None:
    assert find_order(head) == order


def test_random_bytes_behind_a_mark_are_no_text() -> None:
    for seed in range(50):
        data = b"\xff\xfe" + Random(seed).randbytes(4000)
        assert is_garbled(recoded_head(data, (Coding.UTF16,)).decode("utf-8", "replace")), seed
    assert not is_garbled(TEXT)


def _whole(data: bytes) -> bytes:
    return Utf16Pieces().decode(data, final=True)


STRETCHES = st.lists(
    st.one_of(
        st.binary(max_size=40),
        st.text(max_size=30).map(lambda text: text.encode("utf-8", "replace")),
        st.text(max_size=30).map(lambda text: f"{text}\n".encode("utf-16-le", "surrogatepass")),
        st.text(max_size=30).map(lambda text: f"{text}\n".encode("utf-16-be", "surrogatepass")),
        st.sampled_from([b"\xff\xfe", b"\xfe\xff", b"\n", b"\n\0", b"\0\n", b"plain line\n" * 3]),
    ),
    max_size=12,
)


@given(STRETCHES, st.integers(1, 99))
def test_any_bytes_read_the_same_however_much_is_asked_for(parts: list[bytes], step: int) -> None:
    data = b"".join(parts)
    stream = Utf16Text(Given(data))
    read = b"".join(iter(lambda: stream.read(step), b""))
    assert read == _whole(data)


LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs", "Co", "Cn"], exclude_characters="\n\r\ufeff\0"), max_size=30)
)


@given(LINES, st.sampled_from(ORDERS), st.integers(64, 400))
def test_pieces_read_as_the_whole_does(lines: list[str], order: str, size: int) -> None:
    """Of lines that UTF-16 does not write as others would write plain ones."""
    text = "".join(f"{line}, \n" for line in lines)
    data = (MARK + text).encode(order)
    assert _decoded(data, size) == _whole(data).decode() == text
