"""What the dynamic linker, and libraries that load others, say of a library that does not fit."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

_ADVICE = (
    Advice(
        "infrastructure",
        "make the image and LD_LIBRARY_PATH agree: [{library} ]has to be found first where the program was built for it",
    ),
)

FORMAT = LineFormat(
    name="dynamic_linker",
    title="Dynamic linker",
    reference="glibc elf/dl-error-skeleton.c, `error while loading shared libraries`; cuDNN 8 and 9, `Could not load library`",
    patterns=(
        Pattern(
            name="linker.not_loaded",
            anchors=(": error while loading shared libraries: ", ": symbol lookup error: "),
            regex=r": (?:error while loading shared libraries|symbol lookup error): (?P<library>[^:\s]+): (?P<what>.+)",
            samples=(
                Sample(
                    "/opt/job/train: error while loading shared libraries: libfabric.so.1: cannot open shared object file: "
                    "No such file or directory",
                    {"library": "libfabric.so.1"},
                ),
                Sample(
                    "python: symbol lookup error: /opt/job/libops.so: undefined symbol: ncclCommSplit",
                    {"library": "/opt/job/libops.so", "what": "undefined symbol: ncclCommSplit"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=68,
            title="a shared library is missing or does not fit",
            advice=_ADVICE,
        ),
        Pattern(
            name="linker.cudnn",
            anchors=("ould not load library libcudnn", "Unable to load any of {libcudnn"),
            regex=r"(?:Could not load library (?P<library>libcudnn\S*?)\. Error: |Unable to load any of \{(?P<libraries>libcudnn[^}]*)\})",
            samples=(
                Sample(
                    "Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared "
                    "object file: No such file or directory",
                    {"library": "libcudnn_ops_infer.so.8"},
                ),
                Sample("Unable to load any of {libcudnn_graph.so.9.1.0, libcudnn_graph.so.9.1, libcudnn_graph.so}"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=66,
            title="cuDNN does not find its own libraries",
            note="It aborts the process.",
            advice=_ADVICE,
        ),
    ),
)
