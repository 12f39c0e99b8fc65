"""LightGBM over several machines: what it ends with."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="lightgbm",
    title="LightGBM",
    reference="microsoft/LightGBM include/LightGBM/utils/log.h, src/network/linkers_socket.cpp; 2.0 to 4.6",
    patterns=(
        Pattern(
            name="lightgbm.no_group",
            anchors=("[LightGBM] [Fatal] ",),
            regex=r"\[LightGBM\] \[Fatal\] (?P<what>Binding port \d+ failed|Connecting to rank \d+ failed"
            r"|Please set the local listening port|Machine list file doesn't contain)",
            samples=(Sample("[LightGBM] [Fatal] Binding port 5757 failed", {"what": "Binding port 5757 failed"}),),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=66,
            title="LightGBM's machines did not find each other",
        ),
        Pattern(
            name="lightgbm.network",
            anchors=("[LightGBM] [Fatal] Socket ",),
            regex=r"\[LightGBM\] \[Fatal\] Socket (?P<call>\w{1,12}) error, (?P<error>.{1,80}?) \(code: \d+\)",
            samples=(
                Sample(
                    "[LightGBM] [Fatal] Socket send error, Broken pipe (code: 32)",
                    {"call": "send", "error": "Broken pipe"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=50,
            title="a machine of LightGBM's lost another",
        ),
    ),
)
