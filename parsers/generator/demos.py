"""Ready-made jobs for `--demo`, written once into a cache."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from logtui.parsers.generator.faults import demos
from logtui.parsers.generator.faults.storage import write_cluster
from logtui.parsers.generator.flight_recorder import write_dumps
from logtui.parsers.generator.job import generate
from logtui.parsers.generator.stage.spec import Fault, Framework, JobSpec, Layout

_SHIPPED: dict[str, JobSpec] = {
    "classic": JobSpec(
        name="asr", fault=Fault.DATA_STALL, world_size=128, framework=Framework.NEMO, pytorch="2.7", culprits=(57,),
        timeout_s=1800, seq=1234, seed=25,
    ),
    "exception": JobSpec(name="lm", fault=Fault.EXCEPTION_ONE_RANK, world_size=32, pytorch="2.6", culprits=(13,), seed=2),
    "behind": JobSpec(
        name="lm", fault=Fault.STRAGGLER_BEHIND, world_size=64, pytorch="2.8", culprits=(29,), seed=5, layout=Layout.TEE,
    ),
    "fabric": JobSpec(name="lm", fault=Fault.FABRIC, world_size=64, pytorch="2.9", seed=6, framework=Framework.LIGHTNING),
    "chain": JobSpec(
        name="gpt", fault=Fault.CHAIN, world_size=64, pytorch="2.10", culprits=(20,), seed=7, tensor_parallel=4,
        pipeline_parallel=2, framework=Framework.MEGATRON, layout=Layout.MERGED, recorder=True,
    ),
    "oom": JobSpec(name="ft", fault=Fault.GPU_OOM, world_size=16, pytorch="2.5", culprits=(9,), seed=8, framework=Framework.HUGGINGFACE),
    "sigkill": JobSpec(name="ft", fault=Fault.HOST_OOM, world_size=32, pytorch="2.4", culprits=(6,), seed=9),
    "timelimit": JobSpec(name="gpt", fault=Fault.TIME_LIMIT, world_size=64, pytorch="2.3", seed=10, framework=Framework.MEGATRON),
    "healthy": JobSpec(name="lm", fault=Fault.HEALTHY, world_size=64, pytorch="2.8", seed=3, framework=Framework.MEGATRON),
    "restart": JobSpec(name="lm", fault=Fault.RESTART_THEN_FAIL, world_size=16, pytorch="2.10", culprits=(11,), seed=11),
    "mismatch": JobSpec(
        name="rl", fault=Fault.MISMATCH, world_size=32, pytorch="2.14", culprits=(3,), seed=12, layout=Layout.TORCHRUN_TREE,
    ),
    "slow": JobSpec(name="gpt", fault=Fault.SLOW, world_size=64, pytorch="2.7", seed=13, framework=Framework.MEGATRON),
    "storage": JobSpec(
        name="asr", fault=Fault.STORAGE_STALL, world_size=16, framework=Framework.NEMO, pytorch="2.8", culprits=(11,),
        seed=15, start=1_771_945_800.0,
    ),
    "rendezvous": JobSpec(name="lm", fault=Fault.RENDEZVOUS_TIMEOUT, world_size=64, pytorch="2.6", culprits=(41,), seed=14),
}  # fmt: skip
DEMOS: Mapping[str, JobSpec] = MappingProxyType(_SHIPPED | demos())
"""Demo jobs by name; the first is the default."""

ExtraWriter = Callable[[JobSpec, Path], object]
"""Writes more files of a demo below its log directory."""


def _dumps_beside(spec: JobSpec, directory: Path) -> object:
    return write_dumps(spec, directory / "flight-recorder")


def _daemons_beside(spec: JobSpec, directory: Path) -> object:
    return write_cluster(spec, directory / "ais")


EXTRAS: Mapping[str, tuple[ExtraWriter, ...]] = MappingProxyType(
    {"chain": (_dumps_beside,), "mismatch": (_dumps_beside,), "storage": (_daemons_beside,)}
)
"""What a demo has besides its worker logs."""


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
        for write in EXTRAS.get(name, ()):
            write(spec, fresh)
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
