"""Python tracebacks and the lines that name exceptions; crashes without a traceback.

`parsers.tracebacks` assembles the whole; these patterns find it, and count what is only an echo.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_AT = r"(?:^ {0,4}(?:\| )?|\]:? ?|\) ?|^ *[\w.-]+: |std(?:err|out) [FP] |<std(?:err|out)>:)"
"""Where an exception's name may stand: at the start of a line, or behind its prefixes."""
_ECHOES = (
    "ChildFailedError|ProcessExitedException|ProcessRaisedException|SignalException|RayTaskError|RayActorError|ActorDiedError"
    "|ActorUnavailableError|WorkerCrashedError|DistBackendError|DistNetworkError|DistStoreError|RendezvousConnectionError"
    "|RendezvousClosedError|RendezvousTimeoutError|CalledProcessError|KeyboardInterrupt|BrokenPipeError|BrokenProcessPool"
    "|RendezvousGracefulExitError|PythonFinalizationError|ConnectionResetError|EOFError|SystemExit"
)
"""Exceptions that report another process's death, a lost connection, or a signal; other formats read what they say."""
_NAMED = (
    "ModuleNotFoundError|ImportError|UnpicklingError|JSONDecodeError|ReadError|BadZipFile|BadGzipFile|UnidentifiedImageError"
    "|UnicodeDecodeError|LibsndfileError|ArrowInvalid|OutOfMemoryError|MemoryError|CommandNotFoundError|SyntaxErrorSyntaxError"
)
"""Exceptions that `python_causes` and others read by name."""

