"""What may not contradict what in a report: its parts one another, its texts, the files it cites, its exit status.

Nothing here knows a cause, so that it needs no truth and holds for any log. Each invariant is a function that yields
a sentence for each breach; `breaches` asks all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from typing import Any

from logtui.diagnosis.report.json_report import as_dict
from logtui.diagnosis.report.markdown import render
from logtui.diagnosis.session.analysis import Analysis

Json = dict[str, Any]
BAD = frozenset({"crashed", "killed", "never_entered"})
INSIDE = frozenset({"waiting", "queued_ahead", "ahead", "behind"})
FINE = frozenset({"healthy", "unknown"})
HALF_A_YEAR_S = 182 * 86400.0
TOLERANCE_S = 1.0
"""Clocks of ranks differ, and watchdogs print no milliseconds."""
_NUMBERS = re.compile(r"\d+(?:–\d+)?")
_RANKS = r"ranks? ((?:\d+(?:–\d+)?(?:, )?){1,40})"


@dataclass(frozen=True)
class Told:
    """One report in all its forms."""

    analysis: Analysis
    status: int

    @cached_property
    def json(self) -> Json:
        return as_dict(self.analysis.report)

    @cached_property
    def markdown(self) -> str:
        return render(self.analysis.report)

    @cached_property
    def ranks(self) -> Mapping[int, Json]:
        return {r["rank"]: r for r in self.json["ranks"]}

    @property
    def verdict(self) -> Json:
        found: Json = self.json["verdict"]
        return found

    def section(self, title: str) -> list[str]:
        """The lines of a section of the markdown."""
        _, _, rest = self.markdown.partition(f"\n## {title}\n")
        return rest.partition("\n## ")[0].splitlines()


Invariant = Callable[[Told], Iterator[str]]


def seconds(text: str | None) -> float | None:
    """A time of the report, its zone left aside."""
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=None).timestamp()


def ranks_in(text: str) -> set[int]:
    """`3, 8–10` → {3, 8, 9, 10}."""
    found: set[int] = set()
    for part in _NUMBERS.findall(text):
        first, _, last = part.partition("–")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def cited(node: Any, where: str = "") -> Iterator[tuple[str, Json]]:
    """Every {file, line, text} of a report, with where it stands."""
    if isinstance(node, dict):
        if node.get("file") and node.get("line") and isinstance(node.get("text"), str):
            yield where, node
        for key, value in node.items():
            yield from cited(value, f"{where}.{key}")
    elif isinstance(node, list):
        for n, value in enumerate(node):
            yield from cited(value, f"{where}[{n}]")


def _plain(text: str) -> str:
    return re.sub(r"\W+", "", text)


# -- The files


def cited_lines_say_so(told: Told) -> Iterator[str]:
    case = told.analysis.case
    for where, line in cited(told.json):
        file = case.file_named(line["file"])
        if file is None:
            continue  # in an archive of daemon logs
        now = "".join(case.lines(file.index, line["line"], 1))
        if _plain(line["text"].rstrip("…"))[:200] not in _plain(now):
            yield f"{where} cites {line['file']}:{line['line']}, which says otherwise"
    yield from (f"{place} has failed verification" for place in told.json["verification"]["failed"])


# -- Times


def the_proof_is_shown(told: Told) -> Iterator[str]:
    first = told.verdict["first_evidence"]
    shown = {(t["file"], t["line"]) for t in told.json["timeline"]}
    if first and (first["file"], first["line"]) not in shown:
        yield f"the timeline lacks the proof, {first['file']}:{first['line']}"
    table = "\n".join(told.section("Timeline"))
    if first and f"`{first['file']}:{first['line']}` |" not in table:
        yield f"the table of the timeline lacks the proof, {first['file']}:{first['line']}"
    for step in told.json["chain"]:
        yield from (
            f"the timeline lacks {e['file']}:{e['line']} of step {step['step']}"
            for e in step["evidence"]
            if (e["file"], e["line"]) not in shown
        )


def the_timeline_is_in_order(told: Told) -> Iterator[str]:
    times = [seconds(t["time"]) for t in told.json["timeline"]]
    known = [t for t in times if t is not None]
    if any(later < earlier for earlier, later in pairwise(known)):
        yield "the timeline is not in order"
    if None in times[: len(known)]:
        yield "undated lines stand before dated ones"
    if known and max(known) - min(known) > HALF_A_YEAR_S:
        yield f"one job spans half a year: {min(known)} to {max(known)}"
    for one in told.json["timeline"]:
        if (one["time"] is None) != (one["time_from"] == "unknown"):
            yield f"{one['file']}:{one['line']} has time {one['time']} from {one['time_from']!r}"
    job = told.json["job"]
    if job["started"] and job["ended"] and job["started"] > job["ended"]:
        yield f"the job ended at {job['ended']} before it started at {job['started']}"


def causes_come_first(told: Told) -> Iterator[str]:
    steps = {s["step"]: s for s in told.json["chain"]}
    if list(steps) != list(range(1, len(steps) + 1)):
        yield f"the steps of the chain are {list(steps)}"
    for step in steps.values():
        to = steps.get(step["leads_to"])
        at, then = seconds(step["time"]), seconds(to["time"]) if to else None
        if at is not None and then is not None and at - then > TOLERANCE_S:
            yield f"step {step['step']} at {step['time']} leads to one at {to and to['time']}"


def the_diagram_tells_the_chain(told: Told) -> Iterator[str]:
    lines = [line.strip() for line in told.section("Timeline")]
    drawn = lines[lines.index("timeline") + 2 : lines.index("```", 1)] if "timeline" in lines else []
    times = [line.lstrip("~")[:8] for line in drawn]
    if "timeline" in lines and any(a > b for a, b in pairwise(times)) and _same_day(told):
        yield f"the diagram is not in order: {times}"
    dated = [s for s in told.json["chain"] if s["time"]]
    if len(dated) > 1 and len([line for line in drawn if " : job " not in line]) < min(len(dated), 12):
        yield "the diagram leaves out steps of the chain"


def _same_day(told: Told) -> bool:
    days = {s["time"][:10] for s in told.json["chain"] if s["time"]} | {
        (told.json["job"][key] or "")[:10] for key in ("started", "ended")
    }
    return len(days - {""}) == 1


def inherited_times_are_marked(told: Told) -> Iterator[str]:
    rows = [line for line in told.section("Timeline") if line.startswith("| ~")]
    shown = "\n".join(told.section("Timeline"))
    for one in told.json["timeline"]:
        if one["time_from"] in ("line before", "line after") and f"`{one['file']}:{one['line']}` |" in shown:
            place = f"`{one['file']}:{one['line']}` |"
            if not any(row.endswith(place) for row in rows):
                yield f"{one['file']}:{one['line']} has its neighbour's time, unmarked"


# -- Ranks


def culprits_are_ranks(told: Told) -> Iterator[str]:
    for rank in told.verdict["culprit_ranks"]:
        if rank not in told.ranks:
            yield f"culprit {rank} is not among the ranks"
    heard = [r for r in told.verdict["culprit_ranks"] if r in told.ranks and told.ranks[r]["files"]]
    if heard and len(heard) < len(told.verdict["culprit_ranks"]):
        yield "ranks without any line are blamed beside one that has lines"


def states_agree(told: Told) -> Iterator[str]:
    for rank, state in told.ranks.items():
        if state["status"] == "never_entered" and state["role"] == "initiator" and len(state["groups"]) == 1:
            yield f"rank {rank}, whose own watchdog timed out, never entered"
        if state["status"] == "silent" and state["groups"]:
            yield f"rank {rank} is silent, and tells of {len(state['groups'])} groups"
    never = re.search(_RANKS + r" never entered", told.verdict["title"])
    for rank in ranks_in(never[1]) if never else ():
        if rank in told.ranks and told.ranks[rank]["status"] in INSIDE:
            yield f"rank {rank} never entered, and is {told.ranks[rank]['status']}"


def titles_name_the_culprits(told: Told) -> Iterator[str]:
    """A title that begins with ranks is about those that the verdict blames."""
    named = re.match(_RANKS + r"(?!.*\b(?:wait|waits)\b)", told.verdict["title"])
    culprits = set(told.verdict["culprit_ranks"])
    if named and culprits and " and " not in named[0] and ranks_in(named[1]) != culprits:
        yield f"the title names ranks {sorted(ranks_in(named[1]))}, the verdict {sorted(culprits)}"


def numbers_agree(told: Told) -> Iterator[str]:
    texts = [told.verdict["title"], *(s["what"] for s in told.json["chain"])]
    timed_out = sum(any(g["stuck_on"] for g in r["groups"]) for r in told.ranks.values())
    for text in texts:
        said = re.search(r"watchdogs of (\d+) ranks? time out", text)
        if said and int(said[1]) != timed_out:
            yield f"{said[0]!r}, and {timed_out} ranks have an operation that timed out"
        yield from _waiting(told, text)


def _waiting(told: Told, text: str) -> Iterator[str]:
    """`126 ranks wait in BROADCAST #1201 of default_pg`: so many are stuck there, by the list of ranks."""
    said = re.search(r"(?:(\d+) ranks|" + _RANKS + r") waits? in \S+ #(\d+) of default_pg", text)
    if said is None:
        return
    count, seq = int(said[1]) if said[1] else len(ranks_in(said[2])), int(said[3])
    groups = [[_stands(g) for g in r["groups"] if _of_all(g)] for r in told.ranks.values()]
    inside = [own for own in groups if seq in own or None in own]
    if any(groups) and len(inside) != count:
        yield f"{said[0]!r}, and {len(inside)} ranks stand there"


def _of_all(group: Json) -> bool:
    return group["desc"] == "default_pg" or group["group"] in ("0", "?")


def _stands(group: Json) -> int | None:
    """The operation that a rank waits in; -1 where it waits in none, None where its number is not said."""
    if group["stuck_on"] is not None:
        seq: int | None = group["stuck_on"]["seq"]
        return seq
    enqueued, completed = group["enqueued"], group["completed"]
    return -1 if enqueued is None or completed is None or enqueued <= completed else int(completed) + 1


def coverage_adds_up(told: Told) -> Iterator[str]:
    found = told.json["coverage"]
    missing = set(found["ranks_missing"])
    if not 0 <= found["lines_unparsed"] <= found["lines"]:
        yield f"{found['lines_unparsed']} of {found['lines']} lines are unknown"
    all_told = found["ranks_seen"] + len(missing)  # where all ranks write one file, the silent ones are not missing
    if found["ranks_expected"] is not None and missing and all_told != found["ranks_expected"]:
        yield f"{found['ranks_seen']} ranks seen and {len(missing)} missing of {found['ranks_expected']}"
    for rank in missing & set(told.ranks):
        if told.ranks[rank]["files"]:
            yield f"rank {rank} is missing, and has {told.ranks[rank]['files']}"
    for c in told.json["counts"]:
        if sum(c["by_file"].values()) != c["total"] or sum(c["by_rank"].values()) > c["total"]:
            yield f"{c['pattern']}: {c['total']} lines in all, {c['by_file']}, {c['by_rank']}"


# -- What is concluded


def the_healthy_are_well(told: Told) -> Iterator[str]:
    if told.verdict["class"] != "healthy":
        return
    counts = Counter(r["status"] for r in told.ranks.values())
    yield from (f"healthy, with {n} ranks {status}" for status, n in counts.items() if status in BAD)
    failed = [a for a in told.json["attempts"] if a["class"] not in FINE]
    if told.verdict["confidence"] == "high" and failed:
        yield f"healthy at high confidence, with {len(failed)} failed attempts"


def advice_has_its_line(told: Told) -> Iterator[str]:
    for one in told.json["recommendations"]:
        if "cited" in one["what"] and not one["because"]:
            yield f"nothing is cited for {one['what']!r}"


def nothing_read_is_missing(told: Told) -> Iterator[str]:
    for want in told.verdict["missing"]:
        for rank in re.findall(r"(?:output|traceback|logs?) of ranks? (\d+)\b(?!–)", want):
            state = told.ranks.get(int(rank))
            if state and state["files"] and state["status"] != "silent" and state["last_words"]:
                yield f"asks for {want!r}, which it has read"


def storage_is_cleared_by_counters(told: Told) -> Iterator[str]:
    daemons = (told.json["ais"] or {}).get("daemons") or ()
    moved = [
        f"{d['id']} {c['name']}"
        for d in daemons
        for c in d["counters"]
        if c["name"].startswith("err.") and (c["delta"] or 0) > 0
    ]
    if moved and "storage is cleared" in str((told.verdict, told.json["chain"], told.json["recommendations"])).lower():
        yield f"storage is cleared, and {moved[:3]} moved"


def texts_agree(told: Told) -> Iterator[str]:
    verdict, head = told.verdict, told.markdown.splitlines()[0]
    if _plain(head) != _plain(verdict["title"].replace("<", "&lt;")):
        yield f"markdown is headed {head!r}"
    said = "\n".join(told.section("Verdict"))
    if f"`{verdict['class']}`" not in said or f"**{verdict['confidence']}**" not in said:
        yield "class or confidence are not those of the markdown"
    named = re.search(r"\*\*Culprit\*\*: rank ([\d–, ]+)", said)
    told_of = ranks_in(named[1]) if named else set()
    if told_of != set(verdict["culprit_ranks"]) and "more ranges" not in said:
        yield f"markdown blames {sorted(told_of)}"
    if told.status != (0 if verdict["class"] == "healthy" else 1):
        yield f"exit status {told.status} of a verdict {verdict['class']}"


INVARIANTS: tuple[Invariant, ...] = (
    cited_lines_say_so, the_proof_is_shown, the_timeline_is_in_order, causes_come_first, the_diagram_tells_the_chain,
    inherited_times_are_marked, culprits_are_ranks, states_agree, titles_name_the_culprits, numbers_agree,
    coverage_adds_up, the_healthy_are_well, advice_has_its_line, nothing_read_is_missing,
    storage_is_cleared_by_counters, texts_agree,
)  # fmt: skip


def breaches(told: Told) -> Iterator[str]:
    """Each contradiction, with the invariant that it breaks."""
    for invariant in INVARIANTS:
        yield from (f"{invariant.__name__}: {what}" for what in invariant(told))
