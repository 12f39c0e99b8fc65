"""What PowerShell adds to the first line that a program writes to its standard error: where it was called from."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="powershell",
    title="PowerShell's errors",
    reference="Windows PowerShell 5.1, its view of ErrorRecord",
    patterns=(
        Pattern(
            name="powershell.call",
            anchors=("    + CategoryInfo", "    + FullyQualified", "At line:", "+ ~~~~~~"),
            regex=r"^(?:    \+ (?:CategoryInfo|FullyQualified)|At line:\d+ char:\d+|\+ +~{6})",
            samples=(
                Sample("    + CategoryInfo          : NotSpecified: (Epoch 5 of 57:String) [], RemoteException"),
                Sample("    + FullyQualifiedErrorId : NativeCommandError"),
                Sample("At line:1 char:1"),
                Sample("+ ~~~~~~~~~~~~~~~~~"),
            ),
            role=Role.NOISE,
            title="PowerShell says where a program was called that wrote to its standard error",
        ),
    ),
)
