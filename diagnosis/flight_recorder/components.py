"""Strongly connected components: sets of nodes that all reach each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


def strongly_connected(edges: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """Components in reverse topological order: each comes after all it points to.

    Every node has to be a key. Tarjan's algorithm with a stack of its own, since a chain of waiting ranks may be
    longer than Python allows to recurse. O(nodes + edges).
    """
    search = _Search(edges)
    for node in edges:
        if node not in search.number:
            search.run(node)
    return search.found


class _Search(Generic[Node]):
    def __init__(self, edges: Mapping[Node, Sequence[Node]]) -> None:
        self.found: list[list[Node]] = []
        self.number: dict[Node, int] = {}
        """When each node was met."""
        self._edges = edges
        self._low: dict[Node, int] = {}
        """The earliest node on the path that each one reaches."""
        self._open: list[Node] = []
        self._is_open: set[Node] = set()

    def run(self, start: Node) -> None:
        path: list[tuple[Node, Iterator[Node]]] = [self._meet(start)]
        while path:
            node, following = path[-1]
            target = next(following, None)
            if target is None:
                path.pop()
                self._leave(node, path[-1][0] if path else None)
            elif target not in self.number:
                path.append(self._meet(target))
            elif target in self._is_open:
                self._low[node] = min(self._low[node], self.number[target])

    def _meet(self, node: Node) -> tuple[Node, Iterator[Node]]:
        self.number[node] = self._low[node] = len(self.number)
        self._open.append(node)
        self._is_open.add(node)
        return node, iter(self._edges[node])

    def _leave(self, node: Node, parent: Node | None) -> None:
        if parent is not None:
            self._low[parent] = min(self._low[parent], self._low[node])
        if self._low[node] != self.number[node]:
            return
        component: list[Node] = []
        while not component or component[-1] != node:
            component.append(self._open.pop())
            self._is_open.discard(component[-1])
        self.found.append(component)
