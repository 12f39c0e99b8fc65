"""Requests to a service that were refused, of a program that sends others on: a client's own record names each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from logtui.parsers.regex import regex

BEHIND, LEAST = 4, 2
"""Lines behind a refusal in which the program complains of it; requests that were answered behind the last of them."""
_REQUEST = regex(r"(?:HTTP Request: |\")(?:GET|POST|PUT|PATCH) \S.{0,600}HTTP/\d(?:\.\d)?\"? (?P<status>\d{3})\b")


def passed_requests(lines: Iterable[tuple[int, str]]) -> set[int]:
    """The numbers of lines in which requests were refused, and of those right behind that complain of it, where the
    last requests of all were answered."""
    told = [(number, found["status"]) for number, text in lines if (found := _REQUEST.search(text))]
    answered = [*_answered_last(told)]
    if len(answered) < LEAST:
        return set()
    refused = [number for number, status in told if status[0] in "45" and number < answered[0]]
    return {n for number in refused for n in range(number, number + BEHIND)}


def _answered_last(told: Sequence[tuple[int, str]]) -> Iterator[int]:
    """The numbers of the lines behind the last refusal."""
    last = max((number for number, status in told if status[0] in "45"), default=0)
    yield from (number for number, _ in told if number > last)
