"""gunicorn, which serves programs in Python: its port is taken."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="gunicorn",
    title="gunicorn",
    reference="benoitc/gunicorn gunicorn/sock.py, create_sockets, 20 to 23",
    patterns=(
        Pattern(
            name="gunicorn.in_use",
            anchors=("[ERROR] Connection in use: ",),
            regex=r"\[ERROR\] Connection in use: (?P<address>[^\n]{1,120})",
            samples=(
                Sample(
                    "[2026-01-02 03:04:05 +0000] [4257] [ERROR] Connection in use: ('0.0.0.0', 5757)",
                    {"address": "('0.0.0.0', 5757)"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=58,
            title="the address that gunicorn should listen at is in use",
        ),
        Pattern(
            name="gunicorn.gave_up",
            anchors=("[ERROR] Can't connect to (",),
            regex=r"\[ERROR\] Can't connect to \((?P<address>[^\n]{1,120})",
            samples=(
                Sample(
                    "[2026-01-02 03:04:10 +0000] [4257] [ERROR] Can't connect to ('0.0.0.0', 5757)",
                    {"address": "'0.0.0.0', 5757)"},
                ),
            ),
            role=Role.SYMPTOM,
            title="gunicorn gave up its address",
        ),
    ),
)
