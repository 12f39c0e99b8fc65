"""A host that goes down while its job runs, as systemd and the kernel say it."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="systemd",
    title="Hosts that go down, units that are restarted: systemd, thermal zones",
    reference="systemd src/login/logind-action.c, src/core/service.c; linux drivers/thermal/thermal_core.c",
    patterns=(
        Pattern(
            name="host.powers_down",
            anchors=(": System is powering ", ": System is rebooting", ": System is halting"),
            regex=r"systemd-logind(?:\[\d{1,10}\])?: System is (?P<what>powering (?:down|off)|rebooting|halting)",
            samples=(
                Sample(
                    "Jan  2 03:04:05 node007 systemd-logind[957]: System is powering down (hypervisor initiated shutdown).",
                    {"what": "powering down"},
                ),
                Sample("node007 systemd-logind[957]: System is rebooting.", {"what": "rebooting"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=74,
            title="the host was shut down",
            advice=(Advice("infrastructure", "find out who or what ended[ {host}]: maintenance, preemption, power"),),
        ),
        Pattern(
            name="systemd.restart",
            anchors=(": Scheduled restart job, restart counter is at ",),
            regex=r"(?P<unit>[\w@.\\-]{1,120}): Scheduled restart job, restart counter is at (?P<restarts>\d{1,9})",
            samples=(
                Sample(
                    "Jan 02 03:04:05 node007 systemd[1]: train.service: Scheduled restart job, restart counter is at 5.",
                    {"unit": "train.service", "restarts": "5"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.RESTARTS,),
            title="systemd starts a unit again",
        ),
        Pattern(
            name="host.too_hot",
            anchors=(": critical temperature reached",),
            regex=r"thermal (?P<zone>\w{1,40}): critical temperature reached(?: \((?P<celsius>\d{1,4}) ?C\))?",
            samples=(
                Sample(
                    "[ 1622.172326] thermal thermal_zone0: critical temperature reached (105 C), shutting down",
                    {"zone": "thermal_zone0", "celsius": "105"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=80,
            title="the host shut down for its heat",
            advice=(Advice("hardware", "check cooling and fans[ of {host}] before it takes jobs again"),),
        ),
    ),
)
