"""Which target keeps an object: AIStore chooses it by rendezvous hashing, from nothing but names.

The weight of a target for an object is a hash of the xxHash64 of its node id and that of the object's full name; the
highest wins. While all targets are members, that is where the object is read from, whatever the logs say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

_MASK = (1 << 64) - 1
_P1, _P2, _P3 = 11400714785074694791, 14029467366897019727, 1609587929392839161
_P4, _P5 = 9650029242287828579, 2870177450012600261
SEED = 1103515245
"""Of AIStore's hashes of names."""
MOST_OBJECTS = 256
"""Looked at: more do not change the answer."""
CHANCE = 1 / 16
"""Objects that lie on one target with no more than this chance do so for a reason."""
_OBJECT = re.compile(
    r"\b(?P<provider>ais|s3|aws|gs|gcp|azure|oci)://(?P<bucket>[\w.-]{1,64}+)/(?P<name>[\w./+@%-]{1,400}+)"
)
_URL = re.compile(r"/v1/objects/(?P<bucket>[\w.-]{1,64}+)/(?P<name>[^?\s\"']{1,400}+)(?P<query>\?\S{0,400}+)?")
_OF_BUCKET = re.compile(
    r"\b[Oo]bject (?P<name>[\w./+@%-]{1,400}+) from bucket (?P<provider>ais|s3|aws|gs|gcp|azure|oci)://(?P<bucket>[\w.-]{1,64}+)"
)
"""As Lhotse names objects; behind the object stands the member of the archive that it is, or `None`."""
_MEMBER = re.compile(r"(?:(?<=\.tar)|(?<=\.tgz)|(?<=\.zip)|(?<=\.tar\.gz))/.*$|/None$")
_PROVIDER = re.compile(r"[?&]provider=(\w{2,10})")
_SAME = {"s3": "aws", "gs": "gcp"}


def _rotated(x: int, by: int) -> int:
    return ((x << by) | (x >> (64 - by))) & _MASK


def _round(lane: int, word: int) -> int:
    return _rotated((lane + word * _P2) & _MASK, 31) * _P1 & _MASK


def xxh64(data: bytes, seed: int = SEED) -> int:
    """XXH64, as published."""
    at, size = 0, len(data)
    if size >= 32:
        lanes = [(seed + _P1 + _P2) & _MASK, (seed + _P2) & _MASK, seed, (seed - _P1) & _MASK]
        while at + 32 <= size:
            words = (int.from_bytes(data[at + 8 * n : at + 8 * n + 8], "little") for n in range(4))
            lanes = [_round(lane, word) for lane, word in zip(lanes, words, strict=True)]
            at += 32
        h = sum(_rotated(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18), strict=True)) & _MASK
        for lane in lanes:
            h = ((h ^ _round(0, lane)) * _P1 + _P4) & _MASK
    else:
        h = (seed + _P5) & _MASK
    return _finished(_tail((h + size) & _MASK, data[at:]))


def _tail(h: int, rest: bytes) -> int:
    while len(rest) >= 8:
        h = (_rotated(h ^ _round(0, int.from_bytes(rest[:8], "little")), 27) * _P1 + _P4) & _MASK
        rest = rest[8:]
    if len(rest) >= 4:
        h = (_rotated(h ^ (int.from_bytes(rest[:4], "little") * _P1 & _MASK), 23) * _P2 + _P3) & _MASK
        rest = rest[4:]
    for byte in rest:
        h = _rotated(h ^ (byte * _P5 & _MASK), 11) * _P1 & _MASK
    return h


def _finished(h: int) -> int:
    h = (h ^ (h >> 33)) * _P2 & _MASK
    h = (h ^ (h >> 29)) * _P3 & _MASK
    return h ^ (h >> 32)


def _weight(x: int) -> int:
    """The first number of xoshiro256** seeded with two steps of splitmix64."""
    gamma = 0x9E3779B97F4A7C15
    for _ in range(2):
        x = (x + gamma) & _MASK
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _MASK
        x ^= x >> 31
    return _rotated(x * 5 & _MASK, 7) * 9 & _MASK


def home_of(bucket: str, name: str, targets: Sequence[str], provider: str = "ais") -> str:
    """The id of the target that keeps `provider://bucket/name`, out of those of the whole cluster."""
    digest = xxh64(f"{provider}/@#/{bucket}/{name}".encode())
    return max(targets, key=lambda t: _weight(xxh64(t.encode()) ^ digest))


@dataclass(frozen=True, slots=True)
class Object:
    """A stored object. Names are as the cluster spells them."""

    provider: str
    bucket: str
    name: str

    def home(self, targets: Sequence[str]) -> str:
        """Id of the target that keeps it."""
        return home_of(self.bucket, self.name, targets, self.provider)


def objects_in(text: str) -> list[Object]:
    """Objects that a text names, as `ais://bucket/name` or in the URL of a request."""
    named = [Object(_SAME.get(m["provider"], m["provider"]), m["bucket"], m["name"]) for m in _OBJECT.finditer(text)]
    for m in _OF_BUCKET.finditer(text):
        named.append(Object(_SAME.get(m["provider"], m["provider"]), m["bucket"], _MEMBER.sub("", m["name"])))
    for m in _URL.finditer(text):
        provider = _PROVIDER.search(m["query"] or "")
        named.append(Object(provider[1] if provider else "ais", m["bucket"], m["name"]))
    return named


def common_home(objects: Iterable[Object], targets: Sequence[str]) -> str:
    """The one target that keeps all of several objects; "" where there are several, or it may be chance."""
    asked = set(islice(objects, MOST_OBJECTS))
    if len(targets) < 2 or not asked or len(targets) ** (1 - len(asked)) > CHANCE:
        return ""
    homes = {o.home(targets) for o in asked}
    return homes.pop() if len(homes) == 1 else ""
