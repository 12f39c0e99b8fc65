"""Real exceptions, raised by Python's own library and by installed packages under faults of ours, as they print themselves.

Each runs in this process, touches only the folder it is given, and a port that nobody listens on.
"""

from __future__ import annotations

import argparse
import configparser
import contextlib
import csv
import gzip
import http.client
import importlib
import json
import lzma
import os
import pickle
import socket
import sqlite3
import struct
import subprocess
import sys
import tarfile
import threading
import tomllib
import traceback
import urllib.request
import wave
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click
import fsspec  # type: ignore[import-untyped]  # so does it
import httpx2
import jsonschema
import msgpack  # type: ignore[import-untyped]  # and msgpack
import msgspec
import numpy as np
import pydantic
import tomlkit
import yaml  # type: ignore[import-untyped]  # it comes with distributed, as click does

Fault = Callable[[Path], object]


def _read_shard(path: Path, content: bytes, read: Callable[[Path], object]) -> object:
    path.write_bytes(content)
    return read(path)


def json_line(at: Path) -> object:
    """A manifest whose last line is cut."""
    (at / "manifest.jsonl").write_text('{"audio": "57.wav", "te')
    return [json.loads(line) for line in (at / "manifest.jsonl").read_text().splitlines()]


def load_train_config(at: Path) -> object:
    """A file of settings with a comma too many."""
    (at / "train.json").write_text('{"lr": 0.57,}')
    return json.loads((at / "train.json").read_text())


def tar_cut(at: Path) -> object:
    """A shard that was cut while it was copied."""
    (at / "57.bin").write_bytes(bytes(9000))
    with tarfile.open(at / "shard.tar", "w") as shard:
        shard.add(at / "57.bin")
    whole = (at / "shard.tar").read_bytes()
    (at / "cut.tar").write_bytes(whole[:3000])
    with tarfile.open(at / "cut.tar") as shard:
        shard.extractall(at, filter="data")
    return shard


def zip_bad(at: Path) -> object:
    """An archive that is none."""
    return _read_shard(at / "57.zip", b"PK57", zipfile.ZipFile)


def gzip_cut(at: Path) -> object:
    """A packed file that ends early."""
    return _read_shard(at / "57.gz", gzip.compress(bytes(5757))[:20], lambda path: gzip.open(path).read())


def xz_bad(at: Path) -> object:
    """A packed file of another kind."""
    return _read_shard(at / "57.xz", b"\xfd7zXZ\x00" + bytes(57), lambda path: lzma.open(path).read())


def record_short(at: Path) -> object:
    """A record shorter than its header says."""
    return _read_shard(at / "57.rec", b"57", lambda path: struct.unpack("<IQ", path.read_bytes()))


def pickle_bad(at: Path) -> object:
    """A pickled index that was overwritten."""
    return _read_shard(at / "index.pkl", b"\x057", lambda path: pickle.loads(path.read_bytes()))


def text_bad(at: Path) -> object:
    """A transcript in another encoding."""
    return _read_shard(at / "57.txt", b"hello \xff57", lambda path: path.read_text(encoding="utf-8"))


def wave_bad(at: Path) -> object:
    """A sound file without a header."""
    return _read_shard(at / "57.wav", bytes(57), lambda path: wave.open(str(path)))


def npy_cut(at: Path) -> object:
    """An array whose file is cut."""
    np.save(at / "57.npy", np.zeros(5757))
    whole = (at / "57.npy").read_bytes()
    return _read_shard(at / "cut.npy", whole[:700], np.load)


def csv_long(at: Path) -> object:
    """A field that is longer than csv takes."""
    return _read_shard(at / "57.csv", b"a" * 140_000, lambda path: list(csv.reader([path.read_text()])))


def sqlite_bad(at: Path) -> object:
    """An index in a database that is none."""
    return _read_shard(at / "57.db", b"57" * 700, lambda path: sqlite3.connect(path).execute("select * from shards"))


def refused(at: Path) -> object:
    """A server that does not listen."""
    return socket.create_connection(("127.0.0.1", 9), timeout=5)


def url_refused(at: Path) -> object:
    """The same, by URL."""
    return urllib.request.urlopen("http://127.0.0.1:9/shard-57.tar", timeout=5)


def _serve(answer: bytes) -> int:
    """The port of a server that gives one answer and ends."""
    server = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with server, contextlib.suppress(OSError):
            peer, _ = server.accept()
            with peer:
                peer.recv(4096)
                peer.sendall(answer)

    threading.Thread(target=run, daemon=True).start()
    return int(server.getsockname()[1])


