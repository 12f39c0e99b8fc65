"""What kind of failure an exception is by its structure alone: which codes it holds, which family of libraries raised it,
which of the program's own lines called that. It is asked where no declared kind knows the exception.

Each clue speaks for a class with points, and the class with most of them wins if it is clearly ahead. Where several
clues agree and none contradicts, that is worth more.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from logtui.parsers.pattern import FailureClass
from logtui.parsers.regex import regex
from logtui.parsers.structure.answers import NEAR, Answer, Answered, answers, called
from logtui.parsers.structure.families import (
    CHECKPOINTS,
    GROUPS,
    HTTP_CLIENTS,
    HUBS,
    OBJECT_STORES,
    PROGRAM,
    READERS,
    SERVERS,
    SETTINGS,
    TEXTS,
    TOKENIZERS,
    TRACKERS,
    VALIDATORS,
    Family,
    family_of,
    family_of_type,
    place,
)
from logtui.parsers.structure.hint import Within
from logtui.parsers.structure.hints import HINTS, READS, SAVES, SETS
from logtui.parsers.tracebacks.frames import Frame
from logtui.parsers.tracebacks.traceback import Traceback

DEEPEST = 12
"""Frames of one exception that are looked at."""
OWN_FRAMES = 2
"""Of those, the program's deepest, whose names say what it was about."""
LONGEST = 4000
"""Characters of a message that are read."""
ENOUGH = 2.0
"""Points that a class needs."""
AHEAD = 0.4
"""Points by which it must lead."""
AGREED = 4.5
"""Points, of at least two clues, with which it is likely: if the next class has less than `RIVAL` of them."""
RIVAL = 0.4
OF_ECHO = 0.5
"""What clues of the other exceptions of a chain are worth."""
ON_PURPOSE = 0.9
"""What it adds to the names of the program's code that this code raised it itself: what it was given is wrong, not it."""
BELOW = 0.5
"""What a family is worth above the deepest frame: it called what raised."""

_NOT_THERE = regex(
    r"No such file|[Ff]ile not found|[Nn]o file named|\bNOT_FOUND\b|[Cc](?:ould not|annot|an't) (?:find|locate) [^/\n]{0,40}/"
)
"""What says of a path in the same message that it is not there."""


@dataclass(frozen=True, slots=True)
class Clue:
    """One thing that speaks for a class."""

    cls: FailureClass
    points: float
    why: str


@dataclass(frozen=True, slots=True)
class Structure:
    """What the clues of a chain come to."""

    cls: FailureClass
    why: str
    """The strongest clue, and who raised it: `status 503, in a client of the network`."""
    agreed: bool
    """Whether several clues agree, and hardly any speaks for another class."""
    imported: bool = False
    """Whether what it says is that a library could not be imported."""


