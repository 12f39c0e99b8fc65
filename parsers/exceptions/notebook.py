"""What runs a notebook tells of a cell that raised: the cell's own exception follows."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.notebook",
    writer="papermill 2, nbclient, nbconvert",
    types=(r"PapermillExecutionError$", r"CellExecutionError$"),
    title="a notebook's cell raised",
    samples=(
        Raised('papermill.exceptions.PapermillExecutionError: \n-----\nException encountered at "In [57]":\n-----'),
        Raised(
            "nbclient.exceptions.CellExecutionError: An error occurred while executing the following cell:\n-----\nfit(57)"
        ),
    ),
)
