"""What the counters that matter in a failure mean; not always what their names suggest."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.parsers.aistore.stats import Kind, kind_of
from logtui.parsers.aistore.units import show_seconds, show_size


@dataclass(frozen=True, slots=True)
class Meaning:
    """One counter."""

    name: str
    role: str
    """`target`, `proxy` or `both`."""
    error: bool
    """Whether growth is a failure by itself."""
    text: str


_ALL = (
    Meaning("err.getbatch.n", "target", True, "failed or rejected batches"),
    Meaning("err.soft.getbatch.n", "target", True, "tolerated errors in batches: missing objects, broken peers"),
    Meaning("err.gfn.getbatch.n", "target", True, "failed recoveries from a neighbour"),
    Meaning("getbatch.rxwait.ns", "target", False, "time that the assembling target waited for its peers"),
    Meaning("getbatch.throttle.ns", "target", False, "time that the target slept because of its own load"),
    Meaning("getbatch.n", "target", False, "batches finished here, failed ones included"),
    Meaning("getbatch.gfn.n", "target", False, "recoveries from a neighbour"),
    Meaning("getbatch.file.n", "target", False, "files delivered in batches"),
    Meaning("getbatch.obj.n", "target", False, "objects delivered in batches"),
    Meaning("get.n", "both", False, "objects served (a proxy: redirected)"),
    Meaning("get.size", "target", False, "bytes served"),
    Meaning("err.get.n", "both", False, "failed reads, clients that left included; up to 4.4 also missing objects"),
    Meaning("err.put.n", "both", True, "failed writes"),
    Meaning("err.io.get.n", "target", True, "local disk errors on read"),
    Meaning("err.io.put.n", "target", True, "local disk errors on write"),
    Meaning("err.io.n", "target", True, "local disk errors (up to 3.23)"),
    Meaning("err.fshc.n", "target", True, "disk health checks triggered"),
    Meaning("err.kalive.n", "both", True, "failed keep-alives, retries counted"),
    Meaning("err.put.cksum.n", "target", True, "checksum mismatches on write"),
    Meaning("err.lst.n", "both", False, "failed listings"),
    Meaning("err.head.n", "both", False, "failed metadata requests"),
    Meaning("err.http.write.n", "both", False, "control answers that could not be written; not object bodies"),
    Meaning("ratelim.retry.get.n", "target", False, "reads repeated because the cloud throttled"),
    Meaning("stream.in.n", "target", False, "objects received from other targets"),
    Meaning("stream.out.n", "target", False, "objects sent to other targets"),
)  # fmt: skip
MEANINGS = {m.name: m for m in _ALL}


def explain(name: str) -> str:
    """What a counter means; "" for counters without a story."""
    return MEANINGS[name].text if name in MEANINGS else ""


def is_error(name: str) -> bool:
    """Whether growth of a counter is a failure by itself."""
    return name in MEANINGS and MEANINGS[name].error


def requests_of(name: str) -> str:
    """The counter of the requests that a counter is to be measured by; "" where there is none."""
    if name in ("get.n", "getbatch.n", "put.n"):
        return ""
    if "getbatch." in name:
        return "getbatch.n"
    head = next((word for word in name.split(".") if word in ("get", "put")), "")
    return f"{head}.n" if head else ""


def amount_text(name: str, amount: float) -> str:
    """A counter's value or growth as people read it: `7m33s`, `6.7 GiB`, `1,204`, `0.043`."""
    kind = kind_of(name)
    if kind in (Kind.TOTAL_NS, Kind.LATENCY_NS):
        return show_seconds(amount / 1e9) if abs(amount) >= 1e6 else f"{amount / 1e3:.0f}µs" if amount else "0"
    if kind in (Kind.BYTES, Kind.RATE):
        return show_size(amount) if amount else "0"
    return f"{amount:,.0f}" if amount == int(amount) or abs(amount) >= 100 else f"{amount:.2g}"
