"""vLLM's engine on Ray: more devices asked for than there are."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="vllm",
    title="vLLM",
    reference="vllm-project/vllm vllm/executor/ray_utils.py, vllm/v1/executor/ray_utils.py",
    patterns=(
        Pattern(
            name="vllm.engine",
            anchors=("init engine (profile, create kv cache", "Loading model weights took ", "Loading weights took "),
            regex=r"init engine \(profile, create kv cache|Loading (?:model )?weights took (?P<took>[\d.]+)",
            samples=(
                Sample(
                    "INFO 01-02 03:04:05 [core.py:159] init engine (profile, create kv cache, warmup model) took 57.07 seconds"
                ),
                Sample("INFO 01-02 03:04:05 [loader.py:458] Loading weights took 12.57 seconds", {"took": "12.57"}),
                Sample(
                    "INFO 01-02 03:04:05 model_runner.py:1014] Loading model weights took 14.57 GB", {"took": "14.57"}
                ),
            ),
            role=Role.INFO,
            marks=(Mark.FORMED,),
        ),
        Pattern(
            name="vllm.too_few_devices",
            anchors=("The number of required ", "Cannot provide a placement group of "),
            regex=r"The number of required (?P<device>\w{1,20}?)s exceeds the total number of available"
            r"|Cannot provide a placement group of placement_group_specs=",
            samples=(
                Sample(
                    "WARNING 01-02 03:04:05 [ray_utils.py:315] The number of required GPUs exceeds the total number of available "
                    "GPUs in the placement group.",
                    {"device": "GPU"},
                ),
                Sample(
                    "ValueError: Cannot provide a placement group of placement_group_specs=[{'GPU': 1.0}] within 1800 seconds."
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            marks=(Mark.WAITS,),
            weight=58,
            title="vLLM waits for more GPUs than its Ray cluster has",
            note="With a cluster that grows the wait can end well: then the engine starts.",
            advice=(
                Advice(
                    "training",
                    "start with a tensor and pipeline parallel size that the cluster has devices for, or join the missing nodes",
                ),
            ),
        ),
    ),
)
