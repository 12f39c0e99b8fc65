"""c10d's TCPStore when a running job loses it: echoes of the end of rank 0 or of the first node's agent."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_STORE = "[rank57]:[W1121 04:12:42.905934821 TCPStore.cpp:125] [c10d] "
_PEERS = r"SocketImpl\(fd=\d+, addr=\[(?P<local>[\w.:%-]*)\]:\d+, remote=\[(?P<remote>[\w.:%-]*)\]:(?P<port>\d+)\)"

PATTERNS = (
    Pattern(
        name="store.wait_timeout",
        anchors=("wait timeout after",),
        regex=r"wait timeout after (?P<timeout_ms>\d+) ?ms, keys: (?P<keys>[^\s,]+(?:, [^\s,]+){0,20})",
        samples=(
            Sample(
                "torch.distributed.DistStoreError: wait timeout after 300000ms, keys: /default_pg/0//cuda//0",
                {"timeout_ms": "300000", "keys": "/default_pg/0//cuda//0"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.INIT_RENDEZVOUS,
        title="a key was never written to the store",
        note="The writer did not arrive; the key's end often is its rank.",
    ),
    Pattern(
        name="store.socket_timeout",
        anchors=("Socket Timeout", "RuntimeError: Wait timeout", "RuntimeError: Stop_waiting"),
        regex=r"(?:Error: |: )(?P<error>Socket Timeout|Wait timeout|Stop_waiting)\b",
        samples=(
            Sample("[rank5]: torch.distributed.DistStoreError: Socket Timeout", {"error": "Socket Timeout"}),
            Sample("RuntimeError: Wait timeout", {"error": "Wait timeout"}),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.INIT_RENDEZVOUS,
        title="the store did not answer in time",
        note="Every early node says so; the late or missing one is the cause.",
    ),
    Pattern(
        name="store.input_timeout",
        anchors=("waitForInput: ",),
        regex=r"waitForInput: (?:socket|poll for socket) .{0,200}?(?:timed out after (?P<timeout_ms>\d+)ms|returned 0)",
        samples=(
            Sample(
                _STORE + "waitForInput: socket SocketImpl(fd=63, addr=[node007]:58276, remote=[node000]:29500) timed "
                "out after 600000ms",
                {"timeout_ms": "600000"},
            ),
            Sample(
                _STORE + "waitForInput: poll for socket SocketImpl(fd=63, addr=[node007]:58276, "
                "remote=[node000]:29500) returned 0, likely a timeout"
            ),
        ),
        role=Role.SYMPTOM,
        bulk=True,
        title="the store did not answer in time",
    ),
    Pattern(
        name="store.recv_failed",
        anchors=("recvValue failed on", "recvVector failed on", "recvValueWithTimeout failed on"),
        regex=r"recv(?:Value|Vector|ValueWithTimeout) failed on(?: " + _PEERS + r"(?:: (?P<error>.*))?)?",
        samples=(
            Sample(
                _STORE + "recvValue failed on SocketImpl(fd=63, addr=[node007]:58276, remote=[node000]:29500): Failed "
                "to recv, got 0 bytes. Connection was likely closed. Did the remote server shutdown or crash?",
                {"local": "node007", "remote": "node000", "port": "29500"},
            ),
            Sample(
                _STORE + "recvValueWithTimeout failed on SocketImpl(fd=3, addr=[::ffff:10.0.0.7]:58276, "
                "remote=[::ffff:10.0.0.1]:29500): Connection reset by peer",
                {"remote": "::ffff:10.0.0.1", "error": "Connection reset by peer"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.AFTER_EXIT,),
        bulk=True,
        title="the store's host went away",
        note="remote= is the store's host. 0 bytes: the process ended; reset: it was killed. Normal at job end.",
    ),
    Pattern(
        name="store.send_failed",
        anchors=("sendBytes failed on",),
        regex=r"sendBytes failed on(?: " + _PEERS + r"(?:: (?P<error>.*))?)?",
        samples=(
            Sample(
                _STORE + "sendBytes failed on SocketImpl(fd=63, addr=[node007]:58276, remote=[node000]:29500): "
                "Broken pipe",
                {"remote": "node000", "error": "Broken pipe"},
            ),
        ),
        role=Role.NOISE,
        marks=(Mark.AFTER_EXIT,),
        bulk=True,
        title="the store's host is gone",
        note="Repeated every second by the heartbeat monitor.",
    ),
    Pattern(
        name="store.lost",
        anchors=("ailed to recv, got 0 bytes", "DistNetworkError: ", "RuntimeError: Connection reset by peer"),
        regex=r"(?:DistNetworkError|RuntimeError): "
        r"(?P<error>[Ff]ailed to recv, got 0 bytes|Connection reset by peer|Broken pipe|[Ff]ailed to (?:recv|send))",
        samples=(
            Sample(
                "torch.distributed.DistNetworkError: Failed to recv, got 0 bytes. Connection was likely closed. Did "
                "the remote server shutdown or crash?",
                {"error": "Failed to recv, got 0 bytes"},
            ),
            Sample("RuntimeError: Connection reset by peer", {"error": "Connection reset by peer"}),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.AFTER_EXIT,),
        title="the connection to the store broke",
        note="Rank 0, or the agent of the first node, ended before this.",
    ),
    Pattern(
        name="store.harmless",
        anchors=(
            "The client socket cannot be initialized to connect to",
            "The hostname of the client socket cannot be retrieved",
            "The server socket cannot be initialized on",
            "(errno: 97 - Address family not supported",
        ),
        regex=r"The (?:client|server) socket cannot be initialized|The hostname of the client socket cannot be"
        r"|\(errno: 97 - Address family not supported",
        samples=(
            Sample(
                "[W1121 03:58:07.343677151 socket.cpp:464] [c10d] The client socket cannot be initialized to connect "
                "to [node000]:29500 (errno: 97 - Address family not supported by protocol)."
            ),
            Sample(
                "[W1121 03:58:07.343677151 socket.cpp:755] [c10d] The hostname of the client socket cannot be "
                "retrieved. err=-3"
            ),
        ),
        role=Role.NOISE,
        bulk=True,
    ),
)

FORMAT = LineFormat(
    name="torch_store_loss",
    title="PyTorch TCPStore and sockets: later",
    reference="pytorch torch/csrc/distributed/c10d/{TCPStore,TCPStoreLibUvBackend,socket}.cpp, 1.12 to 2.15",
    patterns=PATTERNS,
)
