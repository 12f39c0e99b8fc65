"""torchrun's worker groups: launch configuration, rendezvous, rank maps, restarts, 1.9 to 2.15.

From 2.3 on a message with newlines repeats the logger's header on every line, before that it does not: each
line of a block is a pattern of its own.
"""

from __future__ import annotations

from logtui.parsers.pattern import (
    FailureClass,
    Kind,
    Landmark,
    LineFormat,
    Mark,
    Pattern,
    Program,
    Role,
    Sample,
    Source,
    Trait,
)
from logtui.parsers.remedies import LATE_NODE

_AGENT = "I1121 03:58:02.117000 11807 torch/distributed/elastic/agent/server/api.py:525] "
_RDZV = "W1121 04:13:40.008000 11807 torch/distributed/elastic/rendezvous/dynamic_rendezvous.py:1352] "


def _map(name: str, key: str, value: str, sample: str, title: str) -> Pattern:
    """A `  key=value` line of the agent's "Rendezvous complete" block."""
    return Pattern(
        name=f"torchrun.{name}",
        anchors=(f"  {key}=",),
        regex=rf"(?:^|[\s\]])  {key}=(?P<{name}>{value})\s*$",
        samples=(
            Sample(f"  {key}={sample}", {name: sample}),
            Sample(f"{_AGENT}  {key}={sample}", {name: sample}),
        ),
        role=Role.INFO,
        title=title,
    )


def _config(name: str, value: str, sample: str, title: str) -> Pattern:
    """A `  key   : value` line of the agent's launch configuration."""
    key = name.removeprefix("config_")
    return Pattern(
        name=f"torchrun.{name}",
        anchors=(f"  {key} ",),
        regex=rf"(?:^|[\s\]])  {key} +: (?P<{key}>{value})\s*$",
        samples=(Sample(f"  {key:<16} : {sample}", {key: sample}),),
        role=Role.INFO,
        title=title,
    )


CONFIGURATION = (
    _config("config_min_nodes", r"\d+", "16", "nodes the job waits for"),
    _config("config_max_nodes", r"\d+", "16", "nodes the job may have"),
    _config("config_nproc_per_node", r"\S+", "8", "workers per node"),
    _config("config_rdzv_endpoint", r"\S*", "node000:29500", "rendezvous endpoint"),
    _config("config_run_id", r"\S+", "4821", "run id"),
    _map("restart_count", "restart_count", r"\d+", "0", "restarts so far"),
    _map("master_addr", "master_addr", r"\S+", "node000", "host of the store"),
    _map("group_rank", "group_rank", r"\d+", "7", "node index"),
    _map("group_world_size", "group_world_size", r"\d+", "16", "nodes in the group"),
    _map("local_ranks", "local_ranks", r"\[[\d, ]*\]", "[0, 1, 2, 3]", "local ranks of the node"),
    _map("global_ranks", "global_ranks", r"\[[\d, ]*\]", "[56, 57, 58, 59]", "global ranks of the node"),
    _map("world_sizes", "global_world_sizes", r"\[[\d, ]*\]", "[128, 128]", "world size"),
)

