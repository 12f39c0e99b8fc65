"""Command lines that programs of other languages than Python refuse, with the usage or with nothing behind it."""

from __future__ import annotations

from functools import partial

from logtui.parsers.pattern import LineFormat, Sample
from logtui.parsers.refusals import refused

_AT_HEAD = r"^(?:[\w.@/+-]{1,120}: )?"
"""Programs put their own name before it, if anything: what tells of an option in a sentence is no refusal."""
_LOOKS_ROUND = r"(?!(?:\S{0,80}/)?(?:ls|rm|cp|mv|ps|grep|sed|head|tail|sort|find|free|top|stat|date|df|du|cat|wc): )"
"""Not what a script only looks round with: it goes on without the answer."""


_refused = partial(refused, weight=70)

FORMAT = LineFormat(
    name="native_usage",
    title="Parsers of command lines in C, C++, Go, Rust, Java, Perl and Julia",
    reference=(
        "glibc posix/getopt.c; musl getopt_long.c; gflags 2; Abseil parse.cc; Go flag; cobra; clap 2 and 4; CLI11; "
        "cmdline.h; commons-cli; picocli; Getopt::Long; ArgParse.jl"
    ),
    patterns=(
        _refused(
            "usage.getopt",
            (": unrecognized option", ": invalid option -- ", ": illegal option -- ", ": option requires an argument"),
            r"^" + _LOOKS_ROUND + r"[\w.@/+-]{1,120}: (?:(?:unrecognized|invalid|illegal) option(?: --|:)? "
            r"|option requires an argument(?: --|:) )(?P<argument>\S{1,200})",
            (
                Sample("./solver57: unrecognized option '--sed'", {"argument": "'--sed'"}),
                Sample("solver57: invalid option -- 'q'", {"argument": "'q'"}),
                Sample("solver57: illegal option -- q", {"argument": "q"}),
                Sample("solver57: option requires an argument -- 'n'", {"argument": "'n'"}),
                Sample("/opt/bin/solver57: unrecognized option: q", {"argument": "q"}),
            ),
        ),
        _refused(
            "usage.named_option",
            (
                "undefined option: ",
                "Unknown option: ",
                "Unrecognized option: ",
                "Invalid option: ",
                "nrecognised option '",
                "unrecognized option -",
            ),
            r"^(?:undefined option: |Unknown option: |Unrecognized option: |Invalid option: |[Uu]nrecognised option |unrecognized option )"
            r"(?P<argument>['\"-]{0,4}[\w-]{1,200}'?)$",
            (
                Sample("undefined option: --sed57", {"argument": "--sed57"}),
                Sample("Unknown option: sed57", {"argument": "sed57"}),
                Sample("Unrecognized option: -sed57", {"argument": "-sed57"}),
                Sample("Invalid option: --sed57", {"argument": "--sed57"}),
                Sample("unrecognised option '--sed57'", {"argument": "'--sed57'"}),
                Sample("unrecognized option --sed57", {"argument": "--sed57"}),
            ),
        ),
        _refused(
            "usage.missing_option",
            ("need option: -", "Missing required option", "required option --", "option needs value: -"),
            _AT_HEAD + r"(?:need option: |Missing required options?(?: |: )|required option |option needs value: )"
            r"(?P<argument>['\[-]{1,3}[\w=<>-]{1,200})",
            (
                Sample("need option: --seed57", {"argument": "--seed57"}),
                Sample("Missing required option: '--seed57=<seed>'", {"argument": "'--seed57=<seed>"}),
                Sample("required option --seed57 was not provided", {"argument": "--seed57"}),
                Sample("option needs value: --seed57", {"argument": "--seed57"}),
            ),
        ),
        _refused(
            "usage.flags",
            (
                "nknown command line flag '",
                "flag provided but not defined: -",
                "flag needs an argument: -",
                "rror: unknown flag: --",
            ),
            r"^(?:ERROR: [Uu]nknown command line flag |flag (?:provided but not defined|needs an argument): "
            r"|[Ee]rror: unknown flag: )(?P<argument>['-]{1,3}[\w.-]{1,200}'?)",
            (
                Sample("ERROR: unknown command line flag 'sed57'", {"argument": "'sed57'"}),
                Sample("ERROR: Unknown command line flag 'sed57'. Did you mean: seed57 ?", {"argument": "'sed57'"}),
                Sample("flag provided but not defined: -sed57", {"argument": "-sed57"}),
                Sample("flag needs an argument: -seed57", {"argument": "-seed57"}),
                Sample("Error: unknown flag: --sed57", {"argument": "--sed57"}),
            ),
        ),
        _refused(
            "usage.unexpected",
            (
                "error: unexpected argument '",
                "error: Found argument '",
                "The following argument was not expected: ",
                "The following arguments were not expected: ",
                "error: unknown argument: ",
                "error: the following required arguments were not provided",
            ),
            r"^(?:error: (?:unexpected argument|Found argument|unknown argument:|the following required arguments were not) "
            r"|The following arguments? (?:was|were) not expected: )(?P<argument>\S{1,200})",
            (
                Sample("error: unexpected argument '--sed57' found", {"argument": "'--sed57'"}),
                Sample(
                    "error: Found argument '--sed57' which wasn't expected, or isn't valid in this context",
                    {"argument": "'--sed57'"},
                ),
                Sample("The following argument was not expected: --sed57", {"argument": "--sed57"}),
                Sample("The following arguments were not expected: --sed57 8", {"argument": "--sed57"}),
                Sample("error: unknown argument: --sed57", {"argument": "--sed57"}),
                Sample("error: the following required arguments were not provided:", {"argument": "provided:"}),
            ),
        ),
    ),
)
