"""Dumps of every version, from pickle and JSON, become the same columns."""

from __future__ import annotations

import gc
import gzip
import json
import os
import pickle
import pickletools
import struct
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logtui.parsers.dumps.block import Run
from logtui.parsers.dumps.dump import Call, Entry, Frame, GroupName, State, Thread, Watermarks
from logtui.parsers.dumps.machine import Limits, Machine
from logtui.parsers.dumps.placing import Unplaced
from logtui.parsers.dumps.reading import DumpReader, read_dumps, read_dumps_below
from logtui.parsers.errors import DumpRefused
from logtui.parsers.source import Compression, FileKind, LogFile

CREATED_NS = 1_795_000_000_123_456_789
FRAMES = [
    {"name": "all_reduce", "filename": "/data/src/comm.py", "line": 41},
    {"name": "train_step", "filename": "/data/src/train.py", "line": 300},
]


def an_entry(**fields: Any) -> dict[str, Any]:
    """An entry as torch 2.9 writes it, with some fields of one's own; None leaves a field out."""
    entry = {
        "frames": FRAMES, "record_id": 0, "pg_id": 0, "process_group": ("0", "default_pg"),
        "thread_name": "pt_main", "thread_id": "4242", "collective_seq_id": 1, "p2p_seq_id": 0, "op_id": 1,
        "profiling_name": "nccl:all_reduce", "time_created_ns": CREATED_NS,
        "input_sizes": [[8, 2]], "input_dtypes": ["Float"], "output_sizes": [[8, 2]], "output_dtypes": ["Float"],
        "state": "completed", "time_discovered_started_ns": None, "time_discovered_completed_ns": CREATED_NS + 1,
        "retired": True, "timeout_ms": 600_000, "is_p2p": False,
    } | fields  # fmt: skip
    return {key: value for key, value in entry.items() if not (key in fields and value is ...)}


def a_dump(*entries: dict[str, Any], **top: Any) -> dict[str, Any]:
    """A dump of version 2.10 with two ranks."""
    return {
        "version": "2.10",
        "comm_lib_version": "2.27.5",
        "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}},
        "pg_status": {"0": {
            "last_enqueued_collective": 3, "last_started_collective": -1, "last_completed_collective": 2,
        }},
        "entries": list(entries),
    } | top  # fmt: skip


class TorchPickler:
    """Writes as torch's C++ pickler does: protocol 2, strings and frames memoised, other containers not."""

    def __init__(self) -> None:
        self.out = bytearray(b"\x80\x02")
        self._memo: dict[Any, int] = {}

    def write(self, value: Any) -> None:
        """Append any value of a dump."""
        writers: dict[type, Callable[[Any], object]] = {
            str: self._text, dict: self._dict, list: self._list, tuple: self._pair, int: self._int,
            float: lambda number: self.out.extend(b"G" + struct.pack(">d", number)),
        }  # fmt: skip
        if value is None or isinstance(value, bool):
            self.out += {None: b"N", True: b"\x88", False: b"\x89"}[value]
        else:
            writers[type(value)](value)

    def _int(self, value: int) -> None:
        if 0 <= value < 1 << 8:
            self.out += b"K%c" % value
        elif 0 <= value < 1 << 16:
            self.out += b"M" + struct.pack("<H", value)
        elif -(1 << 31) <= value < 1 << 31:
            self.out += b"J" + struct.pack("<i", value)
        else:
            self.out += b"\x8a\x08" + struct.pack("<q", value)

    def _fetched(self, key: Any) -> bool:
        if key not in self._memo:
            return False
        slot = self._memo[key]
        self.out += b"h%c" % slot if slot < 256 else b"j" + struct.pack("<I", slot)
        return True

    def _keep(self, key: Any) -> None:
        slot = self._memo[key] = len(self._memo)
        self.out += b"q%c" % slot if slot < 256 else b"r" + struct.pack("<I", slot)

    def _text(self, value: str) -> None:
        if not self._fetched(value):
            self.out += b"X" + struct.pack("<I", len(value.encode())) + value.encode()
            self._keep(value)

    def _pair(self, value: tuple[Any, Any]) -> None:
        self.write(value[0])
        self.write(value[1])
        self.out += b"\x86"

    def _list(self, value: list[Any]) -> None:
        self.out += b"]("
        for item in value:
            self.write(item)
        self.out += b"e"

    def _dict(self, value: dict[Any, Any]) -> None:
        frame = tuple(value.items()) if value.keys() == {"name", "filename", "line"} else None
        if frame is not None and self._fetched(frame):
            return
        self.out += b"}("
        for key, item in value.items():
            self.write(key)
            self.write(item)
        self.out += b"u"
        if frame is not None:
            self._keep(frame)


