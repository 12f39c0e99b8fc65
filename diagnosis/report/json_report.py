"""The report as the machine-readable contract has it (schema 1): what is declared here is written, in this order.

Each type takes its values from the fields and properties of the same name of what it stands for; a key that is called
otherwise is renamed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from logtui.diagnosis.model.analyses import OddLines
from logtui.diagnosis.model.evidence import MarkedLine
from logtui.diagnosis.model.report import SCHEMA, Report
from logtui.diagnosis.report.codec import plain, plain_number
from logtui.diagnosis.report.secrets import mask

ODD_ROWS = 100
"""Of each kind of odd lines."""
_DATED = {"iso_time": "time"}
_NAMED = {"cls": "class"}
_POWER = re.compile(r" (-?(?:0\.0000\d++|\d[\d.]*+e-?\d++))(?=,?\n)")
"""A number that the standard library writes with another power of ten. A text ends otherwise: with a quote."""


class _Place(Struct):
    file: str
    line: int


class _Line(_Place):
    text: str


class _DatedLine(_Line, rename=_DATED):
    iso_time: str | None
    inherited: bool


class _Mark(_Line, rename=_DATED):
    note: str
    rank: int | None
    iso_time: str | None


class _Job(Struct, rename={"iso_started": "started", "iso_ended": "ended"}):
    id: str | None
    framework: str | None
    framework_version: str | None
    launcher: str | None
    scheduler: str | None
    world_size: int | None
    nodes: int | None
    gpus_per_node: int | None
    iso_started: str | None
    iso_ended: str | None
    resumed_from: str | None
    last_step: int | None
    data_source: str | None
    activity: str | None
    resumed: bool | None
    parallel: dict[str, int]
    tensor_nodes: int


class _Unread(Struct):
    file: str
    why: str


class _Understood(Struct):
    what: str
    share: float


class _UnknownSentence(Struct):
    sentence: str
    share: float
    file: str
    line: int


class _Window(Struct, rename={"iso_since": "since", "iso_until": "until"}):
    iso_since: str | None
    iso_until: str | None
    files_left_out: list[str]
    files_read_whole: list[str]
    lines_left_out: int
    bytes_left_out: int


class _Coverage(Struct, rename={"unread": "files_unread"}):
    files: int
    unread: list[_Unread]
    bytes: int
    lines: int
    lines_unparsed: int
    ranks_expected: int | None
    ranks_expected_from: _Place | None
    ranks_seen: int
    ranks_missing: list[int]
    nodes_missing: list[str]
    understood: list[_Understood]
    unknown_sentences: list[_UnknownSentence]
    site_formats: list[str] | UnsetType = UNSET
    """Missing where there are none."""
    window: _Window | UnsetType | None = UNSET
    """Missing where all times were to be read."""


class _RunnerUp(Struct, rename=_NAMED):
    cls: str
    title: str
    why_not: str
    evidence: list[_Line]


class _Verdict(Struct, rename=_NAMED):
    cls: str
    title: str
    confidence: str
    culprit_ranks: list[int]
    culprit_hosts: list[str]
    first_evidence: _DatedLine | None
    runners_up: list[_RunnerUp]
    missing: list[str]
    meanings: list[_Said]


class _ChainStep(Struct, rename=_DATED):
    step: int
    iso_time: str | None
    what: str
    evidence: list[_Line]
    leads_to: int | None
    inherited: bool


class _Said(Struct):
    what: str
    evidence: list[_Line]


class _Symptom(Struct):
    what: str
    evidence: list[_Line]
    meaning: str


class _StuckOn(Struct):
    seq: int | None
    op: str | None
    numel_in: int | None
    numel_out: int | None
    timeout_ms: int | None


class _Group(Struct):
    group: str
    desc: str | None
    enqueued: int | None
    started: int | None
    completed: int | None
    stuck_on: _StuckOn | None
    evidence: _Place | None


class _Exit(Struct):
    code: int | None
    signal: str | None
    evidence: _Place | None


class _Rank(Struct):
    rank: int
    host: str | None
    local_rank: int | None
    files: list[str]
    status: str
    role: str
    groups: list[_Group]
    last_words: _DatedLine | None
    last_step: int | None
    exit: _Exit | None
    guessed: bool


class _Event(Struct, rename=_DATED):
    iso_time: str | None
    time_from: str
    source: str
    rank: int | None
    what: str
    file: str
    line: int
    proof: bool


class _Clock(Struct):
    source: str
    zone: str | None
    offset_s: float | None
    derived_from: list[_Place]
    residual_s: float | None


class _Retry(Struct):
    max: int
    of: int | None
    exhausted: bool


class _Count(Struct):
    pattern: str
    total: int
    by_file: dict[str, int]
    by_rank: dict[int, int]
    retry: _Retry | None
    noise: bool


class _ErrorType(Struct, rename={"name": "type"}):
    name: str
    total: int
    ranks: list[int]
    evidence: _Line


class _SlowSpan(Struct):
    from_step: int
    to_step: int
    ratio: float
    evidence: _Place | None


class _PaceChange(Struct, rename=_DATED):
    step: int
    iso_time: str | None
    before_ms: float
    after_ms: float
    evidence: _Line
    nearby: list[_Line]


class _SlowRank(Struct):
    rank: int
    what: str
    evidence: _Line


class _Periodic(Struct):
    every: int
    ratio: float
    evidence: _Line


class _Steps(Struct):
    first: int | None
    last: int | None
    median_ms: float | None
    slow: list[_SlowSpan]
    changes: list[_PaceChange]
    slow_ranks: list[_SlowRank]
    periodic: _Periodic | None


class _Recommendation(Struct):
    side: str
    what: str
    because: list[_Line]


class _Verification(Struct):
    checked: int
    failed: list[str]


class _Revision(Struct):
    was: str
    now: str
    because: _Place | None


class _Phase(Struct):
    phase: str
    ended: str


class _Attempt(Struct, rename={"number": "attempt", "evidence": "first_evidence", **_NAMED}):
    number: int
    begins: _Line | None
    cls: str
    title: str
    confidence: str
    culprit_ranks: list[int]
    culprit_hosts: list[str]
    evidence: _Line | None
    phases: list[_Phase]


class _Recurring(Struct):
    kind: str
    name: str
    attempts: list[int]
    evidence: list[_Line]


class _Compared(Struct, rename={"bytes_read": "bytes", "bytes_there": "of"}):
    bytes_read: int
    bytes_there: int
    lines: int
    files: int
    left_out: int


class _Odd(Struct):
    writers: list[str]
    ranks: list[int]
    said_by: int
    peers: int
    count: int
    why: str
    evidence: _DatedLine


class _Unsaid(Struct):
    rank: int
    early_s: float | None
    others: int
    evidence: _DatedLine


class _LastWords(Struct):
    rank: int
    silent_s: float | None
    evidence: _DatedLine


class _OddLines(Struct, rename={"compared": "looked_at"}):
    compared: _Compared
    odd: list[_Odd]
    unsaid: list[_Unsaid]
    last_words: list[_LastWords]
    baseline: str | None
    new: list[_Odd]


class _Explained(Struct):
    verdict: str
    why: str
    what: str
    count: int
    evidence: _DatedLine


class _Testimony(Struct):
    witness: str
    ranks: list[int]
    what: str
    evidence: list[_Line]


class _Witnesses(Struct):
    testimonies: list[_Testimony]
    disagreements: list[_Said]


class _Report(Struct, rename={"version": "logtui"}, kw_only=True):
    schema: int = SCHEMA
    version: str
    job: _Job
    coverage: _Coverage
    verdict: _Verdict
    chain: list[_ChainStep]
    symptoms: list[_Symptom]
    ranks: list[_Rank]
    timeline: list[_Event]
    clocks: list[_Clock]
    ais: dict[str, Any] | None
    flight_recorder: dict[str, Any] | None
    counts: list[_Count]
    errors: list[_ErrorType]
    steps: _Steps | None
    recommendations: list[_Recommendation]
    verification: _Verification
    revisions: list[_Revision]
    attempts: list[_Attempt]
    recurring: list[_Recurring]
    odd_lines: _OddLines | None
    witnesses: _Witnesses | None
    explained: list[_Explained]
    phases: list[_Phase]
    marks: list[_Mark] | UnsetType = UNSET
    """What a person marked; missing where nothing is."""


def as_dict(report: Report) -> dict[str, Any]:
    """The whole report; every key of the contract, unknown as None."""
    found = plain(_declared(report))
    assert isinstance(found, dict)
    return found


def dumps(report: Report, marks: Sequence[MarkedLine] = ()) -> str:
    """The report as JSON text, control characters escaped, one object; with what a person marked, if anything.

    Indented by one blank, numbers as `repr` has them: the text is that of `json.dumps`. What is no number is null.
    Secrets are masked, and counted by kind in `masked` where there are any.
    """
    text = msgspec.json.format(_encoded(report, marks), indent=1).decode()
    text = _POWER.sub(lambda number: f" {float(number[1])!r}", text)
    text, masked = mask(text)
    if not masked:
        return text
    counts = ", ".join(f'"{kind}": {count}' for kind, count in sorted(masked.items()))
    return f'{text.removesuffix("}").rstrip()},\n "masked": {{{counts}}}\n}}'


def _encoded(report: Report, marks: Sequence[MarkedLine]) -> bytes:
    """Alone, so that of tens of thousands of ranks the declared copy is gone before the text is made."""
    written = _declared(report)
    if marks:
        written.marks = msgspec.convert(marks, list[_Mark], from_attributes=True)
    return msgspec.json.encode(written, enc_hook=plain_number)


def _declared(report: Report) -> _Report:
    if report.odd_lines is not None:
        report = replace(report, odd_lines=_first_rows(report.odd_lines))
    declared = msgspec.convert(report, _Report, from_attributes=True)
    if not declared.coverage.site_formats:
        declared.coverage.site_formats = UNSET
    declared.coverage.window = declared.coverage.window or UNSET
    return declared


def _first_rows(found: OddLines) -> OddLines:
    return replace(
        found,
        odd=found.odd[:ODD_ROWS],
        unsaid=found.unsaid[:ODD_ROWS],
        last_words=found.last_words[:ODD_ROWS],
        new=found.new[:ODD_ROWS],
    )