_SEPARATORS = regex(r"[/\\]")
_IMPORTED = "while a library was imported"
_IMPORTLIB = "importlib"
_IMPORTS = regex(r"\s*(?:import|from)\s")
_TIMED = regex(
    r"Timeout|TimedOut|Connection|Connect|Disconnect|Network|Transport|Unreachable|gaierror|SSL|Protocol|Payload|BrokenPipe|Retry"
)
_ABSENT = regex(r"FileNotFound|NotADirectory|IsADirectory|NotFound|NoSuch")
_DENIED = regex(
    r"Permission|Forbidden|Unauthori[sz]ed|AccessDenied|Credential|Auth(?:entication|orization)?(?:Error|Exception|Failed)"
)
_BY_TYPE = ((_TIMED, Answer.UNREACHED), (_ABSENT, Answer.ABSENT), (_DENIED, Answer.DENIED))
_UNREADABLE: dict[Family | None, FailureClass] = {CHECKPOINTS: FailureClass.STORAGE_IO, SETTINGS: FailureClass.CONFIG}
"""Whose content is bad, where who read it does not read data."""
_OWN_REFUSAL = regex(
    r"^(?:ValueError|KeyError|AssertionError|NotImplementedError)$"
    r"|(?:^|\.)(?:No|Missing|Invalid|Unknown|Unsupported|Param)[A-Z]\w{0,60}(?:Error|Exception|Schema|URL)$"
)
"""Types of Python's own, and of clients that were told too little: no other machine was asked yet."""
_LOADERS = regex(r"torch/utils/data/(?:dataloader|sampler|distributed)$")
_FOR_FAR = {Answer.DENIED: 5.0, Answer.OVERLOADED: 4.0, Answer.ABSENT: 3.5, Answer.UNREACHED: 4.0}
"""Points of an answer where a library that talks to another machine asked; of several the first here decides."""
_ELSEWHERE = {Answer.UNREACHED: 2.5, Answer.DENIED: 2.5, Answer.ABSENT: 1.5}
"""And where nobody is known to have asked."""
_OF_A_SERVER = 2.5
"""Points of a status that only a server gives, whoever quotes it."""
_STORED = regex(
    r"\bs3[:./-]|amazonaws|storage\.googleapis|blob\.core|/v1/(?:objects|buckets|batch)|\bais[-:]|minio|\b(?:bucket|shard|objects?(?!['\"]: ['\"]error))\b|\.tar\b",
    re.I,
)
"""Words of what stores serve, in whatever asks for it over HTTP."""
_PATH = regex(r"(?:[\w.-]{1,200})?/[\w./=-]{2,300}|\b[\w-]{1,100}\.(?:ya?ml|json|toml|npy|parquet|tar|csv|bin|pt)\b")
_SAVES = regex(
    r"^_{0,2}(?:save|write|flush|dump|finalize|upload|put|close|create_dataset|make_new_dset)(?:_\w{1,40})?$|^__exit__$"
)
_CALL = regex(r"\b([A-Za-z_]\w{1,30})\.(\w{1,30})")
_SHORT = {
    "np.memmap": "numpy/core/memmap", "np.load": "numpy/lib/npyio", "np.fromfile": "numpy/lib/npyio", "np.frombuffer": "numpy/lib/npyio", "np.loadtxt": "numpy/lib/npyio",
    "torch.save": "torch/serialization", "torch.load": "torch/serialization", "Image.open": "PIL", "json.loads": "std/json",
    "json.load": "std/json", "pickle.load": "std/pickle", "pickle.loads": "std/pickle", "struct.unpack": "std/struct",
    "sf.read": "soundfile", "pq.read_table": "pyarrow", "pd.read_csv": "pandas", "pd.read_parquet": "pandas",
    "yaml.safe_load": "yaml", "socket.create_connection": "std/socket", "tarfile.open": "std/tarfile", "zipfile.ZipFile": "std/zipfile",
    "gzip.open": "std/gzip", "ts.open": "tensorstore", "csv.reader": "std/csv", "sqlite3.connect": "std/sqlite3",
}  # fmt: skip
"""How programs write calls of libraries whose extensions leave no frame."""


def structure_of(traceback: Traceback, others: Iterable[Clue] = ()) -> Structure | None:
    """The class that the structure of a chain speaks for; None where it says too little.

    `others` are clues of what is known besides.
    """
    root = traceback.root
    clues = [*_clues(root), *others]
    for one in members(traceback):
        if one is not root:
            clues += (Clue(c.cls, c.points * OF_ECHO, c.why) for c in _clues(one))
    return _decided(clues)


_NO_STORES = (SERVERS, HUBS, TRACKERS, TOKENIZERS)


def asked_other_server(traceback: Traceback) -> bool:
    """Whether a client of something that is no store called what raised."""
    return any(family in _NO_STORES for one in members(traceback) for family in _raised(one).families)


def members(traceback: Traceback) -> Iterator[Traceback]:
    """Every exception of a chain: the first raised first, what is quoted before what quotes it."""
    for one in (*traceback.chain, traceback):
        if one.original is not None:
            yield from members(one.original)
        for part in one.members:
            yield from members(part)
        yield one


def _decided(clues: Sequence[Clue]) -> Structure | None:
    points: defaultdict[FailureClass, float] = defaultdict(float)
    for clue in _strongest_of_each(clues):
        points[clue.cls] += clue.points
    ranked = sorted(points.items(), key=lambda pair: -pair[1])
    if not ranked:
        return None
    (cls, most), next_most = ranked[0], ranked[1][1] if len(ranked) > 1 else 0.0
    if most < ENOUGH or most - next_most < AHEAD:
        return None
    own = [c for c in clues if c.cls is cls]
    whys = list(dict.fromkeys(c.why for c in sorted(own, key=lambda c: -c.points)))
    agreed = most >= AGREED and next_most < RIVAL * most and len(whys) > 1
    return Structure(cls, ", ".join(whys[:2]), agreed, _IMPORTED in whys)


def _strongest_of_each(clues: Iterable[Clue]) -> Iterable[Clue]:
    """Of clues that say the same, one: an exception that is raised again says nothing new."""
    best: dict[tuple[FailureClass, str], Clue] = {}
    for clue in clues:
        known = best.get((clue.cls, clue.why))
        if known is None or known.points < clue.points:
            best[clue.cls, clue.why] = clue
    return best.values()