def torch_pickle(value: Any) -> bytes:
    """The bytes of a dump as torch writes it."""
    pickler = TorchPickler()
    pickler.write(value)
    return bytes(pickler.out) + b"."


def read(dump: Any, pickled: bool = True) -> Unplaced:
    """Decode a dump given as Python values."""
    return DumpReader().decode(torch_pickle(dump) if pickled else json.dumps(dump).encode(), "rank_0")


def table(*entries: dict[str, Any]) -> list[Entry]:
    """The entries after a round through the reader."""
    found = read(a_dump(*entries)).entries
    return [found.entry(row) for row in range(len(found))]


def test_an_entry_keeps_all_its_fields() -> None:
    (entry,) = table(an_entry(record_id=70_000, duration_ms=1.5, collective_seq_id=9, p2p_seq_id=4))
    assert entry == Entry(
        index=0, record_id=70_000, group=GroupName("0", "default_pg", 0), seq=9, p2p_seq=4,
        call=Call("nccl", "all_reduce", None, None, ((8, 2),), ((8, 2),), ("Float",), ("Float",)),
        created_ns=CREATED_NS, started_ns=0, completed_ns=CREATED_NS + 1, state=State.COMPLETED, retired=True,
        is_p2p=False, timeout_ms=600_000, duration_ms=1.5, thread=Thread("4242", "pt_main"),
        stack=(Frame("all_reduce", "/data/src/comm.py", 41), Frame("train_step", "/data/src/train.py", 300)),
    )  # fmt: skip


def test_top_level() -> None:
    dump = read(a_dump())
    assert (dump.version, dump.library, len(dump.entries)) == ("2.10", "2.27.5", 0)
    assert dump.pg_config["0"].members == (0, 1)
    assert dump.pg_status == {0: Watermarks(3, -1, 2)}


