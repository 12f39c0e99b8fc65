"""Scanning on the workers of a running Dask cluster, which read the shared file system themselves."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

from logtui.parsers.errors import ClusterUnavailable

CONNECT_S = 20.0
"""For the scheduler to answer, and for the first worker to come."""
LONGEST_WITHOUT_WORKERS_S = 30.0
"""Workers may be started anew; without any for so long, the work is taken back."""
LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class Cluster:
    """Workers that take tasks."""

    executor: Executor
    cores: int
    """Tasks that they do at a time."""


@contextmanager
def dask_workers(address: str) -> Iterator[Cluster]:
    """The workers behind a scheduler's address, or behind the file that `dask scheduler --scheduler-file` wrote;
    disconnected at the end, not stopped.

    The workers need this version of logtui and the logs under the same paths. What they cannot do fails, as does all
    that is left when they or the scheduler are gone, and may be done elsewhere.

    Raises:
        ClusterUnavailable: if the `distributed` package is missing, nobody answers, or no worker comes.
    """
    client = _connected(address)
    ended = Event()
    try:
        cores = _cores(client, address)
        # A log grows: the same task may have another result, and none may be remembered.
        executor = client.get_executor(pure=False)
        Thread(target=_take_back, args=(client, executor, ended), daemon=True).start()
        yield Cluster(executor, cores)
    finally:
        ended.set()
        client.close()


def _connected(address: str) -> Any:
    try:
        from distributed import Client
        from distributed.comm import parse_address, parse_host_port
    except ImportError as error:
        raise ClusterUnavailable(address, "install it with: pip install 'logtui[dask]'") from error
    where = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
    try:
        if "address" in where:  # a client that refuses its address is waited for when the program ends
            parse_host_port(parse_address(address)[1])
        return Client(**where, timeout=CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterUnavailable(address, f"no Dask scheduler answers ({error})") from error


def _cores(client: Any, address: str) -> int:
    """Threads of all workers, once there is one."""
    try:
        client.wait_for_workers(1, timeout=CONNECT_S)
    except TimeoutError as error:
        raise ClusterUnavailable(address, "the Dask scheduler has no workers") from error
    return sum(client.nthreads().values())


def _take_back(client: Any, executor: Any, ended: Event) -> None:
    """Cancel all tasks once there has been no worker for long: Dask itself would wait for ever."""
    seen = monotonic()
    while not ended.wait(LOOK_S):
        try:
            alone = not client.nthreads()
        except Exception:  # whatever it raises without a scheduler
            alone = True
        if not alone:
            seen = monotonic()
        elif monotonic() - seen >= LONGEST_WITHOUT_WORKERS_S:
            executor.shutdown(wait=False)
            return
