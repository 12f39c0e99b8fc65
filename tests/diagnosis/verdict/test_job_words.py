"""What the report tells of a job: what it does, its data, its layout, and how it started."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.markdown import render

ReportOf = Callable[[Mapping[str, str]], Report]
STEP = "step 57 loss 2.3\n"
LAYOUT = "using world size: 16, data-parallel size: 2, context-parallel size: 1, tensor-model-parallel size: 8, pipeline-model-parallel size: 1\n"
INIT = "node{host:03d}:{pid}:{pid} [{dev}] NCCL INFO comm 0x55d{n} rank {n} nranks 16 cudaDev {dev} nvmlDev {dev} busId {dev}b000 commId 0x9 - Init COMPLETE\n"


@pytest.mark.parametrize(
    ("text", "activity"),
    [
        (STEP, "training"),
        ("Fine-tuning starts from /models/m.nemo\n" + STEP, "fine-tuning"),
        ("  finetune ........................ True\n" + STEP, "fine-tuning"),
        ("  finetune ........................ False\n" + STEP, "training"),
        ("python finetune.py --lr 7e-4\n" + STEP, "training"),
        ("Initializing a V1 LLM engine (v0.8.5) with config: model='m', quantization=None\n", "inference"),
        ("hello\n", None),
    ],
    ids=["steps", "said", "an argument", "denied", "a script's name", "a server", "nothing"],
)
def test_what_the_job_does(text: str, activity: str | None, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).job.activity == activity


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("  data_path ......................... ['/data/pile_text_document']\n", "/data/pile_text_document"),
        ("train_files: s3://corpus/train.parquet\n", "s3://corpus/train.parquet"),
        ("dataset_name='allenai/c4',\n", "allenai/c4"),
        ("reading ais://speech/a/1.tar\nreading ais://speech/a/2.tar\n", "ais://speech/a"),
        ("data_path ......................... None\n", None),
        ("AIS_ENDPOINT=http://10.0.0.7:51080\n", "http://10.0.0.7:51080"),
    ],
    ids=["Megatron", "a list of files", "a hub's name", "a bucket", "none", "an endpoint alone"],
)
def test_where_samples_come_from(text: str, source: str | None, report_of: ReportOf) -> None:
    assert report_of({"train.log": text + STEP}).job.data_source == source


@pytest.mark.parametrize(
    ("text", "resumed", "words"),
    [
        ("step 1 loss 2.3\nstep 2 loss 2.3\n", False, "| Resumed from | not resumed |"),
        (STEP, None, "| Resumed from | unknown |"),
        ("Resuming training from checkpoint: /ckpt/400\n" + STEP, True, "| Resumed from | /ckpt/400 |"),
    ],
    ids=["from the first step", "unknown", "from a checkpoint"],
)
def test_whether_it_went_on_from_a_checkpoint(text: str, resumed: bool | None, words: str, report_of: ReportOf) -> None:
    report = report_of({"train.log": text})
    assert report.job.resumed is resumed
    assert words in render(report)


@pytest.mark.parametrize(("per_node", "nodes"), [(4, 2), (8, 1)], ids=["over two nodes", "within one"])
def test_tensor_parallelism_across_nodes_is_said(per_node: int, nodes: int, report_of: ReportOf) -> None:
    inits = "".join(INIT.format(host=n // per_node, pid=5000 + n, dev=n % per_node, n=n) for n in range(16))
    report = report_of({"train.log": LAYOUT + inits + STEP})
    assert (dict(report.job.parallel), report.job.tensor_nodes) == ({"TP": 8, "DP": 2}, nodes)
    assert ("a TP group lies over 2 nodes" in render(report)) == (nodes == 2)
