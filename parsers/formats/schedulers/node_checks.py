"""Checks of a node before a job starts on it, as platforms and prologs report them."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Source

_ANCHORS = ("ootcheck failed", "oot check failed", "ealth check failed", "ode check failed", "reflight check failed")
_CHECK = (
    r"(?P<check>[Bb]oot ?check|[Nn]ode (?:health )?check|GPU (?:health )?check|[Pp]reflight check) failed: "
    r"(?={gpu})(?P<what>.{{1,200}}?)(?: on (?:node|host) (?P<hosts>[\w.-]{{1,120}}))?\s*$"
)

FORMAT = LineFormat(
    name="node_checks",
    title="checks of nodes before a job",
    reference="bootchecks, preflight and health checks of training platforms",
    patterns=(
        Pattern(
            name="nodecheck.gpu",
            anchors=_ANCHORS,
            regex=_CHECK.format(gpu=r".{0,80}\bGPU"),
            samples=(
                Sample(
                    "2026-11-21 04:12:03 Bootcheck failed: GPU check: GPU 5 lost on node node007",
                    {"check": "Bootcheck", "what": "GPU check: GPU 5 lost", "hosts": "node007"},
                ),
                Sample(
                    "Node health check failed: GPU 3: uncorrectable errors", {"what": "GPU 3: uncorrectable errors"}
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=82,
            title="{check} failed: {what}",
            advice=(
                Advice("hardware", "keep the node[ {hosts}] out, read its kernel log for Xid lines, and test its GPUs"),
            ),
        ),
        Pattern(
            name="nodecheck.failed",
            anchors=_ANCHORS,
            regex=_CHECK.format(gpu=r"(?!.{0,80}\bGPU)"),
            samples=(
                Sample(
                    "Preflight check failed: link mlx5_7 is down on host node007",
                    {"what": "link mlx5_7 is down", "hosts": "node007"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=74,
            title="{check} failed: {what}",
            advice=(Advice("infrastructure", "keep the node[ {hosts}] out until the check passes, and start again"),),
        ),
        Pattern(
            name="nodecheck.verdict",
            anchors=("Troubleshoot: ",),
            regex=r"\bTroubleshoot: (?P<what>.{1,200})",
            samples=(
                Sample(
                    "2026-11-21 04:12:09 Troubleshoot: network error, rescheduling",
                    {"what": "network error, rescheduling"},
                ),
            ),
            role=Role.SYMPTOM,
            title="the platform's own verdict: {what}",
        ),
    ),
    programs=(Program(Kind.AGENT, ("nodecheck",), source=Source.SCHEDULER),),
)
