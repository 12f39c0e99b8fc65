"""MATLAB and Octave in batches: the error with which a script ends, in the languages that MATLAB speaks."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="matlab",
    title="MATLAB and Octave",
    reference="MathWorks' documentation of MException and batch mode; octave libinterp/corefcn/error.cc",
    patterns=(
        Pattern(
            name="matlab.error",
            anchors=("Error using ", "错误使用 ", "エラー: ", "Fehler bei "),
            regex=r"^\{?(?:Error using|错误使用|エラー:|Fehler bei) {1,2}(?P<function>[\w.>/@+-]{1,120})"
            r"(?: \((?:line|第) ?\d{1,6} ?行?\))?\s*$",
            samples=(
                Sample("Error using load57", {"function": "load57"}),
                Sample("Error using horzcat57 (line 57)", {"function": "horzcat57"}),
                Sample("错误使用 load57", {"function": "load57"}),
                Sample("エラー: load57", {"function": "load57"}),
                Sample("Fehler bei load57", {"function": "load57"}),
            ),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            follow=1,
            title="MATLAB stopped at an error in {function}",
        ),
        Pattern(
            name="matlab.undefined",
            anchors=("Undefined function ", "Unrecognized function or variable '", "函数或变量 '", "未定义函数"),
            regex=r"^\{?(?P<msg>(?:Undefined function (?:or variable )?'|Unrecognized function or variable '|函数或变量 '|未定义函数)"
            r"[^\n]{1,200})",
            samples=(
                Sample("Undefined function or variable 'alpha57'."),
                Sample("Unrecognized function or variable 'alpha57'."),
                Sample("函数或变量 'alpha57' 无法识别。"),
                Sample("未定义函数或变量 'alpha57'。"),
            ),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            title="MATLAB does not know a name",
        ),
        Pattern(
            name="octave.error",
            anchors=("error: called from",),
            regex=r"^error: called from",
            samples=(Sample("error: called from"),),
            role=Role.STATE,
            title="Octave tells where its error arose",
        ),
    ),
)
