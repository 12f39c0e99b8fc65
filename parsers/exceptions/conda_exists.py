"""conda's refusal to make an environment that is there already: the script that asks for it each time goes on."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.conda_exists",
    writer="conda 4.4 and later, cli/main_create.py",
    types=(r"^CondaValueError$",),
    says=(r"^prefix already exists: ",),
    title="a conda environment was there already; the script goes on",
    samples=(Raised("CondaValueError: prefix already exists: /opt/conda/envs/run57", bare=True),),
)
