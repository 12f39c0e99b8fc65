"""Faults of the data: bad samples, missing files, uneven shares, dead workers."""

from __future__ import annotations

from logtui.parsers.generator.faults.crash import crash, raise_in, survivors_hang
from logtui.parsers.generator.faults.scene import Told, blame, culprits, in_order, silenced, until_fault
from logtui.parsers.generator.stage.spec import Fault, Layout
from logtui.parsers.generator.stage.stage import Event, Source, Stage, Writer, hang, wait_for
from logtui.parsers.generator.wordings.ending import end
from logtui.parsers.generator.wordings.errors import SITE, Frame, as_rank, chained, loop_frames, traceback
from logtui.parsers.generator.wordings.hang import write_hang
from logtui.parsers.generator.wordings.training import write_start
from logtui.parsers.pattern import FailureClass

_LOADER = Frame(
    f"{SITE}/torch/utils/data/dataloader.py", 1480, "_next_data", "return self._process_data(data, worker_id)"
)
_GET = Frame(
    f"{SITE}/torch/utils/data/dataloader.py", 1243, "_try_get_data", "data = self._data_queue.get(timeout=timeout)"
)


def dataloader_exception(stage: Stage) -> None:
    """A worker process of one rank's DataLoader raises; the rank raises it again."""
    inner_line = "ValueError: sample utt-0048213 of shard-00012.tar: 8000 Hz where the manifest says 16000 Hz"
    inner = traceback(
        [
            Frame(f"{SITE}/torch/utils/data/_utils/worker.py", 349, "_worker_loop", "data = fetcher.fetch(index)"),
            Frame("/workspace/corpus/dataset.py", 91, "__getitem__", "audio = self.decode(sample)"),
        ],
        inner_line,
    )
    outer = "ValueError: Caught ValueError in DataLoader worker process 3."
    frames = [
        *loop_frames(stage.spec.framework)[:2],
        _LOADER,
        Frame(f"{SITE}/torch/_utils.py", 733, "reraise", "raise exception"),
    ]
    text = traceback(frames, f"{outer}\nOriginal {inner}\n")
    bad = crash(stage, lambda rank, at: raise_in(stage, rank, at, text, outer, inner_line))
    title = f"rank {bad[0]} met a bad sample in a DataLoader worker"
    blame(stage, FailureClass.DATA, title, bad, first=f"exception.{bad[0]}", also=(f"inner.{bad[0]}",))


def sigbus_shm(stage: Stage) -> None:
    """A DataLoader worker gets SIGBUS because /dev/shm is full."""
    frames = loop_frames(stage.spec.framework)[:2]

    def fall(rank: int, at: float) -> None:
        worker = stage.world.pid(rank, stage.attempt) + 611
        said = "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm)."
        stage.rank(rank, at - 0.4, said, mark=f"worker.{rank}")
        nul = Event(at - 0.3999, Source(Writer.RANK, rank, stage.attempt), "\0", glue=True)
        stage.events.append(nul)
        first = (
            f"RuntimeError: DataLoader worker (pid {worker}) is killed by signal: Bus error. It is possible that dataloader's "
            "workers are out of shared memory. Please try to raise your shared memory limit."
        )
        second = f"RuntimeError: DataLoader worker (pid(s) {worker}) exited unexpectedly"
        text = chained(traceback([_GET], first), traceback([*frames, _LOADER], second))
        raise_in(stage, rank, at, text, first, second)

    bad = crash(stage, fall)
    title = f"a data worker of rank {bad[0]} died of a full /dev/shm"
    marks = (f"exception.{bad[0]}", f"inner.{bad[0]}")
    blame(stage, FailureClass.HOST_OOM, title, bad, first=f"worker.{bad[0]}", also=marks)


def uneven_inputs(stage: Stage) -> None:
    """Some ranks' data ends early: they leave the loop and hang in teardown, the others wait for them."""
    at, short = until_fault(stage), culprits(stage)
    end_of_data = Frame(f"{SITE}/torch/utils/data/dataloader.py", 1458, "_next_data", "raise StopIteration")
    for rank in short:
        text = traceback([*loop_frames(stage.spec.framework)[:2], end_of_data], "StopIteration")
        event = stage.rank(rank, at + 0.5 + stage.jitter(0.2), as_rank(text, rank, stage.version))
        event.marks[f"exception.{rank}"] = text.count("\n")
    write_hang(stage, hang(stage, wait_for(stage, short, at + 1.0), short))
    end(stage)
    title = f"rank {short[0]} ran out of data before the others"
    accept, first = (FailureClass.COLLECTIVE_MISMATCH,), f"exception.{short[0]}"
    blame(stage, FailureClass.DATA, title, short, first=first, accept=accept, undecidable=_whose(stage, short))


def _whose(stage: Stage, short: tuple[int, ...]) -> str:
    """Why nobody can tell who raised: no prefix says it before 2.3, and neighbours were silenced as well."""
    nodes = {stage.world.node(r).index for r in short}
    hushed = [r for r in silenced(stage) if stage.world.node(r).index in nodes]
    bare = stage.version < (2, 3) and stage.spec.layout in (Layout.PER_NODE, Layout.PDSH)
    return f"which of {1 + len(hushed)} ranks raised: no prefix says it" if hushed and bare else ""


def bad_mount(stage: Stage) -> None:
    """No rank of one node finds the data set's index."""
    begun = write_start(stage, stage.spec.start)
    stage.seq = 1
    node = stage.world.node(culprits(stage)[0])
    headline = "FileNotFoundError: [Errno 2] No such file or directory: '/data/corpus/manifest.idx'"
    frames = [
        Frame("/workspace/train.py", 44, "<module>", "dataset = IndexedDataset(args.data)"),
        Frame("/workspace/corpus/dataset.py", 27, "__init__", "self.index = open(path, 'rb').read()"),
    ]
    for rank in node.ranks:
        raise_in(stage, rank, begun + 1.0 + stage.jitter(0.3), traceback(frames, headline), headline)
    survivors_hang(stage, begun + 2.0, node.ranks)
    end(stage)
    marks = in_order(stage, "exception.")
    title = f"{node.host} does not see the data set: each of its ranks failed alike"
    blame(stage, FailureClass.DATA, title, node.ranks, first=marks[0], also=marks[1:], accept=(FailureClass.CONFIG,))


FAULTS: Told = {
    Fault.DATALOADER_EXCEPTION: dataloader_exception,
    Fault.SIGBUS_SHM: sigbus_shm,
    Fault.UNEVEN_INPUTS: uneven_inputs,
    Fault.BAD_MOUNT: bad_mount,
}
