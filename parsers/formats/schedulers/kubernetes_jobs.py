"""Training operators on Kubernetes: PyTorchJob, MPIJob, DLRover's job master."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

FORMAT = LineFormat(
    name="kubernetes_jobs",
    title="Kubernetes training operators",
    reference="kubeflow/training-operator 1.9, kubeflow/mpi-operator, intelligent-machine-learning/dlrover",
    patterns=(
        Pattern(
            name="k8s.pod_exit",
            anchors=(" exited with code ",),
            regex=r"Pod: (?P<pod>\S+) exited with code (?P<exitcode>\d+)",
            samples=(
                Sample(
                    "57s   Normal   ExitedWithCode   pytorchjob/llama   Pod: ml.llama-worker-3 exited with code 1",
                    {"pod": "ml.llama-worker-3", "exitcode": "1"},
                ),
            ),
            role=Role.STATE,
            marks=(Mark.EXIT_CODE,),
            title="a pod of the job ended",
            note="The first one that is neither 0 nor 143 is the candidate; the operator then deletes the others.",
        ),
        Pattern(
            name="k8s.job_failed",
            anchors=(" replica(s) failed", "has reached the specified backoff limit"),
            regex=r"(?<!\S)(?P<job>\S+) is (?P<what>restarting|failed|failing) because (?P<count>\d+)? ?\"?(?P<kind>\w+)\"? replica\(s\) failed|has reached the specified backoff limit",
            samples=(
                Sample(
                    "PyTorchJob llama is failed because 1 Worker replica(s) failed.",
                    {"job": "llama", "what": "failed", "count": "1", "kind": "Worker"},
                ),
                Sample("Job llama has failed because it has reached the specified backoff limit", {}),
            ),
            role=Role.SYMPTOM,
            title="the operator saw replicas fail",
        ),
        Pattern(
            name="k8s.job_succeeded",
            anchors=(" successfully completed.",),
            regex=r"(?P<kind>PyTorchJob|MPIJob) (?P<job>\S+) successfully completed",
            samples=(Sample("PyTorchJob ml/llama successfully completed.", {"kind": "PyTorchJob", "job": "ml/llama"}),),
            role=Role.END,
            title="the operator saw the job complete",
        ),
        Pattern(
            name="k8s.workers_evicted",
            anchors=(" workers are evicted",),
            regex=r"(?P<count>\d+)/(?P<total>\d+) workers are evicted",
            samples=(
                Sample(
                    "57s   Warning   MPIJobEvicted   mpijob/llama   1/16 workers are evicted",
                    {"count": "1", "total": "16"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=74,
            title="workers were evicted",
        ),
        Pattern(
            name="dlrover.straggler",
            anchors=("The node is a straggler and exits", "and stragglers are: ["),
            regex=r"The node is a straggler and exits|stragglers are: \[(?P<nodes_named>\d[\d, ]*)\]",
            samples=(
                Sample("RuntimeError: The node is a straggler and exits.", {}),
                Sample(
                    "[2026-01-02 03:04:05,678] [INFO] [training.py:707:run] Fault nodes are: []  and stragglers are: [7].",
                    {"nodes_named": "7"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SLOW_TRAINING,
            weight=76,
            title="DLRover excludes a slow node",
            advice=(Advice("infrastructure", "look at nodes {nodes_named}: clocks, PCIe and network links"),),
        ),
        Pattern(
            name="kubeflow.master_missing",
            anchors=("restarting failed container init-pytorch",),
            regex=r"Back-off restarting failed container init-pytorch(?: in pod (?P<pod>[\w.-]+))?",
            samples=(
                Sample(
                    "  Warning  BackOff  57s  kubelet  Back-off restarting failed container init-pytorch in pod llama-worker-0_ml(57)",
                    {"pod": "llama-worker-0_ml"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=60,
            title="a worker waits for a master that has no name yet",
            note="Kubeflow's init container looks the master's service up: its pod or service is not there.",
        ),
        Pattern(
            name="dlrover.fault_nodes",
            anchors=("Fault nodes are: [", "The node network is breakdown"),
            regex=r"Fault nodes are: \[(?P<nodes_named>\d[\d, ]*)\]|The node network is breakdown",
            samples=(
                Sample(
                    "[2026-01-02 03:04:05,678] [INFO] [training.py:707:run] Fault nodes are: [7]  and stragglers are: [].",
                    {"nodes_named": "7"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=72,
            title="DLRover's network check failed on nodes",
            advice=(
                Advice("infrastructure", "run a two-node NCCL test on nodes {nodes_named}, and keep out what fails"),
            ),
        ),
        Pattern(
            name="dlrover.process_errors",
            anchors=(" fails: {",),
            regex=r"\bworker-(?P<node>\d+) (?:on (?P<hosts>\S+) )?restart (?P<restart>\d+) fails: \{",
            samples=(
                Sample(
                    'worker-7 on 10.0.0.7 restart 0 fails: {"57": {"local_rank": 1, "exitcode": -6, "message": ""}}',
                    {"node": "7", "hosts": "10.0.0.7", "restart": "0"},
                ),
                Sample("任务 llm 训练进程失败 llm-edljob worker-7 restart 0 fails: {", {"node": "7", "restart": "0"}),
            ),
            role=Role.SYMPTOM,
            follow=64,
            title="DLRover's job master was told of failed processes",
            note="JSON by global rank follows: local rank, exit code, message.",
        ),
        Pattern(
            name="dlrover.elapsed",
            anchors=("The node elapsed time are ",),
            regex=r"Round (?P<round>\d+): The node elapsed time aree? (?P<seconds_by_node>\{[^}]*\})",
            samples=(
                Sample(
                    "Round 0: The node elapsed time are {0: 20.3, 7: 206.8}",
                    {"round": "0", "seconds_by_node": "{0: 20.3, 7: 206.8}"},
                ),
            ),
            role=Role.STATE,
            title="DLRover timed every node",
            note="One node far above the others is slow.",
        ),
    ),
    programs=(Program(Kind.AGENT, ("dlrover",), traits=(Trait.TOGETHER,)),),
)