FORMAT = LineFormat(
    name="python_errors",
    title="Python tracebacks and exceptions",
    reference="CPython Lib/traceback.py and Python/traceback.c, 3.8 to 3.14; Modules/faulthandler.c",
    patterns=(
        Pattern(
            name="py.traceback",
            anchors=("Traceback (most recent call last)",),
            regex=r"(?P<original>Original )?(?P<group>Exception Group )?Traceback \(most recent call last\)(?!::String)",
            samples=(
                Sample("[rank57]: Traceback (most recent call last):"),
                Sample("Original Traceback (most recent call last):", {"original": "Original "}),
                Sample("  + Exception Group Traceback (most recent call last):", {"group": "Exception Group "}),
            ),
            role=Role.STATE,
            follow=400,
            title="a Python traceback",
        ),
        Pattern(
            name="py.exception",
            anchors=(
                "Error: ",
                "Exception: ",
                "AssertionError",
                "NotImplementedError",
                "Interrupt: ",
                ".exceptions.",
                ".errors.",
                "_dynamo.exc.",
            ),
            regex=_AT + rf"(?P<exc>(?![\w.]*\b(?:{_ECHOES}|{_NAMED})\b)(?:[A-Za-z_][\w.]*(?:Error|Exception|Interrupt)"
            r"|[a-z_][\w.]*\.(?:exceptions|errors|exc)\.[A-Z]\w*))(?:: (?P<msg>.*))?$",
            samples=(
                Sample(
                    "[rank57]: ValueError: shard-00012.tar: bad sample 7",
                    {"exc": "ValueError", "msg": "shard-00012.tar: bad sample 7"},
                ),
                Sample("node007: [rank3]: AssertionError", {"exc": "AssertionError"}),
                Sample(
                    "(WorkerDict pid=4242) torch._inductor.exc.InductorError: LoweringException",
                    {"exc": "torch._inductor.exc.InductorError"},
                ),
                Sample(
                    "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 57",
                    {"exc": "triton.runtime.errors.OutOfResources"},
                ),
                Sample("requests.exceptions.Timeout: 57 s", {"exc": "requests.exceptions.Timeout"}),
                Sample(
                    "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:",
                    {"exc": "torch._dynamo.exc.BackendCompilerFailed"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=40,
            title="a Python exception",
        ),
        Pattern(
            name="py.echo",
            anchors=(
                "ProcessExitedException",
                "ProcessRaisedException",
                "CalledProcessError",
                "KeyboardInterrupt",
                "BrokenPipeError",
                "BrokenProcessPool",
                "ConnectionResetError",
                "EOFError: ",
                "PythonFinalizationError",
            ),
            regex=_AT
            + r"(?P<exc>(?:[a-z_.]+\.)?(?:ProcessExitedException|ProcessRaisedException|CalledProcessError|KeyboardInterrupt|BrokenPipeError"
            r"|BrokenProcessPool|ConnectionResetError|EOFError|PythonFinalizationError))(?:: (?P<msg>.*))?$",
            samples=(
                Sample("BrokenPipeError: [Errno 32] Broken pipe", {"exc": "BrokenPipeError"}),
                Sample(
                    "subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGABRT: 6>.",
                    {"exc": "subprocess.CalledProcessError"},
                ),
                Sample("[rank3]: KeyboardInterrupt", {"exc": "KeyboardInterrupt"}),
            ),
            role=Role.SYMPTOM,
            title="an exception that echoes another process",
        ),
        Pattern(
            name="py.syntax_glued",
            anchors=("SyntaxErrorSyntaxError", "SyntaxErrorinvalid syntax", "invalid syntaxinvalid syntax"),
            regex=r"SyntaxErrorSyntaxError|SyntaxErrorinvalid syntax|invalid syntaxinvalid syntax",
            samples=(
                Sample("SyntaxErrorSyntaxError: : invalid syntaxinvalid syntax"),
                Sample(": SyntaxErrorinvalid syntax: "),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=62,
            bulk=True,
            title="the program is no valid Python",
            note="Several processes wrote it at once; the line of the source stands above.",
        ),
        Pattern(
            name="py.fatal",
            anchors=("Fatal Python error: ",),
            regex=r"Fatal Python error: (?P<what>(?!Aborted)[\w ]+)",
            samples=(Sample("Fatal Python error: Segmentation fault", {"what": "Segmentation fault"}),),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=58,
            follow=60,
            title="the Python interpreter crashed",
            note="The stack below runs innermost first; `Current thread` is the faulting one.",
            advice=(
                Advice(
                    "training",
                    "rerun with PYTHONFAULTHANDLER=1, and read the frames of the current thread: the crash is in "
                    "native code that they call",
                ),
            ),
        ),
        Pattern(
            name="py.windows_fatal",
            anchors=("Windows fatal exception: ",),
            regex=r"Windows fatal exception: (?P<what>access violation|stack overflow|int(?:eger)? divide by zero|code 0x[0-9a-f]{8})",
            samples=(
                Sample("Windows fatal exception: access violation", {"what": "access violation"}),
                Sample("Windows fatal exception: code 0xc0000374", {"what": "code 0xc0000374"}),
            ),
            role=Role.CAUSE,
            marks=(Mark.PASSING,),
            cls=FailureClass.SOFTWARE,
            weight=56,
            bulk=True,
            follow=60,
            title="native code crashed on Windows: {what}",
            note="faulthandler shows also what native code catches itself; where nothing follows, it ended the process.",
        ),
        Pattern(
            name="py.aborted",
            anchors=("Fatal Python error: Aborted",),
            regex=r"Fatal Python error: (?P<what>Aborted)",
            samples=(Sample("Fatal Python error: Aborted", {"what": "Aborted"}),),
            role=Role.SYMPTOM,
            follow=60,
            title="the interpreter aborted",
            note="Usually a watchdog's abort or a C++ exception; what was printed before says why.",
        ),
        Pattern(
            name="py.hang_dump",
            anchors=("Timeout (0:", "Timeout (1:", "Timeout (2:"),
            regex=r"^.{0,80}Timeout \((?P<after>\d+:\d\d:\d\d(?:\.\d+)?)\)!",
            samples=(Sample("Timeout (0:30:00)!", {"after": "0:30:00"}),),
            role=Role.STATE,
            follow=120,
            title="a stack dump after a timeout",
            note="faulthandler.dump_traceback_later: shows where the process waits, not a crash.",
        ),
        Pattern(
            name="py.no_program",
            anchors=(": No module named ",),
            regex=r"(?:^|[\s/])python[\d.]{0,6}(?:\.exe)?: No module named '?(?P<module>[\w.]{1,200})",
            samples=(
                Sample("/opt/venv/bin/python3: No module named job57.evaluate", {"module": "job57.evaluate"}),
                Sample("python: No module named job57.__main__; 'job57' is a package and cannot be directly executed"),
            ),
            role=Role.CAUSE,
            marks=(Mark.ENDS, Mark.REFUSED),
            cls=FailureClass.CONFIG,
            weight=74,
            title="the module that Python was to run is not there",
            advice=(
                Advice(
                    "training",
                    "install it[, {module}], or run from the folder that holds it; PYTHONPATH tells where else",
                ),
            ),
        ),
        Pattern(
            name="py.no_script",
            anchors=(": can't open file '",),
            regex=r"python[\d.]*(?:\.exe)?: can't open file '(?P<path>[^']{1,300})': \[Errno (?P<errno>\d+)\]",
            samples=(
                Sample(
                    "/usr/bin/python3: can't open file '/opt/job/train.py': [Errno 2] No such file or directory",
                    {"path": "/opt/job/train.py", "errno": "2"},
                ),
                Sample(
                    r"python : C:\Python312\python.exe: can't open file 'D:\\job\\train.py': [Errno 2] No such file or directory",
                    {"path": r"D:\\job\\train.py", "errno": "2"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.ENDS, Mark.REFUSED),
            cls=FailureClass.CONFIG,
            weight=74,
            title="the script that Python was to run is not there",
            advice=(Advice("training", "check the path {path}, and that every node and the container see it"),),
        ),
        Pattern(
            name="py.child_process",
            anchors=("Process Process-", "Process ForkProcess-", "Process SpawnProcess-", "Process ForkPoolWorker-"),
            regex=r"^.{0,120}Process (?P<process>(?:Fork|Spawn)?(?:Process|PoolWorker)-[\d:]+):\s*$",
            samples=(Sample("Process SpawnProcess-7:", {"process": "SpawnProcess-7"}),),
            role=Role.STATE,
            title="a child process raised an exception",
        ),
        Pattern(
            name="py.ignored",
            anchors=("Exception ignored in", "Exception ignored while", "Error in atexit._run_exitfuncs"),
            regex=r"Exception ignored (?:in|while)|Error in atexit\._run_exitfuncs",
            samples=(
                Sample("Exception ignored in: <function _ConnectionBase.__del__ at 0x7f0000000000>"),
                Sample("Exception ignored in atexit callback: <function shutdown at 0x7f0000000000>"),
            ),
            role=Role.NOISE,
            title="an exception that Python ignored",
        ),
    ),
)
