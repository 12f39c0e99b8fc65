"""Standard input, output and errors as a run may find them: closed, on a full disk, or gone meanwhile."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress

_LOST = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF))


def fill_gaps() -> None:
    """Put something in the place of standard streams that are closed; first of all.

    Else the next file to be opened, a log perhaps, would be in their place, and messages would go into it. Output is
    what somebody wants: writing to a closed one goes on failing.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # takes the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - to the end
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - to the end


def why_lost(error: OSError) -> str | None:
    """Why output could not be written, if an error says so: that of a file would name it."""
    return error.strerror if error.errno in _LOST and error.filename is None else None


def flush_output() -> str | None:
    """Write what was printed; why that cannot be done.

    Raises:
        BrokenPipeError: if nobody reads it.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        with suppress(OSError, ValueError):  # the interpreter will try once more at its end
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
        return error.strerror or str(error)
    return None
