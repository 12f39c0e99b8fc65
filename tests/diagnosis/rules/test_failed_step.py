"""What the command of a workflow's step said, above its engine's word or quoted below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
BEGUN = "Building DAG of jobs...\nUsing shell: /bin/bash\n[Tue Jun  9 09:10:20 2026]\nrule trim57:\n    jobid: 4\n"
TRIMS = "reading S57.fastq.gz\n1000000 reads done\n"
RULE = "[Tue Jun  9 09:12:51 2026]\nError in rule trim57:\n    jobid: 4\n    output: trimmed/S57.fq\n"
OFFLINE = '[W::open_reference] Failed to open reference "http://ref57.example/md5/1b22": Connection timed out\n'
NEXTFLOW = """N E X T F L O W  ~  version 25.04.1
[3b/91f0c2] Submitted process > RNA:TRIM57 (S57)
ERROR ~ Error executing process > 'RNA:TRIM57 (S57)'

Caused by:
  Process `RNA:TRIM57 (S57)` terminated with an error exit status ({status})

Command executed:

  trim57 --in S57.fastq.gz

Command exit status:
  {status}

Command output:
  (empty)

Command error:
  WARNING: Skipping mount /etc/resolv.conf
  {said}

Work dir:
  /scratch/run57/w/3b/91f0c2
"""


@pytest.mark.parametrize(
    ("said", "cls", "line"),
    [
        (OFFLINE + "trim57: stopped\n", "network", 8),
        ("trim57: cannot write: No space left on device\n", "storage-io", 8),
        ("[E::trim57] something else failed\n", "software", 8),
    ],
    ids=["no reference", "full disk", "its own"],
)
def test_the_words_of_the_command_above_snakemakes(report_of: ReportOf, said: str, cls: str, line: int) -> None:
    verdict = report_of({"pipeline.log": BEGUN + TRIMS + said + RULE}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.line) == (cls, line)


@pytest.mark.parametrize(
    ("status", "said", "cls"),
    [
        (1, "The filter removed all reads: S57.fq not written", "data"),
        (137, "command.sh: line 12: 57 Killed   trim57 --in S57.fastq.gz", "host-oom"),
        (140, "trim57: aborted by signal", "infrastructure"),
    ],
    ids=["no reads", "killed", "time limit"],
)
def test_the_words_that_nextflow_quotes(report_of: ReportOf, status: int, said: str, cls: str) -> None:
    verdict = report_of({"nohup.out": NEXTFLOW.format(status=status, said=said)}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.text.strip()) == (cls, said)


def test_without_words_the_engine_is_cited(report_of: ReportOf) -> None:
    verdict = report_of({"pipeline.log": BEGUN + TRIMS + RULE}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.text) == ("software", "Error in rule trim57:")


def test_what_the_command_raised_in_the_block_that_nextflow_quotes(report_of: ReportOf) -> None:
    said = 'Traceback (most recent call last):\n    File "/opt/trim57.py", line 7, in <module>\n      cut(reads)\n  {}'
    raised = "ValueError: no reads of 57 bases"
    verdict = report_of({"nohup.out": NEXTFLOW.format(status=1, said=said.format(raised))}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.text.strip()) == ("software", raised)
