"""Kubernetes events and pod states, as `kubectl get events`, `describe`, klog and JSON print them."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source, Trait
from logtui.parsers.remedies import LESS_ON_HOST

_EVENT = '"Event occurred" object="ml/llama-worker-3" kind="Pod" apiVersion="v1" type="Warning" reason='

NODES = (
    Pattern(
        name="k8s.node_not_ready",
        anchors=("NodeNotReady",),
        regex=r"NodeNotReady(?:\s+\S+?/(?P<object>\S+))?",
        samples=(
            Sample(
                "2m13s       Warning   NodeNotReady        pod/llama-worker-3            Node is not ready",
                {"object": "llama-worker-3"},
            ),
            Sample(
                "I0102 03:04:05.678901       1 event.go:291] " + _EVENT + '"NodeNotReady" message="Node is not ready"',
                {},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=80,
        title="a node stopped reporting",
        note="Culprit: the node of the pod.",
        advice=(
            Advice(
                "infrastructure",
                "cordon[ {host}] and look at its kubelet and its network: kubectl describe node[ {host}]; "
                "resubmit from the last checkpoint",
            ),
        ),
    ),
    Pattern(
        name="k8s.rebooted",
        anchors=(" has been rebooted, boot id: ", "Starting kubelet."),
        regex=r"Node (?P<host>\S+) has been rebooted, boot id: |Starting kubelet\.",
        samples=(
            Sample(
                "57s   Warning   Rebooted   node/node007   Node node007 has been rebooted, boot id: 5757",
                {"host": "node007"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=70,
        title="a node was restarted",
    ),
    Pattern(
        name="k8s.system_oom",
        anchors=("System OOM encountered, victim process: ",),
        regex=r"System OOM encountered, victim process: (?P<process>[^,]+), pid: (?P<pid>\d+)",
        samples=(
            Sample(
                "57s   Warning   SystemOOM   node/node007   System OOM encountered, victim process: python3, pid: 4242",
                {"process": "python3", "pid": "4242"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=86,
        title="a node ran out of memory",
        advice=(
            Advice(
                "infrastructure",
                "raise the container's memory limit[ on {host}] (resources.limits.memory); an emptyDir of medium "
                "Memory counts too",
            ),
            *LESS_ON_HOST,
        ),
    ),
    Pattern(
        name="k8s.node_problem",
        anchors=(
            "KernelOops",
            "TaskHung",
            "Ext4Error",
            "FilesystemIsReadOnly",
            "XfsHasShutdown",
            "MemoryReadError",
            "CperHardwareErrorFatal",
        ),
        regex=r"Warning\s+(?P<reason>KernelOops|TaskHung|Ext4Error|FilesystemIsReadOnly|XfsHasShutdown|MemoryReadError|CperHardwareErrorFatal)\s+node/(?P<host>\S+)",
        samples=(
            Sample(
                "57s   Warning   TaskHung   node/node007   INFO: task python3 is hung",
                {"reason": "TaskHung", "host": "node007"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=74,
        title="node-problem-detector reports a node",
    ),
)

PODS = (
    Pattern(
        name="k8s.oom_killed",
        anchors=("OOMKilled",),
        regex=r"(?:Reason:\s+|reason: |\"reason\": ?\"|\s)OOMKilled\b",
        samples=(Sample("      Reason:       OOMKilled"), Sample("llama-worker-3   0/1   OOMKilled   0   57m")),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=86,
        title="a container was killed at its memory limit",
        note="Only if the killed process was the container's first; a killed data worker leaves no mark.",
        advice=(
            Advice(
                "infrastructure",
                "raise the container's memory limit[ on {host}] (resources.limits.memory); an emptyDir of medium "
                "Memory counts too",
            ),
            *LESS_ON_HOST,
        ),
    ),
    Pattern(
        name="k8s.evicted",
        anchors=(
            "The node was low on resource: ",
            "ephemeral local storage usage exceeds",
            'Usage of EmptyDir volume "',
        ),
        regex=r"The node was low on resource: (?P<resource>[\w-]+)|ephemeral local storage usage exceeds the total limit|Usage of EmptyDir volume \"(?P<volume>[^\"]+)\" exceeds the limit",
        samples=(
            Sample(
                "57s   Warning   Evicted   pod/llama-worker-3   The node was low on resource: ephemeral-storage. Threshold quantity: 30Gi, available: 57Ki.",
                {"resource": "ephemeral-storage"},
            ),
            Sample('Usage of EmptyDir volume "shm" exceeds the limit "8Gi". ', {"volume": "shm"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=78,
        title="a pod was evicted",
        advice=(
            Advice(
                "infrastructure",
                "give the pod requests and limits for {resource}, or clean the node[ {host}]: it was evicted for "
                "want of it",
            ),
        ),
    ),
    Pattern(
        name="k8s.preempted",
        anchors=("Preempted by ", "Preempted to accommodate ", "DisruptionTarget", "Pod is evicted, because of "),
        regex=r"Preempted (?:by (?P<by>\S+)|to accommodate a (?:higher priority )?(?P<what>\w+))|Pod is evicted, because of (?P<why>\w+)",
        samples=(
            Sample(
                "57s   Warning   Preempted   pod/llama-worker-3   Preempted by ml/urgent-0 on node node007",
                {"by": "ml/urgent-0"},
            ),
            Sample(
                "    Message:               Preempted to accommodate a workload (UID: 5757) due to prioritization in the ClusterQueue",
                {"what": "workload"},
            ),
            Sample("  Warning  Evict  57s  volcano  Pod is evicted, because of reclaim", {"why": "reclaim"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=78,
        title="preempted by the scheduler",
        note="kube-scheduler, Kueue or Volcano.",
        advice=(Advice("training", "checkpoint on SIGTERM, or give the job a higher PriorityClass"),),
    ),
    Pattern(
        name="k8s.deadline",
        anchors=("active on the node longer than the specified deadline", "active longer than specified deadline"),
        regex=r"active (?:on the node )?longer than (?:the )?specified deadline",
        samples=(
            Sample("Pod was active on the node longer than the specified deadline"),
            Sample("Job llama has failed because it was active longer than specified deadline"),
        ),
        role=Role.CAUSE,
        marks=(Mark.TIME_LIMIT,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=76,
        title="Kubernetes ended the job at its deadline",
    ),
    Pattern(
        name="k8s.taint_eviction",
        anchors=("TaintManagerEviction", "Marking for deletion Pod "),
        regex=r"TaintManagerEviction|Marking for deletion Pod (?P<pod>\S+)",
        samples=(Sample("Marking for deletion Pod ml/llama-worker-3", {"pod": "ml/llama-worker-3"}),),
        role=Role.SYMPTOM,
        title="pods are deleted from a node that is not ready",
    ),
    Pattern(
        name="k8s.killing",
        anchors=("Stopping container ",),
        regex=r"Stopping container (?P<container>[\w.-]+)",
        samples=(
            Sample(
                "57s   Normal   Killing   pod/llama-worker-3   Stopping container pytorch", {"container": "pytorch"}
            ),
        ),
        role=Role.SYMPTOM,
        title="a container is stopped",
    ),
    Pattern(
        name="k8s.exit_code",
        anchors=("Exit Code:  ", '"exitCode": '),
        regex=r"Exit Code: +(?P<exitcode>[1-9]\d*)|\"exitCode\": (?P<code>[1-9]\d*)",
        samples=(Sample("      Exit Code:    137", {"exitcode": "137"}),),
        role=Role.STATE,
        title="exit code of a container",
        note="137 SIGKILL, 143 SIGTERM, 139 SIGSEGV, 134 SIGABRT, 135 SIGBUS, 1 exception.",
    ),
    Pattern(
        name="k8s.pod_status",
        anchors=("   Error  ", "   Evicted  ", "   ContainerStatusUnknown  ", "   NodeLost  "),
        regex=r"^(?P<pod>[a-z][\w.-]+)\s+\d+/\d+\s+(?P<status>Error|Evicted|ContainerStatusUnknown|NodeLost)\s+\d+",
        samples=(
            Sample(
                "llama-worker-3                0/1     Error       0          57m",
                {"pod": "llama-worker-3", "status": "Error"},
            ),
        ),
        role=Role.STATE,
        title="state of a pod",
    ),
    Pattern(
        name="k8s.back_off",
        anchors=("Back-off restarting failed container", "CrashLoopBackOff"),
        regex=r"Back-off restarting failed container|CrashLoopBackOff",
        samples=(
            Sample("  Warning  BackOff  33s (x70 over 15m)  kubelet, node007  Back-off restarting failed container"),
        ),
        role=Role.SYMPTOM,
        bulk=True,
        title="a container fails again and again",
    ),
)

LAUNCH = (
    Pattern(
        name="k8s.node_shutdown",
        anchors=("in response to imminent node shutdown",),
        regex=r"Pod was terminated in response to imminent node shutdown",
        samples=(
            Sample(
                "57s   Warning   NodeShutdown   pod/llama-worker-3   Pod was terminated in response to imminent node shutdown."
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=80,
        title="the node was shut down",
        note="A preempted or drained node: the kubelet ends its pods first.",
    ),
    Pattern(
        name="k8s.unschedulable",
        anchors=(" nodes are available: ", " nodes are unavailable: "),
        regex=r"(?P<available>\d+)/(?P<total>\d+) nodes are (?:un)?available: (?P<reason>.+?)(?:\. preemption|$)",
        samples=(
            Sample(
                "57s   Warning   FailedScheduling   pod/llama-worker-3   0/7 nodes are available: 7 Insufficient nvidia.com/gpu. preemption: "
                "0/7 nodes are available: 7 No preemption victims found.",
                {"available": "0", "total": "7", "reason": "7 Insufficient nvidia.com/gpu"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=60,
        bulk=True,
        title="a pod could not be scheduled",
        note="Explains store timeouts of the pods that did start.",
        advice=(
            Advice(
                "infrastructure",
                "free or add what is missing ({reason}), or ask for less: some pods of the job never ran",
            ),
        ),
    ),
    Pattern(
        name="k8s.image",
        anchors=("Failed to pull image ", "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull"),
        regex=r"Failed to pull image \"(?P<image>[^\"]+)\"|(?P<reason>ErrImagePull|ImagePullBackOff|ErrImageNeverPull)",
        samples=(
            Sample(
                '57s   Warning   Failed   pod/llama-worker-3   Failed to pull image "registry/llama:57": not found',
                {"image": "registry/llama:57"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=70,
        bulk=True,
        title="an image could not be pulled",
        advice=(Advice("infrastructure", "check name, tag and pull secret of {image}: {reason}"),),
    ),
    Pattern(
        name="k8s.mount",
        anchors=("FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "UnexpectedAdmissionError"),
        regex=r"(?P<reason>FailedMount|FailedAttachVolume|FailedCreatePodSandBox|UnexpectedAdmissionError)\b(?:\s+\S*?pod/(?P<pod>\S+))?",
        samples=(
            Sample(
                "57s   Warning   FailedMount   pod/llama-worker-3   MountVolume.SetUp failed for volume",
                {"reason": "FailedMount", "pod": "llama-worker-3"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=66,
        bulk=True,
        title="a pod could not be set up",
        advice=(Advice("infrastructure", "check the volume, secret or config map of {pod}: {reason}"),),
    ),
)

FORMAT = LineFormat(
    name="kubernetes",
    title="Kubernetes events and pod states; Kueue",
    reference="kubernetes/kubernetes pkg/kubelet/events, pkg/controller/nodelifecycle; kubernetes-sigs/kueue",
    patterns=NODES + PODS + LAUNCH,
    programs=(
        Program(
            Kind.SCHEDULER,
            ("k8s",),
            "kubernetes",
            outer=50,
            traits=(Trait.JOINS_NODES, Trait.TOGETHER, Trait.WHOLE_JOB),
            source=Source.SCHEDULER,
        ),
    ),
)
