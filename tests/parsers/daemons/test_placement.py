"""Where an object is kept, by names alone."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from logtui.parsers.daemons.placement import Object, common_home, home_of, objects_in, xxh64

TARGETS = ("AbCdEfGh", "IjKlMnOp", "QrStUvWx", "YzAbCdEf")
NAMES = [f"train/rec-{n:05d}.wav" for n in range(400)]
LAB = Path(os.environ.get("LOGTUI_CORPUS", "")) / "aistore-lab"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1),
    ],
)
def test_the_hash_is_the_published_one(data: bytes, expected: int) -> None:
    assert xxh64(data, 0) == expected


def test_objects_are_spread_and_stay_where_they_are_when_another_target_leaves() -> None:
    before = {name: home_of("speech", name, TARGETS) for name in NAMES}
    after = {name: home_of("speech", name, TARGETS[1:]) for name in NAMES}
    assert min(Counter(before.values()).values()) > len(NAMES) / len(TARGETS) / 2
    assert {name for name in NAMES if before[name] != after[name]} == {n for n in NAMES if before[n] == TARGETS[0]}
    assert before == {name: home_of("speech", name, tuple(reversed(TARGETS))) for name in NAMES}


def test_few_objects_or_several_homes_prove_nothing() -> None:
    there = [Object("ais", "speech", n) for n in NAMES if home_of("speech", n, TARGETS) == TARGETS[2]]
    elsewhere = next(n for n in NAMES if home_of("speech", n, TARGETS) == TARGETS[0])
    assert common_home(there[:3], TARGETS) == TARGETS[2]
    assert common_home(there[:2], TARGETS) == ""
    assert common_home(there[:3], TARGETS[2:3]) == ""
    assert common_home([*there[:9], Object("ais", "speech", elsewhere)], TARGETS) == ""


def test_objects_are_read_from_names_and_requests() -> None:
    text = "Recording(id='ais://speech/train/a.wav') http://10.0.0.7:51081/v1/objects/shards/b.tar?provider=aws&pid=x"
    assert objects_in(text) == [Object("ais", "speech", "train/a.wav"), Object("aws", "shards", "b.tar")]


@pytest.mark.skipif(not LAB.is_dir(), reason="no corpus at hand")
def test_real_clusters_send_clients_where_the_names_say() -> None:
    case = LAB / "ais50-kill9"
    homes: dict[str, set[str]] = {}
    targets = tuple(p.name.split("-")[1].split(".")[0] for p in sorted((case / "ais_logs").glob("aistarget-*")))
    for line in (case / "workers" / "error-4001-0.out").read_text().splitlines():
        if m := re.search(r"host='([\d.]+)', port=51081\): Max retries exceeded with url: (\S+)", line):
            homes.setdefault(m[1], set()).update(o.home(targets) for o in objects_in(m[2]))
    assert homes
    assert all(len(found) == 1 for found in homes.values())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Object train/clip-0012.flac/None from bucket ais://voices returned empty content.", "train/clip-0012.flac"),
        ("Object pack-0007.tar/a/b.wav from bucket ais://voices returned empty content.", "pack-0007.tar"),
        ("Object pack-0007.tar.gz/b.wav from bucket ais://voices returned empty content.", "pack-0007.tar.gz"),
        ("Failed to fetch object train/clip-0012.flac from bucket ais://voices: timed out", "train/clip-0012.flac"),
    ],
)
def test_objects_as_lhotse_names_them(text: str, name: str) -> None:
    assert objects_in(text) == [Object("ais", "voices", name)]
