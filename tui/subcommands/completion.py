"""`logtui completion SHELL`: what makes a shell complete commands, options and paths."""

from __future__ import annotations

import argparse
from pathlib import Path

from logtui.tui.subcommand import Subcommand

FILES = {"bash": "logtui.bash", "zsh": "_logtui", "fish": "logtui.fish"}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(FILES), help="yours")


def _run(args: argparse.Namespace) -> int:
    shell = Path(__file__).parents[1] / "shell"
    print((shell / FILES[args.shell]).read_text(encoding="utf-8"), end="")
    return 0


COMMAND = Subcommand(
    "completion",
    "Print the completions of a shell.",
    "0 always.",
    _add_arguments,
    _run,
    examples=(
        'eval "$(logtui completion bash)"                   # in ~/.bashrc',
        "logtui completion zsh > ~/.zfunc/_logtui           # a folder of $fpath",
        "logtui completion fish > ~/.config/fish/completions/logtui.fish",
    ),
)
