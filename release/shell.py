"""Completions and the man page, from the parser: `python release/shell.py` writes them into tui/shell/."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import shtab

from logtui.tui.arguments import OPEN, OPENING, add_opening, build_parser

TARGET = Path(__file__).resolve().parents[1] / "tui" / "shell"
PATHS = ("paths", "report", "ais", "baseline", "output", "case")
"""Arguments that are names of files or folders."""


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command."""
    found = next(a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(found.choices)


# -- Completions


def completed() -> argparse.ArgumentParser:
    """The parser as shells see it: the first command's options stand beside the names of the others."""
    parser = argparse.ArgumentParser(prog="logtui", description=OPENING)
    add_opening(parser, paths=False)
    below = parser.add_subparsers(dest="command")
    for name, command in commands().items():
        below.add_parser(name, parents=[command], add_help=False, help=(command.description or "").rstrip("."))
    for one in (parser, *below.choices.values()):
        for action in one._actions:
            if action.dest in PATHS:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return parser


_ZSH_REST = "_arguments -C -s $_shtab_logtui_options '*:path:_files'"
PATHS_TOO = (
    ("bash", "complete -o bashdefault -F", "complete -o bashdefault -o default -F"),
    ("zsh", "  _describe 'logtui commands' _commands\n", "  _describe 'logtui commands' _commands\n  _files\n"),
    ("zsh", "      esac\n  esac\n", f"        *) {_ZSH_REST} ;;\n      esac\n  esac\n"),
)
"""What makes the shell complete paths where the first word is no command."""


FISH_PATHS = "complete -c logtui -n __fish_use_subcommand -F\n"


def completions() -> dict[str, str]:
    """Name of the file to its text; a path is completed where a command may stand too."""
    made = {shell: shtab.complete(completed(), shell) for shell in ("bash", "zsh", "fish")}
    for shell, before, after in PATHS_TOO:
        assert before in made[shell], f"shtab writes {shell} otherwise: {before!r}"
        made[shell] = made[shell].replace(before, after)
    return {"logtui.bash": made["bash"], "_logtui": made["zsh"], "logtui.fish": made["fish"] + FISH_PATHS}


# -- The man page

DESCRIPTION = (
    "Reads every line of worker logs, daemon logs and flight-recorder dumps, names the rank that is different from the "
    "others, and shows the raw line that proves it, on a screen or as a report."
)
ENVIRONMENT = (
    ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", "where settings, what is kept of jobs, and indexes stand"),
    ("NO_COLOR", "no colours"),
    ("VISUAL, EDITOR, PAGER", "what `o` opens a file with; less otherwise"),
)
FILES = (
    ("~/.config/logtui/config.toml", "keys, theme and mouse"),
    ("~/.config/logtui/formats/*.toml", "formats of your site"),
    ("~/.local/state/logtui/", "marks, filters and place, per job"),
    ("~/.cache/logtui/", "indexes and reports of large logs, demos; may be removed at any time"),
)


def man_page() -> str:
    """In roff."""
    return "\n".join(filter(None, _man_lines())) + "\n"


def _man_lines() -> Iterator[str]:
    known, name = commands(), OPENING[0].lower() + OPENING[1:-1]
    yield from ('.TH LOGTUI 1 "" "logtui" "User Commands"', ".SH NAME", rf"logtui \- {_roff(name)}")
    yield from (".SH SYNOPSIS", ".B logtui", r"[\fIOPTIONS\fR] \fIPATH\fR...")
    for other in list(known)[1:]:
        yield from (".br", rf"\fBlogtui {other}\fR [\fIOPTIONS\fR]")
    yield from (".SH DESCRIPTION", _roff(DESCRIPTION))
    for command, parser in known.items():
        yield ".SH OPTIONS" if command == OPEN else f".SH LOGTUI {command.upper()}"
        yield "" if command == OPEN else _roff(parser.description or "")
        yield from (*_options(parser), ".PP", _roff(_status(parser)))
    for title, rows in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        yield f".SH {title}"
        for word, what in rows:
            yield from (".TP", rf"\fB{_roff(word)}\fR", _roff(what))


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for group in parser._action_groups:
        if group._group_actions and group.title not in ("options", "positional arguments"):
            yield f".SS {_roff((group.title or '').capitalize())}"
        for action in group._group_actions:
            names = ", ".join(action.option_strings) or str(action.metavar or action.dest.upper())
            value = f" {action.metavar or _choices(action)}" if action.option_strings and action.nargs != 0 else ""
            yield from (".TP", rf"\fB{_roff(names)}\fR{_roff(value)}", _roff(action.help or ""))


def _choices(action: argparse.Action) -> str:
    return "{" + ",".join(map(str, action.choices or ())) + "}"


def _status(parser: argparse.ArgumentParser) -> str:
    return "Exit status: " + (parser.epilog or "").rpartition("exit status: ")[2]


def _roff(text: str) -> str:
    """Text that roff takes as it is."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{text}" if text.startswith(".") else text


def written() -> dict[str, str]:
    """All files of tui/shell/ by name."""
    return completions() | {"logtui.1": man_page()}


def main() -> int:
    """Write all of them."""
    TARGET.mkdir(exist_ok=True)
    for name, text in written().items():
        (TARGET / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
