"""A job whose lines, file names and flight-recorder dumps want to speak through whoever shows them; and a case file."""

from __future__ import annotations

import io
import json
import pickle
import re
import tarfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from tiny_job import write_tiny_job

from logtui.parsers.files.zstd import compress, unpacking
from logtui.parsers.generator import Fault, JobSpec
from logtui.parsers.generator.flight_recorder import write_dumps

HOSTILE = (
    "\x1b[31;5;8mred", "\x1b]0;owned\x07", "\x1b]52;c;b3duZWQ=\x07", "\x1b[2J\x1b[6n", "\x9b5n", "\x1bP+q544e\x1b\\",
    "\x1b_Gowned\x1b\\", "\x1b]8;;http://evil.example\x1b\\", "\u202eowned", "\x0e\x0f\x05\x08", "[bold red on blue]owned[/]",
)  # fmt: skip
ACTING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What no text for people holds."""


def write_hostile_job(folder: Path) -> Path:
    """Logs of eight ranks, a file by each odd name, and a dump of each of sixteen ranks; returns the folder."""
    first = write_tiny_job(folder) / "error-4821-0.out"
    lines = first.read_text().splitlines()
    spoilt = [line[:30] + HOSTILE[n % len(HOSTILE)] + line[30:] for n, line in enumerate(lines)]
    first.write_text("\n".join([*spoilt, *HOSTILE, *(f"[rank3]: ValueError: {text}" for text in HOSTILE)]) + "\n")
    for n, text in enumerate(HOSTILE):
        name = text.replace("/", "_").replace("\0", "")
        (folder / f"{name} rank{n + 10}.log").write_text(f"step 1 loss 2.31 {text}\n")
    _write_dumps(folder / "dumps")
    return folder


def _write_dumps(folder: Path) -> None:
    """Names of groups, stacks and versions spoilt; every other dump as JSON."""
    spec = JobSpec(fault=Fault.DATA_STALL, world_size=16, culprits=(5,), pytorch="2.7")
    for n, path in enumerate(write_dumps(spec, folder, entries=8)):
        dump, said = pickle.loads(path.read_bytes()), HOSTILE[n % len(HOSTILE)]
        for entry in dump["entries"]:
            name, described = entry["process_group"]
            entry |= {"process_group": [name, described + said], "frames": _spoilt(entry["frames"])}
        for group in dump["pg_config"].values():
            group["desc"] += said
        dump["comm_lib_version"] = said
        if n % 2:
            path.unlink()
            path.with_name(path.name + ".json").write_text(json.dumps(dump))
        else:
            path.write_bytes(pickle.dumps(dump))


def _spoilt(value: Any, numbers: Any = None) -> Any:
    """A value as JSON has it, with something behind each of its texts but what is looked up by others."""
    numbers = numbers or count()
    if isinstance(value, str):
        return value + HOSTILE[next(numbers) % len(HOSTILE)]
    if isinstance(value, list):
        return [_spoilt(held, numbers) for held in value]
    return {key: _spoilt(held, numbers) for key, held in value.items()} if isinstance(value, dict) else value


WORDS = ("title", "text", "what", "why", "note", "label", "host", "description", "body")
"""Fields of a report that hold words of logs; others name something, or are one of a few."""


def forge_case(path: Path, to: Path) -> Path:
    """A case file whose report says what no log said."""
    with path.open("rb") as raw:
        data = unpacking(raw).read()
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data)) as before, tarfile.open(fileobj=out, mode="w") as after:
        for info in before.getmembers():
            held = before.extractfile(info)
            text = held.read() if held else b""
            if info.name.endswith(".json"):
                text = json.dumps(_forged(json.loads(text), count())).encode()
            info.size = len(text)
            after.addfile(info, io.BytesIO(text))
    to.write_bytes(compress(out.getvalue()))
    return to


def _forged(value: Any, numbers: Any) -> Any:
    if isinstance(value, list):
        return [_forged(held, numbers) for held in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _spoilt(held, numbers) if key in WORDS and isinstance(held, str) else _forged(held, numbers)
        for key, held in value.items()
    }


def texts_of(value: Any) -> list[str]:
    """Every text in a value as JSON has it, names of fields too."""
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in texts_of(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts_of(one)]
    return [value] if isinstance(value, str) else []


def acting(text: str, allowed: Callable[[str], bool] = lambda c: False) -> list[str]:
    """What in a text would act on a terminal or a page."""
    return [found for found in ACTING.findall(text) if not allowed(found)]
