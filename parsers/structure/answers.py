"""What the other side answered, where an exception holds its code: the operating system's errno, a status of HTTP or gRPC,
an object store's word, the exit code of a program that was called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from logtui.parsers.pattern import FailureClass
from logtui.parsers.structure.linux_errno import ERRORS, TEXTS


class Answer(Enum):
    """What it means for the one that asked."""

    DENIED = "access was denied"
    ABSENT = "what was asked for is not there"
    OVERLOADED = "the other side was overloaded or failed"
    UNREACHED = "the other side was not reached, or broke off"
    FULL = "there was no room"
    BROKEN = "the file system failed"
    NO_MEMORY = "there was no memory"
    LIMIT = "a limit of the process was reached"


_ANSWERS: dict[Answer, tuple[str, ...]] = {
    Answer.DENIED: ("EPERM", "EACCES"),
    Answer.ABSENT: ("ENOENT", "ENOTDIR", "EISDIR", "ENXIO", "ENODEV"),
    Answer.FULL: ("ENOSPC", "EDQUOT", "EFBIG"),
    Answer.BROKEN: (
        "EIO",
        "EROFS",
        "ESTALE",
        "EREMOTEIO",
        "EUCLEAN",
        "EBADMSG",
        "ESHUTDOWN",
        "ENOTCONN",
        "EBUSY",
        "ETXTBSY",
        "ENOLCK",
        "ECOMM",
    ),
    Answer.UNREACHED: (
        "EPIPE",
        "ENETDOWN",
        "ENETUNREACH",
        "ENETRESET",
        "ECONNABORTED",
        "ECONNRESET",
        "ETIMEDOUT",
        "ECONNREFUSED",
        "EHOSTDOWN",
        "EHOSTUNREACH",
    ),
    Answer.NO_MEMORY: ("ENOMEM",),
    Answer.LIMIT: ("EMFILE", "ENFILE"),
}
ERRNOS = {answer: tuple(ERRORS[name][0] for name in names) for answer, names in _ANSWERS.items()}
"""Linux numbers, which logs of any machine show."""
STATUSES: dict[Answer, tuple[int, ...]] = {
    Answer.DENIED: (401, 403, 407),
    Answer.ABSENT: (404, 410),
    Answer.OVERLOADED: (408, 425, 429, 500, 502, 503, 504, 507, 509, 520, 522, 524, 529),
}
WORDS: dict[Answer, str] = {
    # S3 and its kin, Azure, Google Cloud, gRPC, in the words of their own specifications
    Answer.DENIED: r"AccessDenied|Access Denied|AuthorizationFailure|AuthenticationFailed|InvalidAccessKeyId|SignatureDoesNotMatch"
    r"|ExpiredToken|InvalidToken|UNAUTHENTICATED|PERMISSION_DENIED|\bForbidden\b|\bUnauthorized\b|[Pp]ermission denied"
    r"|[Ii]nvalid (?:credentials|api.key|username or password)|[Aa]uthentication (?:failed|required)|NOAUTH|AuthError|[Tt]oken (?:has |is )?(?:expired|invalid)|[Nn]o (?:valid )?credentials",
    Answer.ABSENT: r"[Nn]o file named|NoSuchKey|NoSuchBucket|BlobNotFound|ContainerNotFound|ResourceNotFound|NoSuchVersion|\bNOT_FOUND\b|Not Found"
    r"|[Nn]o such (?:file|key|object|bucket)|(?:key|object|bucket|blob|file) (?:\S{1,200} )?(?:does not|doesn't) exist",
    Answer.OVERLOADED: r"SlowDown|Slow Down|Throttl|RequestLimitExceeded|TooManyRequests|Too Many Requests|ServiceUnavailable"
    r"|Service Unavailable|ServerBusy|InternalError|Internal Server Error|Bad Gateway|Gateway Time-?out|RESOURCE_EXHAUSTED"
    r"|BackendError|RequestTimeTooSkewed|OperationTimedOut",
    Answer.UNREACHED: r"[Cc]onnection (?:was |has been )?(?:reset|refused|aborted|closed|broken|lost|timed out|error)|[Rr]eset by peer"
    r"|[Ss]erver disconnected|[Cc]annot connect|[Cc]ould(?: not|n't) connect|[Ff]ailed to (?:connect|establish|resolve)"
    r"|(?:[Rr]ead|[Cc]onnect|[Ww]rite|[Rr]equest|[Oo]peration|curl|[Ss]ocket|[Ss]tatus)\w{0,20} timed? ?out|Max retries exceeded"
    r"|RequestTimeout|DEADLINE_EXCEEDED|\bUNAVAILABLE\b|[Nn]ame or service not known|name resolution|getaddrinfo failed"
    r"|[Uu]nreachable|without sending (?:a )?complete|IncompleteRead|payload is not completed|[Bb]roken pipe|CERTIFICATE_VERIFY"
    r"|(?:has|did|does|do|have|is) not (?:yet )?(?:repl(?:y|ied)|respond(?:ed|ing)?|answer(?:ed|ing)?)\b"
    r"|gave no (?:reply|answer|response)|no (?:reply|response) from|stopped (?:answering|responding)|closed the connection|hung up"
    r"|[Ss]erver closed|EOF occurred in violation|handshake (?:failure|operation timed out)|[Cc]onnect call failed",
}
EXITS: dict[str, dict[int, Answer]] = {
    # man curl, EXIT CODES; man wget, EXIT STATUS
    "curl": {
        **dict.fromkeys((5, 6, 7, 18, 28, 35, 52, 55, 56, 92), Answer.UNREACHED),
        22: Answer.OVERLOADED,
        23: Answer.FULL,
        **dict.fromkeys((9, 67), Answer.DENIED),
        **dict.fromkeys((37, 78), Answer.ABSENT),
    },
    "wget": {3: Answer.FULL, 4: Answer.UNREACHED, 6: Answer.DENIED, 8: Answer.OVERLOADED},
}
COMMANDS: dict[FailureClass, tuple[str, ...]] = {
    FailureClass.NETWORK: ("curl", "wget", "ssh", "scp", "rsync", "sftp", "aria2c", "ping"),
    FailureClass.STORAGE_IO: (
        "gsutil",
        "gcloud",
        "aws",
        "s5cmd",
        "s3cmd",
        "rclone",
        "azcopy",
        "ais",
        "hadoop",
        "hdfs",
        "mc",
        "mount",
        "lfs",
    ),
    FailureClass.DATA: ("tar", "unzip", "gunzip", "gzip", "zstd", "pigz", "ffmpeg", "ffprobe", "sox"),
}
"""Programs that training calls, by what fails when they do."""

NEAR: dict[Answer, FailureClass] = {
    Answer.DENIED: FailureClass.CONFIG,
    Answer.FULL: FailureClass.STORAGE_IO,
    Answer.BROKEN: FailureClass.STORAGE_IO,
    Answer.NO_MEMORY: FailureClass.HOST_OOM,
    Answer.LIMIT: FailureClass.CONFIG,
    Answer.UNREACHED: FailureClass.NETWORK,
    Answer.OVERLOADED: FailureClass.NETWORK,
    Answer.ABSENT: FailureClass.CONFIG,
}
"""The class of an answer, where the family of the one that asked does not say more."""

_ERRNO = re.compile(
    r"\[Errno (-?\d{1,3})\]|\berrno[ =:]{1,3}(\d{1,3})|\(os error (\d{1,3})\)|(?<!\()error code:? (\d{1,3})\b", re.I
)
_STATUS = re.compile(
    r"\b([45]\d\d)\b(?=[,:]? (?:[A-Z][a-z]|Client|Server|[A-Z]{3}|message))"
    r"|(?:HTTP(?:/\d\.\d)?|[Ss]tatus(?:[ _]?[Cc]ode)?|STATUS|code|HTTP Error|response)[\"']?[ :=]{1,3}\(?([45]\d\d)\b"
)
_WORDS = {answer: re.compile(words) for answer, words in WORDS.items()}
_OF_ERRNO = {number: answer for answer, numbers in ERRNOS.items() for number in numbers}
_OF_STATUS = {number: answer for answer, numbers in STATUSES.items() for number in numbers}
_CALLED = re.compile(
    r"(?:[Cc]ommand |args=|pipe:|[(\[\"'])[\[(\"' ]{0,4}(?:/[\w./-]{1,200}/)?(?P<name>"
    + "|".join(name for names in COMMANDS.values() for name in names)
    + r")(?=[\"' ,]|$)"
)
_EXIT = re.compile(
    r"(?:exit(?:ed)?(?: with)?(?: status| code)?|returned non-zero exit status|returncode[=:]?) (\d{1,3})\b"
)


@dataclass(frozen=True, slots=True)
class Answered:
    """One code of the message."""

    answer: Answer
    code: str
    """As it is said to the reader: `errno 28 (ENOSPC)`, `status 403`."""
    near: bool = False
    """The operating system itself gave it: no library is needed to know who was asked."""
    status: bool = False
    """A server gave it, as a number."""


def answers(message: str) -> Iterator[Answered]:
    """What a message's codes and words of other sides mean; numbers before words."""
    for found in _ERRNO.finditer(message):
        number = int(next(filter(None, found.groups())))
        if number in _OF_ERRNO:
            yield Answered(_OF_ERRNO[number], f"errno {number}, {TEXTS[number]}", near=True)
    for found in _STATUS.finditer(message):
        number = int(found[1] or found[2])
        if number in _OF_STATUS:
            yield Answered(_OF_STATUS[number], f"status {number}", status=True)
    for answer, words in _WORDS.items():
        if said := words.search(message):
            yield Answered(answer, said[0])


def called(message: str) -> tuple[FailureClass, str] | None:
    """The class that the failure of a called program speaks for, and which program, with its exit code."""
    program = _CALLED.search(message)
    if program is None:
        return None
    name = program["name"]
    ended = _EXIT.search(message)
    code = int(ended[1]) if ended else None
    answer = EXITS.get(name, {}).get(code) if code is not None else None
    cls = NEAR[answer] if answer is not None else next(c for c, names in COMMANDS.items() if name in names)
    return cls, f"{name} failed" + (f" with {code}" if code is not None else "")
