"""Ready-made jobs for `--demo`, written once into a cache."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from logtui.parsers.generator.job import generate
from logtui.parsers.generator.spec import Fault, Framework, JobSpec

_CLASSIC = JobSpec(
    name="asr", fault=Fault.DATA_STALL, world_size=128, framework=Framework.NEMO, pytorch="2.7", culprits=(57,),
    timeout_s=1800, seq=1234, seed=25,
)  # fmt: skip
DEMOS: Mapping[str, JobSpec] = MappingProxyType(
    {
        "classic": _CLASSIC,
        "exception": JobSpec(
            name="lm", fault=Fault.EXCEPTION_ONE_RANK, world_size=32, pytorch="2.6", culprits=(13,), seed=2
        ),
        "healthy": JobSpec(
            name="lm", fault=Fault.HEALTHY, world_size=64, pytorch="2.8", framework=Framework.MEGATRON, seed=3
        ),
    }
)
"""Demo jobs by name; the first is the default."""


def demo_directory(name: str, cache_root: Path) -> Path:
    """The log directory of a demo, written on first use. Safe when several processes ask at once.

    Raises:
        KeyError: if there is no demo of that name.
        OSError: if the cache cannot be written.
    """
    spec = DEMOS[name]
    target = cache_root / f"demo-{name}-{_digest()}"
    if target.is_dir():
        return target
    cache_root.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".demo-{name}-", dir=cache_root))
    try:
        generate(spec, fresh)
        _publish(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return target


def _publish(fresh: Path, target: Path) -> None:
    """Give a finished directory its name, unless another process was faster."""
    fresh.chmod(0o755)
    try:
        fresh.rename(target)
    except OSError:
        if not target.is_dir():
            raise


@lru_cache(maxsize=1)
def _digest() -> str:
    """Changes when the generator or a demo changes."""
    text = hashlib.sha256(repr(sorted(DEMOS.items())).encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        text.update(path.read_bytes())
    return text.hexdigest()[:12]
