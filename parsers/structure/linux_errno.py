"""Linux's error numbers with glibc's texts: logs come from Linux, whatever machine reads them.

The `errno` and `os.strerror` of the reader's own machine are others: on macOS 110 is no time-out, and some names are
not there at all.
"""

from __future__ import annotations

ERRORS: dict[str, tuple[int, str]] = {
    "EPERM": (1, "Operation not permitted"),
    "ENOENT": (2, "No such file or directory"),
    "EIO": (5, "Input/output error"),
    "ENXIO": (6, "No such device or address"),
    "ENOMEM": (12, "Cannot allocate memory"),
    "EACCES": (13, "Permission denied"),
    "EBUSY": (16, "Device or resource busy"),
    "ENODEV": (19, "No such device"),
    "ENOTDIR": (20, "Not a directory"),
    "EISDIR": (21, "Is a directory"),
    "ENFILE": (23, "Too many open files in system"),
    "EMFILE": (24, "Too many open files"),
    "ETXTBSY": (26, "Text file busy"),
    "EFBIG": (27, "File too large"),
    "ENOSPC": (28, "No space left on device"),
    "EROFS": (30, "Read-only file system"),
    "EPIPE": (32, "Broken pipe"),
    "ENOLCK": (37, "No locks available"),
    "EBADMSG": (74, "Bad message"),
    "ECOMM": (70, "Communication error on send"),
    "ENETDOWN": (100, "Network is down"),
    "ENETUNREACH": (101, "Network is unreachable"),
    "ENETRESET": (102, "Network dropped connection on reset"),
    "ECONNABORTED": (103, "Software caused connection abort"),
    "ECONNRESET": (104, "Connection reset by peer"),
    "ENOTCONN": (107, "Transport endpoint is not connected"),
    "ESHUTDOWN": (108, "Cannot send after transport endpoint shutdown"),
    "ETIMEDOUT": (110, "Connection timed out"),
    "ECONNREFUSED": (111, "Connection refused"),
    "EHOSTDOWN": (112, "Host is down"),
    "EHOSTUNREACH": (113, "No route to host"),
    "ESTALE": (116, "Stale file handle"),
    "EUCLEAN": (117, "Structure needs cleaning"),
    "EREMOTEIO": (121, "Remote I/O error"),
    "EDQUOT": (122, "Disk quota exceeded"),
}
"""Number and text of each, as of glibc on x86-64 and aarch64."""
TEXTS = dict(ERRORS.values())
