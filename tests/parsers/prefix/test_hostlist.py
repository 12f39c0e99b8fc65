"""Host lists as SLURM writes them, and as damaged logs hold them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.prefix.hostlist import CAP, expand


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        pytest.param("node007", ["node007"], id="one"),
        pytest.param("node[001-003,007]", ["node001", "node002", "node003", "node007"], id="padding"),
        pytest.param("n[8-11]", ["n8", "n9", "n10", "n11"], id="no padding"),
        pytest.param("r[1-2]n[01-02]", ["r1n01", "r1n02", "r2n01", "r2n02"], id="two dimensions"),
        pytest.param("gpu-a[09-10]-ib0", ["gpu-a09-ib0", "gpu-a10-ib0"], id="suffix"),
        pytest.param("a[1-2],b7", ["a1", "a2", "b7"], id="list"),
        pytest.param("", [], id="empty"),
        pytest.param("node[1-", ["node[1-"], id="cut"),
        pytest.param("node[5-3]", ["node5-3"], id="backwards"),
        pytest.param("a,,b", ["a", "b"], id="empty element"),
    ],
)
def test_expansion(text: str, hosts: list[str]) -> None:
    assert expand(text) == hosts


@pytest.mark.parametrize("text", ["n[0-999999999999]", "a[0-99999]b[0-99999]c[0-99999]", "x[1-9]" * 40])
def test_output_is_capped(text: str) -> None:
    assert 1 <= len(expand(text)) <= CAP


def test_cap_can_be_chosen() -> None:
    assert expand("n[1-100]", cap=2) == ["n1", "n2"]


@given(st.text(alphabet="an0189[]-, ", max_size=40))
def test_never_fails(text: str) -> None:
    assert len(expand(text, cap=50)) <= 50


@given(st.integers(0, 10**6), st.integers(0, 300), st.integers(1, 6))
def test_ranges_count(low: int, more: int, width: int) -> None:
    hosts = expand(f"node[{low:0{width}d}-{low + more:0{width}d}]")
    assert len(hosts) == more + 1
    assert hosts[0] == f"node{low:0{width}d}"
