"""Licences that a program does not get: FlexNet under MATLAB, Ansys and others, Gurobi."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="licences",
    title="licences",
    reference="FlexNet Publisher's error codes; MATLAB's and Ansys' licensing messages; Gurobi error 10009, 10030",
    patterns=(
        Pattern(
            name="licence.refused",
            anchors=(
                "License checkout failed",
                "License Manager Error -",
                "Licensed number of users already reached",
                "Failed to checkout license",
                "Failover feature ",
                "HostID mismatch",
            ),
            regex=r"^\W{0,4}(?:License checkout failed\b|License Manager Error -(?P<code>\d{1,4})|Licensed number of users already reached"
            r"|Failed to checkout license\b|Failover feature [^\n]{1,80} is not available"
            r"|[^\n]{0,60}HostID mismatch \(licensed to [^\n]{1,80}\))",
            samples=(
                Sample("License checkout failed."),
                Sample("License Manager Error -4", {"code": "4"}),
                Sample("Licensed number of users already reached.  (-4,342)"),
                Sample("Failover feature 'ANSYS Fluent 57' is not available."),
                Sample("gurobipy.GurobiError: HostID mismatch (licensed to 57a5, hostid is 75b7)"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=62,
            title="a licence was refused",
            advice=(
                Advice(
                    "infrastructure", "look at the licence server: who holds the seats, and does that node reach it"
                ),
            ),
        ),
    ),
)
