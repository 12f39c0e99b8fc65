"""Training runs, but steps take much longer than they did."""

from __future__ import annotations

import re
from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.file_ends import quiet_after, said_last
from logtui.diagnosis.predicates.hampering import hampering
from logtui.diagnosis.predicates.health import Sign, saw_off, stands
from logtui.diagnosis.predicates.phase_change import announced, another_loss
from logtui.diagnosis.predicates.slowdown import Slowdown, slow_by_steps
from logtui.diagnosis.rules.ranking import STEPS_SLOW, STEPS_WERE_SLOW
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.source import OF_PROGRAMS

FEW = 2
"""More slow ranks than that single out nobody."""
MOST_FILES = 8
"""Files whose ends are read."""
LINES, WIDTH = 1000, 600
"""At the end of a file that are looked at for the bar; characters of a line."""
_OF_EPISODES = re.compile(r"\bepisode|\bgames?\b|\breturn_mean\b|\bep_(?:len|rew)", re.IGNORECASE)
"""Steps whose length the program's own skill decides."""
_TOTAL = re.compile(r"%\|[^|]{0,200}\| {0,8}\d{1,9}/(\d{1,9}) \[")


def _find(facts: Facts) -> Iterator[Claim]:
    slow = slow_by_steps(facts)
    if slow is None:
        return
    near = tuple(hampering(facts, slow.order[0]))[:FEW] if slow.order[0] else ()
    hosts = tuple(dict.fromkeys(h for r in near if (h := facts.identity.host_of(r))))
    why = "".join(f"; about then, {facts.identity.host_of(r) or 'a host'}: {r.title}" for r in near)
    lines = tuple(cite(facts.case, r) for r in near)
    yield Claim(
        title=f"{slow.words}{why}",
        cls=FailureClass.SLOW_TRAINING,
        first=slow.evidence,
        order=slow.order,
        rung=STEPS_SLOW if slow.lasting else STEPS_WERE_SLOW,
        ranks=tuple(sorted(s.rank for s in slow.slow_ranks)) if len(slow.slow_ranks) <= FEW else (),
        hosts=hosts,
        supporting=(slow.evidence, *lines, *(s.evidence for s in slow.slow_ranks[:FEW])),
        refuted=_against(facts, slow),
    )


def _against(facts: Facts, slow: Slowdown) -> str:
    """Why a job of which steps were slow is well all the same."""
    if not slow.lasting:
        return "the steps became fast again"
    if _OF_EPISODES.search(slow.evidence.text[:WIDTH]):
        return "episodes take as long as they last: who learns to live plays longer"
    if another_loss(facts, *slow.order[1:]):
        return "the loss is another one from there on: another phase began"
    if told := announced(facts, *slow.order[1:]):
        return f"another kind of steps was announced: {told[:80]}"
    if _far_behind(facts, slow.order[1]):
        return "much else stands behind the last of them"
    files = [f.index for f in facts.case.files if f.kind in OF_PROGRAMS][:MOST_FILES]
    left = saw_off(facts) is not None and stands(facts, Sign.LEFT)
    through = left or (not facts.is_past and any(said_last(facts, f, results=False) is not None for f in files))
    return "slower or not, the program came to its end" if through or _bar_filled(facts, slow.order) else ""


def _far_behind(facts: Facts, file: int) -> bool:
    """Whether the last step of a file is not that of what its last thousand lines are about."""
    last = max((int(s.lines.max()) for s in facts.lived if s.file == file and len(s.lines)), default=None)
    return last is not None and facts.case.line_count(file) - last > LINES


def _bar_filled(facts: Facts, order: tuple[float, int, int]) -> bool:
    """Whether the bar whose steps were slow was full in the end, and more was said then, none of it a complaint."""
    _, file, line = order
    total = _TOTAL.search(next(iter(facts.case.bodies(file, line, 1)), "")[:WIDTH])
    if total is None or facts.is_past:
        return False
    first = max(line, facts.case.line_count(file) - LINES + 1)
    ends = facts.case.bodies(file, first, LINES)
    last = max((n for n, text in enumerate(ends) if f"/{total[1]} [" in text), default=None)
    if last is None or f"| {total[1]}/{total[1]} [" not in ends[last]:
        return False
    return any(text.strip() for text in ends[last + 1 :]) and quiet_after(facts, file, first + last)


RULE = Rule(
    id="slow-steps",
    title="Steps became slow",
    claim="The smoothed step time rose well above the fastest block and stayed there.",
    needs="step lines with times",
    refuted_by="the steps became fast again; the loss changed with them; the program came to its end",
    find=_find,
    maturity="tried",
)
