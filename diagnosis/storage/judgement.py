"""Whether storage is implicated, cleared, or undecided, and by which lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from logtui.diagnosis.evidence import SHOWN
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM
from logtui.diagnosis.storage.accused import SURE
from logtui.diagnosis.storage.blame import OWN, Blame
from logtui.diagnosis.storage.client import ClientEvent
from logtui.diagnosis.storage.clock import AisClock, cite_message
from logtui.diagnosis.storage.counters import MEANINGS, CounterMove, CounterView
from logtui.diagnosis.storage.members import all_targets
from logtui.diagnosis.storage.occurrences import Occurrence, Uncovered, Window, first_failure
from logtui.diagnosis.storage.standing import Standing
from logtui.parsers.daemons.daemon import AisLogs, Unknown
from logtui.parsers.daemons.placement import Object, common_home
from logtui.parsers.pattern import Role, Severity

REACHED_CLIENTS = frozenset(
    {
        "getbatch.entry_timeout", "getbatch.entry_network", "getbatch.truncated", "getbatch.item_failed",
        "getbatch.soft_limit", "getbatch.rejected", "getbatch.not_active", "getbatch.prep_missing",
        "getbatch.membership", "getbatch.aborted", "getbatch.aborting", "getbatch.aborted_by_rebalance",
        "disks.transmit", "disks.local_read", "getbatch.out_of_bounds", "getbatch.receive_failed",
        "service.backend_error", "service.bucket_missing", "service.bucket_unreachable", "capacity.out_of_space",
    }
)  # fmt: skip
"""Occurrences that some client must have seen."""
ROOTS = frozenset(
    {"disk", "memory", "capacity", "restart", "membership", "network", "peer", "backend", "config", "data"}
)
"""What a failure may begin with. Busy processors are not among them: they slow, and what they slow says so."""
NO_OFFSET = "the offset between the workers' and the daemons' clocks: give it, or mark two lines as the same event"
ENDED_BY_STOP = frozenset({"getbatch.aborted", "getbatch.aborting"})
"""Printed for every running job at a clean shutdown too."""
OR_LEFT = frozenset({"getbatch.item_failed", "getbatch.truncated"})
"""Printed as well when the client has died before, which some releases do not tell apart."""
REPEATED = frozenset({"getbatch.rejected"})
"""Answered with 429, which clients repeat in silence: without their logs nobody knows whether it did harm."""
STOPPING_S = 60.0
SOON_S = 120.0
"""Clients notice a node's trouble this soon."""
LEAD_S = 900.0
"""A cause stands at most this long before its effect."""
PEER_WORDS = {
    "disk": "disks at their limit or failing", "memory": "memory pressure",
    "capacity": "full disks", "restart": "a daemon that restarted", "membership": "a change of the cluster's members",
    "network": "a broken connection between targets", "peer": "no answer",
    "backend": "the cloud behind the cluster", "config": "the cluster's configuration", "data": "missing objects",
    "away": "a daemon that was away",
}  # fmt: skip
CITED = 3
SERVED = frozenset({"getbatch.n", "get.n"})
"""Counters of what was asked for and served."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The storage side's part in the failure, with its evidence."""

    standing: Standing
    confidence: str
    title: str
    """One sentence."""
    root: Occurrence | None = None
    """Where it began, as far as the logs show."""
    effect: Occurrence | None = None
    """What the clients noticed first."""
    blamed: tuple[str, ...] = ()
    """Daemons, as `t[ID]`."""
    because: tuple[Evidence, ...] = ()
    against: tuple[Evidence, ...] = ()
    """What speaks against the standing."""
    missing: tuple[str, ...] = ()
    """What would settle it."""