def unavailable(at: Path) -> object:
    """A server under too much load."""
    port = _serve(b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\n\r\n")
    return urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/57", timeout=5)


def forbidden(at: Path) -> object:
    """A server that wants to know who asks."""
    port = _serve(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    return urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/57", timeout=5)


def body_short(at: Path) -> object:
    """A body that ends before its length."""
    link = http.client.HTTPConnection(
        "127.0.0.1", _serve(b"HTTP/1.1 200 OK\r\nContent-Length: 5757\r\n\r\nab"), timeout=5
    )
    link.request("GET", "/v1/57")
    with contextlib.closing(link):
        return link.getresponse().read()


def hung_up(at: Path) -> object:
    """A server that closes without an answer."""
    link = http.client.HTTPConnection("127.0.0.1", _serve(b""), timeout=5)
    link.request("GET", "/v1/57")
    with contextlib.closing(link):
        return link.getresponse()


def option_unknown(at: Path) -> object:
    """An argument that the program does not know."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("--precision", choices=["bf16"])
    return parser.parse_args(["--precision", "fp57"])


def yaml_bad(at: Path) -> object:
    """Settings that are no YAML."""
    return yaml.safe_load("model:\n  hidden: 57\n layers: [1\n")


def toml_bad(at: Path) -> object:
    """Settings that are no TOML."""
    return tomllib.loads("lr = = 57")


def ini_lacks(at: Path) -> object:
    """Settings without the section."""
    return configparser.ConfigParser().get("optimizer57", "lr")


def click_bad(at: Path) -> object:
    """An option of a wrong type."""
    command = click.Command("train", params=[click.Option(["--steps"], type=int)], callback=lambda steps: steps)
    return command.main(["--steps", "x57"], standalone_mode=False)


def variable_unset(at: Path) -> object:
    """What a launcher should have set."""
    return os.environ["LOGTUI_NO_SUCH_RANK57"]


def variable_no_number(at: Path) -> object:
    """What a launcher set to nothing."""
    return int(os.environ.get("LOGTUI_NO_SUCH_NODES57", ""))


def settings_missing(at: Path) -> object:
    """A file of settings that is not there."""
    return (at / "conf" / "run57.yaml").read_text()


def data_missing(at: Path) -> object:
    """A shard that is not there."""
    return np.memmap(at / "shard-57.bin", mode="r")


def full(at: Path) -> object:
    """A disk without room."""
    with Path("/dev/full").open("wb", buffering=0) as file:
        return file.write(bytes(5757))


def array_too_large(at: Path) -> object:
    """More memory than there is."""
    return np.zeros((10**7, 10**7))


def _broken(_: int) -> int:
    return {"a": 1}["text57"]


def pool_worker(at: Path) -> object:
    """A mistake in a worker process, which the parent quotes."""
    with ProcessPoolExecutor(1) as pool:
        return list(pool.map(_broken, [1]))


def fetch_fails(at: Path) -> object:
    """A program that fetches, and fails."""
    return subprocess.run(["sh", "-c", "exit 7", "curl"], check=True)


def attribute(at: Path) -> object:
    """A method that is not there."""
    return at.read_shard57()  # type: ignore[attr-defined]


def shapes(at: Path) -> object:
    """Arrays that do not fit."""
    return np.zeros((5, 7)) @ np.zeros((5, 7))


def plan(at: Path) -> object:
    """An exception of the program's own."""
    raise RuntimeError("no schedule for step 57")


class _Settings(pydantic.BaseModel):
    hidden: int


class _Sample(msgspec.Struct):
    label: int


def client_refused(at: Path) -> object:
    """A server that does not listen, by a client whose exceptions come one from the other."""
    return httpx2.get("http://127.0.0.1:9/shard-57.tar")


def client_overloaded(at: Path) -> object:
    """A server under too much load, as the client tells its status."""
    port = _serve(b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\n\r\n")
    return httpx2.get(f"http://127.0.0.1:{port}/v1/57").raise_for_status()


def file_system_lacks(at: Path) -> object:
    """A shard that a file system's layer does not find."""
    return fsspec.open(f"file://{at}/shard-57.tar", "rb").open()


def packed_cut(at: Path) -> object:
    """A packed record that is cut."""
    return msgpack.unpackb(b"\x93\x01\x02")


def decode_sample(at: Path) -> object:
    """A record whose field has another type."""
    return msgspec.json.decode(b'{"label": "57"}', type=_Sample)


def build_settings(at: Path) -> object:
    """Settings of a wrong type."""
    return _Settings.model_validate({"hidden": "wide57"})


def read_record(at: Path) -> object:
    """The same validator, of a record of the data."""
    return _Settings.model_validate_json('{"hidden": null}')


def settings_schema(at: Path) -> object:
    """Settings that a schema refuses."""
    jsonschema.validate({"lr": "57"}, {"properties": {"lr": {"type": "number"}}})
    return None


def settings_document(at: Path) -> object:
    """Settings that are no TOML, to another parser."""
    return tomlkit.parse("lr = = 57")


def import_fails(at: Path) -> object:
    """A reader's package that fails while it is imported."""
    package = at / "site-packages" / "soundfile57.py"
    package.parent.mkdir()
    package.write_text("raise RuntimeError('built against another version57')\n")
    sys.path.insert(0, str(package.parent))
    try:
        return importlib.import_module("soundfile57")
    finally:
        sys.path.remove(str(package.parent))


def cached_sample(at: Path) -> object:
    """A sample that is not in the cache, and a store that cannot be asked for it."""
    try:
        return (at / "cache" / "shard-57.tar").read_bytes()
    except FileNotFoundError:
        return socket.create_connection(("127.0.0.1", 9), timeout=5)


def _give_up() -> None:
    raise RuntimeError("no such sample57")


def sample_told(at: Path) -> object:
    """A sample that is not there, told in the program's own words."""
    try:
        return (at / "shard-57.tar").read_bytes()
    except FileNotFoundError:
        _give_up()
        return None


def tokens_odd(at: Path) -> object:
    """A file of tokens with half of one."""
    (at / "tokens.bin").write_bytes(bytes(57))
    return np.frombuffer((at / "tokens.bin").read_bytes(), dtype=np.uint16)


def table_odd(at: Path) -> object:
    """A table with a word among its numbers, which an extension finds that leaves no frames."""
    (at / "table.txt").write_text("5 7\n5 x57\n")
    return np.loadtxt(at / "table.txt")


def scheme_unknown(at: Path) -> object:
    """A URL of a scheme that the client does not know."""
    return fsspec.filesystem("store57")


def folder_taken(at: Path) -> object:
    """A folder of an earlier run, with what to do about it."""
    raise ValueError(f"{at} is not empty; use --overwrite-output57 to go on")


def manifest_line(at: Path) -> object:
    """A line of a manifest that the program's own check refuses."""
    raise ValueError("clips-57.jsonl line 118: duration is negative (-1.0)")


RAISED: dict[Fault, str] = {
    json_line: "data",
    load_train_config: "config",
    tar_cut: "data",
    zip_bad: "data",
    gzip_cut: "data",
    xz_bad: "data",
    record_short: "data",
    pickle_bad: "data",
    text_bad: "data",
    wave_bad: "data",
    npy_cut: "data",
    csv_long: "data",
    sqlite_bad: "data",
    refused: "network storage-io",
    url_refused: "network storage-io",
    unavailable: "network storage-io",
    forbidden: "config storage-io",
    body_short: "network storage-io",
    hung_up: "network storage-io",
    option_unknown: "config",
    yaml_bad: "config",
    toml_bad: "config",
    ini_lacks: "config",
    click_bad: "config",
    variable_unset: "config",
    variable_no_number: "config",
    settings_missing: "config",
    data_missing: "data",
    full: "storage-io",
    array_too_large: "host-oom",
    pool_worker: "software data",
    attribute: "software",
    shapes: "software config",
    plan: "software config",  # of all ranks before any step, what it was started with
    client_refused: "network storage-io",
    client_overloaded: "network storage-io",
    file_system_lacks: "data",
    packed_cut: "data",
    decode_sample: "data",
    build_settings: "config",
    read_record: "data",
    settings_schema: "config",
    settings_document: "config",
    import_fails: "software",
    cached_sample: "network storage-io",
    sample_told: "data config",
    tokens_odd: "data",
    table_odd: "data",
    scheme_unknown: "config",
    folder_taken: "config",
    manifest_line: "data",
}
"""Each fault with the classes that an engineer would accept."""


def lines_of(fault: Fault, at: Path) -> Iterator[str]:
    """The traceback of a fault, from the frame of the fault on."""
    try:
        fault(at)
    except Exception as error:
        shown = "".join(traceback.format_exception(error))
        yield from shown.splitlines()
        return
    raise AssertionError(f"{fault.__name__} raised nothing")
