"""What the workers say about storage: errors, retries that recovered, retries that did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.model.evidence import Evidence
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.grammar import head_named
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

UNANSWERED = (Mark.REQUEST_FAILED, Mark.REQUEST_RETRIED)
RETRY_SPAN_S = 240.0
"""Seven attempts with waits of up to 30 s and time-outs of 20 s take no longer."""
STAMPED = (TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS)
"""Lines that carry their own date."""
TRACEBACK_LINES = 150
_RANK = head_named("rank").compiled
_PATH = regex(r"/v1/ml/moss/(?P<xid>[^/\s\"']+)/(?P<wid>[^/\s\"']+)(?:/\d+)?")
_URL = regex(r"https?://[^\s'\"<>)\]]+")
_POOL = regex(r"HTTPS?ConnectionPool\(host='(?P<host>[^']+)', port=(?P<port>\d{1,5})\)")
_REFUSED_PUT = regex(r'STATUS:5\d\d, MESSAGE:\{.{0,1000}"method": ?"PUT"')
_OBJECT = regex(
    r"(?<![\w.-])(?:[\w.-]{1,128}/){0,16}[\w.-]{1,255}\.(?:tar|flac|wav|tgz|tar\.gz|npy|opus|m4a|mp3)(?:/[\w./-]+)?"
)


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that says what a request came to."""

    title: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class ClientEvent:
    """One client line. `time` is the worker's clock."""

    record: Record
    time: float
    stamped: bool
    """The line carries its own date; otherwise the time is that of the line before it."""
    zoned: bool
    rank: int | None
    name: str
    text: str
    raised: Raised | None = None
    """Where no client logged it: the exception that came of it."""

    @property
    def title(self) -> str:
        """What happened, in words."""
        return self.raised.title if self.raised else self.record.pattern.title

    def cited(self, case: Case) -> Evidence:
        """The line that shows it."""
        return self.raised.evidence if self.raised else cite(case, self.record, self.rank)

    @property
    def paths(self) -> tuple[str, ...]:
        """Get-batch request paths quoted in the line."""
        return tuple(m[0] for m in _PATH.finditer(self.text))

    @property
    def items(self) -> tuple[str, ...]:
        """Get-batch work items quoted in the line."""
        return tuple(m["wid"] for m in _PATH.finditer(self.text))

    @property
    def objects(self) -> tuple[str, ...]:
        """Object names quoted in the line."""
        return tuple(_OBJECT.findall(self.text))

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The servers that the line names."""
        return tuple(endpoints(self.text))

    @property
    def lost_write(self) -> bool:
        """Whether the cluster refused to take data, which nobody writes again."""
        return Mark.REQUEST_FAILED in self.record.pattern.marks and _REFUSED_PUT.search(self.text) is not None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that a client talked to."""

    scheme: str
    host: str
    port: int | None

    @property
    def url(self) -> str:
        """As `AIS_ENDPOINT` takes it."""
        return f"{self.scheme}://{self.host}" + (f":{self.port}" if self.port else "")


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A request that failed for good: the retries that led to it, and the line that says so."""

    rank: int | None
    first: Evidence
    """The first sign: the first retry of the run, or the final line where no retry is shown."""
    last: Evidence
    attempts: int
    """Retry lines in the run."""
    endpoint: Endpoint | None


def endpoints(text: str) -> Iterator[Endpoint]:
    """Every server named in a line, by URL or by connection pool."""
    for m in _URL.finditer(text):
        try:
            parts = urlsplit(m[0])
            port = parts.port
        except ValueError:
            continue
        if parts.hostname:
            yield Endpoint(parts.scheme, parts.hostname, port)
    for m in _POOL.finditer(text):
        yield Endpoint("https" if m[0].startswith("HTTPS") else "http", m["host"], int(m["port"]))


RankOf = Callable[[Record], int | None]
"""The rank that wrote a line, by all that is known of the job."""


def own_rank(record: Record) -> int | None:
    """The rank that a line itself names."""
    return record.rank


def client_events(
    case: Case, marks: Sequence[Mark] = (Mark.REQUEST_FAILED,), rank_of: RankOf = own_rank
) -> list[ClientEvent]:
    """Client lines of the given kinds that have a time, in order of time."""
    found = [
        ClientEvent(
            r, r.time, r.time_from in STAMPED, r.time_from is TimeFrom.ZONED, rank_of(r), r.name, _text(case, r)
        )
        for r in case.records.marked(*marks)
        if r.time is not None and r.time_from in (*STAMPED, TimeFrom.NEIGHBOUR)
    ]
    return sorted(found, key=lambda e: (e.time, e.record.file, e.record.line))


def _text(case: Case, record: Record) -> str:
    """With the line on which the record goes on, which is read again; not of thousands."""
    return case.whole(record) if record.row < len(case.records) and record.pattern.continues else record.text


def given_up(case: Case, rank_of: RankOf = own_rank) -> tuple[GivenUp, ...]:
    """Every request that exhausted its retries, by file and position, with the first retry of its run."""
    out: list[GivenUp] = []
    retries = list(case.records.marked(Mark.REQUEST_RETRIED))
    for last in case.records.marked(Mark.REQUEST_GIVEN_UP):
        run = [r for r in retries if r.file == last.file and r.line < last.line and _same_run(r, last, rank_of)]
        first = run[0] if run else last
        named = next((e for r in (*run, last) for e in endpoints(r.text)), None)
        rank = next((r for r in (rank_of(last), rank_of(first)) if r is not None), None)
        rank = rank if rank is not None else _rank_after(case, last)
        out.append(GivenUp(rank, cite(case, first, rank), cite(case, last, rank), len(run), named))
    return tuple(out)


def _rank_after(case: Case, last: Record) -> int | None:
    """The rank of the traceback that follows: the interpreter prints it with the rank, the logger without."""
    for line in case.following(last, TRACEBACK_LINES):
        if m := _RANK.match(line):
            return int(m["rank"])
    return None


def _same_run(retry: Record, last: Record, rank_of: RankOf) -> bool:
    ranks = {r for r in (rank_of(retry), rank_of(last)) if r is not None}
    if len(ranks) > 1:
        return False
    if retry.time is None or last.time is None:
        return last.line - retry.line < 2000
    return 0 <= last.time - retry.time <= RETRY_SPAN_S
