"""How deep a dump nests, and whether it contains itself."""

from __future__ import annotations

from logtui.parsers.errors import DumpRefused

_CONTAINERS = {list, tuple, dict}
_LEAVING = object()


def check_nesting(root: object, depth: int) -> None:
    """Walk lists, tuples and dictionaries without recursion; shared ones are walked once.

    Raises:
        DumpRefused: a container lies deeper than `depth` levels or inside itself.
    """
    finished: set[int] = set()
    path: set[int] = set()
    todo: list[tuple[object, object]] = [(root, None)]
    while todo:
        value, mark = todo.pop()
        if mark is _LEAVING:
            path.discard(id(value))
            finished.add(id(value))
            continue
        children = _children(value)
        if not children or id(value) in finished:
            continue
        if id(value) in path:
            raise DumpRefused("a container that contains itself")
        if len(path) >= depth:
            raise DumpRefused(f"nested deeper than {depth} levels")
        path.add(id(value))
        todo.append((value, _LEAVING))
        todo.extend((child, None) for child in children)


def _children(value: object) -> list[object]:
    """The containers directly inside a container."""
    if type(value) is dict:
        items = list(value.values())
    elif type(value) is list or type(value) is tuple:
        items = list(value)
    else:
        return []
    return [item for item in items if type(item) in _CONTAINERS]
