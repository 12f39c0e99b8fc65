"""A statement that SQLite cannot carry out: the program asks for what its tables do not hold."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.sqlite_statement",
    writer="SQLite 3, through CPython's sqlite3 and SQLAlchemy",
    types=(r"(?:^|sqlite3\.|exc\.)(?:Operational|Programming|Interface|Integrity)Error$",),
    says=(
        r"table \S{1,120} has \d{1,4} columns? but \d{1,4} values",
        r"\bno such (?:table|column): ",
        r"\bnear \"[^\"\n]{1,60}\": syntax error",
        r"Incorrect number of bindings supplied",
        r"\b(?:UNIQUE|NOT NULL|FOREIGN KEY|CHECK) constraint failed",
        r"table \S{1,120} already exists",
    ),
    cls=FailureClass.SOFTWARE,
    weight=60,
    title="a statement does not fit the database's tables",
    samples=(
        Raised("sqlite3.OperationalError: table runs57 has 11 columns but 7 values were supplied"),
        Raised("sqlite3.OperationalError: no such table: runs57"),
        Raised('sqlite3.OperationalError: near "FORM57": syntax error'),
        Raised(
            "sqlite3.ProgrammingError: Incorrect number of bindings supplied. The current statement uses 5, and there are 7 supplied."
        ),
        Raised("sqlite3.IntegrityError: UNIQUE constraint failed: runs57.id"),
        Raised("sqlite3.InterfaceError: table runs57 already exists"),
    ),
)
