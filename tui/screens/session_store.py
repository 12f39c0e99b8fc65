"""What the user left behind in a job, kept below the user's state directory: never beside the logs, for nobody else.

One file per job, named by the paths that were opened. What it says of a file that was replaced since is dropped. How
the panes are set is kept with it, and put back.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from textual.dom import DOMNode

from logtui.diagnosis.model.evidence import MarkedLine
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.report.codec import NotThatShape, decode, encode
from logtui.parsers.directories import state_directory
from logtui.parsers.files.case import Case
from logtui.parsers.files.fingerprint import EDGE, Change, Fingerprint, compare, take
from logtui.parsers.files.sealed import Damaged, forget_unfinished, open_sealed, write_sealed
from logtui.tui.panes.ranks.arrangement import Arrangement
from logtui.tui.panes.ranks.pane import MODES, RankPane
from logtui.tui.panes.raw.expressions import LineRules, OtherRanks, parse_rule
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.screens.clock_link import ClockLink
from logtui.tui.shared.wording import offset_text

KEPT = 200
"""Sessions; the longest unused go first."""
MOST_BYTES = 4 << 20
VERSION = 1


@dataclass(frozen=True, slots=True)
class Looks:
    """How the panes were set."""

    mode: str = ""
    """What the rank pane showed; "" for its first mode."""
    arrangement: Arrangement = field(default_factory=Arrangement)
    others: str = "shown"
    """Lines of other ranks, as `OtherRanks` has it."""
    others_than: int | None = None
    """The rank whose lines were wanted."""
    wrapped: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """What was not as it is at first."""
        own = () if self.others == "shown" else (f"lines of rank {self.others_than}",)
        return (*filter(None, (self.mode, self.arrangement.words())), *own, *(("wrapped",) if self.wrapped else ()))


@dataclass(frozen=True, slots=True)
class Session:
    """Where the user was, and what they had made of the logs."""

    version: int = VERSION
    marks: tuple[MarkedLine, ...] = ()
    rules: tuple[str, ...] = ()
    """Filters as they were typed."""
    search: str = ""
    file: str | None = None
    line: int | None = None
    rank: int | None = None
    group: str | None = None
    pane: str = ""
    """Where the focus was."""
    looks: Looks = field(default_factory=Looks)
    clock: GivenOffset | None = None
    """Of the storage daemons' clock, where two lines were marked as one event."""
    cause: MarkedLine | None = None
    """Which line the user declared the cause."""
    fingerprints: dict[str, Fingerprint] = field(default_factory=dict)
    """Of the files that are named here."""

    @property
    def words(self) -> str:
        """`3 marks · 2 filters · wrapped · at error.out:153`."""
        counts = ((len(self.marks), "mark"), (len(self.rules), "filter"), (int(bool(self.search)), "search"))
        parts = [f"{n} {what}{'' if n == 1 else 'es' if what == 'search' else 's'}" for n, what in counts if n]
        cause = ["a declared cause"] if self.cause else []
        clock = [f"AIS clock {offset_text(self.clock.offset_s)}"] if self.clock else []
        place = [f"at {self.file}:{self.line}"] if self.file and self.line else []
        return " · ".join([*parts, *cause, *clock, *self.looks.words, *place])

    @property
    def made(self) -> bool:
        """Whether there is anything in it but the place."""
        return bool(self.marks or self.rules or self.search or self.clock or self.cause or self.looks != Looks())

    @property
    def files(self) -> set[str]:
        """The files it names."""
        clock = {e.file for e in self.clock.evidence} if self.clock else set()
        marked = (*self.marks, *((self.cause,) if self.cause else ()))
        return {mark.file for mark in marked} | clock | ({self.file} if self.file else set())


