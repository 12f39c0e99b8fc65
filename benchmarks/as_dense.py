"""Generated logs as dense as real ones: lines with hits, kinds of sentences and digits in their shares.

The shares are those of 2 MiB of real logs that `real_logs.py` reads; `python benchmarks/as_dense.py` prints what they
are in the generated ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from logtui.parsers.prefix.template import rough_key
from logtui.parsers.scan.task import scanner

Line = Callable[[Random, int], str]
SIZE = 1 << 20
"""Bytes of each log; whoever measures repeats them."""
WORDS = "model layer cache shard tensor worker buffer config loader kernel scale graph weight group queue token".split()


@dataclass(frozen=True)
class Kind:
    """One log, and how dense it is."""

    name: str
    hit: Line
    """A line that formats know."""
    share: float
    """Of lines that are such; in a framework's every third has no hit."""
    sentences: int
    """Kinds of the other lines, in a thousand lines."""
    numbers: int
    """Numbers in each of those."""


def _step(random: Random, n: int) -> str:
    spent, loss = 1708 * n + random.randint(0, 99), random.uniform(3, 4)
    return f"step:{n % 20344}/20344 train_loss:{loss:.4f} train_time:{spent}ms step_avg:1708.{n % 90:02d}ms"


def _iteration(random: Random, n: int) -> str:
    clock = f"{n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}"
    ms, loss = random.uniform(3000, 9000), random.uniform(2, 9)
    step = f"iteration {n % 50:8d}/ 50 | elapsed time per iteration (ms): {ms:.1f} | lm loss: {loss:.6E} |"
    warning = f"/opt/train/megatron/layers.py:{random.randint(100, 999)}: FutureWarning: `custom_fwd` is deprecated."
    started = f"[2026-03-15 {clock},{n % 1000:03d}] [INFO] [launch.py:272:main] process {31000 + n % 999} spawned with"
    return (step, warning, started)[n % 3]


def _nccl(random: Random, n: int) -> str:
    at = random.randrange(128)
    writer = f"ip-0A2304{at // 8:02X}:{700 + at}:{1300 + at} [{at % 8}]"
    return (
        f"{writer} NCCL INFO comm 0x7f{n:010x} rank {at} nranks 128 cudaDev {at % 8} busId {at % 8}1000 - Init COMPLETE"
    )


def _bar(random: Random, n: int) -> str:
    step, pace, loss = n % 2353, random.uniform(1, 3), random.uniform(0.5, 2)
    blocks, spent = "█" * (step // 300), f"{step // 40:02d}:{step % 60:02d}"
    bar = f"Train:  {step * 100 // 2353:2d}%|{blocks:8}| {step}/2353 [{spent}<48:38,  {pace:.2f}s/it]"
    return f"\r{bar}\r{bar}\r{{'loss': '{loss:.4f}', 'grad_norm': '{pace:.3f}', 'epoch': '0.0{n % 9999}'}}"


KINDS = (
    Kind("steps alone", _step, 0.97, 20, 2),
    Kind("a framework that warns", _iteration, 0.22, 95, 2),
    Kind("NCCL of 128 ranks", _nccl, 0.25, 150, 5),
    Kind("progress bars", _bar, 0.60, 300, 4),
)


def write(folder: Path) -> list[tuple[str, Path]]:
    """Name and file of each log."""
    logs = [(kind.name, folder / f"{at}.log") for at, kind in enumerate(KINDS)]
    for kind, (_, path) in zip(KINDS, logs, strict=True):
        path.write_text(text_of(kind), encoding="utf-8")
    return logs


def text_of(kind: Kind, size: int = SIZE) -> str:
    """The log; the same each time."""
    random, lines, length = Random(kind.name), [""], 0
    while length < size:
        n = len(lines)
        is_hit = random.random() < kind.share
        lines.append(kind.hit(random, n) if is_hit else _other(random, n, kind))
        length += len(lines[-1]) + 1
    return "\n".join(lines[1:]) + "\n"


def _other(random: Random, n: int, kind: Kind) -> str:
    """A sentence that no format knows: of one kind, again and again, or of a new one."""
    share = kind.sentences / 1000 / (1 - kind.share)
    number = n if random.random() < share else random.randrange(8)
    words = Random(number).choices(WORDS, k=9)
    spots = range(0, 2 * kind.numbers, 2)
    for at in spots:
        words.insert(at, str(random.randint(10, 99)) if number < 8 else str(random.randint(10, 99999)))
    return " ".join(words)


def density(text: bytes) -> tuple[float, float, float]:
    """Share of lines with hits, kinds of sentences in a thousand lines, share of digits."""
    lines = text.split(b"\n")
    ends = [int(hit) >> 16 for hit in scanner("auto").engine.scan(text, len(text))]
    with_hits = {text.rfind(b"\n", 0, end) for end in ends}
    digits = sum(text.count(digit) for digit in (b"%d" % d for d in range(10)))
    kinds = len(set(map(rough_key, lines)))
    return len(with_hits) / len(lines), 1000 * kinds / len(lines), digits / len(text)


if __name__ == "__main__":
    print("| log | lines with hits | kinds in 1,000 lines | digits |\n|---|---|---|---|")
    for one in KINDS:
        hits, kinds, digits = density(text_of(one).encode())
        print(f"| {one.name} | {hits:.2f} | {kinds:.0f} | {digits:.2f} |")
