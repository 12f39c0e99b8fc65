"""A record that is kept light says what it said before."""

from __future__ import annotations

from pathlib import Path

from scanning import log_file, table

from logtui.parsers.records.record import Record


def _said(record: Record) -> tuple[object, ...]:
    return record.name, record.rank, record.time, record.order, record.writer, record.text, dict(record.fields)


def test_what_is_forgotten_is_read_anew(tmp_path: Path) -> None:
    records = list(table(log_file(tmp_path / "job.log", b"[rank7]: 2026-03-15 15:42:03 FatalError: lost\n" * 3)))
    assert len(records) == 6
    for record in records:
        before = _said(record)
        record.forget()
        assert _said(record) == before
        assert record.order == (record.time, record.file, record.line)