def session_path(paths: Sequence[Path]) -> Path:
    """Where the session of some paths is kept."""
    names = "\0".join(sorted(str(path.resolve()) for path in paths))
    key = blake2b(names.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return state_directory() / "sessions" / f"{key}.json"


def with_fingerprints(session: Session, case: Case) -> Session:
    """The session with what tells later whether its files are still the same."""
    found = {}
    for name in session.files:
        file = case.file_named(name)
        taken = take(file.path, min(file.path.stat().st_size, EDGE)) if file and file.path.exists() else None
        if taken is not None:
            found[name] = taken
    return replace(session, fingerprints=found)


def still_fitting(session: Session, case: Case) -> Session:
    """The session without what it says of files that are gone or replaced."""
    gone = {name for name in session.files if not _fits(session, case, name)}
    kept = replace(session, marks=tuple(mark for mark in session.marks if mark.file not in gone))
    if kept.clock is not None and gone.intersection(e.file for e in kept.clock.evidence):
        kept = replace(kept, clock=None)
    if kept.cause is not None and kept.cause.file in gone:
        kept = replace(kept, cause=None)
    return replace(kept, file=None, line=None) if session.file in gone else kept


def _fits(session: Session, case: Case, name: str) -> bool:
    file, known = case.file_named(name), session.fingerprints.get(name)
    return file is not None and known is not None and compare(file.path, known) is not Change.OTHER


def save(path: Path, session: Session) -> None:
    """Keep a session, for its owner's eyes only; one that cannot be kept is lost without a word."""
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_sealed(path, lambda out: out.write(encode(session)))
        _forget_oldest(path.parent)


def load(path: Path) -> Session | None:
    """What was kept, or None; a file that cannot be used is removed."""
    try:
        session = decode(Session, _contents(path))
        if session.version != VERSION:
            raise NotThatShape("another version")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, Damaged):
        with suppress(OSError):
            path.unlink()
        return None
    return session


def _contents(path: Path) -> bytes:
    """What was written: 0.2.0 did so without a seal."""
    try:
        with open_sealed(path, MOST_BYTES) as source:
            return source.read()
    except Damaged:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            raise
        return path.read_bytes()  # a seal is no JSON


def _forget_oldest(folder: Path) -> None:
    forget_unfinished(folder)
    kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for path in kept[:-KEPT]:
        path.unlink(missing_ok=True)


class KeptPanes:
    """The panes that have something to keep. Their widgets are looked up once: a session is kept as the screen goes."""

    def __init__(self, screen: DOMNode) -> None:
        self._ranks, self._raw = screen.query_one(RankPane), screen.query_one(RawPane)
        self._clock = screen.query_one(ClockLink)
        self._filters, self._searcher = self._raw.filters, self._raw.searcher
        self._window = self._raw.viewer.window

    def settings(self) -> Session:
        """All but marks and place."""
        rules, found = self._filters.rules, self._searcher.matches
        mode = MODES[self._ranks.mode].name if self._ranks.mode else ""
        return Session(
            rules=tuple(rule.typed for rule in rules.rules),
            search=found.regex.pattern if found else "",
            looks=Looks(mode, self._ranks.wanted, rules.others.value, rules.rank, self._window.wrapped),
            clock=self._clock.given,
        )

    def put_back(self, kept: Session) -> None:
        """Set the panes as they were; what no longer fits is left out."""
        looks = kept.looks
        mode = next((n for n, mode in enumerate(MODES) if mode.name == looks.mode), 0)
        self._ranks.put_back(mode, looks.arrangement)
        others = next((way for way in OtherRanks if way.value == looks.others), OtherRanks.SHOWN)
        rank = None if others is OtherRanks.SHOWN else looks.others_than
        others = OtherRanks.SHOWN if rank is None else others
        self._raw.set_rules(LineRules(tuple(map(parse_rule, kept.rules)), rank, others))
        if looks.wrapped != self._window.wrapped:
            self._raw.viewer.action_wrap()
        if kept.search:
            self._raw.resume_search(kept.search)
        if kept.clock is not None:
            self._clock.take(kept.clock)