GROUP = (
    Pattern(
        name="torchrun.group_start",
        anchors=("] Rendezvous'ing worker group", "] Starting worker group"),
        regex=r"\[(?P<role>[^\]\s]{1,64})\] (?P<what>Rendezvous'ing|Starting) worker group",
        samples=(
            Sample(_AGENT + "[default] Starting worker group", {"role": "default", "what": "Starting"}),
            Sample(_AGENT + "[default] Rendezvous'ing worker group", {"what": "Rendezvous'ing"}),
        ),
        role=Role.INFO,
        marks=(Mark.STARTS,),
        landmark=Landmark.ATTEMPT,
        title="worker group starts",
    ),
    Pattern(
        name="torchrun.rendezvous_complete",
        anchors=("Rendezvous complete for workers",),
        regex=r"Rendezvous complete for workers\. Result:",
        samples=(Sample(_AGENT + "[default] Rendezvous complete for workers. Result:"),),
        role=Role.INFO,
        marks=(Mark.STARTS,),
        follow=12,
        title="all nodes met",
    ),
    Pattern(
        name="torchrun.restart",
        anchors=("attempts left; will restart worker group",),
        regex=r"Worker group (?P<state>\w+)\. (?P<left>\d+)/(?P<of>\d+) attempts left; will restart worker group",
        samples=(
            Sample(
                _AGENT + "[default] Worker group FAILED. 2/3 attempts left; will restart worker group",
                {"state": "FAILED", "left": "2", "of": "3"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.RESTARTS,),
        landmark=Landmark.RESTART,
        title="torchrun restarts the workers",
        note="Same ranks, new pids: pid maps must be rebuilt.",
    ),
    Pattern(
        name="torchrun.membership",
        anchors=("new nodes from group_rank=",),
        regex=r"Detected (?P<new>\d+) new nodes from group_rank=(?P<group_rank>\d+); will restart worker group",
        samples=(
            Sample(
                _AGENT + "[default] Detected 1 new nodes from group_rank=0; will restart worker group",
                {"new": "1", "group_rank": "0"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.RESTARTS,),
        title="nodes joined: torchrun restarts the workers",
    ),
    Pattern(
        name="torchrun.group_finished",
        anchors=("ocal worker group finished (", "worker group successfully finished"),
        regex=r"ocal worker group finished \((?:WorkerState\.)?(?P<state>SUCCEEDED)\)"
        r"|worker group (?P<word>successfully) finished",
        samples=(
            Sample(
                _AGENT + "Local worker group finished (WorkerState.SUCCEEDED). Waiting 300 seconds for other agents "
                "to finish",
                {"state": "SUCCEEDED"},
            ),
            Sample(
                "INFO:torch.distributed.elastic.agent.server.api:[default] worker group successfully finished. "
                "Waiting 300 seconds for other agents to finish.",
                {"word": "successfully"},
            ),
        ),
        role=Role.END,
        title="the node's workers finished",
    ),
    Pattern(
        name="torchrun.group_failed",
        anchors=("ocal worker group finished (",),
        regex=r"ocal worker group finished \((?:WorkerState\.)?(?P<state>(?!SUCCEEDED)\w+)\)",
        samples=(Sample(_AGENT + "Local worker group finished (WorkerState.FAILED).", {"state": "FAILED"}),),
        role=Role.SYMPTOM,
        title="the node's workers failed",
    ),
)

ERRORS = (
    Pattern(
        name="rendezvous.heartbeat_failed",
        anchors=("has failed to send a keep-alive heartbeat",),
        regex=r"The node '(?P<node>[^']*)' has failed to send a keep-alive heartbeat to the rendezvous "
        r"'(?P<run_id>[^']*)'(?: due to an error of type (?P<error>\w+))?",
        samples=(
            Sample(
                _RDZV + "The node 'node003_11807_0' has failed to send a keep-alive heartbeat to the rendezvous '4821' "
                "due to an error of type RendezvousConnectionError.",
                {"node": "node003_11807_0", "run_id": "4821", "error": "RendezvousConnectionError"},
            ),
        ),
        role=Role.SYMPTOM,
        title="the rendezvous store is gone",
        note="The agent of the first node ended: a consequence.",
    ),
    Pattern(
        name="rendezvous.shutdown_failed",
        anchors=("has failed to shutdown the rendezvous",),
        regex=r"The node '(?P<node>[^']*)' has failed to shutdown the rendezvous '(?P<run_id>[^']*)'",
        samples=(
            Sample(
                _RDZV + "The node 'node003_11807_0' has failed to shutdown the rendezvous '4821' due to an error of "
                "type RendezvousConnectionError.",
                {"node": "node003_11807_0"},
            ),
        ),
        role=Role.NOISE,
        title="the rendezvous store closed first",
    ),
    Pattern(
        name="rendezvous.timeout",
        anchors=("RendezvousTimeoutError",),
        regex=r"(?:^|[\s.])RendezvousTimeoutError(?:\s*|: (?P<text>.*))$",
        samples=(Sample("torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError"),),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=70,
        title="rendezvous timed out: a node never joined",
        advice=LATE_NODE,
    ),
    Pattern(
        name="rendezvous.broken",
        anchors=("RendezvousConnectionError:", "RendezvousStateError"),
        regex=r"(?:^|[\s.])(?P<error>RendezvousConnectionError|RendezvousStateError)(?:\s*|: (?P<text>.*))$",
        samples=(
            Sample(
                "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store "
                "has failed. See inner exception for details.",
                {"error": "RendezvousConnectionError"},
            ),
            Sample("torch.distributed.elastic.rendezvous.api.RendezvousStateError: x", {"text": "x"}),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.INIT_RENDEZVOUS,
        title="no connection to the rendezvous store",
        note="At start-up the cause may be here; later it echoes the end of the first node's agent.",
    ),
    Pattern(
        name="rendezvous.closed",
        anchors=("RendezvousClosedError", "RendezvousGracefulExitError"),
        regex=r"(?:^|[\s.])(?P<error>RendezvousClosedError|RendezvousGracefulExitError)(?:\s*|: .*)$",
        samples=(
            Sample(
                "torch.distributed.elastic.rendezvous.api.RendezvousClosedError", {"error": "RendezvousClosedError"}
            ),
            Sample("torch.distributed.elastic.rendezvous.api.RendezvousGracefulExitError"),
        ),
        role=Role.SYMPTOM,
        title="the rendezvous was closed by another node",
    ),
)

FORMAT = LineFormat(
    name="rendezvous",
    title="torchrun: worker groups and rendezvous",
    reference="pytorch torch/distributed/elastic/{agent,rendezvous,launcher}, 1.9 to 2.15",
    patterns=CONFIGURATION + GROUP + ERRORS,
    programs=(
        Program(
            Kind.LAUNCHER,
            ("rendezvous",),
            "torchrun",
            outer=90,
            traits=(Trait.SEVERAL_PER_TASK, Trait.TOGETHER),
            source=Source.LAUNCHER,
        ),
    ),
)
