"""What stays of a line when everything that differs from rank to rank is masked."""

from __future__ import annotations

import pytest

from logtui.parsers.prefix.template import WIDTH, rough_key, template


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"read 12 shards from s3://corpus/a-001.tar in 1.5 s", "read <n> shards from <path> in <n> s"),
        (b"read 7 shards from /mnt/b/c in 0.25 s", "read <n> shards from <path> in <n> s"),
        (b"[rank57]: [default1]:lost node007:4400", "lost node<n>:<n>"),
        (b"opening shard-00012.tar", "opening <file>"),
        (b"at 0x7f33aa01, id 123e4567-e89b-12d3-a456-426614174000", "at <hex>, id <hex>"),
        (b"Feb  3 14:00:01 up -1.5e-3", "<n> <n>:<n>:<n> up <n>"),
        (b"  1%|#    | 3/100 [00:10]\r  2%|##   | 4/100 [00:20]", "<n>%|<bar>| <n>/<n> [<n>:<n>]"),
        (b"\x1b[31mcoil 3 is out of phase\x1b[0m", "coil <n> is out of phase"),
        ("größer als \udcff".encode("utf-8", "surrogateescape"), "größer als \ufffd"),
        (b"", ""),
    ],
    ids=["numbers and a URL", "a path", "prefixes", "data file", "addresses", "date", "bar", "colour", "bytes", "empty"],
)  # fmt: skip
def test_what_differs_is_masked(line: bytes, expected: str) -> None:
    assert template(line) == expected


def test_a_long_line_costs_no_more() -> None:
    assert len(template(b"x" * 1_000_000)) == WIDTH


@pytest.mark.parametrize(("one", "other"), [(b"step 12 of 30", b"step 47 of 88"), (b"[rank1]: a", b"[rank7]: a")])
def test_equal_keys_have_equal_templates(one: bytes, other: bytes) -> None:
    assert rough_key(one) == rough_key(other)
    assert template(one) == template(other)
