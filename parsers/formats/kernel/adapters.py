"""Network adapters of other makers, firmware that gives up, and commands that an adapter refuses."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_HEAD = "[ 1622.172326] "

FORMAT = LineFormat(
    name="adapters",
    title="Linux kernel: network adapters' links and firmware",
    reference="torvalds/linux drivers/net/ethernet (bnxt_en, ice, i40e, mlx5_core health.c), drivers/infiniband; Cray cxi driver",
    patterns=(
        Pattern(
            name="adapter.link_down",
            anchors=("NIC Link is Down", "Link is Down", "] link down", "] Link down"),
            regex=r"\b(?P<driver>bnxt_en|ice|i40e|ixgbe|igb|tg3|qede|nfp|hns3|ionic|cxi_core|cxi_ss1) (?P<bdf>[\w:.]{4,20}):?"
            r" (?P<interface>[\w.\[\]-]{1,40}):? ?(?:NIC )?[Ll]ink (?:is )?[Dd]own",
            samples=(
                Sample(
                    _HEAD + "bnxt_en 0000:9c:00.0 eth5: NIC Link is Down", {"driver": "bnxt_en", "interface": "eth5"}
                ),
                Sample(_HEAD + "cxi_core 0000:9c:00.0: cxi5[hsn5] link down", {"interface": "cxi5[hsn5]"}),
            ),
            role=Role.CAUSE,
            marks=(Mark.HAMPERS,),
            cls=FailureClass.NETWORK,
            weight=76,
            title="a network adapter lost its link",
            note="A pair of down and up at boot is normal.",
            advice=(Advice("infrastructure", "check cable, optics and switch port of {interface}[ on {host}]"),),
        ),
        Pattern(
            name="adapter.firmware",
            anchors=(
                "Health issue observed",
                "mlx5_error_sw_reset",
                "Fatal error detected, ",
                "firmware internal error",
            ),
            regex=r"mlx5_core (?P<bdf>[\w:.]{4,20}): .{0,80}?(?P<what>Health issue observed, .{0,60}?severity\([0-3]\)|mlx5_error_sw_reset\b"
            r"|[Ff]irmware internal error|Fatal error detected)",
            samples=(
                Sample(
                    _HEAD
                    + "mlx5_core 0000:9c:00.0: print_health_info:57:(pid 0): Health issue observed, unrecoverable "
                    "hardware error, severity(3) ERROR:",
                    {"bdf": "0000:9c:00.0"},
                ),
                Sample(_HEAD + "mlx5_core 0000:9c:00.0: mlx5_error_sw_reset:57:(pid 4242): start"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=80,
            title="a network adapter's firmware failed",
            advice=(Advice("infrastructure", "power-cycle the host[ {host}]; update or replace the adapter {bdf}"),),
        ),
        Pattern(
            name="adapter.command",
            anchors=("mlx5_cmd_out_err:", "mlx5_cmd_check:"),
            regex=r"mlx5_cmd_(?:out_err|check):.{0,40}?(?P<command>CREATE_(?:QP|CQ|EQ|MKEY)|INIT2RTR_QP|RTR2RTS_QP|REG_UMR)\(0x[0-9a-f]+\)"
            r".{0,60}?failed, status (?P<status>[^(,]{1,60})",
            samples=(
                Sample(
                    _HEAD
                    + "mlx5_core 0000:9c:00.0: mlx5_cmd_out_err:57:(pid 4242): CREATE_MKEY(0x200) op_mod(0x0) failed, "
                    "status limits exceeded(0x8), syndrome (0x57)",
                    {"command": "CREATE_MKEY", "status": "limits exceeded"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=54,
            bulk=True,
            title="a network adapter refuses a command: {status}",
        ),
        Pattern(
            name="adapter.port",
            anchors=("infiniband mlx5_", "infiniband bnxt_re", "infiniband irdma"),
            regex=r"infiniband (?P<device>\w{3,20}): .{0,60}?port (?P<port>\d{1,3})\b.{0,40}?(?:error|down)\b",
            samples=(
                Sample(
                    _HEAD + "infiniband mlx5_5: async event on port 1: link is down", {"device": "mlx5_5", "port": "1"}
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.HAMPERS,),
            cls=FailureClass.NETWORK,
            weight=76,
            title="an InfiniBand port failed",
        ),
    ),
)
