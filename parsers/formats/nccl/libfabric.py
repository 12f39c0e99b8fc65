"""libfabric and its providers, Slingshot's CXI among them, as programs print what their calls return."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="libfabric",
    title="libfabric",
    reference="ofiwg/libfabric prov/cxi and man pages, 1.15 to 2.1",
    patterns=(
        Pattern(
            name="libfabric.queue",
            anchors=("Event Queue overflow",),
            regex=r"(?P<what>(?:Cassini )?Event Queue overflow)",
            samples=(
                Sample(
                    "libfabric:4242:1767323045::cxi:core:cxip_evtq_progress:57<warn> node007: Cassini Event Queue overflow "
                    "detected.",
                    {"what": "Cassini Event Queue overflow"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=60,
            bulk=True,
            title="Slingshot: a queue of events ran over",
            advice=(Advice("training", "FI_CXI_DEFAULT_CQ_SIZE=131072, FI_CXI_RX_MATCH_MODE=hybrid"),),
        ),
        Pattern(
            name="libfabric.call",
            anchors=(
                "fi_ep_bind",
                "fi_cq_read",
                "fi_endpoint",
                "fi_mr_reg",
                "fi_domain",
                "fi_fabric",
                "fi_tsend",
            ),
            regex=r"^(?!.{0,300}<(?:info|debug|trace)>).{0,600}?\bfi_(?P<call>\w{2,30})\b.{0,40}?(?i:provider|returned|failed)\b.{0,40}?(?:errno:? ?|\(|: |= ?| )(?P<errno>-\d{1,5})\b",
            samples=(
                Sample("fi_mr_reg: Provider prov/cxi errno -57 (Invalid argument)", {"call": "mr_reg", "errno": "-57"}),
                Sample("fi_cq_readerr returned -57", {"call": "cq_readerr", "errno": "-57"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=56,
            bulk=True,
            title="a call of libfabric failed",
            note="Not fi_getinfo: it asks all providers, and those that are not there answer -61.",
        ),
    ),
)
