"""How the run-time systems of compiled and other languages tell of an error that nobody caught: R, Fortran, Rust, Go, the C
library's `assert`, CUDA's samples.

What they say is classified as the words of a Python exception are.
"""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START


def _uncaught(name: str, title: str, anchors: tuple[str, ...], regex: str, samples: tuple[Sample, ...]) -> Pattern:
    """A last word whose `msg`, or next line, says what happened."""
    return Pattern(
        name=name,
        anchors=anchors,
        regex=regex,
        samples=samples,
        role=Role.STATE,
        marks=(Mark.UNCAUGHT,),
        follow=2,
        title=title,
    )


FORMAT = LineFormat(
    name="native_runtimes",
    title="R, Fortran, Rust, Go, C, CUDA: errors that nobody caught",
    reference="R src/main/errors.c; gcc libgfortran/runtime/error.c; Intel Fortran's for_diags; rust library/std/src/panicking.rs; "
    "go src/runtime/panic.go; glibc assert/assert.c; NVIDIA/cuda-samples Common/helper_cuda.h",
    patterns=(
        _uncaught(
            "r.error",
            "R stopped at an error",
            ("Error in ",),
            r"^\s{0,8}Error in (?P<call>[\w.$:<>-]{1,60}[(\[$][^\n]{0,200}?) : ?(?P<msg>\S[^\n]{0,600})?\s*$",
            (
                Sample(
                    "Error in library(torch) : there is no package called 'torch57'",
                    {"call": "library(torch)", "msg": "there is no package called 'torch57'"},
                ),
                Sample("  Error in counts[, c57] : subscript out of bounds", {"msg": "subscript out of bounds"}),
                Sample("Error in read.table(file = path57, header = TRUE) : "),
            ),
        ),
        Pattern(
            name="openacc.not_present",
            anchors=("FATAL ERROR: ",),
            regex=r"^FATAL ERROR: (?:variable|data) in \w{2,20} (?:clause|directive) (?:was not found|is partially present) on (?:the )?device",
            samples=(
                Sample("FATAL ERROR: variable in data clause is partially present on the device: name=grid57"),
                Sample("FATAL ERROR: data in PRESENT clause was not found on device 1: name=grid57 host:0x57"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=66,
            title="OpenACC: data that a kernel needs are not on the device",
        ),
        Pattern(
            name="r.memory",
            anchors=("annot allocate vector of size ",),
            regex=r"\b[Cc]annot allocate vector of size (?P<size>[\d.]{1,12} [KMGT]b)",
            samples=(Sample("Error: cannot allocate vector of size 57.5 Gb", {"size": "57.5 Gb"}),),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=66,
            title="R has no memory for {size} more",
        ),
        _uncaught(
            "fortran.gnu",
            "a Fortran program stopped at an error",
            ("Fortran runtime error: ",),
            LINE_START + r"Fortran runtime error: (?P<msg>\S[^\n]{0,400})",
            (Sample("Fortran runtime error: End of file", {"msg": "End of file"}),),
        ),
        _uncaught(
            "fortran.intel",
            "a Fortran program stopped at an error",
            ("forrtl: severe (", "forrtl: error ("),
            r"forrtl: (?:severe|error) \((?P<code>\d{1,4})\): (?!program aborting due to )(?P<msg>\S[^\n]{0,400})",
            (
                Sample(
                    "forrtl: severe (174): SIGSEGV, segmentation fault occurred",
                    {"code": "174", "msg": "SIGSEGV, segmentation fault occurred"},
                ),
                Sample("forrtl: severe (29): file not found, unit 57, file /data/in57.dat", {"code": "29"}),
            ),
        ),
        Pattern(
            name="fortran.console",
            anchors=("forrtl: error (", "forrtl: severe ("),
            regex=r"forrtl: (?:error|severe) \(\d{1,4}\): program aborting due to (?P<event>[\w-]{1,40}) event",
            samples=(
                Sample("forrtl: error (200): program aborting due to window-CLOSE event", {"event": "window-CLOSE"}),
                Sample("forrtl: error (200): program aborting due to control-C event", {"event": "control-C"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=60,
            title="somebody ended the program ({event})",
            note="Intel's libraries, also below numpy, take Windows' console events before Python does.",
        ),
        _uncaught(
            "rust.panic",
            "a Rust program panicked",
            ("' panicked at ",),
            r"thread '(?P<thread>[^'\n]{1,80})' (?:\(\d{1,10}\) )?panicked at (?:'(?P<msg>[^\n]{1,600})', )?(?P<where>[^\s':]{1,300}:\d{1,6}(?::\d{1,4}):?)\s*$",
            (
                Sample(
                    "thread 'main' panicked at 'index out of bounds: the len is 5 but the index is 7', src/pack.rs:57:7",
                    {"msg": "index out of bounds: the len is 5 but the index is 7", "where": "src/pack.rs:57:7"},
                ),
                Sample(
                    "thread 'tokio-runtime-worker' panicked at src/bin/pack.rs:57:7:",
                    {"where": "src/bin/pack.rs:57:7:"},
                ),
            ),
        ),
        _uncaught(
            "golang.panic",
            "a Go program panicked",
            ("panic: ",),
            LINE_START
            + r"panic: (?P<msg>(?:runtime error: |open |dial |assignment |send |close |interface |\S{1,80}: )[^\n]{1,400})",
            (
                Sample(
                    "panic: runtime error: index out of range [57] with length 57",
                    {"msg": "runtime error: index out of range [57] with length 57"},
                ),
            ),
        ),
        _uncaught(
            "c.assert",
            "an assertion of a program in C or C++ failed",
            (": Assertion `", "Assertion failed: ("),
            r"(?:(?:^|[\s\]])(?P<where>[\w./+-]{1,300}:\d{1,6}): [^\n]{1,400}?: |^)Assertion (?:`[^\n]{1,400}' failed\.|failed: \([^\n]{1,400}\), (?:function|file) )",
            (
                Sample("pack: src/pack.c:57: read_header: Assertion `size > 0' failed.", {"where": "src/pack.c:57"}),
                Sample("Assertion failed: (size > 0), function read_header, file pack.c, line 57."),
            ),
        ),
        _uncaught(
            "cuda.samples",
            "a call of CUDA failed in a program of its own",
            ("CUDA error at ", "GPUassert: "),
            r"(?:CUDA error at (?P<where>[^\s:]{1,300}:\d{1,6}) code=\d{1,4}\((?P<msg>\w{1,80})\)"
            r"|GPUassert: (?P<said>[a-z][\w ]{2,80}) (?P<file>[\w./-]{1,300}\.(?:cu|cuh|cpp|h)) \d{1,6})",
            (
                Sample(
                    'CUDA error at pack.cu:57 code=2(cudaErrorMemoryAllocation) "cudaMalloc(&p, n)" ',
                    {"where": "pack.cu:57", "msg": "cudaErrorMemoryAllocation"},
                ),
                Sample("GPUassert: out of memory pack.cu 57", {"said": "out of memory"}),
            ),
        ),
        _uncaught(
            "kaldi.error",
            "a program of Kaldi stopped at an error",
            ("ERROR (", "ASSERTION_FAILED ("),
            LINE_START
            + r"(?:ERROR|ASSERTION_FAILED) \((?P<program>[\w-]{1,80})(?:\[[\w.~-]{1,40}\])?:(?P<function>[\w~<>:]{0,80}\(\)):(?P<where>[\w.-]{1,80}:\d{1,6})\) (?P<msg>\S[^\n]{0,400})",
            (
                Sample(
                    "ERROR (gmm-est[5.5.1057~1-ab12]:main():gmm-est.cc:57) Could not read stats",
                    {"program": "gmm-est", "msg": "Could not read stats"},
                ),
                Sample("ERROR (gmm-est:main():gmm-est.cc:57) Could not read stats", {"program": "gmm-est"}),
            ),
        ),
    ),
)
