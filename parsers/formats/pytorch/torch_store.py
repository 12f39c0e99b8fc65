"""c10d's TCPStore and its sockets while a job forms: here a failure is the cause. See torch_store_loss for later."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Source, Trait
from logtui.parsers.remedies import ANOTHER_PORT

_SOCKET = "[E1121 04:02:34.467642512 socket.cpp:957] [c10d] "

PATTERNS = (
    Pattern(
        name="store.connect_timeout",
        anchors=("The client socket has timed out after",),
        regex=r"(?<!ms\): )The client socket has timed out after (?P<timeout>\d+)(?P<unit>ms|s)"
        r"(?: while trying to connect to \((?P<host>[^,]*), (?P<port>\d+)\))?",
        samples=(
            Sample(
                _SOCKET + "The client socket has timed out after 900s while trying to connect to (node000, 29500).",
                {"timeout": "900", "unit": "s", "host": "node000", "port": "29500"},
            ),
            Sample(
                "[rank9]: torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while "
                "trying to connect to (10.0.0.1, 29500).",
                {"timeout": "600000", "unit": "ms", "host": "10.0.0.1"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=70,
        title="the rendezvous host cannot be reached",
        note="Not started, another port, a firewall or another network.",
        advice=(
            Advice(
                "infrastructure",
                "check that the first node runs and listens: nc -z {host} {port} from the others; name, "
                "interface and firewall next",
            ),
        ),
    ),
    Pattern(
        name="store.client_gave_up",
        anchors=("TCP client failed to connect/validate to host",),
        regex=r"TCP client failed to connect/validate to host (?P<host>\S+):(?P<port>\d+) - timed out "
        r"\(try=(?P<attempt>\d+), timeout=(?P<timeout>\d+)ms\)(?:: (?P<error>.*))?",
        samples=(
            Sample(
                "[E1121 04:02:34.317323202 TCPStore.cpp:331] [c10d] TCP client failed to connect/validate to host "
                "node000:29500 - timed out (try=3, timeout=600000ms): The client socket has timed out after 600000ms "
                "while trying to connect to (node000, 29500).",
                {"host": "node000", "port": "29500", "attempt": "3", "timeout": "600000"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=70,
        title="no connection to the store, retries used up",
    ),
    Pattern(
        name="store.client_retry",
        anchors=("TCP client failed to connect/validate to host",),
        regex=r"TCP client failed to connect/validate to host (?P<host>\S+):(?P<port>\d+) - retrying "
        r"\(try=(?P<attempt>\d+)",
        samples=(
            Sample(
                "[W1121 03:58:34.222395820 TCPStore.cpp:343] [c10d] TCP client failed to connect/validate to host "
                "node000:29500 - retrying (try=0, timeout=600000ms, delay=48742ms): Connection reset by peer",
                {"host": "node000", "attempt": "0"},
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        title="connecting to the store again",
    ),
    Pattern(
        name="store.connect_failed",
        anchors=("The client socket has failed to connect to",),
        regex=r"The client socket has failed to connect to(?: (?:any network address of )?"
        r"(?:\[(?P<host>[\w.:%-]*)\]:|\((?P<name>[\w.:%-]*), )(?P<port>\d+)\)?(?: \(errno: (?P<errno>\d+))?)?",
        samples=(
            Sample(
                "[W1121 03:58:07.343677151 socket.cpp:601] [c10d] The client socket has failed to connect to "
                "[node000]:29500 (errno: 110 - Connection timed out).",
                {"host": "node000", "port": "29500", "errno": "110"},
            ),
            Sample(
                _SOCKET + "The client socket has failed to connect to any network address of (node000, 29500).",
                {"name": "node000", "port": "29500"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.INIT_RENDEZVOUS,
        bulk=True,
        title="the store does not answer yet",
        note="One attempt of several: harmless when a later one succeeds.",
    ),
    Pattern(
        name="store.port_in_use",
        anchors=(
            "The server socket has failed to ",
            "Tried to launch distributed communication on port",
        ),
        regex=r"The server socket has failed to (?:bind|listen)(?=.{0,200}(?:errno: 98\b|code: -98|EADDRINUSE))"
        r"(?:.{0,80}?(?:[\]\d]:|port: )(?P<port>\d+)\b)?|"
        r"Tried to launch distributed communication on port `?(?P<wanted>\d+)`?, but another process",
        samples=(
            Sample(
                "[W1121 03:58:07.343677151 socket.cpp:464] [c10d] The server socket has failed to bind to [::]:29500 "
                "(errno: 98 - Address already in use).",
                {"port": "29500"},
            ),
            Sample(
                "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network "
                "address. port: 29572, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use",
                {"port": "29572"},
            ),
            Sample(
                "ConnectionError: Tried to launch distributed communication on port `29500`, but another process is "
                "utilizing it. Please specify a different port",
                {"wanted": "29500"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=75,
        title="the rendezvous port is taken",
        note="Another job on the node, or what is left of the previous attempt.",
        advice=ANOTHER_PORT,
    ),
    Pattern(
        name="store.listen_failed",
        anchors=("The server socket has failed to ",),
        regex=r"The server socket has failed to (?:bind|listen)(?!.{0,200}(?:errno: 9[78]\b|code: -98|EADDRINUSE))",
        samples=(
            Sample(_SOCKET + "The server socket has failed to listen on any local network address."),
            Sample(
                _SOCKET + "The server socket has failed to bind to [10.0.0.9]:29500 (errno: 99 - Cannot assign "
                "requested address)."
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=60,
        title="the store cannot listen on this host",
        advice=ANOTHER_PORT,
    ),
    Pattern(
        name="store.clients_missing",
        anchors=("seconds waiting for clients.",),
        regex=r"Timed out after (?P<seconds>\d+) seconds waiting for clients\. (?P<joined>\d+)/(?P<expected>\d+) "
        r"clients joined",
        samples=(
            Sample(
                "torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 120/128 clients "
                "joined.",
                {"seconds": "901", "joined": "120", "expected": "128"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=75,
        title="not all processes reached the store",
        note="Look for the node without output.",
        advice=(
            Advice("infrastructure", "look for the node without output: {joined} of {expected} processes came"),
            Advice("training", "raise the timeout of init_process_group only where nodes are slow to start"),
        ),
    ),
    Pattern(
        name="store.barrier_timeout",
        anchors=("in store based barrier on rank",),
        regex=r"Timed out initializing process group in store based barrier on rank:? ?(?P<pg_rank>\d+), for key: "
        r"(?P<key>\S+) \(world_size=(?P<world_size>\d+), (?:worker_count|num_workers_joined)=(?P<joined>\d+)",
        samples=(
            Sample(
                "RuntimeError: Timed out initializing process group in store based barrier on rank: 3, for key: "
                "store_based_barrier_key:1 (world_size=16, worker_count=8, timeout=0:30:00)",
                {"pg_rank": "3", "world_size": "16", "joined": "8"},
            ),
            Sample(
                "torch.distributed.DistStoreError: Timed out initializing process group in store based barrier on "
                "rank 3, for key: store_based_barrier_key:1 (world_size=16, num_workers_joined=8, timeout=0:30:00 "
                "error=wait timeout)",
                {"pg_rank": "3", "joined": "8"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=75,
        title="not all ranks joined the process group",
        advice=(Advice("infrastructure", "look for the ranks that never came: {joined} of {world_size} did"),),
    ),
    Pattern(
        name="store.barrier_wait",
        anchors=("Waiting in store based barrier",),
        regex=r"Waiting in store based barrier(?: to initialize process group for (?:rank: )?(?P<pg_rank>\d+)"
        r"(?:, key: (?P<key>\S{1,80}) \(world_size=(?P<world_size>\d+), (?:worker_count|num_workers_joined)=(?P<joined>\d+))?)?",
        samples=(
            Sample(
                "INFO:torch.distributed.distributed_c10d:Waiting in store based barrier to initialize process group "
                "for rank: 3, key: store_based_barrier_key:1 (world_size=16, worker_count=8, timeout=0:30:00)",
                {"pg_rank": "3", "world_size": "16", "joined": "8"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        title="waiting for others to join",
    ),
    Pattern(
        name="store.foreign_server",
        anchors=("Ping failed, invalid",),
        regex=r"Ping failed, invalid (?:nonce|value) returned",
        samples=(
            Sample(
                'RuntimeError: nonce == returnedNonce INTERNAL ASSERT FAILED at "TCPStore.cpp":418, please report a '
                "bug to PyTorch. Ping failed, invalid nonce returned"
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=70,
        title="another program answers on the store's port",
        advice=ANOTHER_PORT,
    ),
    Pattern(
        name="store.name_resolution",
        anchors=("network addresses of (",),
        regex=r"The (?P<family>IPv[46]) network addresses of \((?P<host>[^,]*), (?P<port>\d+)\) cannot be retrieved "
        r"\(gai error: (?P<gai>-?\d+)",
        samples=(
            Sample(
                "[W1121 03:58:07.343677151 socket.cpp:697] [c10d] The IPv6 network addresses of (node000, 29500) "
                "cannot be retrieved (gai error: -2 - Name or service not known).",
                {"family": "IPv6", "host": "node000", "gai": "-2"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.INIT_RENDEZVOUS,
        bulk=True,
        title="the store's host name does not resolve",
        note="Harmless for IPv6 when IPv4 then works; -2 and -3 for both mean a wrong name or no DNS.",
    ),
    Pattern(
        name="store.env_missing",
        anchors=("using env:// rendezvous: environment variable",),
        regex=r"using env:// rendezvous: environment variable (?P<variable>\w+) expected, but not set",
        samples=(
            Sample(
                "ValueError: Error initializing torch.distributed using env:// rendezvous: environment variable RANK "
                "expected, but not set",
                {"variable": "RANK"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=75,
        title="the launcher did not set the rank's environment",
        advice=(
            Advice(
                "training",
                "start with torchrun, which sets {variable}, RANK, WORLD_SIZE, LOCAL_RANK and MASTER_ADDR; under "
                "srun export them in the script",
            ),
        ),
    ),
)

FORMAT = LineFormat(
    name="torch_store",
    title="PyTorch TCPStore and sockets: start",
    reference="pytorch torch/csrc/distributed/c10d/{TCPStore,TCPStoreLibUvBackend,socket}.cpp, 1.12 to 2.15",
    patterns=PATTERNS,
    programs=(Program(Kind.LIBRARY, ("store",), traits=(Trait.TOGETHER, Trait.NO_SIGN_OF_LIFE), source=Source.NCCL),),
)
