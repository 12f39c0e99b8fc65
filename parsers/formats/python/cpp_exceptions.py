"""C++ exceptions that nobody caught, as the runtime library reports them before it aborts the process."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="cpp_exceptions",
    title="Uncaught C++ exceptions",
    reference="gcc libstdc++-v3/libsupc++/vterminate.cc",
    patterns=(
        Pattern(
            name="cpp.what",
            anchors=("what():  ",),
            regex=r"^[^\n]{0,80}?what\(\):  (?P<msg>\S[^\n]{0,2000})",
            samples=(
                Sample(
                    "  what():  vector::_M_range_check: __n (which is 57) >= this->size() (which is 7)",
                    {"msg": "vector::_M_range_check: __n (which is 57) >= this->size() (which is 7)"},
                ),
                Sample("[rank57]:   what():  basic_string::at", {"msg": "basic_string::at"}),
            ),
            role=Role.STATE,
            title="what an uncaught C++ exception says",
        ),
    ),
)
