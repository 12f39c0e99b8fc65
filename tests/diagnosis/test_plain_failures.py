"""Small jobs that tell their failure in their own words, or in those of another language's run-time system, and may go on
to say that they are done."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.parsers.prefix.stamp import iso

ReportOf = Callable[[Mapping[str, str]], Report]
UP = "Host: gn12\nLoading environment\nUsing device: cuda\n"
EPOCHS = "".join(f"Epoch {n}/20 train_loss {2.3 - n * 0.05:.4f} val_acc {0.4 + n * 0.01:.3f}\n" for n in range(1, 21))
ITERATIONS = "".join(f"iter {n * 100}: loss {2.3 - n * 0.05:.4f}, time 57.{n}ms\n" for n in range(1, 9))
WAITS = "".join(f"Waiting for the server on port 8000... ({n * 30}s)\n" for n in range(1, 11))
OUT_OF_MEMORY = "❌ Training failed: CUDA out of memory. Tried to allocate 2.00 GiB"
REFUSALS = "".join(
    f"[{n}/50] Running case {n}...\n  Attempt 1 ERROR: Error code: 429 - quota exceeded\n" for n in range(1, 20)
)
RUST = """thread 'main' panicked at 'called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }', src/main.rs:57:10"""
SCRIPT = "python: can't open file '/opt/job/evaluate.py': [Errno 2] No such file or directory\n"

FAILURES = (
    ("a server that did not come up", UP + WAITS, "ERROR: the server did not become ready within 300 s", "Stopping\nEvaluation finished.\n", "software"),
    ("a stage with its status", UP + "Running: stage1.py\n", "stage2.py exited with code 2", "stage3 skipped\nPipeline finished\n", "software"),
    ("a stage in a table", UP + "[1/2] exp_a ... ok (412 s)\n", "[2/2] exp_b ... FAILED (exit code 1)", "1 succeeded, 1 failed\n", "software"),
    ("what a stage failed of", UP + "=== Experiment a ===\n", OUT_OF_MEMORY, "=== Summary ===\n0/1 experiments succeeded\n", "gpu-oom"),
    ("a complaint alone", UP, "Dataset directory data/images does not exist. Please fetch it first.", "", "data"),
    ("no data", UP + "Found 0 images in data/train\n", "ERROR: no training samples found, aborting.", "", "data"),
    ("a licence", "Solver 57\n", "solver.SolverError: No Solver license found (user u, host gn12)", "", "config"),
    ("a killed program and its script", UP + ITERATIONS, "./run.sh: line 12: 12345 Killed                  python train.py", "Training complete!\n", "infrastructure"),
    ("a script that is not there after training", UP + EPOCHS + "Training complete\n", SCRIPT.strip(), "ALL TASKS COMPLETED SUCCESSFULLY!\n", "config"),
    ("a module that is not there after training", UP + EPOCHS + "Training complete\n", "/usr/bin/python: No module named job.evaluate", "*** evaluation failed\n", "config"),
    ("a host that is not found", "Cloning into 'job'...\n", "fatal: unable to access 'https://git.example.org/job.git/': Could not resolve host: git.example.org", "run.sh: line 4: cd: job: No such file or directory\n" + SCRIPT, "network"),
    ("R", "R version 4.3.1\n", "Error in library(torch) : there is no package called 'torch'", "Execution halted\n", "software"),
    ("Fortran", "step 1 E= -57.1\n", "Fortran runtime error: End of file", "\nError termination. Backtrace:\n#0  0x7f\n", "data"),
    ("Fortran by Intel", "step 1 E= -57.1\n", "forrtl: severe (174): SIGSEGV, segmentation fault occurred", "Image  PC  Routine\n", "software"),
    ("a console that was closed", UP + ITERATIONS, "forrtl: error (200): program aborting due to window-CLOSE event", "Image  PC  Routine\n", "infrastructure"),
    ("Rust", "tokenizing\n", RUST, "note: run with `RUST_BACKTRACE=1`\n", "software"),
    ("Go", "sharding 57 files\n", "panic: runtime error: index out of range [57] with length 57", "\ngoroutine 1 [running]:\n", "software"),
    ("an assertion in C", "Reading graph\n", "pack: src/graph.c:57: load_graph: Assertion `n > 0' failed.", "run.sh: line 9: 5757 Aborted                 (core dumped) ./pack\n", "software"),
    ("CUDA's samples", "Allocating the cache\n", 'CUDA error at main.cu:57 code=2(cudaErrorMemoryAllocation) "cudaMalloc(&p, n)"', "", "gpu-oom"),
    ("Kaldi", "steps/train_mono.sh: Pass 1\n", "ERROR (gmm-est[5.5.1]:main():gmm-est.cc:57) Could not read stats", "run.pl: job failed\n", "software"),
    ("LAMMPS", "LAMMPS (2 Aug 2023)\n", "ERROR: Lost atoms: original 32000 current 31999 (src/thermo.cpp:481)", "Last command: run 1000\n", "software"),
    ("GROMACS", "GROMACS:      gmx mdrun\n", "Fatal error:", "Too many LINCS warnings (1001)\n", "software"),
)  # fmt: skip


@pytest.mark.parametrize(("before", "said", "after", "cls"), [f[1:] for f in FAILURES], ids=[f[0] for f in FAILURES])
def test_failure(report_of: ReportOf, before: str, said: str, after: str, cls: str) -> None:
    verdict = report_of({"train.log": f"{before}{said}\n{after}"}).verdict
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == (cls, before.count("\n") + 1)


def test_who_interrupts_a_stage_ends_the_run_whatever_its_script_sums_up(report_of: ReportOf) -> None:
    stamp = "2031-02-03 04:05:0{} | {} | {}\n"
    said = (
        ("INFO", "Running stage 1"),
        ("WARNING", "Interrupted by user"),
        ("INFO", "EXPERIMENT COMPLETE"),
        ("INFO", "Results saved to: out"),
    )
    log = "".join(stamp.format(n, level, words) for n, (level, words) in enumerate(said))
    verdict = report_of({"run.log": log}).verdict
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == ("infrastructure", 2)


def test_a_linker_that_gives_up(report_of: ReportOf) -> None:
    log = "a.cc:(.text+0x1b4): undefined reference to `add_57'\nld: final link failed: bad value\ncollect2: error: ld returned 1 exit status\n"
    verdict = report_of({"build.log": log}).verdict
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == ("software", 1)


def test_a_program_whose_every_request_fails(report_of: ReportOf) -> None:
    verdict = report_of({"eval.log": "Loaded 50 cases.\n" + REFUSALS}).verdict
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == ("network", 3)


HEALTHY = (
    ("cleaning up", "rm: cannot remove 'old/*.pt': No such file or directory\n" + UP + EPOCHS + "Done.\n"),
    ("files that failed a check", UP + "Validated 5000 files: 4997 ok, 3 failed\n" + EPOCHS + "finished\n"),
    ("tests that failed", UP + EPOCHS + "Test cases: 57 passed, 2 failed\naccuracy 0.97\n"),
    ("a smaller batch", UP + "batch size 64: CUDA out of memory, trying 32\n" + EPOCHS + "Training finished in 57 min\n"),
    ("a stage that failed before", UP + "stage1.py exited with code 2\n" + EPOCHS + "Training finished in 57 min\n"),
    ("a tracker's panic", "panic: stream_init: open .netrc: no such file or directory\n" + UP + EPOCHS + "Training complete\n"),
    ("a crash at exit", UP + EPOCHS + "Training complete\nrun.sh: line 9: 5757 Segmentation fault      (core dumped) python train.py\nJob complete\n"),
)  # fmt: skip


@pytest.mark.parametrize("text", [h[1] for h in HEALTHY], ids=[h[0] for h in HEALTHY])
def test_healthy(report_of: ReportOf, text: str) -> None:
    assert report_of({"train.log": text}).verdict.cls == "healthy"


def test_a_library_that_caught_what_it_imports(report_of: ReportOf) -> None:
    caught = (
        "quantlib load error: libnvJitLink.so.13: cannot open shared object file: No such file or directory\n"
        'Traceback (most recent call last):\n  File "/opt/venv/lib/python3.11/site-packages/quantlib/native.py", line 57, in <module>\n'
        "    library = load()\nOSError: libnvJitLink.so.13: cannot open shared object file: No such file or directory\n"
    )
    assert report_of({"run.log": UP + caught + EPOCHS}).verdict.cls == "healthy"
    own = caught.replace("/opt/venv/lib/python3.11/site-packages/quantlib/native.py", "/opt/job/train.py")
    assert report_of({"run.log": UP + own}).verdict.cls != "healthy"
    assert report_of({"run.log": UP + caught}).verdict.cls != "healthy"  # nothing is said behind it


def test_an_opening_behind_what_the_run_before_left(report_of: ReportOf) -> None:
    opening = (
        "./logs\nEnvironment:\n\tPython: 3.11.3 of the cluster\n\tPyTorch: 2.0.0+cu117\n\tTorchvision: 0.15.1+cu117\n"
    )
    fall = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in <module>\n    step()\nRuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED\n'
    left = "../aten/src/ATen/native/cuda/Loss.cu:240: nll_loss: block: [0,0,0], thread: [30,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"
    run = opening + fall
    first = report_of({"run.log": run + left + opening + left + fall}).verdict.first_evidence
    assert first is not None and first.line == 2 * opening.count("\n") + fall.count("\n") + 2


def test_more_raised_than_the_launcher_names(report_of: ReportOf) -> None:
    fall = "Traceback (most recent call last):\n  File \"/opt/job/train.py\", line 57, in <module>\n    import vision\nModuleNotFoundError: No module named 'vision'\n"
    stops = "".join(
        f"W0102 03:04:05.678000 4200 torch/distributed/elastic/multiprocessing/api.py:897] Sending process {pid} closing signal SIGTERM\n"
        for pid in (4201, 4202)
    )
    entry = "[{n}]:\n  time      : 2026-01-02_03:04:05\n  host      : gn12\n  rank      : {n} (local_rank: {n})\n  exitcode  : 1 (pid: 42{n})\n  error_file: <N/A>\n"
    table = (
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n" + "=" * 60 + "\ntrain.py FAILED\n" + "-" * 60
        + "\nFailures:\n" + entry.format(n=3) + "-" * 60 + "\nRoot Cause (first observed failure):\n" + entry.format(n=2) + "=" * 60 + "\n"
    )  # fmt: skip
    assert report_of({"run.log": fall * 4 + stops + table}).verdict.culprit_ranks == ()
    assert report_of({"run.log": fall * 2 + stops + table}).verdict.culprit_ranks == (2, 3)


BAR = "Epoch {e}:  {p}%|#####     | {n}/2503 [{m:02d}:00<05:00,  5.00it/s, loss=1.3]"


def _epoch(number: int, minutes: list[int]) -> str:
    return "\n".join(BAR.format(e=number, p=n * 250 // 25, n=n * 250, m=m) for n, m in enumerate(minutes)) + "\n"


def test_a_bar_that_was_slow_in_one_epoch(report_of: ReportOf) -> None:
    slow = _epoch(2, [0, 1, 2, 3, 4, 5, 6, 10, 16, 22, 28])
    assert report_of({"logs.txt": slow}).verdict.cls == "slow-training"
    assert report_of({"logs.txt": slow + _epoch(3, [*range(11)])}).verdict.cls == "healthy"


def test_what_a_program_warns_of_and_goes_on(report_of: ReportOf) -> None:
    warned = "WARNING:job:Entity <Flatten.call> was not converted. Cause: AttributeError: module 'gast' has no attribute 'Num'\n"
    on = "".join(f"detection {n} was drawn\n" for n in range(120))
    assert report_of({"test.out": UP + warned + on}).verdict.cls != "software"


def test_a_run_behind_one_that_failed_at_its_import(report_of: ReportOf) -> None:
    opening = "engine build time: Jun 19 2020\nwarning: no axis for the joint, it defaults\n"
    fall = "Traceback (most recent call last):\n  File \"train.py\", line 7, in <module>\n    import numpy\nModuleNotFoundError: No module named 'numpy'\n"
    later = opening + "".join(f"joint {'abcdefg'[n % 7] * (n + 1)} has no axis\n" for n in range(60))
    assert report_of({"nohup.out": opening + fall + later}).verdict.cls != "software"
    assert report_of({"nohup.out": opening + fall + opening}).verdict.cls == "software"


@pytest.mark.parametrize(
    ("text", "started", "ended"),
    [
        ("[2026-01-02 03:04] begin\nwork\n[2026-01-02 05:04] end\n", "2026-01-02T03:04:00", "2026-01-02T05:04:00"),
        ("Start: 2026-01-02 03:04\nwork\nEnd: 2026-01-02 05:04\n", "2026-01-02T03:04:00", "2026-01-02T05:04:00"),
        ("2026-01-02_03-04-05 begin\nwork\n2026-01-02_05-04-05 end\n", "2026-01-02T03:04:05", "2026-01-02T05:04:05"),
        ("2026-01-02-03-04-05 training 950 snapshot:\n    loss 2.3\n2026-01-02-05-04-05 training 951 snapshot:\n", "2026-01-02T03:04:05", "2026-01-02T05:04:05"),
        ("  date: 2026-01-02_03-04-05\n  it: 1\n  date: 2026-01-02_05-04-05\n", "2026-01-02T03:04:05", "2026-01-02T05:04:05"),
        ("2026-01-02 03:04:05 begin\n1543133212.0435\n2026-01-02 05:04:05 end\n1543133212.0435\n", "2026-01-02T03:04:05", "2026-01-02T05:04:05"),
    ],
    ids=["lines to the minute", "labels to the minute", "dashes", "dashes alone", "RLlib", "a figure like seconds"],
)  # fmt: skip
def test_times(report_of: ReportOf, text: str, started: str, ended: str) -> None:
    job = report_of({"run.log": text}).job
    assert (iso(job.started), iso(job.ended)) == (started, ended)


def test_a_file_whose_folder_is_not_there(report_of: ReportOf) -> None:
    fall = (
        'Traceback (most recent call last):\n  File "/opt/job/scripts/merge.py", line 57, in <module>\n    with open(root + "data/points.txt", {mode}) as file:\n'
        "FileNotFoundError: [Errno 2] No such file or directory: 'set/data/points.txt'\n"
    )
    assert report_of({"run.log": UP + fall.format(mode="'w'")}).verdict.cls == "config"
    assert report_of({"run.log": UP + fall.format(mode="'r'")}).verdict.cls == "data"


def test_whose_error_another_language_tells(report_of: ReportOf) -> None:
    said = "reading grid 57\nFortran runtime error: Cannot open file 'grid57.dat': No such file or directory\n"
    report = report_of({"job.err": f"{said}srun: error: gn12: task 0: Exited with exit code 2\n"})
    assert report.verdict.culprit_ranks == (0,)


CELL = """Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "/opt/conda/lib/python3.10/site-packages/papermill/execute.py", line 57, in execute_notebook
    raise_for_execution_errors(nb, output_path)
papermill.exceptions.PapermillExecutionError:
---------------------------------------------------------------------------
Exception encountered at "In [7]":
---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
/tmp/ipykernel_57/75.py in <module>
---> 12 predict(57)

ValueError: 57 is no class
[NbConvertApp] Converting notebook __notebook__.ipynb to html
[NbConvertApp] Writing 57757 bytes to __results__.html
"""


def test_a_cell_behind_a_completed_training(report_of: ReportOf) -> None:
    verdict = report_of({"notebook.log": UP + EPOCHS + "Training complete\n" + CELL}).verdict
    last = (UP + EPOCHS + "Training complete\n" + CELL).splitlines().index("ValueError: 57 is no class") + 1
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == ("software", last)
