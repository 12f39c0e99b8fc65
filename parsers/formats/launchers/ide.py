"""What the console of an IDE says of the program that it ran, as its last word."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_SAID = "Process finished with exit code "

FORMAT = LineFormat(
    name="ide",
    title="consoles of IDEs",
    reference="JetBrains' ProcessHandler, as PyCharm and others print it; Windows' NTSTATUS values",
    patterns=(
        Pattern(
            name="ide.finished",
            anchors=(_SAID,),
            regex=r"^" + _SAID + r"0\b",
            samples=(Sample("Process finished with exit code 0"),),
            role=Role.END,
            marks=(Mark.ANY_END,),
            title="the program ended with exit code 0",
        ),
        Pattern(
            name="ide.crashed",
            anchors=(_SAID,),
            regex=r"^" + _SAID + r"-\d{10} \((?P<status>0x[89A-F][0-9A-F]{7})\)",
            samples=(
                Sample("Process finished with exit code -1073741819 (0xC0000005)", {"status": "0xC0000005"}),
                Sample("Process finished with exit code -1073740791 (0xC0000409)", {"status": "0xC0000409"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=52,
            title="the process crashed in native code: {status}",
            note="A status of Windows: 0xC0000005 is a bad address, 0xC0000409 an abort of the C runtime, 0xC0000374 a broken heap.",
            advice=(
                Advice(
                    "training", "rerun with PYTHONFAULTHANDLER=1 to see the Python frames that called the native code"
                ),
            ),
        ),
        Pattern(
            name="ide.exit_code",
            anchors=(_SAID,),
            regex=r"^" + _SAID + r"(?P<exitcode>[1-9]\d{0,2})\b",
            samples=(
                Sample("Process finished with exit code 1", {"exitcode": "1"}),
                Sample("Process finished with exit code 137 (interrupted by signal 9: SIGKILL)", {"exitcode": "137"}),
            ),
            role=Role.STATE,
            marks=(Mark.EXIT_CODE,),
            title="the program ended with exit code {exitcode}",
        ),
    ),
)