@dataclass(frozen=True, slots=True)
class _Raised:
    """One exception of a chain, with whose each of its frames is."""

    one: Traceback
    frames: Sequence[Frame]
    places: Sequence[str]
    """As `families.place` names them."""
    text: str
    """Type and message."""
    family: Family | None
    """Who raised it: by the deepest library frame, by the type, or by the call that left no frame."""

    @property
    def name(self) -> str:
        """The last part of the type's."""
        return self.one.exception.rpartition(".")[2]

    @property
    def own(self) -> Sequence[Frame]:
        """The program's deepest frames."""
        return [f for f, inside in zip(self.frames, self.places, strict=True) if inside == PROGRAM][-OWN_FRAMES:]

    @property
    def imported(self) -> bool:
        """Whether a library raised it while it was looked for, or ran at its top level; not the program itself."""
        pairs = zip(self.frames, self.frames[1:], self.places[1:], strict=False)
        return self.places[-1:] not in ([], [PROGRAM]) and any(
            (frame.function == "<module>" or _IMPORTLIB in frame.file) and inside != PROGRAM and _imports(caller)
            for caller, frame, inside in pairs
        )

    @property
    def names(self) -> str:
        """Their files, each with its folder, and functions."""
        return " ".join(f"{'/'.join(_SEPARATORS.split(f.file)[-2:])} {f.function}" for f in self.own)

    @property
    def families(self) -> Iterator[Family]:
        """Of the frames, the deepest first, and of the type."""
        found = [family_of(inside) for inside in reversed(self.places)]
        yield from (f for f in (self.family, *found, family_of_type(self.one.exception)) if f is not None)


def _imports(caller: Frame) -> bool:
    """Whether a frame imports what stands below it."""
    return _IMPORTLIB in caller.file or _IMPORTS.match(caller.source) is not None


def _raised(one: Traceback) -> _Raised:
    frames = one.frames[-DEEPEST:]
    places = [place(f.file) for f in frames]
    return _Raised(one, frames, places, f"{one.exception}: {one.message}"[:LONGEST], _deepest(one, frames, places))


def _deepest(one: Traceback, frames: Sequence[Frame], places: Sequence[str]) -> Family | None:
    for inside, frame in zip(reversed(places), reversed(frames), strict=True):
        if inside == PROGRAM:
            return family_of_type(one.exception) or _called_family(frame.source)
        if (family := family_of(inside)) is not None:
            return family
    return family_of_type(one.exception)


def _called_family(source: str) -> Family | None:
    """The family of a library that a line of code calls."""
    named = (family_of(_SHORT.get(f"{name}.{attribute}", name)) for name, attribute in _CALL.findall(source))
    return next((family for family in named if family is not None), None)


def _clues(one: Traceback) -> Iterator[Clue]:
    """Everything that one exception of a chain says."""
    raised = _raised(one)
    answered = list(_of_answers(raised))
    yield from answered
    takes = _content(raised)
    families = (
        [Clue(FailureClass.SOFTWARE, 4.0, _IMPORTED)] if raised.imported else _of_families(raised, bool(answered))
    )
    for clue in (*families, *_of_hints(raised)):
        yield replace(clue, cls=takes.get(clue.cls, clue.cls))
    if (program := called(raised.text)) is not None:
        yield Clue(program[0], 3.5, program[1])


def _content(raised: _Raised) -> dict[FailureClass, FailureClass]:
    """What it is about where what was read is bad: data, unless a checkpoint or settings were read.

    Parsers of text and validators take either, and the program's names tell.
    """
    if raised.family in (TEXTS, VALIDATORS):
        sets, reads = SETS.found(raised.names), READS.found(raised.names)
        if sets and not reads:
            return {FailureClass.DATA: FailureClass.CONFIG}
        return {FailureClass.CONFIG: FailureClass.DATA} if reads and not sets else {}
    if raised.places[-1:] == [PROGRAM] and SAVES.found(raised.names):
        return {FailureClass.DATA: FailureClass.STORAGE_IO}
    return {FailureClass.DATA: _UNREADABLE.get(raised.family, FailureClass.DATA)}


def _of_families(raised: _Raised, answered: bool) -> Iterator[Clue]:
    deepest, typed = raised.family, family_of_type(raised.one.exception)
    if deepest is not None:
        far = deepest.far and not answered and _OWN_REFUSAL.search(raised.one.exception)
        refused = bool(far) or _refused_to_build(raised)
        share = BELOW if (answered and deepest.far) or refused else 1.0  # an answer says more than who asked
        if refused:
            yield Clue(FailureClass.CONFIG, 2.0, f"{deepest.name} itself refused what it was given")
        writes = deepest is READERS and _wrote(raised)
        yield Clue(FailureClass.SOFTWARE if writes else deepest.cls, deepest.points * share, f"in {deepest.name}")
    if typed is not None and typed is not deepest:
        yield Clue(typed.cls, typed.points, f"a type of {typed.name}")
    for family in {f for f in raised.families if f.outer} - {deepest, typed}:
        yield Clue(family.cls, family.points * BELOW, f"below {family.name}")
    if deepest is CHECKPOINTS and _wrote(raised):
        yield Clue(FailureClass.STORAGE_IO, 1.0, "while it wrote")


