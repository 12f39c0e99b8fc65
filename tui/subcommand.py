"""What a command declares."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A command: its words for the help, its arguments, and what it does."""

    name: str
    summary: str
    """One line."""
    status: str
    """What its exit status means."""
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    """Returns the exit status."""
    examples: tuple[str, ...] = ()

    def add_to(self, commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
        """Make it known to a parser."""
        parser = commands.add_parser(
            self.name,
            help=self.summary,
            description=self.summary,
            epilog=epilog(self.examples, self.status),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.add_arguments(parser)
        parser.set_defaults(run=self.run, refuse=parser.error)


def epilog(examples: tuple[str, ...], status: str) -> str:
    """What stands below the arguments in a help."""
    shown = "".join(f"  {example}\n" for example in examples)
    return (f"examples:\n{shown}\n" if shown else "") + f"exit status: {status}"
