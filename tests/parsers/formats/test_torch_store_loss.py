"""The store lost by a running job: never a cause, and the store's host read in every form of address."""

from __future__ import annotations

import pytest
from matching import matched, names

from logtui.parsers.pattern import Role
from logtui.parsers.registry import registry

PREFIX = "1: [rank1]:[W526 18:23:42.905934821 TCPStore.cpp:125] [c10d] "


@pytest.mark.parametrize("call", ["recvValue", "recvVector", "recvValueWithTimeout", "sendBytes"])
@pytest.mark.parametrize(
    ("address", "remote"),
    [
        ("addr=[node007-hsn2]:58276, remote=[node000]:8888", "node000"),
        ("addr=[::]:58276, remote=[fdff:ffff::]:0", "fdff:ffff::"),
        ("addr=[::ffff:10.0.0.7]:1, remote=[::ffff:10.0.0.1]:29500", "::ffff:10.0.0.1"),
    ],
    ids=["names", "hidden", "mapped"],
)
def test_remote_is_the_stores_host(call: str, address: str, remote: str) -> None:
    (fields,) = matched(f"{PREFIX}{call} failed on SocketImpl(fd=63, {address}): Broken pipe").values()
    assert (fields["remote"], fields["error"]) == (remote, "Broken pipe")


@pytest.mark.parametrize(
    "line",
    [
        PREFIX + "recvValue failed on SocketImpl(fd=63, addr=[n]:1, remote=[m]:2): failed to recv, got 0 bytes",
        PREFIX + "sendBytes failed on SocketImpl(fd=63, addr=[n]:1, remote=[m]:2): Broken pipe",
        "torch.distributed.DistNetworkError: failed to recv, got 0 bytes",
        "torch.distributed.DistNetworkError: Connection reset by peer",
        "torch.distributed.DistStoreError: wait timeout after 300000ms, keys: /default_pg/0//cuda//3",
        "torch.distributed.DistStoreError: Socket Timeout",
    ],
)
def test_never_a_cause(line: str) -> None:
    roles = {registry().pattern(n).role for n in names(line, "store")}
    assert roles and Role.CAUSE not in roles


def test_keys_that_nobody_wrote() -> None:
    fields = matched(
        "DistStoreError: wait timeout after 300000ms, keys: /default_pg/0//cuda//3, /default_pg/0//cuda//4"
    )
    assert fields["store.wait_timeout"]["keys"] == "/default_pg/0//cuda//3, /default_pg/0//cuda//4"
