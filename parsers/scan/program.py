"""The program itself as part of a key: what was kept by other code, or on another Python, is not taken for our own.

Contents are read, not times or sizes: those of two releases may be equal in a wheel, a zip or an image of a container.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from logtui.parsers.directories import formats_directory

READERS = "logtui.parsers"
"""The package that makes all records."""
OPTIONAL = ("hyperscan", "numpy")
"""Packages without which the same files are read otherwise."""
_GENERATOR = "generator"
"""Writes logs, and reads none."""
_CODE = (".py", ".pyc", ".so", ".pyd")
_RELEASES = tuple(f"{name}-" for name in ("logtui", "backports_zstd", *OPTIONAL))


def program(*packages: str) -> str:
    """A digest of the code of some packages, and of what it runs on. Takes some 5 ms, once in a process."""
    return blake2b(repr([_runtime(), _site(), *map(code, packages)]).encode(), digest_size=16).hexdigest()


@lru_cache(maxsize=8)
def code(package: str) -> str:
    """A digest of the modules of a package."""
    digest = blake2b(digest_size=16)
    for top in import_module(package).__path__:
        for name, path in _modules(top):
            digest.update(b"%b\0%b\0" % (os.fsencode(name), Path(path).read_bytes()))
    return digest.hexdigest()


def _modules(top: str) -> Iterator[tuple[str, str]]:
    """The files a package's code is read from: those in its folder, or the archive that the folder is in.

    As texts: of hundreds of files, taking a `Path` apart takes longer than reading it.
    """
    if not Path(top).is_dir():
        yield from ((str(Path(top).relative_to(p)), str(p)) for p in Path(top).parents if p.is_file())
        return
    for place, folders, files in os.walk(top):
        folders[:] = sorted(set(folders) - {"__pycache__", _GENERATOR})
        for file in sorted(files):
            if file.endswith(_CODE):
                path = f"{place}/{file}"
                yield path[len(top) :], path


@lru_cache(maxsize=1)
def _site() -> str:
    """The formats in the user's configuration folder, as they are when the process begins to read."""
    digest = blake2b(digest_size=16)
    for path in sorted(formats_directory().glob("*.toml")):
        with suppress(OSError):
            digest.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _runtime() -> str:
    """The interpreter, and what is installed of that which reads with us.

    Names of folders say which releases these are: reading versions takes longer than all the rest here.
    """
    found: list[str] = []
    for place in sys.path:
        with suppress(OSError):
            found += (e.name for e in os.scandir(place or ".") if e.name.startswith(_RELEASES))
    return repr([sys.version, sys.byteorder, sorted(found), [name for name in OPTIONAL if find_spec(name)]])
