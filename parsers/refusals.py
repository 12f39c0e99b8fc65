"""Lines with which programs of any language refuse their command line: one declaration for all formats."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Mark, Pattern, Role, Sample


def refused(name: str, anchors: tuple[str, ...], regex: str, samples: tuple[Sample, ...], weight: int) -> Pattern:
    """A pattern of such a line, of the class `config`; its group `argument` is what was refused."""
    return Pattern(
        name=name,
        anchors=anchors,
        regex=regex,
        samples=samples,
        role=Role.CAUSE,
        marks=(Mark.ENDS, Mark.REFUSED),
        cls=FailureClass.CONFIG,
        weight=weight,
        title="wrong command-line arguments",
        advice=(Advice("training", "correct the command line[: {argument}]"),),
    )
