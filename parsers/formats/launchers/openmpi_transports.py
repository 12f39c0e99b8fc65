"""Open MPI's byte transfer layers: TCP connections and InfiniBand queues below a job's messages."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="openmpi_transports",
    title="Open MPI: transports",
    reference="open-mpi/ompi opal/mca/btl/tcp and openib, help-mpi-btl-openib.txt, 1.8 to 5",
    patterns=(
        Pattern(
            name="btl.connect",
            anchors=("mca_btl_tcp_endpoint_",),
            regex=r"mca_btl_tcp_endpoint_\w{1,40}\] ?(?:connect\(\) to (?P<peer>\S{1,80}) failed: )(?P<error>[A-Z][\w ]{2,60})",
            samples=(
                Sample(
                    "[node007][[57,1],5][btl_tcp_endpoint.c:57:mca_btl_tcp_endpoint_complete_connect] connect() to 10.1.0.9 "
                    "failed: No route to host (113)",
                    {"peer": "10.1.0.9", "error": "No route to host "},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=62,
            bulk=True,
            title="MPI cannot connect to {peer}: {error}",
            note="Often an interface that only one host can reach: btl_tcp_if_include.",
        ),
        Pattern(
            name="btl.peer_gone",
            anchors=("mca_btl_tcp_frag_",),
            regex=r"mca_btl_tcp_frag_\w{1,20}: (?:readv|writev) failed.{0,40}?(?P<error>Connection reset by peer|Broken pipe)?",
            samples=(
                Sample(
                    "[node007][[57,1],5][btl_tcp_frag.c:57:mca_btl_tcp_frag_send] mca_btl_tcp_frag_send: writev failed: "
                    "Broken pipe (32)",
                ),
            ),
            role=Role.SYMPTOM,
            bulk=True,
            title="the other end of an MPI connection is gone",
        ),
        Pattern(
            name="btl.bad_address",
            anchors=("mca_btl_tcp_frag_",),
            regex=r"mca_btl_tcp_frag_\w{1,20}: (?P<call>readv|writev) error \(0x",
            samples=(
                Sample(
                    "[node007][[57,1],5][btl_tcp_frag.c:57:mca_btl_tcp_frag_send] mca_btl_tcp_frag_send: writev error (0x57e8, 5757)",
                    {"call": "writev"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=58,
            bulk=True,
            title="MPI was handed memory that it cannot reach (Bad address)",
            note="A buffer that was freed or is too short, or one on a GPU without CUDA-aware MPI.",
        ),
        Pattern(
            name="btl.retries",
            anchors=("error polling ", "retry count between two MPI processes"),
            regex=r"error polling (?:LP|HP) CQ with status (?P<status>[A-Z][A-Z ]{3,40}[A-Z])(?: status number (?P<number>\d{1,3}))?"
            r"|The InfiniBand retry count between two MPI processes",
            samples=(
                Sample(
                    "[[57,1],5][btl_openib_component.c:57:handle_wc] from node007 to: node008 error polling LP CQ with status "
                    "RETRY EXCEEDED ERROR status number 12 for wr_id 57",
                    {"status": "RETRY EXCEEDED ERROR", "number": "12"},
                ),
                Sample("The InfiniBand retry count between two MPI processes has been"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=64,
            title="InfiniBand: a peer does not answer",
            note="Peer dead, cable, switch. A consequence where the peer's process ended first.",
        ),
    ),
)
