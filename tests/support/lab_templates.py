"""Templates of daemons' records, for comparing logs: what is left when names, numbers and paths are taken out."""

from __future__ import annotations

import re
import tarfile
from collections import Counter
from pathlib import Path

from logtui.parsers.daemons.unknown import template_of

RECORD = re.compile(r"([IWE]) \d\d:\d\d:\d\d\.\d{6} (?:(\w+):\d+ )?(.*)")
Template = tuple[str, str, str]
"""Severity, source file, text."""


def templates(job: Path) -> Counter[Template]:
    """Of all records in the archives of a job, with how often each occurs."""
    archives = sorted((job / "ais_logs").glob("*.tar.gz"))
    names = re.compile("|".join(a.name.split("-", 1)[1].removesuffix(".tar.gz") for a in archives))
    return Counter(t for archive in archives for line in _lines(archive) if (t := _template(line, names)))


def _lines(archive: Path) -> list[str]:
    with tarfile.open(archive) as tar:
        read = [tar.extractfile(member) for member in tar.getmembers()]
        return [line for f in read if f for line in f.read().decode(errors="replace").splitlines()]


def _template(line: str, names: re.Pattern[str]) -> Template | None:
    record = RECORD.fullmatch(line)
    if record is None:
        return None
    text = names.sub("NODE", record[3])
    if text.startswith("{"):  # counters: which ones come first depends on what the cluster did before
        text = ",".join(field.partition(":")[0] for field in text.split(",")[:2])
    return record[1], record[2] or "", template_of("running" if text.startswith("running(") else text)
