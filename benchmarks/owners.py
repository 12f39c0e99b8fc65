"""Whether the logs of an owner have taught the program already; with `--add`, note that they have.

python benchmarks/owners.py [--add] OWNER...

`taught_by.txt` holds the first twelve digits of each lower-cased owner's SHA-256: enough to keep a measurement apart
from what was learnt, and no list of people.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

TAUGHT_BY = Path(__file__).with_name("taught_by.txt")
DIGITS = 12


def main(argv: list[str]) -> int:
    """Print each owner that is known; 1 if any is."""
    adds = "--add" in argv
    owners = [word for word in argv if word != "--add"]
    known = set(TAUGHT_BY.read_text().split()) if TAUGHT_BY.exists() else set()
    old = [owner for owner in owners if _digits(owner) in known]
    if adds:
        TAUGHT_BY.write_text("".join(f"{digits}\n" for digits in sorted(known | set(map(_digits, owners)))))
    for owner in old:
        print(f"{owner}: known")
    return int(bool(old))


def _digits(owner: str) -> str:
    return sha256(owner.lower().encode()).hexdigest()[:DIGITS]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
