"""NCCL's Init lines from 2.4 to 2.30, and lines that only resemble them."""

from __future__ import annotations

import pytest
from matching import matched, names

HEAD = "node007:4411:4583 [1] NCCL INFO "
COMMON = "comm 0x55d0aa10 rank 57 nranks 128 cudaDev 1 "
INITS = {
    "2.4": ("comm 0x55d0aa10 rank 57 nranks 128 cudaDev 1 nvmlDev 1 - Init COMPLETE", "nccl.init"),
    "2.14": (COMMON + "busId 1b000 - Init COMPLETE", "nccl.init"),
    "2.17": (COMMON + "busId 1b000 commId 0x9f3c - Init COMPLETE", "nccl.init"),
    "2.20 start": (COMMON + "nvmlDev 1 busId 1b000 commId 0x9f3c - Init START", "nccl.init_start"),
    "2.22": ("ncclCommInitRank " + COMMON + "nvmlDev 1 busId 1b000 commId 0x9f3c - Init COMPLETE", "nccl.init"),
    "2.29 start": (
        "[Rank 57] ncclCommInitRank " + COMMON + "nvmlDev 1 busId 1b000 commId 0x9f3c - Init START",
        "nccl.init_start",
    ),
    "RCCL": (COMMON + "busId 1b000 localSize 280 used 1212 bytes on core 0 - Init COMPLETE", "nccl.init"),
}


@pytest.mark.parametrize(("text", "name"), INITS.values(), ids=list(INITS))
@pytest.mark.parametrize("prefix", ["", "57: ", "localhost: "], ids=["bare", "srun", "pdsh"])
def test_rank_and_size_in_every_version(prefix: str, text: str, name: str) -> None:
    fields = matched(prefix + HEAD + text)[name]
    assert names(text, "nccl") == {name}
    assert (fields["rank"], fields["nranks"], fields["cuda_dev"]) == ("57", "128", "1")


@pytest.mark.parametrize(
    "text",
    [
        "parent 0x55d0 color 28 key 3- Init START",
        "parent 0x55d0 splitCount 2 color 28 key 3- Init START",
        "parent 0x55d0 childCount 2 color 28 key 3- Init START",
        "parent 0x55d0 color 28 key 3 commId 0x77 - Init START",
    ],
    ids=["2.23", "2.24", "2.29", "2.22"],
)
def test_splits_name_parent_and_colour(text: str) -> None:
    line = HEAD + "ncclCommSplit comm 0x55d0bb rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 1b000 " + text
    fields = matched(line)["nccl.init_start"]
    assert (fields["parent"], fields["color"], fields["key"]) == ("0x55d0", "28", "3")


def test_version_is_the_librarys_own_line() -> None:
    assert matched("NCCL version 2.21.5+cuda12.4")["nccl.version"]["version"] == "2.21.5"
    assert names("NCCL error in: a.cpp:1, unhandled cuda error, NCCL version 2.21.5", "nccl") == set()


@pytest.mark.parametrize(
    ("text", "interface"),
    [
        ("Bootstrap : Using eth0:10.0.0.7<0>", "eth0"),
        ("Bootstrap: Using bond0:fe80::9a03%bond0<0>", "bond0"),
        ("Bootstrap : Using [0]ib0:10.1.0.7<0> [1]ib1:10.2.0.7<0>", "ib0"),
    ],
)
def test_bootstrap_interface(text: str, interface: str) -> None:
    assert matched(HEAD + text)["nccl.bootstrap"]["interface"] == interface


def test_every_warning_is_kept() -> None:
    assert matched("n:1:2 [0] foo.cc:1 NCCL WARN something new")["nccl.warn"] == {"text": "something new"}
