"""Exceptions that tell of others alone, in any library's words: what all ranks but a few raise of those few.

`Connection reset by peer`, a barrier that timed out, a store that nobody wrote to: amid the training, and raised by
nearly all, it says where to look and nothing of the cause.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.parsers.pattern import FailureClass, Role
from logtui.parsers.regex import regex
from logtui.parsers.structure.families import family_of, place

LEAST = 2
"""So many must have raised it before the others are suspect."""
FEW = 0.25
"""Of more than this share of the ranks nobody says that all others missed them."""
_OF_OTHERS = regex(
    r"(?i:timed? ?out|time-?out|deadline.?exceeded|unavailable|\bpeers?\b|remote|socket closed|broken pipe|proc_failed"
    r"|connection (?:was )?(?:closed|reset|refused|lost|aborted)|\baborted by\b|no (?:answer|reply|response) from)"
)
_NAMES_THEM = "exception.monitored_barrier"
"""Who raises it says who did not come: a rule of its own listens."""
_MAY_BE = frozenset({FailureClass.NETWORK, FailureClass.INIT_RENDEZVOUS, FailureClass.SOFTWARE, FailureClass.UNKNOWN})
"""Classes that such words are taken for where they stand alone."""

_KNOWN: WeakKeyDictionary[Facts, dict[int, ExceptionFact]] = WeakKeyDictionary()


def missed_others(facts: Facts) -> dict[int, ExceptionFact]:
    """Ranks that raised of others alone, each with its exception; empty where no few ranks are left to be missed."""
    if facts not in _KNOWN:
        _KNOWN[facts] = _missed(facts)
    return _KNOWN[facts]


def _missed(facts: Facts) -> dict[int, ExceptionFact]:
    if not facts.lived:
        return {}  # before the training a group that did not form is the failure itself
    found: dict[int, ExceptionFact] = {}
    for fact in facts.exceptions:
        if fact.rank is not None and not fact.ignored and tells_of_others(fact):
            found.setdefault(fact.rank, fact)
    left = set(facts.seen_ranks) - found.keys()
    few = 0 < len(left) <= max(1, FEW * len(facts.seen_ranks))
    return found if len(found) >= LEAST and few else {}


def tells_of_others(fact: ExceptionFact) -> bool:
    """Whether an exception has no word but of other processes, and no far server or disk was asked."""
    if fact.row.name == _NAMES_THEM:
        return True
    if fact.row.role is not Role.CAUSE or fact.row.cls not in _MAY_BE:
        return False
    families = (family_of(place(frame.file)) for frame in fact.traceback.root.frames)
    return _OF_OTHERS.search(fact.headline) is not None and not any(f is not None and f.far for f in families)