@dataclass(frozen=True, slots=True)
class Damaged:
    """An object that came as something else than was stored, and the line that says so."""

    object: Object
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Scene:
    """What a judgement rests on."""

    logs: AisLogs
    found: Sequence[Occurrence]
    views: Sequence[CounterView]
    gaps: Sequence[Uncovered]
    clock: AisClock
    missing: Sequence[str]
    blame: Blame
    hurt: Sequence[ClientEvent] = ()
    """Requests of clients that failed in the window, by time."""
    window: Window | None = None
    of_job: bool = False
    """The window is the workers': then certainty needs a certain offset between the clocks."""
    felt: bool = True
    """The job failed, stood still, or lost data. Of a job that went on, storage's troubles are no failure."""
    damaged: Sequence[Damaged] = ()
    """Objects that were read and could not be used."""
    unseen: bool = False
    """Logs of some nodes are not there: who noticed a failure need not be whose it is."""

    @property
    def felt_at(self) -> float | None:
        """When the first client's request failed, by the daemons' clock; None where that is not known."""
        return self.hurt[0].time - self.clock.shift if self.hurt and self.clock.offset_s is not None else None

    @property
    def aligned(self) -> bool:
        """Whether the daemons' lines certainly belong into the window."""
        return not self.of_job or (self.clock.offset_s is not None and self.clock.confidence == HIGH)


def judge(scene: Scene) -> Judgement:
    """Weigh the window: effects on clients and what led to them, or their absence and what proves it."""
    result = _weighed(scene)
    if result.standing is not Standing.IMPLICATED and (kept := _kept_by_one(scene)) is not None:
        return kept
    return _unaligned(scene.logs, result) if scene.of_job and scene.clock.offset_s is None else result


def _unaligned(logs: AisLogs, result: Judgement) -> Judgement:
    """What is left of a judgement when nothing says that the two clocks agree."""
    calm = first_failure(logs) is None and not any(d.restarts() for d in logs.daemons)
    missing = (*result.missing, NO_OFFSET)
    if result.standing is Standing.SURVIVED:
        return result
    if result.standing is Standing.CLEARED and calm:
        return replace(result, confidence=LOW, missing=missing)
    standing = Standing.UNDECIDED if result.standing is Standing.CLEARED else result.standing
    title = f"{result.title}, if both clocks agree: nothing shows their offset"
    return replace(result, standing=standing, confidence=LOW, title=title, missing=missing)


def _weighed(scene: Scene) -> Judgement:
    found, gaps = scene.found, scene.gaps
    effect = _effect(found)
    if effect is not None and effect.kind in OR_LEFT and scene.of_job and not _anyone_else(scene):
        effect = None
    if effect is not None and effect.kind in REPEATED and not scene.of_job:
        effect = None
    trouble = [o for o in found if o.cause and o.severity is Severity.ERROR and o.blames in ROOTS]
    errors = [m for v in scene.views for m in v.moves if m.error]
    failed = effect is not None or _clients_agree(scene)
    if scene.of_job and not scene.felt and (failed or trouble or scene.blame.own):
        return _survived(scene, effect)
    if failed:
        return _implicated(scene, effect)
    if errors or trouble or scene.blame.own:
        return _under_suspicion(scene, trouble, errors)
    if gaps or scene.missing:
        blamed = _not_reached(scene) if scene.felt else ()
        title = "the daemons' logs do not cover the window" + (f"; no answer{_at(blamed)}" if blamed else "")
        missing = tuple(scene.missing)
        return Judgement(Standing.UNDECIDED, LOW, title, blamed=blamed, against=_cited(found), missing=missing)
    if (doubt := _doubt(scene)) is not None:
        return doubt
    left = next((o for o in found if o.blames == "client" or o.kind == "getbatch.truncated"), None)
    strain = [o for o in found if o.cause and o.blames in (*ROOTS, "cpu")]
    ceiling = scene.clock.confidence if scene.of_job else MEDIUM
    return _cleared(scene.logs, scene.views, left, strain, scene.clock.shift, ceiling)


