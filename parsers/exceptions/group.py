"""Exceptions of a process group that does not form, and of the network under it."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import (
    ANOTHER_PORT,
    LATE_NODE,
    NCCL_SYSTEM,
    NCCL_USAGE,
    NCCL_WORDS,
    NO_INTERFACE,
    OLD_NCCL,
    RANK_VARIABLES,
)

_UNRESOLVED = (
    r"Name or service not known",
    r"Temporary failure in name resolution",
    r"No address associated with hostname",
)
"""glibc's gai_strerror, of names that no server knows."""
_NCCL = "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:57, "

START = (
    ExceptionKind(
        name="exception.gloo_connect",
        writer="Gloo transport/tcp, of torch 1.8 and later",
        says=(r"/tcp/\w+\.cc:\d+\] connect \[",),
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=60,
        title="the group could not connect",
        advice=(
            Advice(
                "infrastructure",
                "look first at what became of the peer's process; then at GLOO_SOCKET_IFNAME, names and firewalls",
            ),
        ),
        samples=(
            Raised(
                "RuntimeError: [/opt/build/third_party/gloo/gloo/transport/tcp/pair.cc:57] connect [10.0.0.7]:5757: Connection refused"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.gloo_full_mesh",
        writer="Gloo rendezvous/context.cc, of torch 2.0 and later",
        says=(r"connectFullMesh failed",),
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=44,
        title="the group could not connect",
        samples=(
            Raised(
                "RuntimeError: Gloo connectFullMesh failed with [/opt/build/third_party/gloo/gloo/transport/tcp/pair.cc:57] no error"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.group_unformed",
        writer="torch: … store based barrier 1.8 to 2.0; wait timeout … 2.1 and later; … clients 1.12 and later",
        says=(
            r"Timed out initializing process group",
            r"wait timeout after \d+ms, keys",
            r"Timed out after \d+ seconds waiting for clients",
        ),
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=62,
        title="the job did not form",
        advice=(
            Advice(
                "infrastructure",
                "look for the rank or node that never came: one without output, or with an error of its own",
            ),
            Advice("training", "raise the timeout of init_process_group only where nodes are slow to start"),
        ),
        samples=(
            Raised(
                "RuntimeError: Timed out initializing process group in store based barrier on rank: 3, for key: "
                "store_based_barrier_key:1 (world_size=8, worker_count=7, timeout=0:30:00)"
            ),
            Raised("torch.distributed.DistStoreError: wait timeout after 300000ms, keys: /default_pg/0//cuda//0"),
            Raised(
                "torch.distributed.DistStoreError: Timed out after 1801 seconds waiting for clients. 7/8 clients joined."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.store_unreached",
        writer="torch c10d/socket.cpp, 1.12 and later; connect() … 1.9 to 1.11; Socket Timeout, every version",
        says=(
            r"client socket has timed out",
            r"connect\(\) timed out\. Original timeout",
            r"Socket Timeout",
            r"failed to connect to any network address",
        ),
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=62,
        title="the job did not form",
        advice=(
            Advice(
                "infrastructure",
                "check that the first node runs and listens on the master's port, from the others: name, "
                "interface, firewall",
            ),
        ),
        samples=(
            Raised(
                "torch.distributed.DistNetworkError: The client socket has timed out after 60000ms while trying to connect to (node007, 29500)."
            ),
            Raised("RuntimeError: connect() timed out. Original timeout was 60000 ms."),
            Raised("RuntimeError: Socket Timeout"),
            Raised(
                "torch.distributed.DistNetworkError: The client socket has failed to connect to any network address of (node007, 29500)."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.master_unknown",
        writer="glibc's resolver, under torch.distributed's rendezvous; gloo and c10d: host not found",
        says=(r"host not found", *_UNRESOLVED),
        frames=(r"rendezvous", r"c10d", r"init_process_group"),
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=62,
        title="the master's name is not known here",
        advice=(
            Advice(
                "infrastructure",
                "check MASTER_ADDR: the name must resolve[ on {host}] (getent hosts); in Kubernetes a headless "
                "service is needed",
            ),
        ),
        samples=(
            Raised(
                "socket.gaierror: [Errno -2] Name or service not known",
                ("torch/distributed/rendezvous.py _env_rendezvous_handler",),
            ),
            Raised(
                "ValueError: host not found: Non-recoverable failure in name resolution",
                ("torch/distributed/rendezvous.py _create_c10d_store",),
            ),
            Raised(
                "socket.gaierror: [Errno -3] Temporary failure in name resolution",
                ("deepspeed/comm/torch.py init_process_group",),
            ),
            Raised(
                "socket.gaierror: [Errno -5] No address associated with hostname",
                ("torch/distributed/distributed_c10d.py _new_process_group_helper",),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.rendezvous",
        writer="torch.distributed.elastic 1.9 and later: …TimeoutError, …StateError, …ConnectionError",
        types=(r"Rendezvous\w*Error",),
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=62,
        title="the rendezvous failed",
        advice=LATE_NODE,
        samples=(
            Raised("torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError"),
            Raised("torch.distributed.elastic.rendezvous.api.RendezvousStateError: The rendezvous state is corrupt."),
        ),
    ),
    ExceptionKind(
        name="exception.server_port_taken",
        writer="Linux (EADDRINUSE) under CPython's sockets: servers of models, metrics, dashboards; c10d raises errors of its own",
        types=(r"OSError",),
        says=(r"Address already in use",),
        cls=FailureClass.CONFIG,
        weight=62,
        title="the port of a server that the program opens is taken",
        advice=(Advice("training", "give that server a free port, or let one rank of a node alone open it"),),
        samples=(Raised("OSError: [Errno 98] Address already in use"),),
    ),
    ExceptionKind(
        name="exception.port_taken",
        writer="torch TCPStore and c10d/socket.cpp (nonce 2.3 and later, EADDRINUSE 2.4 and later); Linux; Accelerate 0.20 and later",
        says=(
            r"nonce == returnedNonce",
            r"Address already in use",
            r"another process is utilizing it",
        ),
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=70,
        title="the port belongs to somebody else",
        advice=ANOTHER_PORT,
        samples=(
            Raised(
                'RuntimeError: nonce == returnedNonce INTERNAL ASSERT FAILED at "/opt/pytorch/torch/csrc/distributed/c10d/TCPStore.cpp":57, '
                "please report a bug to PyTorch. Ping failed, invalid nonce returned"
            ),
            Raised(
                "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. "
                "port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use"
            ),
            Raised(
                "ConnectionError: Tried to launch distributed communication on port `29500`, but another process is utilizing it."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.environment",
        writer="CPython's os.environ, every version: a program asks for what its launcher should have set",
        types=(r"KeyError",),
        frames=(r"(?:/os\.py|<frozen os>) (?:__getitem__|__delitem__)$",),
        cls=FailureClass.CONFIG,
        weight=66,
        title="an environment variable is not set",
        samples=(
            Raised("KeyError: 'LOCAL_RANK57'", ("/opt/job/train.py main", "/usr/lib/python3.10/os.py __getitem__")),
            Raised("KeyError: 'RANK57'", ("/opt/job/train.py main", "<frozen os> __getitem__")),
            Raised("KeyError: 'RANK57'", ("/opt/job/train.py main", "<frozen os> __delitem__")),
        ),
    ),
    ExceptionKind(
        name="exception.rank_variables",
        writer="torch.distributed.rendezvous, env://, 1.0 and later",
        says=(r"environment variable \w+ expected, but not set",),
        cls=FailureClass.CONFIG,
        weight=70,
        title="the launcher did not set the rank variables",
        advice=RANK_VARIABLES,
        samples=(
            Raised(
                "ValueError: Error initializing torch.distributed using env:// rendezvous: environment variable RANK expected, but not set"
            ),
        ),
    ),
)

NETWORK = (
    ExceptionKind(
        name="exception.unreachable",
        writer="Linux (ENETUNREACH) and glibc's resolver, through CPython",
        says=(r"\[Errno 101\]|Network is unreachable", *_UNRESOLVED),
        cls=FailureClass.NETWORK,
        weight=56,
        title="there is no way to that network",
        advice=(
            Advice(
                "infrastructure",
                "check routes and names[ on {host}] (ip route, getent hosts): the address has no way to it",
            ),
        ),
        samples=(
            Raised("urllib.error.URLError: <urlopen error [Errno 101] Network is unreachable>"),
            Raised("socket.gaierror: [Errno -2] Name or service not known"),
            Raised("socket.gaierror: [Errno -3] Temporary failure in name resolution"),
            Raised("socket.gaierror: [Errno -5] No address associated with hostname"),
        ),
    ),
    ExceptionKind(
        name="exception.nccl_network",
        writer="NCCL 2.4 and later, by torch's text of the result (… system error) and the last error it quotes",
        says=(r"NET/IB", r"unhandled system error", r"ncclSystemError"),
        cls=FailureClass.NETWORK,
        weight=50,
        title="NCCL's transport failed",
        advice=NCCL_SYSTEM,
        samples=(
            Raised(
                _NCCL + "internal error - please report this issue to the NCCL developers, NCCL version 2.21.5\n"
                "ncclInternalError: Internal check failed.\n"
                "Last error:\nNET/IB: No device found."
            ),
            Raised(_NCCL + "unhandled system error, NCCL version 2.7.8"),
            Raised("ncclSystemError: System call (socket, malloc, munmap, etc) failed.", bare=True),
        ),
    ),
    ExceptionKind(
        name="exception.nccl_cuda",
        writer="NCCL 2.4 and later, by torch's text of the result and the name of it",
        says=(r"unhandled cuda error", r"ncclUnhandledCudaError"),
        cls=FailureClass.CUDA_SOFTWARE,
        weight=42,
        title="a CUDA call inside NCCL failed",
        advice=(
            *OLD_NCCL,
            Advice("training", "rerun with NCCL_DEBUG=INFO: the WARN line above names the CUDA call"),
        ),
        samples=(
            Raised(_NCCL + "unhandled cuda error, NCCL version 2.7.8"),
            Raised("ncclUnhandledCudaError: Call to CUDA function failed.", bare=True),
        ),
    ),
    ExceptionKind(
        name="exception.nccl_no_network",
        writer="NCCL 2.27 and later, init.cc, quoted by torch as the last error",
        says=(r"Failed to initialize any NET plugin",),
        cls=FailureClass.NETWORK,
        weight=64,
        title="NCCL found no network that works on this host",
        advice=NO_INTERFACE,
        samples=(
            Raised(
                _NCCL + "invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.27.3\n"
                "Last error:\nFailed to initialize any NET plugin"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.nccl_usage",
        writer="NCCL 2.4 and later, by the name of the result: two ranks on one GPU, and the like",
        says=(r"ncclInvalidUsage",),
        cls=FailureClass.CONFIG,
        weight=60,
        title="NCCL was used wrongly",
        advice=NCCL_USAGE,
        samples=(
            Raised(
                _NCCL + "invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.21.5\n"
                "ncclInvalidUsage: This usually reflects invalid usage of NCCL library.\n"
                "Last error:\nDuplicate GPU detected : rank 3 and rank 0 both on CUDA device 57000"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.nccl_internal",
        writer="NCCL 2.4 and later, by torch's text of the result and the name of it",
        says=(r"ncclInternalError", r"NCCL error in: [^,]+, internal error"),
        cls=FailureClass.SOFTWARE,
        weight=40,
        title="NCCL failed inside",
        advice=NCCL_WORDS,
        samples=(
            Raised(
                _NCCL + "internal error - please report this issue to the NCCL developers, NCCL version 2.21.5\n"
                "ncclInternalError: Internal check failed."
            ),
            Raised(_NCCL + "internal error, NCCL version 2.7.8"),
            Raised("ncclInternalError: Internal check failed.", bare=True),
        ),
    ),
)
