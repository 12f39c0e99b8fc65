"""Scanning on the workers of a running Dask cluster, which read the shared file system themselves."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from logtui.parsers.errors import ClusterUnavailable

CONNECT_S = 20.0


@contextmanager
def dask_workers(address: str) -> Iterator[Executor]:
    """The workers behind a scheduler's address, as an executor for `Sweep`; disconnected at the end, not stopped.

    The workers need this version of logtui and the logs under the same paths; what one of them cannot do is done here.

    Raises:
        ClusterUnavailable: if the `distributed` package is missing, or nobody answers at the address.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterUnavailable(address, "install it with: pip install 'logtui[dask]'") from error
    try:
        client: Any = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterUnavailable(address, f"no Dask scheduler answers ({error})") from error
    try:
        # A log grows: the same task may have another result, and none may be remembered.
        yield client.get_executor(pure=False)
    finally:
        client.close()