def _wrote(raised: _Raised) -> bool:
    """Whether a library was asked to write."""
    frames = zip(raised.frames, raised.places, strict=True)
    return any(_SAVES.match(frame.function) for frame, inside in frames if inside != PROGRAM)


def _refused_to_build(raised: _Raised) -> bool:
    """Whether what loads data was not even made: nothing was read yet, its arguments do not fit."""
    built = bool(raised.frames) and raised.frames[-1].function == "__init__" and _LOADERS.match(raised.places[-1])
    return raised.name == "ValueError" and bool(built)


def _of_answers(raised: _Raised) -> Iterator[Clue]:
    """What codes and words of other sides mean for the family that asked."""
    far = [f for f in raised.families if f.far]
    asked = next((f for f in far if f is not HTTP_CLIENTS), far[0] if far else None)  # who asked through it says more
    found = list(answers(raised.text))
    found += [Answered(answer, f"a {raised.name}") for words, answer in _BY_TYPE if words.search(raised.name)]
    if asked is not None:
        found = _first_of_far(found)
    for said in found:
        if asked is not None and said.answer in _FOR_FAR:
            cls = _far_class(asked, said.answer, raised.text)
            yield Clue(cls, _FOR_FAR[said.answer], f"{said.answer.value} ({said.code})")
        elif said.near and said.answer is not Answer.ABSENT:
            yield Clue(NEAR[said.answer], 5.0, said.code)
        elif said.answer is Answer.OVERLOADED and (said.status or _STORED.search(raised.text)):
            cls = FailureClass.STORAGE_IO if _STORED.search(raised.text) else NEAR[said.answer]
            yield Clue(cls, _OF_A_SERVER, f"{said.answer.value} ({said.code})")
        elif said.answer in _ELSEWHERE:
            yield Clue(NEAR[said.answer], _ELSEWHERE[said.answer], said.answer.value)


def _first_of_far(found: Sequence[Answered]) -> list[Answered]:
    """The answer that decides: a refusal explains retries and time-outs round it."""
    far = [a for wanted in _FOR_FAR for a in found if a.answer is wanted]
    return [*far[:1], *(a for a in found if a.answer not in _FOR_FAR)]


def _far_class(family: Family, answer: Answer, text: str) -> FailureClass:
    if answer is Answer.DENIED:
        return FailureClass.CONFIG
    if family is GROUPS:
        return FailureClass.INIT_RENDEZVOUS
    if answer is Answer.ABSENT:
        return FailureClass.CONFIG if family in (HUBS, TRACKERS) else FailureClass.DATA
    stored = family is OBJECT_STORES or _STORED.search(text) is not None
    return FailureClass.STORAGE_IO if stored else FailureClass.NETWORK


def _of_hints(raised: _Raised) -> Iterator[Clue]:
    own = raised.own
    by_itself = bool(own) and (raised.places[-1] == PROGRAM or raised.family is TEXTS)
    message = raised.one.message[:LONGEST]
    within = {
        Within.MESSAGE: raised.text,
        Within.OWN: raised.text if raised.places[-1:] == [PROGRAM] and raised.family is None else "",
        Within.TYPE: raised.name,
        Within.NAMES: raised.names,
        Within.SOURCE: own[-1].source if by_itself else "",
        Within.PATH: " ".join(_PATH.findall(message)) if _refused(raised.name, message) else "",
    }
    for hint in HINTS:
        if within[hint.within] and hint.found(within[hint.within]):
            yield Clue(hint.cls, hint.points, hint.why)
            if hint.within is Within.NAMES and _on_purpose(raised):
                yield Clue(hint.cls, ON_PURPOSE, f"{hint.why} and refuses")


def _on_purpose(raised: _Raised) -> bool:
    """Whether the program refused what it was given, where it could have gone on to fail."""
    return raised.places[-1:] == [PROGRAM] and raised.frames[-1].refuses


def _refused(name: str, message: str) -> bool:
    """Whether it is a path that was refused."""
    return bool(_ABSENT.search(name) or _DENIED.search(name)) or _NOT_THERE.search(message) is not None