def _doubt(scene: Scene) -> Judgement | None:
    """What forbids to clear storage, though nothing shows it failing: only counters that stand still clear it."""
    logs = scene.logs
    moved = [m for v in scene.views for m in v.moves if m.name.startswith("err.") and m.delta.delta > 0]
    if moved:
        worst = max(moved, key=lambda m: m.delta.delta)
        title = f"{logs.daemons[worst.daemon].label}: {worst.name} grew by {worst.delta.delta:,}; no record says more"
        return _undecided(scene, title, cite_move(logs, worst))
    spoken = [o for o in scene.found if o.role in (Role.CAUSE, Role.SYMPTOM) and o.severity is not Severity.INFO]
    spoken = [o for o in spoken if o.blames not in ("client", "cpu", "load") and o.kind != "getbatch.truncated"]
    if spoken:
        return _undecided(scene, f"{spoken[0].what}; whether clients felt it is not shown", *spoken[0].evidence)
    if scene.window is not None and (unread := _unread_error(logs, scene.window)) is not None:
        where = Evidence(logs.files[unread.file].name, unread.line, unread.text[:SHOWN], None)
        title = f"{logs.daemons[unread.daemon].label}: an error that is not known here: {unread.template}"
        return _undecided(scene, title, where)
    targets = [v for v in scene.views if logs.daemons[v.daemon].role == "target"]
    silent = [v for v in targets if not v.lines]
    if silent:
        which = ", ".join(logs.daemons[v.daemon].label for v in silent[:4])
        return _undecided(scene, f"no counters of {which} in the window: nothing shows how it served")
    if not any(m.delta.delta for v in targets for m in v.moves if m.name in SERVED):
        return _undecided(scene, "storage was idle in the window, as far as counters show")
    return None


def _kept_by_one(scene: Scene) -> Judgement | None:
    """All damaged objects lie on one target, which need not know: warm reads are not checked against checksums."""
    home = common_home((d.object for d in scene.damaged), all_targets(scene.logs))
    if not home:
        return None
    count = len({d.object for d in scene.damaged})
    title = f"all {count} damaged objects are kept by t[{home}], which logs nothing of it: check its disks"
    because = tuple(dict.fromkeys(d.evidence for d in scene.damaged))[:CITED]
    missing = (f"these objects read again from t[{home}] with the bucket's checksum.validate_warm_get on",)
    return Judgement(Standing.UNDECIDED, LOW, title, blamed=(f"t[{home}]",), because=because, missing=missing)


def _unread_error(logs: AisLogs, window: Window) -> Unknown | None:
    return next((u for u in logs.unknown if u.letter == "E" and u.within(window.start, window.end)), None)


def _undecided(scene: Scene, title: str, *because: Evidence) -> Judgement:
    missing = (*scene.missing, *(() if because else ("stats lines of the targets after the failure",)))
    return Judgement(Standing.UNDECIDED, LOW, title, because=because, missing=missing)


def _anyone_else(scene: Scene) -> bool:
    """Whether a client, a peer or the node itself tells of a failure too."""
    return scene.blame.proven or any(e.raised is None for e in scene.hurt)


def _clients_agree(scene: Scene) -> bool:
    """Whether clients failed at the daemon to blame, or just after its trouble began: one elsewhere in time is none."""
    guilty, felt_at = scene.blame, scene.felt_at
    if not scene.hurt or not guilty.proven:
        return False
    if any(v.event is not None for v in guilty.voices):
        return True
    near = guilty.root is not None and felt_at is not None and -SOON_S <= felt_at - guilty.root.time <= SOON_S
    return scene.aligned and (near or bool(guilty.voices))


def _effect(found: Sequence[Occurrence]) -> Occurrence | None:
    """What clients must have seen; jobs that end because their daemon is told to stop are no effect of anything."""
    told = [o.time for o in found if o.kind == "lifecycle.stopping"]
    seen = [
        o
        for o in found
        if o.kind in REACHED_CLIENTS
        and o.blames != "client"
        and not (o.kind in ENDED_BY_STOP and any(0 <= o.time - t <= STOPPING_S for t in told))
    ]
    return next((o for o in seen if o.cause), None) or next(iter(seen), None)


