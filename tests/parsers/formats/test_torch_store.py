"""The store while a job forms: one cause per line, noise told from causes by the errno."""

from __future__ import annotations

import pytest
from matching import matched, names

GAVE_UP = (
    "[E419 13:27:42.317323202 TCPStore.cpp:390] [c10d] TCP client failed to connect/validate to host node000:29500 - "
    "timed out (try=0, timeout=120000ms): The client socket has timed out after 120000ms while trying to connect to "
    "(node000, 29500)."
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(GAVE_UP, {"store.client_gave_up"}, id="the embedded timeout is not told twice"),
        pytest.param(GAVE_UP.replace("timed out (try", "retrying (try"), {"store.client_retry"}, id="retry"),
        pytest.param(
            "TimeoutError: The client socket has timed out after 1800s while trying to connect to (10.0.0.1, 29500).",
            {"store.connect_timeout"},
            id="seconds, up to 2.4",
        ),
        pytest.param(
            "torch.distributed.DistNetworkError: The client socket has timed out after 120000ms",
            {"store.connect_timeout"},
            id="wrapped by a terminal",
        ),
        pytest.param(
            "[W socket.cpp:436] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already "
            "in use).",
            {"store.port_in_use"},
            id="EADDRINUSE",
        ),
        pytest.param(
            "[W socket.cpp:436] [c10d] The server socket has failed to bind to [::]:29500 (errno: 97 - Address family "
            "not supported by protocol).",
            {"store.harmless"},
            id="no IPv6 is harmless",
        ),
        pytest.param(
            "RuntimeError: The server socket has failed to bind. useIpv6: false, code: -98, name: EADDRINUSE, message: "
            "address already in use",
            {"store.port_in_use"},
            id="libuv without a port",
        ),
        pytest.param(
            "[W socket.cpp:601] [c10d] The client socket cannot be initialized to connect to [node000]:29500 (errno: 97 - "
            "Address family not supported by protocol).",
            {"store.harmless"},
            id="client without IPv6",
        ),
    ],
)
def test_one_meaning_per_line(line: str, expected: set[str]) -> None:
    assert names(line, "store") == expected


def test_how_many_came() -> None:
    fields = matched(
        "torch.distributed.DistStoreError: Timed out after 121 seconds waiting for clients. 1/2 clients joined."
    )
    assert fields["store.clients_missing"] == {"seconds": "121", "joined": "1", "expected": "2"}


@pytest.mark.parametrize("family", ["IPv4", "IPv6"])
def test_name_resolution_says_the_family(family: str) -> None:
    line = f"[W socket.cpp:697] The {family} network addresses of (node000, 29500) cannot be retrieved (gai error: -2 - x)."
    assert matched(line)["store.name_resolution"]["family"] == family
