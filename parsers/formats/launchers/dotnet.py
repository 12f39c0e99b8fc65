""".NET's runtime: what ended a program in C# or F#, and what that was made of."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="dotnet",
    title=".NET",
    reference="dotnet/runtime src/coreclr/vm/excep.cpp; Exception.ToString() puts ` ---> ` before an inner one; 6 to 9",
    patterns=(
        Pattern(
            name="dotnet.not_found",
            anchors=("NotFoundException: ",),
            regex=r"^(?: ---> |Unhandled exception\. )System\.IO\.(?:File|Directory)NotFoundException: "
            r"(?P<msg>[^\n]{1,600})",
            samples=(
                Sample(
                    " ---> System.IO.FileNotFoundException: Could not find file '/data/fields57.txt'.",
                    {"msg": "Could not find file '/data/fields57.txt'."},
                ),
                Sample("Unhandled exception. System.IO.DirectoryNotFoundException: no folder /data/run57"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=66,
            title="a file that the program was given is not there: {msg}",
        ),
        Pattern(
            name="dotnet.memory",
            anchors=("System.OutOfMemoryException",),
            regex=r"^(?: ---> |Unhandled exception\. |Out of memory\.)?System\.OutOfMemoryException\b",
            samples=(Sample("Unhandled exception. System.OutOfMemoryException: Array dimensions exceeded 57"),),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=66,
            title=".NET got no memory",
        ),
        Pattern(
            name="dotnet.uncaught",
            anchors=("Unhandled exception. ",),
            regex=r"^Unhandled exception\. (?!System\.OutOfMemory|System\.IO\.(?:File|Directory)NotFound)"
            r"(?P<msg>(?:[A-Za-z]\w{0,60}\.){0,8}[A-Z]\w{0,80}Exception\b[^\n]{0,600})",
            samples=(
                Sample(
                    "Unhandled exception. System.InvalidOperationException: no model was read",
                    {"msg": "System.InvalidOperationException: no model was read"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=48,
            marks=(Mark.UNCAUGHT,),
            title="a program of .NET stopped at an exception: {msg}",
        ),
    ),
)