def _survived(scene: Scene, effect: Occurrence | None) -> Judgement:
    """Storage was in trouble, and the job went on."""
    root = scene.blame.root or effect
    first = root or next((o for o in scene.found if o.cause), None)
    what = PEER_WORDS.get(first.blames, first.what) if first else PEER_WORDS["peer"]
    where = _at(scene.blame.daemons or (_labels(scene.logs, first) if first else ()))
    title = f"storage was in trouble ({what}{where}) and the job went on"
    return Judgement(
        Standing.SURVIVED,
        MEDIUM,
        title,
        first,
        effect,
        scene.blame.daemons,
        first.evidence if first else _told(scene),
        missing=tuple(scene.missing),
    )


def _implicated(scene: Scene, effect: Occurrence | None) -> Judgement:
    guilty = scene.blame
    root = guilty.root if guilty.proven else _root(scene.found, effect) if effect else None
    first = root or effect
    blamed = guilty.daemons if guilty.proven or first is None else _suspected(scene, first)
    why = PEER_WORDS.get(first.blames if first else _others_say(guilty), "")
    title = f"storage failed requests: {why}{_at(blamed)}" if why else "storage failed requests"
    title += _side(scene.logs, scene.views)
    because = tuple(e for o in (first, effect) if o is not None for e in o.evidence[:2]) or _told(scene)
    return Judgement(
        Standing.IMPLICATED, _confidence(root, scene.aligned), title, first, effect, blamed,
        tuple(dict.fromkeys(because)), missing=tuple(scene.missing),
    )  # fmt: skip


def _others_say(guilty: Blame) -> str:
    """What a daemon's trouble is, as clients quote it or meet it, where none of its own records tells."""
    if any(v.own for v in guilty.voices):
        return "capacity" if any("space" in v.event.text for v in guilty.voices if v.event) else "disk"
    missed = all(v.event is not None and "STATUS:404" in v.event.text for v in guilty.voices)
    return "away" if missed else "peer"


def _suspected(scene: Scene, first: Occurrence) -> tuple[str, ...]:
    """Whom the first sign points at; where logs are missing and it only says who noticed, whom a client missed."""
    if not scene.unseen or first.blames in OWN:
        return first.blamed or _labels(scene.logs, first)
    return _not_reached(scene) or first.blamed


def _not_reached(scene: Scene) -> tuple[str, ...]:
    """The daemon that a client's own request failed at, if only one says so."""
    sure = (v for v in scene.blame.voices if v.weight == SURE and v.event and "STATUS:404" not in v.event.text)
    return scene.blame.daemons[:1] if any(sure) else ()


def _told(scene: Scene) -> tuple[Evidence, ...]:
    """Others' words of the daemon that they could not reach."""
    said = (v.message for v in scene.blame.voices if v.message is not None)
    return tuple(cite_message(scene.logs, m, scene.clock.shift) for m in islice(said, CITED))


def _labels(logs: AisLogs, o: Occurrence) -> tuple[str, ...]:
    return tuple(logs.daemons[n].label for n in o.nodes)


def _at(labels: Sequence[str]) -> str:
    """`on t[a], t[b] and 2 more`."""
    more = f" and {len(labels) - 3} more" if len(labels) > 3 else ""
    return f" on {', '.join(labels[:3])}{more}" if labels else ""


def _side(logs: AisLogs, views: Sequence[CounterView]) -> str:
    """Quiet proxies beside failing targets put the trouble on the target side."""
    errors = {"target": 0, "proxy": 0}
    for view in views:
        role = logs.daemons[view.daemon].role
        errors[role] += sum(m.delta.delta for m in view.moves if m.error)
    proxies = [v for v in views if logs.daemons[v.daemon].role == "proxy" and v.lines]
    return (
        "; the proxies are quiet, so it is the target side"
        if proxies and errors["target"] and not errors["proxy"]
        else ""
    )


def _root(found: Sequence[Occurrence], effect: Occurrence) -> Occurrence | None:
    """The earliest trouble before the effect that can have led to it: hard signs before vague ones."""
    before = [
        o
        for o in found
        if o is not effect and o.cause and o.blames in ROOTS and effect.time - LEAD_S <= o.time <= effect.time
    ]
    hard = [o for o in before if o.kind not in REACHED_CLIENTS]
    ongoing = [o for o in hard if o.kind == "disks.saturated" or o.severity is Severity.ERROR]
    return next(iter(ongoing or hard or before), None)


