"""PyTorch's own assertions, wherever a program prints them."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="torch-asserts",
    title="PyTorch's internal assertions",
    reference="pytorch c10/util/Exception.h TORCH_INTERNAL_ASSERT; 1.5 to 2.9",
    patterns=(
        Pattern(
            name="torch.internal_assert",
            anchors=("INTERNAL ASSERT FAILED at ",),
            regex=r'(?P<condition>\S{1,200}) INTERNAL ASSERT FAILED at "(?P<source>[^"]{1,300})":\d{1,6}, please report a bug to PyTorch',
            samples=(
                Sample(
                    '[rank5] stack.size() INTERNAL ASSERT FAILED at "../torch/csrc/autograd/profiler.cpp":57, please report a '
                    "bug to PyTorch. Nothing to replay.",
                    {"condition": "stack.size()", "source": "../torch/csrc/autograd/profiler.cpp"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=44,
            title="an assertion inside PyTorch failed",
        ),
    ),
)
