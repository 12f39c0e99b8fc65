"""The phases of an attempt: set-up, training, what a program does with a trained model, and its teardown.

Which phase an exception belongs to is told by what its program was doing, as its frames say, and by whether training
had begun or ended before it. An attempt whose training completed is not well where its evaluation then failed, and
not ill where only its teardown was loud.
"""

from __future__ import annotations

import re
from enum import StrEnum

from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.outcome import Outcome
from logtui.parsers.structure.families import PROGRAM, place


class Phase(StrEnum):
    """A part of an attempt that ends well, fails, or is stopped by itself."""

    SET_UP = "set-up"
    TRAINING = "training"
    EVALUATION = "evaluation"
    EXPORT = "export"
    TEARDOWN = "teardown"
    NEXT = "next set-up"
    """The set-up of what a script runs after a training that completed."""
    REST = "rest of the script"
    """What a script of the program's own does after a training that completed, in words that say nothing else."""


AFTER_TRAINING = frozenset({Phase.EVALUATION, Phase.EXPORT, Phase.NEXT, Phase.REST})
"""Phases whose result somebody waits for, though training has completed."""
_DOING: tuple[tuple[Phase, re.Pattern[str]], ...] = (
    (
        Phase.TEARDOWN,
        re.compile(
            r"__del__|__exit__|_exit_function|\batexit|shut_?down|destroy_process_group|teardown|clean_?up|finali[sz]e"
            r"|_bootstrap_inner|resource_tracker|\bclose\b|terminate|\bjoin\b",
            re.I,
        ),
    ),
    (
        Phase.EXPORT,
        re.compile(
            r"(?:^|[._])(?:save|export|convert|merge|upload|push_to)(?:_(?!checkpoint)\w{1,64})?$|save_pretrained|push_to_hub|upload_f",
            re.I,
        ),
    ),
    (
        Phase.EVALUATION,
        re.compile(
            r"(?:^|_)(?:eval|evaluate|evaluation|validate|test|predict|generate|infer(?:ence)?)(?:_\w{1,64})?$", re.I
        ),
    ),
    (
        Phase.NEXT,
        re.compile(
            r"^_?(?:make|build|create|prepare|load|set_?up|get|parse|init(?:iali[sz]e)?)_(?:\w{1,40}_)?"
            r"(?:data\w{0,12}|loaders?|models?|tokenizer|config|args|optimizer|exp\w{0,12}|(?:\w{1,12}_)?dir\w{0,8}|run|env)$"
        ),
    ),
)
"""What the names of functions say that a program does, the most telling first."""
_SCRIPT = re.compile(
    r"(?:^|[/_-])(?:(eval\w{0,40}|test|infer\w{0,40}|predict|generate)|(export|convert|merge))[\w-]{0,60}\.py$", re.I
)


def phase_of(fact: ExceptionFact, outcome: Outcome, trained: bool) -> Phase:
    """The phase in which an exception was raised."""
    done = _by_frames(fact)
    record = fact.record
    if outcome.before(record.file, record.line, record.time):
        return done or (Phase.REST if _of_the_script(fact) else Phase.TEARDOWN)
    if trained:
        return Phase.EVALUATION if done is Phase.EVALUATION else Phase.TRAINING
    return Phase.SET_UP


def _of_the_script(fact: ExceptionFact) -> bool:
    """Whether the program's own main script was still running: threads, exit handlers and libraries begin elsewhere."""
    frames = fact.traceback.frames
    through = bool(frames) and frames[0].function == "<module>" and place(frames[0].file) == PROGRAM
    return fact.by_hydra or through


def _by_frames(fact: ExceptionFact) -> Phase | None:
    """What the outermost frame that says it was doing; a teardown anywhere in the stack is one."""
    frames = fact.traceback.frames or fact.traceback.root.frames
    functions = [frame.function for frame in frames]
    for phase, words in _DOING:
        if any(words.search(name) for name in functions):
            return phase
    script = next((m for frame in frames if (m := _SCRIPT.search(frame.file))), None)
    if script is None:
        return None
    return Phase.EVALUATION if script[1] else Phase.EXPORT