def _confidence(root: Occurrence | None, aligned: bool) -> str:
    """High needs a hard cause before the effect, and clocks that are known to agree."""
    if root is None:
        return MEDIUM if aligned else LOW
    return HIGH if aligned and root.blames in ("disk", "restart", "capacity", "memory") else MEDIUM


def _under_suspicion(scene: Scene, trouble: Sequence[Occurrence], errors: Sequence[CounterMove]) -> Judgement:
    """Error counters grew, or a node was in trouble, but no record shows a client's request failing."""
    logs, missing = scene.logs, tuple(scene.missing)
    first = scene.blame.root or next(iter(trouble), None)
    if first is not None:
        title = f"{first.what}; no record shows a client's request failing"
        nodes = scene.blame.daemons or first.blamed or _labels(logs, first)
        return Judgement(Standing.UNDECIDED, LOW, title, first, None, nodes, first.evidence, missing=missing)
    move = errors[0]
    label = logs.daemons[move.daemon].label
    title = f"{label}: {move.name} grew by {move.delta.delta} ({MEANINGS[move.name].text}); no record says more"
    evidence = cite_move(logs, move)
    return Judgement(Standing.UNDECIDED, LOW, title, None, None, (label,), (evidence,), missing=missing)


def _cleared(
    logs: AisLogs,
    views: Sequence[CounterView],
    left: Occurrence | None,
    strain: Sequence[Occurrence],
    offset_s: float,
    ceiling: str,
) -> Judgement:
    """Nothing failed, every log covers the window, and the error counters stand still."""
    cited = tuple(cite_view(logs, v, offset_s) for v in views if v.lines)[:8]
    targets = [v for v in views if logs.daemons[v.daemon].role == "target"]
    served = sum(m.delta.delta for v in targets for m in v.moves if m.name in SERVED)
    title = "storage served the window without an error"
    if left is not None:
        title = "the clients left first: the targets only noticed"
        cited = (*left.evidence, *cited)
    elif strain:
        title += f", though under strain ({strain[0].what})"
    if left is None and served:
        title += f": {_calm_words(logs, views, served)}"
    confidence = LOW if strain or not cited else ceiling
    return Judgement(Standing.CLEARED, confidence, title, effect=left, because=cited, against=_cited(strain))


def _calm_words(logs: AisLogs, views: Sequence[CounterView], served: int) -> str:
    """`1,764 batches on 4 targets, no error counter moved, waits per batch as before`."""
    seen = [v for v in views if v.lines]
    targets = sum(logs.daemons[v.daemon].role == "target" for v in seen)
    batches = any((m := v.move("getbatch.n")) is not None and m.delta.delta for v in seen)
    waits = [w for v in seen if (w := v.waits()) is not None]
    waited = f", waits per batch ×{max(waits):.1f} of before" if waits else ""
    what = "batches and reads" if batches else "reads"
    return f"{served:,} {what} by {targets} targets, no error counter moved{waited}"


def cite_move(logs: AisLogs, move: CounterMove) -> Evidence:
    """The stats line at which a counter's movement ends."""
    name = logs.files[move.delta.file].name
    return Evidence(name, move.delta.line, f"{move.name}:{move.delta.after}" if move.delta.after else "{", None)


def cite_view(logs: AisLogs, view: CounterView, offset_s: float) -> Evidence:
    """The last stats line of a daemon's window."""
    line = view.lines[-1]
    shown = (n for n in ("getbatch.n", "get.n", "state.flags") if n in line.values)
    text = next((f"{n}:{line.values[n]}" for n in shown), "{")
    return Evidence(logs.files[line.file].name, line.line, text, line.time + offset_s)


def _cited(found: Sequence[Occurrence]) -> tuple[Evidence, ...]:
    return tuple(e for o in found[:4] for e in o.evidence[:1])
