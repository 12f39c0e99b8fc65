"""Every declared kind of exception: samples, names, order, and how long a search may take."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from time import process_time
from typing import Any

import pytest

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised, Vocabulary
from logtui.parsers.exceptions.table import KINDS, kind_of, kind_of_traceback, words_of, words_of_line
from logtui.parsers.exceptions.vocabulary import VOCABULARIES
from logtui.parsers.pattern import Role
from logtui.parsers.pattern_checks import nested_repeats
from logtui.parsers.tracebacks.traceback import Traceback, assemble

SITE = "/opt/venv/lib/python3.12/site-packages/"
CHAINED = (
    "The above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n    run()\nRuntimeError: no step 57'
)
SAMPLES = [(kind, sample) for kind in KINDS for sample in kind.samples]
SHARED = {expression for vocabulary in VOCABULARIES for expression in vocabulary}
ASKED = ("types", "says", "frames")
NEVER = r"(?!)"
SEARCH_S = 0.25
"""CPU seconds that one expression may take on one message."""
MESSAGE_CHARACTERS = 8192


def _id(value: object) -> str:
    if isinstance(value, ExceptionKind):
        return value.name
    return value if isinstance(value, str) else ""


def _assembled(sample: Raised) -> Traceback:
    """A rank's traceback that ends as the sample says."""
    lines = ["Traceback (most recent call last):"]
    for frame in sample.frames or ("/opt/job/train.py main",):
        path, _, function = frame.partition(" ")
        lines += [f'  File "{path if path[0] in "/<" else SITE + path}", line 57, in {function}', "    run()"]
    lines += sample.text.split("\n") if sample.text else []
    found = assemble([f"[rank3]: {line}" if line else "" for line in lines])
    assert found is not None
    return found


def _words(sample: Raised) -> tuple[str, str, str]:
    """Type, message and frames of a sample, as the diagnosis reads them."""
    if not sample.bare:
        return words_of(_assembled(sample))
    name, _, message = sample.text.partition(": ")
    return words_of_line(name, message, sample.frames)


@pytest.mark.parametrize(("kind", "sample"), SAMPLES, ids=_id)
def test_a_sample_is_claimed_by_its_own_kind_and_no_earlier_one(kind: ExceptionKind, sample: Raised) -> None:
    assert kind_of(*_words(sample)).name == kind.name


@pytest.mark.parametrize(
    ("kind", "asked", "expression"),
    [(k, asked, e) for k in KINDS for asked in ASKED for e in getattr(k, asked) if e not in SHARED],
    ids=_id,
)
def test_without_an_expression_a_sample_is_lost(kind: ExceptionKind, asked: str, expression: str) -> None:
    others: dict[str, Any] = {asked: tuple(e for e in getattr(kind, asked) if e != expression) or (NEVER,)}
    poorer = dataclasses.replace(kind, **others)
    lost = [s for s in kind.samples if not (poorer.has_type((said := _words(s))[0]) and poorer.says_so(*said[1:]))]
    assert lost, f"no sample needs {expression}"


@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda v: v.meaning)
def test_each_word_is_found_in_its_example(vocabulary: Vocabulary) -> None:
    examples = {e: example if example[0] == "/" else SITE + example for e, example in vocabulary.words.items()}
    assert [e for e, example in examples.items() if not re.search(e, example)] == []


@pytest.mark.parametrize("kind", KINDS, ids=_id)
def test_a_kind_is_complete(kind: ExceptionKind) -> None:
    assert kind.samples, "a kind without a sample proves nothing"
    assert kind.writer and kind.title
    assert re.fullmatch(r"exception\.[a-z][a-z0-9_]*", kind.name)
    assert 0 <= kind.weight <= 100
    assert (kind.weight > 0) == (kind.role is Role.CAUSE)


def test_names_are_unique() -> None:
    assert [name for name, count in Counter(kind.name for kind in KINDS).items() if count > 1] == []


def test_a_traceback_has_the_kind_of_what_it_began_with() -> None:
    cut, wrapped = _assembled(KINDS[0].samples[0]), _assembled(Raised("MemoryError\n\n" + CHAINED))
    assert kind_of_traceback(cut).name == "exception.cut"
    assert (wrapped.exception, kind_of_traceback(wrapped).name) == ("RuntimeError", "exception.memory_error")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/data/users/ann/job/report.py", "exception.other"),
        ("/opt/job/data/report.py", "exception.data_lacking"),
    ],
    ids=["mounted there", "its own folder"],
)
def test_where_a_program_lies_is_not_what_it_does(path: str, name: str) -> None:
    raised = Raised("KeyError: 'loss57'", (f"{path} write_row",))
    assert kind_of(*_words(raised)).name == name


def test_the_last_kind_alone_asks_for_nothing() -> None:
    assert [kind for kind in KINDS if not (kind.types or kind.says or kind.frames)] == [KINDS[-1]]
    assert kind_of("jobkit.Unheard", "", "") is KINDS[-1]


@pytest.mark.parametrize("kind", KINDS, ids=_id)
def test_no_repeat_in_a_repeat(kind: ExceptionKind) -> None:
    assert [e for e in (*kind.types, *kind.says, *kind.frames) if nested_repeats(e)] == []


@pytest.mark.parametrize("kind", KINDS, ids=_id)
def test_search_ends_soon(kind: ExceptionKind) -> None:
    """On messages made to make it hesitate: its samples over and over, and long runs."""
    text = kind.samples[-1].text
    messages = [text * 60, text[:-3] * 60, *(run * 3000 for run in ("a", " ", "1, ", "data", "[", "not found"))]
    started = process_time()
    for message in messages:
        kind.says_so(message[:MESSAGE_CHARACTERS], message[:MESSAGE_CHARACTERS])
    assert process_time() - started < SEARCH_S * len(messages)
