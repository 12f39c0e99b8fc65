"""Prefixes as launchers, collectors and frameworks stack them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.prefix import owned_body, split, split_at


@pytest.mark.parametrize(
    ("line", "key", "body"),
    [
        pytest.param("plain text", (), "plain text", id="none"),
        pytest.param("[rank57]:   File", ("[rank57]:",), "  File", id="rank takes one blank"),
        pytest.param("[default1]:  File", ("[default1]:",), "  File", id="tee takes none"),
        pytest.param("[default1]:[rank9]: x", ("[default1]:", "[rank9]:"), "x", id="tee and rank"),
        pytest.param("[rank4]:[rank4]: x", ("[rank4]:",), "x", id="doubled"),
        pytest.param(" 7: [rank7]: x", ("7:", "[rank7]:"), "x", id="srun label"),
        pytest.param("node007: [rank4]: x", ("node007:", "[rank4]:"), "x", id="pdsh"),
        pytest.param("10.0.0.7: x", ("10.0.0.7:",), "x", id="pdsh address"),
        pytest.param("(Worker pid=31, ip=10.0.0.7)   y", ("(Worker pid=31, ip=10.0.0.7)",), "  y", id="ray"),
        pytest.param("2026-01-02T03:04:05.678Z stderr F [rank1]: x", ("[rank1]:",), "x", id="container"),
        pytest.param(
            "[rank1]:W0102 03:04:05.678901 4242 torch/_dynamo/a.py:7] [5/2]   File",
            ("[rank1]:", "4242 torch/_dynamo/a.py:7]"),
            "  File",
            id="logger header on every line",
        ),
        pytest.param("ValueError: bad", (), "ValueError: bad", id="exception is no host"),
        pytest.param("S3Error: bad", (), "S3Error: bad", id="exception with a digit"),
    ],
)
def test_split(line: str, key: tuple[str, ...], body: str) -> None:
    found = split(line)
    assert (found.key, found.body) == (key, body)


def test_glued_record_keeps_the_outer_prefix() -> None:
    line = "node007: 33%|###  | 5/15 [00:03<00:06][rank4]: Traceback"
    found = split_at(line, line.index("Traceback"))
    assert (found.key, found.body) == (("node007:", "[rank4]:"), "Traceback")


@pytest.mark.parametrize(
    ("line", "key", "body"),
    [
        pytest.param("[rank4]: x", ("[rank4]:",), "x", id="own"),
        pytest.param("[rank5]: x", ("[rank4]:",), None, id="other rank"),
        pytest.param("x", ("[rank4]:",), None, id="no prefix"),
        pytest.param("[rank4]: x", (), None, id="prefixed line of another writer"),
        pytest.param("10%|#  | 1/10[rank4]:   File", ("[rank4]:",), "  File", id="glued"),
    ],
)
def test_owned_body(line: str, key: tuple[str, ...], body: str | None) -> None:
    assert owned_body(line, key) == body


@given(st.text(alphabet="[]rank0:1 (pid=)-.Txé", max_size=60))
def test_body_is_a_tail_of_the_line(line: str) -> None:
    assert line.endswith(split(line).body)
