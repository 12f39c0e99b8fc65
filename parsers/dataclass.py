"""Data classes that cost little to import; what they do is what the standard ones do.

The standard decorator writes up to six methods for each class and has each compiled: most of a millisecond a class, and
a run imports hundreds of which it makes no instance. Here comparing, showing and refusing are functions that all
classes share, and `__init__` is written when the first instance is made.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

_T = TypeVar("_T")
_Method = Callable[..., Any]


def _made(cls: type[_T], *, frozen: bool = False, slots: bool = False, eq: bool = True) -> type[_T]:
    """The class with what it was declared to have; the options are those of the standard decorator in use here."""
    own: Mapping[str, object] = dict(vars(cls))
    kind: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    kind.__init__ = _first_init(kind, frozen)
    if "__repr__" not in own:
        kind.__repr__ = _repr(kind)
    if eq:
        _compare(kind, own, frozen)
    if frozen:
        _freeze(kind)
        if slots:
            kind.__getstate__, kind.__setstate__ = _state, _take_state
    result: type[_T] = kind
    return result


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """As `dataclasses.dataclass`, with `frozen`, `slots` and `eq`."""
        return _made(cls) if cls is not None else lambda declared: _made(declared, **options)


# -- Making instances


def _first_init(kind: Any, frozen: bool) -> _Method:
    """An `__init__` that writes the real one and puts it in its own place."""

    def init(self: object, /, *args: object, **named: object) -> None:
        kind.__init__ = real = _init(kind, frozen)
        real(self, *args, **named)

    return _named("__init__", init, kind)


def _init(kind: Any, frozen: bool) -> _Method:
    known: dict[str, Any] = {"_assign": object.__setattr__, "_MADE": _MADE}
    taken, body = ["self"], []
    for field in fields(kind):
        if field.init:
            taken.append(_parameter(field, known))
        elif not _is_set_anew(field, kind):
            continue
        body.append(_assignment(kind, field.name, _value(field, known), frozen, known))
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    lines = "".join(f"\n  {line}" for line in body or ["pass"])
    source = f"def make({', '.join(known)}):\n def __init__({', '.join(taken)}):{lines}\n return __init__"
    made: dict[str, _Method] = {}
    exec(source, {"__name__": kind.__module__}, made)
    return _named("__init__", made["make"](**known), kind)


class _Missing:
    """Stands for a value that is to be made by its factory."""

    def shown_as(self) -> str:
        return "<factory>"


_MADE = _Missing()


def _parameter(field: Field[Any], known: dict[str, Any]) -> str:
    if field.default is not MISSING:
        known[f"_default_{field.name}"] = field.default
        return f"{field.name}=_default_{field.name}"
    return field.name if field.default_factory is MISSING else f"{field.name}=_MADE"


def _is_set_anew(field: Field[Any], kind: Any) -> bool:
    """Whether each instance is given a value that nobody can hand in: of a factory, or where the class holds none."""
    return field.default_factory is not MISSING or (field.default is not MISSING and "__slots__" in vars(kind))


def _value(field: Field[Any], known: dict[str, Any]) -> str:
    if field.default_factory is MISSING:
        if not field.init:
            known[f"_default_{field.name}"] = field.default
        return field.name if field.init else f"_default_{field.name}"
    known[f"_default_{field.name}"] = field.default_factory
    made = f"_default_{field.name}()"
    return f"{made} if {field.name} is _MADE else {field.name}" if field.init else made


def _assignment(kind: Any, name: str, value: str, frozen: bool, known: dict[str, Any]) -> str:
    """How a field gets its value; that of a slot, past what refuses changes, is set without a look for the slot."""
    if not frozen:
        return f"self.{name} = {value}"
    slot: Any = getattr(kind, name, None)
    if type(slot) is not _Slot:
        return f"_assign(self, {name!r}, {value})"
    known[f"_set_{name}"] = slot.__set__
    return f"_set_{name}(self, {value})"


class _Slotted:
    __slots__ = ("one",)


_Slot = type(_Slotted.one)  # type: ignore[attr-defined]  # what slots are made of has no name


# -- Comparing, showing, refusing


def _compare(kind: Any, own: Mapping[str, object], frozen: bool) -> None:
    values = _values_of([f.name for f in fields(kind) if f.compare])

    def equal(self: object, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    if "__eq__" not in own:
        kind.__eq__ = _named("__eq__", equal, kind)
    if "__hash__" not in own or ("__eq__" in own and own["__hash__"] is None):
        kind.__hash__ = _named("__hash__", hashed, kind) if frozen else None


def _values_of(names: list[str]) -> Callable[[object], tuple[Any, ...]]:
    """Reads some attributes, as a tuple however many they are."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda one: tuple(getattr(one, name) for name in names)


def _repr(kind: Any) -> _Method:
    shown = [f.name for f in fields(kind) if f.repr]

    def shown_as(self: object) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{self.__class__.__qualname__}({values})"

    return _named("__repr__", recursive_repr()(shown_as), kind)


def _freeze(kind: Any) -> None:
    names = frozenset(f.name for f in fields(kind))

    def refuse_value(self: object, name: str, value: object) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def refuse_removal(self: object, name: str) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    kind.__setattr__, kind.__delattr__ = (
        _named("__setattr__", refuse_value, kind),
        _named("__delattr__", refuse_removal, kind),
    )


def _state(self: Any) -> list[Any]:
    """For copies and pickles: a frozen instance with slots refuses to be filled as others are."""
    return [getattr(self, f.name) for f in fields(self)]


def _take_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


def _named(name: str, method: _Method, kind: Any) -> _Method:
    method.__name__, method.__qualname__ = name, f"{kind.__qualname__}.{name}"
    method.__module__ = kind.__module__
    return method
