"""Requests to a service that were refused, of a program that sends others on: a client's own record names each."""

from __future__ import annotations

from collections.abc import Iterable

from logtui.parsers.regex import regex

BEHIND, LEAST = 4, 2
"""Lines behind a refusal in which the program complains of it; requests that were answered behind the last of them."""
_REQUEST = regex(r"(?:HTTP Request: |\")(?:GET|POST|PUT|PATCH) \S.{0,600}HTTP/\d(?:\.\d)?\"? (?P<status>\d{3})\b")


def passed_requests(lines: Iterable[tuple[int, str]]) -> set[int]:
    """The numbers of lines in which requests were refused, and of those right behind that complain of it, where the
    last requests of all were answered."""
    told = [(number, found["status"]) for number, text in lines if (found := _REQUEST.search(text))]
    refused = [number for number, status in told if status[0] in "45"]
    if not refused or sum(number > refused[-1] for number, _ in told) < LEAST:
        return set()
    return {n for number in refused for n in range(number, number + BEHIND)}