VERSIONS = (
    ("2.2: a bare list", [an_entry(process_group=..., collective_seq_id=..., p2p_seq_id=..., seq_id=7,
        time_created_ns=..., time_created_us=CREATED_NS // 1000, is_p2p=..., retired=...)], ("3", ""), CREATED_NS // 1000 * 1000),
    ("1.4: local numbers", a_dump(an_entry(process_group=..., collective_seq_id=..., seq_id=7, is_p2p=...),
        version="1.4", pg_config={3: [0, 1]}), ("3", ""), CREATED_NS),
    ("2.1: no frames", a_dump(an_entry(frames=..., collective_seq_id=7), version="2.1"), ("0", "default_pg"), CREATED_NS),
    ("2.4: no threads", a_dump(an_entry(thread_id=..., thread_name=..., collective_seq_id=7), version="2.4"),
        ("0", "default_pg"), CREATED_NS),
    ("2.9: nccl_version", a_dump(an_entry(collective_seq_id=7), version="2.9", comm_lib_version=..., nccl_version="2.27.5"),
        ("0", "default_pg"), CREATED_NS),
    ("2.99: fields nobody knows", a_dump(an_entry(collective_seq_id=7, colour="red", flags=["a"], nested={"a": [1]}),
        version="2.99", more={"x": 1}), ("0", "default_pg"), CREATED_NS),
)  # fmt: skip


@pytest.mark.parametrize("pickled", [True, False], ids=["pickle", "json"])
@pytest.mark.parametrize(("dump", "group", "created_ns"), [v[1:] for v in VERSIONS], ids=[v[0] for v in VERSIONS])
def test_versions(dump: Any, group: tuple[str, str], created_ns: int, pickled: bool) -> None:
    entries = dump if isinstance(dump, list) else dump["entries"]
    for entry in entries:
        entry["pg_id"] = 3
    top = {k: v for k, v in dump.items() if v is not ...} if isinstance(dump, dict) else dump
    entry = read(top, pickled).entries.entry(0)
    assert (entry.seq, entry.group[:2], entry.created_ns) == (7, group, created_ns)
    assert entry.call.op == "all_reduce"


def test_old_configuration_lists_ranks() -> None:
    dump = read(a_dump(version="1.4", pg_config={0: [0, 1], 5: [1, 3]}))
    assert {name: config.members for name, config in dump.pg_config.items()} == {"0": (0, 1), "5": (1, 3)}


def test_json_spells_numbers_as_text_and_unknown_times_as_zero() -> None:
    status = {"0": {"last_enqueued_collective": "5", "last_started_collective": "-1", "last_completed_collective": "4"}}
    dump = read(a_dump(an_entry(time_discovered_completed_ns=0, process_group=["0", "x"]), pg_status=status), False)
    assert dump.pg_status == {0: Watermarks(5, -1, 4)}
    assert dump.entries.entry(0).completed_ns == 0
    assert dump.entries.entry(0).group == GroupName("0", "x", 0)


def test_json_without_entries() -> None:
    top = a_dump()
    del top["entries"]
    assert len(read(top, False).entries) == 0


NAMES = (
    ("nccl:send 1->2", ("nccl", "send", 1, 2), True),
    ("nccl:recv 3<-0", ("nccl", "recv", 3, 0), True),
    ("gloo:recv 3<-?", ("gloo", "recv", 3, None), True),
    ("xccl:all_to_all", ("xccl", "all_to_all", None, None), False),
    ("nccl-lazy:all_reduce_barrier", ("nccl-lazy", "all_reduce_barrier", None, None), False),
    ("broadcast", ("", "broadcast", None, None), False),
    ("", ("", "", None, None), False),
)


@pytest.mark.parametrize(("name", "parts", "is_p2p"), NAMES, ids=[n[0] or "empty" for n in NAMES])
def test_profiling_names(name: str, parts: tuple[Any, ...], is_p2p: bool) -> None:
    (entry,) = table(an_entry(profiling_name=name, is_p2p=False))
    assert (entry.call.backend, entry.call.op, entry.call.me, entry.call.peer) == parts
    assert entry.is_p2p is is_p2p


WRONG_TYPES: tuple[dict[str, Any], ...] = (
    {"record_id": "seven"}, {"record_id": None}, {"process_group": 5}, {"process_group": []}, {"frames": "here"},
    {"frames": [1, {"name": 3}]}, {"input_sizes": 7}, {"input_sizes": [7, ["a"]]}, {"input_dtypes": "Float"},
    {"state": 3}, {"time_created_ns": -(2**63)}, {"timeout_ms": 1.5}, {"duration_ms": "long"},
    {"duration_ms": float("inf")}, {"profiling_name": None}, {"retired": "yes"}, {"thread_id": 5},
)  # fmt: skip


@pytest.mark.parametrize("fields", WRONG_TYPES, ids=[repr(f) for f in WRONG_TYPES])
def test_values_of_the_wrong_type_count_as_unknown(fields: dict[str, Any]) -> None:
    for pickled in (True, False):
        found = read(a_dump(*[an_entry(**fields) for _ in range(3)]), pickled).entries
        assert [found.entry(row).group.pg_id for row in range(3)] == [0, 0, 0]


def test_escape_sequences_do_not_come_through() -> None:
    (entry,) = table(an_entry(profiling_name="nccl:\x1b[2Jall_reduce", process_group=("0", "a\x1b]0;title\x07b")))
    assert (entry.call.op, entry.group.desc) == ("all_reduce", "ab")


def test_entries_are_ordered_by_record() -> None:
    assert [entry.record_id for entry in table(*(an_entry(record_id=n) for n in (5, 3, 4)))] == [3, 4, 5]


ENTRIES = st.lists(
    st.builds(
        an_entry,
        record_id=st.integers(0, 2**40),
        pg_id=st.integers(0, 300),
        process_group=st.tuples(st.sampled_from("0ab"), st.sampled_from(["default_pg", "x"])),
        collective_seq_id=st.integers(-1, 2**33),
        profiling_name=st.sampled_from(["nccl:all_reduce", "nccl:send 0->1", "nccl:coalesced"]),
        time_created_ns=st.integers(0, 2**62 - 1),
        time_discovered_started_ns=st.none() | st.integers(1, 2**61),
        input_sizes=st.lists(st.lists(st.integers(0, 2**34), max_size=3), max_size=3),
        input_dtypes=st.lists(st.sampled_from(["Float", "Half"]), max_size=2),
        state=st.sampled_from(["scheduled", "started", "completed", "lost"]),
        retired=st.booleans(),
        duration_ms=st.floats(0, 1e6, width=32) | st.just(...),
        frames=st.lists(st.sampled_from(FRAMES), max_size=3) | st.just(...),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(ENTRIES)
def test_all_spellings_give_the_same_entries(entries: list[dict[str, Any]]) -> None:
    """Torch's pickler (read by lanes), Python's (read opcode by opcode) and JSON."""
    reader, dump = DumpReader(), a_dump(*entries)
    lanes = reader.decode(torch_pickle(dump), "a").entries
    steps = reader.decode(pickle.dumps(dump, 2), "a").entries
    plain = reader.decode(json.dumps(dump).encode(), "a").entries
    rows = range(len(entries))
    assert [lanes.entry(row) for row in rows] == [steps.entry(row) for row in rows]
    assert [lanes.entry(row) for row in rows] == [plain.entry(row) for row in rows]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damaged_dumps_are_read_or_refused(data: st.DataObject) -> None:
    spell = data.draw(st.sampled_from([torch_pickle, lambda d: json.dumps(d).encode()]))
    whole = bytearray(spell(a_dump(*(an_entry(record_id=n, collective_seq_id=n) for n in range(4)))))
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    try:
        DumpReader().decode(cut, "a")
    except DumpRefused as refused:
        assert str(refused)


def step_by_step(data: bytes) -> list[Entry] | str:
    """The entries of a dump, read without any block; or why it was refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("logtui.parsers.dumps.machine.MAX_LANES", 0)
        return entries_of(data)


def entries_of(data: bytes) -> list[Entry] | str:
    """The entries of a dump, or why it was refused."""
    try:
        table = DumpReader().decode(data, "a").entries
    except DumpRefused as refused:
        return str(refused)
    return [table.entry(row) for row in range(len(table))]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_blocks_read_damaged_dumps_as_the_machine_does(data: st.DataObject) -> None:
    """Bytes changed anywhere among entries that are spelled alike: the same entries, or a refusal, either way."""
    shapes = st.sampled_from([[[8, 2]], [[8]], [[300, 2]], [[70_000]]])
    entries = [
        an_entry(record_id=n * 40, collective_seq_id=250 + n, input_sizes=data.draw(shapes), retired=n < 20)
        for n in range(data.draw(st.integers(3, 24)))
    ]
    whole = bytearray(torch_pickle(a_dump(*entries)))
    start = whole.index(b"u}(") if b"u}(" in whole else 0
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(start, len(whole) - 1))
        whole[at] = data.draw(st.sampled_from([*b"KMJNGhju}(e]\x88\x8a", data.draw(st.integers(0, 255))]))
    fast, slow = entries_of(bytes(whole)), step_by_step(bytes(whole))
    if isinstance(fast, str) or isinstance(slow, str):
        assert isinstance(fast, str) == isinstance(slow, str)
    else:
        assert fast == slow


def test_numbers_that_look_like_the_end_of_an_entry_do_not_fool_it() -> None:
    trap = int.from_bytes(b"u}(h\x01u}(", "little")
    entries = [an_entry(record_id=n, time_created_ns=trap if n % 3 else CREATED_NS) for n in range(30)]
    data = torch_pickle(a_dump(*entries))
    assert entries_of(data) == step_by_step(data)
    assert len(entries_of(data)) == 30


def test_entries_spelled_alike_are_read_in_one_run() -> None:
    entries = [an_entry(record_id=n, input_sizes=[[n, 2]], collective_seq_id=n) for n in range(9)]
    root = Machine(torch_pickle(entries)).run()
    assert isinstance(root, list)
    assert [type(entry) for entry in root] == [dict, Run, dict]
    assert len(root[1]) == 7


REFUSED = (
    ("empty", b"", "empty"),
    ("text", b"loss 2.31\n", "neither a pickle nor JSON"),
    ("half a JSON dump", json.dumps(a_dump(an_entry())).encode()[:200], "JSON"),
    ("half a pickle", torch_pickle(a_dump(an_entry()))[:200], "truncated"),
    ("another JSON", b'{"loss": 2.31}', "not a flight-recorder dump"),
    ("another pickle", pickle.dumps({"epoch": 3}, 2), "not a flight-recorder dump"),
    ("a list of numbers", pickle.dumps([1, 2], 2), "not a flight-recorder dump"),
    ("entries that are none", torch_pickle(a_dump(entries=[1])), "an entry that is a int"),
    ("deep JSON", b'{"version":' + b"[" * 200_000, "nested deeper"),
    ("nested JSON", b'{"version":' + b"[" * 50 + b"]" * 50 + b"}", "nested deeper than 32 levels"),
)


@pytest.mark.parametrize(("data", "why"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_what_is_no_dump_is_refused_with_its_reason(tmp_path: Path, data: bytes, why: str) -> None:
    dumps = read_dumps([a_file(tmp_path, "nccl_trace_rank_3", data)])
    assert dumps.dumps == ()
    ((name, reason),) = dumps.refused
    assert name == "nccl_trace_rank_3"
    assert why in reason


def a_file(folder: Path, name: str, data: bytes, compression: Compression = Compression.NONE) -> LogFile:
    """A dump on disk."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return LogFile(0, path, name, len(data), 0.0, FileKind.FLIGHT_RECORDER, compression)


def test_size_and_number_are_limited(tmp_path: Path) -> None:
    data = torch_pickle(a_dump(*(an_entry(record_id=n) for n in range(30))))
    file = a_file(tmp_path, "dump_0", data)
    assert read_dumps([file], Limits(size_bytes=100)).refused == (("dump_0", "larger than 100 bytes"),)
    assert read_dumps([file], Limits(entries=10)).refused == (("dump_0", "more than 10 entries"),)
    assert len(read_dumps([file], Limits(entries=30)).dumps) == 1
    as_json = a_file(tmp_path, "dump_1.json", json.dumps(a_dump(an_entry(), an_entry())).encode())
    assert "at most 10 are read" in read_dumps([as_json], Limits(json_bytes=10)).refused[0][1]
    assert read_dumps([as_json], Limits(entries=1)).refused == (("dump_1.json", "more than 1 entries"),)


def test_packed_dumps_are_read_and_bombs_refused(tmp_path: Path) -> None:
    data = torch_pickle(a_dump(an_entry()))
    packed = a_file(tmp_path, "dump_0.gz", gzip.compress(data), Compression.GZIP)
    assert [dump.rank for dump in read_dumps([packed]).dumps] == [0]
    bomb = a_file(tmp_path, "dump_1.gz", gzip.compress(b"\x80\x02" + b"N" * 5_000_000), Compression.GZIP)
    assert "larger than" in read_dumps([bomb], Limits(size_bytes=1 << 20)).refused[0][1]
    torn = a_file(tmp_path, "dump_2.gz", gzip.compress(data)[:-20], Compression.GZIP)
    assert "damaged" in read_dumps([torn]).refused[0][1]


def test_one_bad_dump_does_not_stop_the_rest(tmp_path: Path) -> None:
    good = torch_pickle(a_dump(an_entry()))
    (tmp_path / "fr").mkdir()
    for name, data in {"nccl_trace_rank_0": good, "nccl_trace_rank_1": good[:-40], "notes.txt": b"hello\n"}.items():
        (tmp_path / "fr" / name).write_bytes(data)
    os.mkfifo(tmp_path / "fr" / "nccl_trace_rank_0.pipe")
    (tmp_path / "fr" / "nccl_trace_rank_2").touch()
    dumps = read_dumps_below([tmp_path])
    assert [dump.file for dump in dumps.dumps] == ["fr/nccl_trace_rank_0"]
    assert dict(dumps.refused) == {
        "fr/nccl_trace_rank_0.pipe": "a named pipe, not a file",
        "fr/nccl_trace_rank_1": f"truncated: ends at byte {len(good) - 40}, before STOP",
        "fr/nccl_trace_rank_2": "empty",
    }


def test_pipes_and_missing_files_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trace_0")
    files = [LogFile(0, tmp_path / name, name, 0, 0.0, FileKind.FLIGHT_RECORDER) for name in ("trace_0", "trace_1")]
    refused = dict(read_dumps(files).refused)
    assert refused["trace_0"] == "a named pipe, not a file"
    assert "No such file" in refused["trace_1"]


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(tmp_path: Path, enabled: bool) -> None:
    (gc.enable if enabled else gc.disable)()
    try:
        read_dumps([a_file(tmp_path, "dump_0", b"\x80\x02"), a_file(tmp_path, "dump_1", torch_pickle(a_dump()))])
        assert gc.isenabled() is enabled
    finally:
        gc.enable()


def fetched(pickled: bytes, name: str) -> bytes:
    """The opcode that fetches a string after its first mention."""
    ops = list(pickletools.genops(pickled))
    slots = (after[1] for (_, arg, _), after in pairwise(ops) if arg == name)
    return b"h%c" % next(slot for slot in slots if isinstance(slot, int))


def test_a_damaged_entry_that_names_a_number_twice_is_left_to_the_machine() -> None:
    whole = torch_pickle(a_dump(*(an_entry(record_id=n * 40, collective_seq_id=250 + n) for n in range(5))))
    name = fetched(whole, "thread_id")
    at = whole.rindex(name, 0, whole.rindex(name))
    damaged = whole[:at] + fetched(whole, "record_id") + whole[at + 2 :]
    fast, slow = entries_of(damaged), step_by_step(damaged)
    assert isinstance(slow, list) and slow != entries_of(whole)
    assert fast == slow


def test_an_entry_that_names_a_field_twice_keeps_the_last() -> None:
    """A name of one entry becomes that of its frames: blocks give what the machine does."""
    shapes = ([[8, 2]], [[300, 2]], [[300, 2]], [[300, 2]], [[300, 2]], [[8, 2]])
    entries = [an_entry(record_id=n * 40, collective_seq_id=250 + n, input_sizes=s) for n, s in enumerate(shapes)]
    whole = torch_pickle(a_dump(*entries))
    begins = [n for n in range(len(whole)) if whole.startswith(b"}(h", n)]
    begin, end = begins[-2], begins[-1]
    frames = whole[begin + 2 : begin + 4]
    for at in (n for n in range(begin + 4, end) if whole[n : n + 1] == b"h"):
        damaged = whole[:at] + frames + whole[at + 2 :]
        assert entries_of(damaged) == step_by_step(damaged)
