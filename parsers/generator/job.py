"""Write one job and say what is true of it."""

from __future__ import annotations

from pathlib import Path

from logtui.parsers.generator.faults import told
from logtui.parsers.generator.stage.files import Written, write_files
from logtui.parsers.generator.stage.spec import JobSpec, NcclState, Place, Truth
from logtui.parsers.generator.stage.stage import Stage


def generate(spec: JobSpec, directory: Path) -> Truth:
    """Write the logs of a job below a directory and return the truth about them, which is not written.

    Equal specs give equal bytes. The directory is made if needed; nothing in it is removed.

    Raises:
        OSError: if a file cannot be written.
        ValueError: if nothing tells the fault.
    """
    stage = play(spec)
    return _truth(stage, write_files(stage, directory))


def play(spec: JobSpec) -> Stage:
    """Tell a job without writing it.

    Raises:
        ValueError: if no family of faults tells this one.
    """
    if spec.fault not in told():
        raise ValueError(f"no fault is called {spec.fault!r}; there are: {', '.join(told())}")
    stage = Stage(spec)
    told()[spec.fault](stage)
    return stage


def _truth(stage: Stage, written: Written) -> Truth:
    verdict, places = stage.verdict, written.places
    return Truth(
        cls=verdict.cls,
        title=verdict.title,
        undecidable=verdict.undecidable,
        accept=verdict.accept,
        culprit_ranks=tuple(sorted(verdict.culprit_ranks)),
        culprit_hosts=verdict.culprit_hosts,
        first_bad_line=places.get(verdict.first),
        also_first=tuple(places[m] for m in verdict.also if m in places),
        nccl_state=_states(stage, places),
        watchdog_ranks=_marked("timeout", places),
        observed_ranks=_marked("observed", places),
        last_step=stage.last_step,
        last_steps=dict(stage.last_steps),
        places=places,
        hosts={r: stage.world.node(r).host for r in stage.world.ranks},
        files=tuple(written.files),
        bytes=written.bytes,
    )


def _marked(kind: str, places: dict[str, Place]) -> tuple[int, ...]:
    return tuple(sorted(int(m.partition(".")[2]) for m in places if m.partition(".")[0] == kind))


def _states(stage: Stage, places: dict[str, Place]) -> dict[int, NcclState]:
    """Counters whose line was written; a group's own status line counts more than the default group's echo."""
    found: dict[int, NcclState] = {}
    for mark, (rank, state) in stage.shown.items():
        if mark in places and (rank not in found or not mark.startswith("received")):
            found[rank] = state
    return dict(sorted(found.items()))
