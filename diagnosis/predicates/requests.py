"""Requests to a service that were refused, of a program that sends others on: a client's own record names each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from logtui.parsers.regex import regex

BEHIND, LEAST = 4, 2
"""Lines behind a refusal in which the program complains of it; requests that were answered behind the last of them."""
COMPLAINT = 60
"""Lines above a server's answer that its complaint of the request may take."""
_OWN_ANSWER = regex(
    r"^(?:\(\w{1,20} pid=\d{1,9}\) )?INFO: {1,8}[\d.]{7,15}:\d{1,5} - "
    r"\"[A-Z]{3,7} \S{1,600} HTTP/\d(?:\.\d)?\" (?:400|404|413|422)\b"
)
"""uvicorn's, to what the client did wrong."""
_LOGGED = regex(r"^\S{3,60} - \S{1,40} \[\d\d/[A-Z][a-z]{2}/\d{4}[: ]\d\d:")
"""A request in the log of a web server, whatever it was answered."""
_ERROR = regex(r"^(?:\(\w{1,20} pid=\d{1,9}\) )?(?:ERROR|WARNING)\b")
_REQUEST = regex(r"(?:HTTP Request: |\")(?:GET|POST|PUT|PATCH) \S.{0,600}HTTP/\d(?:\.\d)?\"? (?P<status>\d{3})\b")


def passed_requests(lines: Iterable[tuple[int, str]]) -> set[int]:
    """The numbers of lines in which requests were refused, and of those right behind that complain of it, where the
    last requests of all were answered."""
    lines = list(lines)
    logged = {number for number, text in lines if _LOGGED.match(text)}
    told = [(number, found["status"]) for number, text in lines if (found := _REQUEST.search(text))]
    answered = _answered_by_server(lines)
    refused = [number for number, status in told if status[0] in "45"]
    if not refused or sum(number > refused[-1] for number, _ in told) < LEAST:
        return answered | logged
    return answered | logged | {n for number in refused for n in range(number, number + BEHIND)}


def _answered_by_server(lines: Sequence[tuple[int, str]]) -> set[int]:
    """The numbers of lines in which a server answered that a request was wrong, and of the complaint right above each:
    the fault is the client's, and the server serves on."""
    taken: set[int] = set()
    for at, (number, text) in enumerate(lines):
        if _OWN_ANSWER.search(text) is not None:
            above = reversed(lines[max(0, at - COMPLAINT) : at])
            taken |= {number, *(n for n, _ in takewhile(lambda one: _ERROR.search(one[1]), above))}
    return taken
