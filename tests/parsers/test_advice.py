"""Advice: what is filled in, what is left out, and what our own declarations ask for."""

from __future__ import annotations

import pytest

from logtui.parsers.advice import GENERAL, Advice, applies, fill
from logtui.parsers.exceptions.declaration import ExceptionKind
from logtui.parsers.exceptions.table import KINDS
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.pattern_checks import about_advice, complaints
from logtui.parsers.registry import registry

KNOWN = {"host": "node007", "port": "29557", "odd": "a  [b]\n{host}"}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("drain {host}", "drain node007"),
        ("another port[ than {port}]", "another port than 29557"),
        ("another disk[ than {disk}]", "another disk"),
        ("reseat {disk}", None),
        ("[keep {disk} out]", ""),
        ("look at {odd}[, {host}]", "look at a [b] {host}, node007"),
    ],
    ids=["field", "optional", "optional-unknown", "unknown", "all-optional", "nothing-is-filled-in-twice"],
)
def test_a_text_is_filled_in(text: str, filled: str | None) -> None:
    assert fill(text, KNOWN) == filled


@pytest.mark.parametrize(
    ("only", "version", "given"),
    [
        ("nccl<2.21", "2.20.5", True),
        ("nccl<2.21", "2.21.5+cuda12.4", False),
        ("nccl<2.21", "", True),
        ("nccl>=2.21", "2.9.1", False),
        ("", "2.20.5", True),
    ],
)
def test_a_known_version_speaks_against_it(only: str, version: str, given: bool) -> None:
    assert applies(Advice("training", "upgrade", only), {"nccl": version}) is given


@pytest.mark.parametrize("kind", [k for k in KINDS if k.advice], ids=lambda k: k.name)
def test_exceptions_advise_what_can_be_filled_in(kind: ExceptionKind) -> None:
    assert not list(about_advice(kind.advice, kind.groups))


def test_a_cause_that_names_hardware_says_what_to_do() -> None:
    hardware = [p for p in registry().patterns if p.role is Role.CAUSE and p.cls is FailureClass.GPU_HARDWARE]
    silent = {p.name.partition(".")[0] for p in hardware if not p.advice}
    assert silent <= {"nan", "nccltests", "habana", "npu", "amdgpu", "hip", "neuron"}


@pytest.mark.parametrize(
    ("advice", "complaint"),
    [
        (Advice("weather", "wait"), "not for 'weather'"),
        (Advice("training", "look at {disk}"), "asks for 'disk'"),
        (Advice("training", "upgrade", only="2.21"), "not for '2.21'"),
    ],
    ids=["side", "placeholder", "condition"],
)
def test_a_declaration_is_checked(advice: Advice, complaint: str) -> None:
    pattern = Pattern(
        name="job.lost",
        anchors=("was lost",),
        regex=r"(?P<what>\w+) was lost",
        samples=(Sample("disk7 was lost"),),
        role=Role.STATE,
        advice=(advice,),
    )
    assert any(complaint in told for told in complaints(LineFormat("job", "job", "ours", (pattern,))))


def test_a_title_says_what_a_code_means() -> None:
    told = next(p for p in registry().patterns if p.name == "xid.engine").titled({"xid": "119", "pci": "0000:57:00"})
    assert told == "Xid 119, GSP firmware did not answer an RPC"


def test_general_placeholders_are_no_words_of_a_line() -> None:
    assert not GENERAL & {name for p in registry().patterns for name in p.words}
