"""Command lines that a parser of arguments refuses with a line of its own, without a traceback; argparse's stand in
`python_causes`.
"""

from __future__ import annotations

from functools import partial

from logtui.parsers.pattern import LineFormat, Sample
from logtui.parsers.refusals import refused

_refused = partial(refused, weight=74)

FORMAT = LineFormat(
    name="python_usage",
    title="Parsers of command lines",
    reference="click 8 exceptions.py; typer 0 rich_utils.py; jsonargparse 4 _core.py; tyro 0.9 and 1 _errors.py; fire 0.7 core.py; absl-py 2 app.py",
    patterns=(
        _refused(
            "usage.click",
            (
                "Error: No such option",
                "Error: No such command ",
                "Error: Missing option ",
                "Error: Missing argument ",
                "Error: Invalid value for ",
                "Error: Got unexpected extra argument",
            ),
            r"(?<!\w)Error: (?:No such (?:option:? |command )|Missing (?:option|argument) |Invalid value for |Got unexpected extra arguments? ?\(?)"
            r"(?P<argument>[^ :.)]{1,200})",
            (
                Sample("Error: No such option '--warm57'. Did you mean '--warmup'?", {"argument": "'--warm57'"}),
                Sample("Error: No such option: --warm57 Did you mean --warmup?", {"argument": "--warm57"}),
                Sample("Error: No such command 'trian57'.", {"argument": "'trian57'"}),
                Sample("Error: Missing option '--lr57'.", {"argument": "'--lr57'"}),
                Sample("[rank5]: Error: Missing argument 'CONFIG57'.", {"argument": "'CONFIG57'"}),
                Sample("Error: Invalid value for '--lr': 'x57' is not a valid float.", {"argument": "'--lr'"}),
                Sample("Error: Got unexpected extra argument (run57)", {"argument": "run57"}),
            ),
        ),
        _refused(
            "usage.rich_box",
            (
                "│ No such option",
                "│ No such command '",
                "│ Missing option '",
                "│ Missing argument '",
                "│ Invalid value for '",
                "│ Got unexpected extra argument",
            ),
            r"│ (?:No such (?:option:? |command )|Missing (?:option|argument) |Invalid value for |Got unexpected extra arguments? ?\(?)"
            r"(?P<argument>[^ :.)]{1,200})",
            (
                Sample("│ No such option: --warm57  │", {"argument": "--warm57"}),
                Sample("│ No such command 'trian57'.  │", {"argument": "'trian57'"}),
                Sample("│ Missing option '--lr57'.  │", {"argument": "'--lr57'"}),
                Sample("│ Missing argument 'CONFIG57'.  │", {"argument": "'CONFIG57'"}),
                Sample("│ Invalid value for '--lr': 'x57' is not a valid float.  │", {"argument": "'--lr'"}),
                Sample("│ Got unexpected extra argument (run57)  │", {"argument": "run57"}),
            ),
        ),
        _refused(
            "usage.jsonargparse",
            ("error: Option '", 'error: Parser key "', "error: Unrecognized arguments: ", 'error: Key "'),
            r"(?<![\w.-])error: (?:Option|Parser key|Key|Unrecognized arguments:) (?P<argument>[^ :]{1,200})",
            (
                Sample("error: Option 'model.hight57' is not accepted", {"argument": "'model.hight57'"}),
                Sample('error: Parser key "lr57":', {"argument": '"lr57"'}),
                Sample("error: Unrecognized arguments: --warm57", {"argument": "--warm57"}),
                Sample('error: Key "data57" is required but not included in config object', {"argument": '"data57"'}),
            ),
        ),
        _refused(
            "usage.fire",
            (
                "Could not consume arg",
                "The function received no value for the required argument",
                "Cannot find key: ",  # with an escape sequence before it on a terminal
            ),
            r"(?<!\w)ERROR: (?:Could not consume args?:|The function received no value for the required arguments?:|Cannot find key:) "
            r"(?P<argument>[\w.=-]{1,200})",
            (
                Sample("ERROR: Could not consume arg: --warm57", {"argument": "--warm57"}),
                Sample(
                    "[rank5]: ERROR: The function received no value for the required argument: steps57",
                    {"argument": "steps57"},
                ),
                Sample("ERROR: Cannot find key: trian57", {"argument": "trian57"}),
            ),
        ),
        _refused(
            "usage.tyro",
            ("│ Error parsing ", "│ Unrecognized options: ", "│ Unrecognized arguments: "),
            r"│ (?:Error parsing|Unrecognized (?:options|arguments):) (?P<argument>-{1,2}[^ :│]{1,200})",
            (
                Sample("│ Error parsing --lr57: could not convert string to float: 'x' │", {"argument": "--lr57"}),
                Sample("[rank5]: │ Unrecognized options: --warm57 │", {"argument": "--warm57"}),
                Sample("│ Unrecognized arguments: --warm57 │", {"argument": "--warm57"}),
            ),
        ),
        _refused(
            "usage.tyro_missing",
            ("─ Required options ─", "─ Required arguments ─", "│ Missing from "),
            r"─ (?P<argument>Required (?:options|arguments)) ─",
            (
                Sample("╭─ Required options ────────╮", {"argument": "Required options"}),
                Sample("[rank5]: ╭─ Required arguments ────╮", {"argument": "Required arguments"}),
            ),
        ),
        _refused(
            "usage.absl",
            ("FATAL Flags parsing error:",),
            r"FATAL Flags parsing error:(?: (?P<argument>.{1,200}))?",
            (
                Sample("FATAL Flags parsing error: flag --lr57: not a float", {"argument": "flag --lr57: not a float"}),
                Sample("FATAL Flags parsing error:"),
            ),
        ),
    ),
)
