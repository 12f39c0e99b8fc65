"""Our data classes do what the standard ones do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field
from functools import cached_property
from typing import Any

import pytest

from logtui.parsers import dataclass as ours

OPTIONS: list[dict[str, bool]] = [
    {},
    {"slots": True},
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "eq": False},
]
Decorator = Callable[..., Any]


def _declared(decorate: Decorator, **options: bool) -> Any:
    @decorate(**options)
    class Sample:
        """Every way in which a field is declared."""

        first: int
        text: str = "a"
        many: list[int] = field(default_factory=list)
        hidden: bytes = field(repr=False, default=b"")
        aside: Any = field(default=None, init=False, repr=False, compare=False)
        grown: list[int] = field(default_factory=list, init=False)

        def __post_init__(self) -> None:
            self.many.append(self.first)

    return Sample


@pytest.fixture(params=OPTIONS, ids=str)
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """The standard class and ours."""
    return _declared(dataclass, **request.param), _declared(ours.dataclass, **request.param)


def test_instances_hold_and_show_the_same(pair: tuple[Any, Any]) -> None:
    shown = []
    for kind in pair:
        one = kind(1, many=[5], hidden=b"x")
        shown.append([repr(one), repr(kind(2, "b")), dataclasses.asdict(one), kind.__match_args__])
        shown[-1].append(dataclasses.astuple(dataclasses.replace(one, first=3)))
        shown[-1].append([f.name for f in dataclasses.fields(kind)])
        shown[-1].append([hasattr(one, "__dict__"), one.aside, one.grown, kind(1).many is kind(1).many])
    assert shown[0] == shown[1]


def test_comparing_and_hashing(pair: tuple[Any, Any]) -> None:
    found = []
    for kind in pair:
        same = kind(1) == kind(1), kind(1) == kind(2), kind(1) == 1, kind(1) != kind(1)
        found.append([same, kind.__hash__ is None, kind.__hash__ is object.__hash__])
    assert found[0] == found[1]


def test_wrong_arguments_are_refused_in_the_same_words(pair: tuple[Any, Any]) -> None:
    for arguments, named in (((), {}), ((1,), {"first": 2}), ((1,), {"nothing": 2}), ((1, "", [], b"", 5), {})):
        refusals = []
        for kind in pair:
            with pytest.raises(TypeError) as refused:
                kind(*arguments, **named)
            refusals.append(str(refused.value))
        assert refusals[0] == refusals[1]


@pytest.mark.parametrize("slots", [False, True])
def test_a_frozen_one_refuses_changes(slots: bool) -> None:
    for one in (kind(1) for kind in (_declared(d, frozen=True, slots=slots) for d in (dataclass, ours.dataclass))):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'first'"):
            one.first = 2
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'text'"):
            del one.text


def test_after_the_first_instance_the_signature_is_the_declared_one() -> None:
    kind = _declared(ours.dataclass, frozen=True)
    kind(1)
    assert list(inspect.signature(kind).parameters) == ["first", "text", "many", "hidden"]


@ours.dataclass(frozen=True, slots=True)
class Pair:
    """Travels."""

    left: int
    right: tuple[int, ...] = ()


@ours.dataclass(frozen=True)
class Wider(Pair):
    """One more field, and something worked out."""

    far: int = 7

    @cached_property
    def total(self) -> int:
        """Of all."""
        return self.left + sum(self.right) + self.far


@ours.dataclass(frozen=True)
class Word:
    """Has methods of its own."""

    text: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.text.lower() == other.text.lower()

    def __hash__(self) -> int:
        return hash(self.text.lower())

    def __repr__(self) -> str:
        return f"<{self.text}>"


@pytest.mark.parametrize("one", [Pair(1, (2,)), Pair(0), Wider(1, (2,), 3)], ids=repr)
def test_copies_and_pickles_are_equal(one: Pair) -> None:
    assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one) == copy.copy(one)
    assert hash(copy.copy(one)) == hash(one)


def test_one_that_extends_another() -> None:
    assert Wider(1, (2,)).total == 10
    assert Wider(1) != Pair(1)
    assert repr(Wider(1)) == "Wider(left=1, right=(), far=7)"


def test_own_methods_stay() -> None:
    assert Word("A") == Word("a")
    assert len({Word("A"), Word("a")}) == 1
    assert repr(Word("A")) == "<A>"


def test_used_without_options() -> None:
    @ours.dataclass
    class Plain:
        value: int = 1

    one = Plain()
    one.value = 3
    assert one == Plain(3)
    assert Plain.__hash__ is None
