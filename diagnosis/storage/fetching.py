"""Which daemon logs to fetch, from where and how, for those who do not have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import LOW, Recommendation
from logtui.diagnosis.storage.accused import Addresses, accused_by_client
from logtui.diagnosis.storage.client import Endpoint, client_events, endpoints
from logtui.diagnosis.storage.clock import client_zone
from logtui.diagnosis.storage.judgement import CITED, Judgement
from logtui.diagnosis.storage.standing import Standing
from logtui.diagnosis.storage.suspects import Suspect
from logtui.parsers.daemons.daemon import AisLogs
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.stamp import iso

BEFORE_S, AFTER_S = 900.0, 300.0
"""A cause stands up to a quarter of an hour before the clients notice; counters are printed three minutes late."""
PROXY_PORT = 51080
NOBODY = Addresses(AisLogs((), (), {}, (), {}, 0, 0))
"""No daemon is known by its address."""


@dataclass(frozen=True, slots=True)
class StorageAdvice:
    """What is missing, and the commands that fetch it."""

    missing: tuple[str, ...]
    recommendations: tuple[Recommendation, ...]


def advice_without_logs(
    case: Case,
    window: tuple[float, float] | None = None,
    suspects: Sequence[Suspect] = (),
    told: Sequence[Evidence] = (),
    named: Sequence[Endpoint] = (),
) -> StorageAdvice | None:
    """Say exactly what to fetch; None where no worker line speaks of AIStore.

    `window` is the failure's time span by the workers' clock; without it the client lines give it. `told` are other
    lines that speak of AIStore, `named` the servers in them.
    """
    events = client_events(case, (Mark.REQUEST_FAILED, Mark.REQUEST_GIVEN_UP, Mark.REQUEST_RETRIED))
    ranks = {s.rank for s in suspects}
    mine = [e for e in events if e.rank in ranks] or events
    if not mine and not told and not named:
        return None
    times = [e.time for e in mine] or [e.time for e in told if e.time is not None]
    window = window or ((times[0], times[-1]) if times else None)
    servers = list(dict.fromkeys((*(e for event in mine for e in endpoints(event.text)), *named)))
    because = tuple(dict.fromkeys((*(cite(case, e.record) for e in mine[: CITED * 2]), *told)))[:CITED]
    minutes = _minutes(case, window) if window else "of the job's last hour"
    accused = list(dict.fromkeys(label for e in mine for label in accused_by_client(NOBODY, e)[0]))
    return StorageAdvice(_missing(accused, servers, minutes), _steps(servers, minutes, because))


def advice_when_cleared(judgement: Judgement) -> tuple[Recommendation, ...]:
    """Where to look instead, once the daemons' counters clear storage; nothing where that is not certain enough."""
    if judgement.standing is not Standing.CLEARED or judgement.confidence == LOW:
        return ()
    what = (
        "storage is cleared: look at the stalled rank's node instead: its network, processors, memory, loader workers"
    )
    return (Recommendation("client", what, judgement.because[:CITED]),)


def _minutes(case: Case, window: tuple[float, float]) -> str:
    """The minutes to fetch, in UTC too where the workers' zone is known."""
    start, end = window[0] - BEFORE_S, window[1] + AFTER_S
    text = f"{_span(start, end)} by the workers' clock"
    zone = client_zone(case)
    if zone is None or zone.ahead_s is None:
        return text + " (AIStore usually logs in UTC: convert, or fetch all)"
    return f"{text}, {_span(start - zone.ahead_s, end - zone.ahead_s)} UTC"


def _span(start: float, end: float) -> str:
    """`2026-03-12 00:02 to 00:22`."""
    first, last = ((iso(t) or "?")[:16].replace("T", " ") for t in (start, end))
    return f"{first} to {last[11:] if last[:10] == first[:10] else last}"


def _missing(accused: Sequence[str], servers: Sequence[Endpoint], minutes: str) -> tuple[str, ...]:
    """Those first that clients' lines speak against by name."""
    hosts = [*accused, *(s.host for s in servers if not _is_proxy(s))][:6]
    named = f", first of all {', '.join(hosts)}" if hosts else ""
    return (f"AIStore logs of every target and proxy{named}: {minutes}",)


def _is_proxy(server: Endpoint) -> bool:
    return server.port == PROXY_PORT or "proxy" in server.host


def _steps(servers: Sequence[Endpoint], minutes: str, because: tuple[Evidence, ...]) -> tuple[Recommendation, ...]:
    endpoint = _endpoint(servers)
    secure = endpoint.startswith("https")
    steps = [
        f"export AIS_ENDPOINT={endpoint}",
        "with authentication on: export AIS_AUTHN_TOKEN_FILE=~/.config/ais/cli/auth.token (made by `ais auth login`)",
        *(_tls() if secure else ()),
        "no `ais` there (`which ais`)? `make cli` in a checkout of NVIDIA/aistore builds it",
        "ais log get cluster ais_logs/    # one archive per node; add --severity error for a second, shorter set",
        f"minutes needed: {minutes}; in Kubernetes without the CLI, for every pod: "
        "kubectl logs -n ais POD -c ais-logs --timestamps > ais_logs/POD.log",
        "logtui LOGS --ais ais_logs/",
    ]
    return tuple(Recommendation("storage", step, because if n == 0 else ()) for n, step in enumerate(steps))


def _tls() -> Iterable[str]:
    yield "over https: export AIS_CLIENT_CA=ca.pem, or AIS_SKIP_VERIFY_CRT=true; mutual TLS: also AIS_CRT, AIS_CRT_KEY"


def _endpoint(servers: Sequence[Endpoint]) -> str:
    """The proxy that the clients used; where only targets are named, the usual proxy port."""
    proxy = next((s for s in servers if _is_proxy(s)), None)
    if proxy is not None:
        return proxy.url
    scheme = servers[0].scheme if servers else "http"
    return f"{scheme}://PROXY:{PROXY_PORT}"
