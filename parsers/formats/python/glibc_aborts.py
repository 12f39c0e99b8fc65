"""What the C library says where it finds memory damaged, before it aborts the process."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="glibc_aborts",
    title="Aborts of the GNU C library",
    reference="glibc malloc/malloc.c (malloc_printerr), debug/stack_chk_fail.c, debug/fortify_fail.c",
    patterns=(
        Pattern(
            name="glibc.heap",
            anchors=(
                "free(): ",
                "double free or corruption",
                "malloc(): ",
                "malloc_consolidate(): ",
                "munmap_chunk(): ",
                "realloc(): ",
                "corrupted size vs. prev_size",
                "corrupted double-linked list",
            ),
            regex=r"(?P<what>(?:free|munmap_chunk|realloc|malloc|malloc_consolidate)\(\): (?:invalid|double free|corrupt|memory"
            r"|mismatching|unaligned|unsorted|large|smallbin|mchunk)[^\n]{0,60}|double free or corruption(?: \([a-z!]{1,12}\))?"
            r"|corrupted (?:size vs\. prev_size|double-linked list)[^\n]{0,30})",
            samples=(
                Sample("free(): invalid pointer", {"what": "free(): invalid pointer"}),
                Sample("double free or corruption (!prev)", {"what": "double free or corruption (!prev)"}),
                Sample("*** Error in `python': corrupted size vs. prev_size: 0x00007f5702d0c7c0 ***"),
                Sample("malloc(): unaligned tcache chunk detected"),
                Sample("malloc_consolidate(): invalid chunk size"),
                Sample("munmap_chunk(): invalid size"),
                Sample("realloc(): invalid next size"),
                Sample("corrupted double-linked list (not small)"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=54,
            title="a native library damaged the heap ({what})",
            note="Two copies of one library in a process do that too, often as it exits.",
            advice=(Advice("training", "look which extensions were built against other versions of their libraries"),),
        ),
        Pattern(
            name="glibc.stack",
            anchors=("*** stack smashing detected ***", "*** buffer overflow detected ***"),
            regex=r"\*\*\* (?P<what>stack smashing|buffer overflow) detected \*\*\*",
            samples=(
                Sample("*** stack smashing detected ***: terminated", {"what": "stack smashing"}),
                Sample("*** buffer overflow detected ***: terminated", {"what": "buffer overflow"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=56,
            title="a native library wrote beyond its memory ({what})",
        ),
    ),
)
