"""Logs that end with an error in plain words, without a traceback."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

SET_UP = "reading 57 shards\nmodel built\ntraining ...\n"
LEAKED = "/opt/venv/lib/python3.11/multiprocessing/resource_tracker.py:216: UserWarning: 7 leaked semaphore objects\n  warnings.warn('7'\n"
STATISTICS = (
    "=== JOB_STATISTICS ===\n=== current date     : Fri Jan  2 03:04:05 CET 2026\n= Node list          : a0057\n"
)
STEPS = "".join(f"2026-11-21 04:10:{n:02d},000 INFO train: step {n} loss 2.31 step_time 0.500s\n" for n in range(40))


@pytest.mark.parametrize(
    ("text", "cls", "line"),
    [
        (SET_UP + "[Exception] size() called on an undefined Tensor\n", "software", 4),
        (SET_UP + "Exception: no route for sample 57\n" + LEAKED, "data", 4),
        (SET_UP + "ERROR: No Python environment found\nRun setup first: bash setup.sh\n" + STATISTICS, "config", 4),
        (SET_UP + "ERROR: it did not work out\n", "software", 4),
        (
            SET_UP + "2026-01-02 03:04:05,678 - ERROR - Error during the corpus preprocessing: it has no parts\n",
            "software",
            4,
        ),
        (STEPS + "[Exception] size() called on an undefined Tensor\n", "software", 41),
        (STEPS + "cp: cannot stat 'out/run57.pt': No such file or directory\n", "config", 41),
        (SET_UP + "tar: shard-57.tar: Cannot open: Permission denied\n", "config", 4),
        (
            SET_UP
            + "2026-01-02 03:04:05,678 - ERROR - Training failed with error: a Tensor with 57 elements cannot be "
            "converted to Scalar\n",
            "software",
            4,
        ),
        (
            SET_UP
            + "[2026-01-02 03:04:05,678][__main__][ERROR] - Training failed: 'list' object has no attribute 'step'\n",
            "software",
            4,
        ),
        ("make: *** No rule to make target 'data57.bin', needed by 'train'.  Stop.\n", "config", 1),
        (
            SET_UP + "run.sh: line 57: lanuch: command not found\nslurmstepd: error: task 0 exited with 127\n",
            "config",
            4,
        ),
        (
            SET_UP + "2026-01-02 03:04:05,678 - [root] - WARNING - [client1] Disconnected from broker (rc=7)\n",
            "network",
            4,
        ),
        (SET_UP + "-- Configuring incomplete, errors occurred!\n", "software", 4),
        (SET_UP + "error: command '/usr/bin/gcc' failed with exit code 57\n", "software", 4),
        (SET_UP + "make: *** [Makefile:57: all] Error 2\n", "software", 4),
        (SET_UP + "curl: (7) Failed to connect to store57 port 80\n", "network", 4),
        (SET_UP + "tar: Child returned status 1\ntar: Error is not recoverable: exiting now\n", "data", 5),
        (SET_UP + "a57.tar: FAILED\nsha256sum: WARNING: 1 computed checksum did NOT match\n", "data", 5),
        (SET_UP + "check.py: warmup57 must be positive, got -1\nrun.sh: line 3 failed with status 4\n", "config", 4),
        (SET_UP + "train.py: fatal: it is the 57th\n", "software", 4),
        (
            SET_UP + "2026-01-02 03:04:05,678 -run57-ERROR-fit:unsupported operand type(s) for //: 'str' and 'int'\n",
            "software",
            4,
        ),
        (SET_UP + "2026-01-02 03:04:05,678 CRITICAL root: run57.ini: no section [optim]\n", "config", 4),
    ],
    ids=[
        "a C++ exception",
        "before leaked semaphores",
        "before a scheduler's report",
        "no kind said",
        "an exception caught in the midst of work",
        "after steps",
        "a tool of the script",
        "a tool that may not",
        "a log record of the run's failure",
        "Hydra's log record of it, without the type",
        "make",
        "a command nobody knows, and its task's end",
        "a broker that is gone",
        "CMake",
        "setuptools",
        "make's rule",
        "curl by its exit code",
        "tar",
        "a sum of a file",
        "a script's own refusal, before its shell's",
        "a script's own, of no kind",
        "a record of a mistake",
        "a critical record",
    ],
)
def test_the_last_words_are_an_error(report_of: ReportOf, text: str, cls: str, line: int) -> None:
    verdict = report_of({"train.log": text}).verdict
    assert (verdict.rule, verdict.cls, verdict.confidence) == ("last-line", cls, "low")
    assert verdict.first_evidence is not None and verdict.first_evidence.line == line


@pytest.mark.parametrize(
    "text",
    [
        SET_UP + "ERROR: sample 57 cannot be read, skipped\nstarted\nready\nwaiting\n",
        SET_UP + "ERROR: sample 57 cannot be read, skipped\n",
        SET_UP + "ERROR: no such tracker\ntraining finished\n",
        SET_UP + "Killed\n",
        SET_UP + "rm: cannot remove 'tmp57': No such file or directory\n",
        SET_UP + "2026-01-02 03:04:05,678 - ERROR - metrics server: 57 requests failed\n",
        SET_UP + "2026-01-02 03:04:05,678 - ERROR - Error while closing the tracker: it has gone\n",
        SET_UP + "no errors: 57 of 57 done\n",
        SET_UP + "tar: Removing leading `/' from member names\n",
        SET_UP + "train.py: 57 batches a second\n",
    ],
    ids=[
        "something goes on",
        "passed over",
        "completed",
        "known words",
        "a tool that tidies up",
        "not the run's",
        "caught at its end",
        "none",
        "a tool's note",
        "a script that tells how it goes",
    ],
)
def test_other_last_words(report_of: ReportOf, text: str) -> None:
    assert report_of({"train.log": text}).verdict.rule != "last-line"


def test_a_killed_program_was_not_at_work_to_the_end(report_of: ReportOf) -> None:
    bar = "\r".join(f" {n}/5000 [=>....] - ETA: 2:32:{n} - Train Loss: {57 / n:.3f}" for n in range(10, 40))
    assert report_of({"nohup.out": bar + "Killed\n" + LEAKED}).verdict.cls == "host-oom"


@pytest.mark.parametrize(
    ("said", "cls"),
    [("ERROR: need 57 accelerators, found 6", "config"), ("bye", "software")],
    ids=["told why", "said nothing of it"],
)
def test_an_exit_code_means_what_the_program_said_last(report_of: ReportOf, said: str, cls: str) -> None:
    text = SET_UP + said + "\nsrun: error: node57: task 0: Exited with exit code 3\n"
    verdict = report_of({"slurm-57.out": text}).verdict
    assert (verdict.rule, verdict.cls) == ("process-exit", cls)
    assert verdict.first_evidence is not None and verdict.first_evidence.line == (4 if cls == "config" else 5)


@pytest.mark.parametrize(
    ("said", "cls", "ranks"),
    [
        ("0: --warm57 was given, but nothing to resume is there\n", "config", (0,)),
        ("0: only 57 MB free on /scratch, stopping\n1: only 58 MB free on /scratch, stopping\n", "storage-io", ()),
        ("0: bye\n", "unknown", (0,)),
        ("0: read 57 of 57 samples\n", "unknown", (0,)),
    ],
    ids=["one task", "each task", "nothing of it", "no refusal"],
)
def test_what_a_program_says_where_it_ends_itself(
    report_of: ReportOf, said: str, cls: str, ranks: tuple[int, ...]
) -> None:
    started = "".join(f"{r}: worker {r}/2 started, host node57, pid {4000 + r}\n" for r in range(2))
    ends = (
        "srun: error: node57: task 0: Exited with exit code 1\nsrun: error: node57: task 1: Exited with exit code 1\n"
    )
    verdict = report_of({"slurm-57.out": started + said + ends}).verdict
    assert (verdict.rule, verdict.cls, verdict.culprit_ranks) == ("process-exit", cls, ranks)
    assert verdict.first_evidence is not None and verdict.first_evidence.line == (3 if cls != "unknown" else 4)


def test_a_build_failed_where_its_compiler_said_so(report_of: ReportOf) -> None:
    text = (
        "[ 25%] Building CUDA object src/collide.cu.o\n[ 31%] Building CUDA object src/stream.cu.o\n"
        "nvcc fatal   : Unsupported gpu architecture 'compute_57'\n"
        "make[2]: *** [src/build.make:132: src/collide.cu.o] Error 1\nmake[2]: *** Waiting for unfinished jobs....\n"
        "src/config.cpp:14:12: warning: unused variable 'eps'\nmake[1]: *** [CMakeFiles/Makefile2:141: all] Error 2\n"
        "make: *** [Makefile:136: all] Error 2\n"
    )
    first = report_of({"build.log": text}).verdict.first_evidence
    assert first is not None
    assert first.line == 3


def test_a_record_below_errors_is_none(report_of: ReportOf) -> None:
    said = "2026-01-02 03:04:05.678901: W tensorflow/stream_executor/gpu/asm_compiler.cc:57] the stage failed: ptxas exited with code 57\n"
    assert report_of({"job.log": STEPS + said}).verdict.cls != "software"


@pytest.mark.parametrize(("tool", "cls"), [("tee", "healthy"), ("cat", "config")])
def test_a_copy_of_the_output_that_could_not_be_kept(tool: str, cls: str, report_of: ReportOf) -> None:
    files = {"train.log": STEPS, "job57.err": f"{tool}: out57/train.log: No such file or directory\n"}
    assert report_of(files).verdict.cls == cls


def test_the_fatal_error_above_the_word_that_a_process_ended(report_of: ReportOf) -> None:
    said = SET_UP + "[FATAL] no room for region 57, error=Cannot allocate memory\n[process 57 exited with code 01]\n"
    verdict = report_of({"run.log": said}).verdict
    assert verdict.cls == "host-oom" and verdict.first_evidence is not None and verdict.first_evidence.line == 4


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        ("".join(f"cell {n} Error: -{n}.0 of 57\n" for n in range(9)), "healthy"),
        ("".join(f"Error: {n} of 57 cannot be drawn\n" for n in range(9)), "software"),
        ("".join(f"Error code: 400 - item {n} is refused\n" for n in range(9)) + "所有任务已完成。\n", "healthy"),
    ],
    ids=["how far off", "complaints", "all done"],
)
def test_what_looks_like_one_complaint_after_the_other(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"run.log": "begun\n" + text}).verdict.cls == cls


@pytest.mark.parametrize(
    ("said", "cls"),
    [
        ("'Clusters' object has no attribute 'query57'", "software"),
        ("name 'width57' is not defined", "software"),
        ("the error `name 'width57' is not defined` was mended", "healthy"),
    ],
)
def test_a_mistake_that_a_program_logs_at_any_level(said: str, cls: str, report_of: ReportOf) -> None:
    last = f"2026-01-02 03:04:05,678 - INFO - {said}\n2026-01-02 03:04:06,678 - INFO - it took 57 minutes\n"
    assert report_of({"run.log": STEPS + last}).verdict.cls == cls


@pytest.mark.parametrize(
    ("word", "behind", "cls"),
    [
        ("cannot open: No such file or directory", "the data are read\n", "config"),
        ("cannot open: No such file or directory", "all saved\n", "healthy"),
        ("57 is odd", "the data are read\n", "healthy"),
    ],
    ids=["a known kind", "it is through", "nothing known"],
)
def test_an_error_some_lines_above_the_end(word: str, behind: str, cls: str, report_of: ReportOf) -> None:
    stamp = "2026-01-02 03:04:05,678 - store57 - "
    text = f"{stamp}INFO - it begins\n{stamp}ERROR - {word}\n{stamp}INFO - the store is there\n{stamp}INFO - {behind}"
    assert (report_of({"job.log": text}).verdict.cls == "config") is (cls == "config")


def test_an_error_that_is_said_again_and_again_is_none_that_ends(report_of: ReportOf) -> None:
    stamp = "2026-01-02 03:04:05,678 - heat57 - "
    text = f"{stamp}INFO - it begins\n" + f"{stamp}ERROR - cannot open {{}}: No such file or directory\n" * 9
    text += f"{stamp}ERROR - [57.1 57.2]\n"
    assert report_of({"errors.log": text}).verdict.rule != "last-line"


def test_an_error_behind_which_a_program_only_tears_down(report_of: ReportOf) -> None:
    def said(level: str, text: str) -> str:
        return f"2031-02-03 07:04:05,678 - [hub57] - {level} - {text}\n"

    failed = said("ERROR", "Failed to set up the cache: Cache.__init__() got an unexpected keyword argument 'size57'")
    down = said("INFO", "Shutting down the hub ...") + said("INFO", "Cleaned up 7 files")
    verdict = report_of({"hub.log": said("INFO", "the cache is set up") * 3 + failed + down}).verdict
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == ("software", 4)
    on = report_of({"hub.log": said("INFO", "the cache is set up") * 3 + failed + said("INFO", "asked for 57") * 9})
    assert on.verdict.cls != "software"


def test_a_stage_that_was_tried_again(report_of: ReportOf) -> None:
    said = "2031-02-03 07:{:02d}:05,678 - main57 - {}\n"
    failed = "ERROR - Error executing predict.py for B57: Command 'python predict.py' returned a status"
    text = "".join(said.format(n, "INFO - Script predict.py executed successfully for B57.") for n in range(9))
    on = said.format(11, "INFO - Script predict.py executed successfully for B57.")
    assert report_of({"main.log": text + said.format(10, failed) + on}).verdict.cls != "software"


def test_what_the_system_refused_in_whatever_language(report_of: ReportOf) -> None:
    said = "[2031-02-03 04:05:06] ❌ Başlatma hatası: [WinError 2] The system cannot find the file specified\n"
    verdict = report_of({"run.txt": SET_UP + said + "[2031-02-03 04:05:06] ❌ Başlatılamadı!\n"}).verdict
    assert verdict.cls in ("config", "software")
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.line == 4


FAREWELL = "wandb: Synced 6 W&B file(s), 0 media file(s), 0 artifact file(s) and 0 other file(s)\nwandb: Find logs at: ./wandb/run-57/logs\n"


@pytest.mark.parametrize(("behind", "cls"), [("", "healthy"), ("a\n" * 3, "software")], ids=["held back", "another's"])
def test_what_is_printed_once_wandb_has_said_its_last_word(behind: str, cls: str, report_of: ReportOf) -> None:
    said = "ERROR: only the first 57 films were drawn\n"
    assert report_of({"nohup.out": STEPS + FAREWELL + behind.replace("a", "a film") + said}).verdict.cls == cls


@pytest.mark.parametrize(
    ("said", "cls"),
    [
        (
            "2026-01-02 03:04:05,678 - ERROR - Failed to load the net from a/last: No valid net found in nets57",
            "config",
        ),
        ("[FAILED] the run on a CPU failed: net57 has no layers\n\nWhat to do:\n1. add some\n2. or ask", "software"),
    ],
    ids=["nothing of the name", "a stage"],
)
def test_what_was_not_there(said: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"run.log": "2026-01-02 03:04:05,123 - INFO - reading\n" + said + "\n"}).verdict.cls == cls


@pytest.mark.parametrize(
    ("said", "cls"),
    [
        ("me@node57:~/run57$ {0}\nbash: {0}: command not found\n", "healthy"),
        ("node57% {0} -v\nzsh: command not found: {0}\n", "healthy"),
        ("bash: {0}: command not found\n", "config"),
        ("me@node57:~/run57$ bash fit57.sh\nbash: {0}: command not found\n", "config"),
    ],
    ids=["bash", "zsh", "nobody typed it", "a script"],
)
def test_what_somebody_typed_behind_a_prompt(said: str, cls: str, report_of: ReportOf) -> None:
    steps = "".join(f"Epoch {n}/20 - loss: 2.{n}\n" for n in range(1, 21))
    assert report_of({"screen.log": steps + said.format("fot57")}).verdict.cls == cls
