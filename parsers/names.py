"""What file names say: SLURM patterns, torchrun's log tree, framework and operator habits."""

from __future__ import annotations

import re
from pathlib import PurePath

from logtui.parsers.source import NameHints

_RULES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"globalrank-(\d+)_localrank-(\d+)"), ("rank", "local_rank")),
    (re.compile(r"attempt_(\d+)/(\d+)/(?:filtered_)?(stdout|stderr)\.log$"), ("attempt", "local_rank", "stream")),
    (re.compile(r"(?:^|[/_.-])local[_-]?rank[_.-]?(\d+)(?=[/_.-]|$)", re.I), ("local_rank",)),
    (re.compile(r"(?:^|(?<!local)(?<!lora)[/_.-])(?:global[_-]?)?rank[_.-]?(\d+)(?=[/_.-]|$)", re.I), ("rank",)),
    (re.compile(r"logs?-rank(\d+)"), ("rank",)),
    (re.compile(r"(?:^|/)(?:error|err|output|out|log)-(\d+)-(\d+)\.(?:out|err|log)$"), ("job", "node")),
    (re.compile(r"(?:^|/)slurm-(\d+)(?:_\d+)?\.(?:out|err|log)$"), ("job",)),
    (re.compile(r"-(\d{1,9})-(\d{1,5})\.(?:err|out|log)$"), ("job", "task")),
    (re.compile(r"(?:^|/)(?:node|worker|host)[_-]?(\d+)\.(?:log|err|out|txt)$"), ("node",)),
)
_HOST = re.compile(r"(?:^|/)(?:dmesg|kernel|syslog|messages|journal)[_.-]([A-Za-z][\w-]*\d[\w-]*)")
_STREAM = re.compile(r"(?:^|[/_.-])(stderr|stdout|error|err|output)(?=[/_.-]|$)")


def read_name(name: str) -> NameHints:
    """Hints from a path relative to the given directory."""
    path = PurePath(name).as_posix()
    path = re.sub(r"\.(?:gz|zst|\d+)$", "", path)
    found: dict[str, str] = {}
    for regex, keys in _RULES:
        if (m := regex.search(path)) is not None:
            for key, value in zip(keys, m.groups(), strict=True):
                found.setdefault(key, value)
    if m := _HOST.search(path):
        found["host"] = m[1]
    if "stream" not in found and (m := _STREAM.search(path)):
        found["stream"] = "stderr" if m[1].startswith(("stderr", "err")) else "stdout"
    if "rank" in found or "node" in found:
        found.pop("task", None)

    def number(key: str) -> int | None:
        return int(found[key]) if key in found else None

    return NameHints(
        rank=number("rank"), local_rank=number("local_rank"), node=number("node"), task=number("task"),
        host=found.get("host"), job=found.get("job"), attempt=number("attempt"), stream=found.get("stream"),
    )  # fmt: skip
