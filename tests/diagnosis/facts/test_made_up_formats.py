"""A format is one file: a launcher and a trainer that nobody else knows take part in every decision by their marks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exits import is_single_node
from logtui.diagnosis.predicates.blame import is_single_process
from logtui.diagnosis.predicates.hangs import stopped_early
from logtui.diagnosis.predicates.slowdown import counted_steps
from logtui.diagnosis.session.opening import Analysis
from logtui.parsers import formats
from logtui.parsers.registry import registry

LAUNCHER = r'''"""A launcher that starts one agent on each node."""

from logtui.parsers.pattern import (
    FailureClass, Kind, Landmark, LineFormat, Mark, Pattern, Program, Role, Sample, Source, Trait
)

FORMAT = LineFormat(
    name="gangway",
    title="Gangway",
    reference="made up",
    patterns=(
        Pattern("gangway.start", ("gangway: starting ",), r"gangway: starting (?P<local_size>\d+) crew",
                (Sample("gangway: starting 2 crew"),), Role.INFO, marks=(Mark.STARTS, Mark.LAUNCHES)),
        Pattern("gangway.left", ("gangway: crew ",),
                r"gangway: crew (?P<local_rank>\d+) of process (?P<pid>\d+) left with (?P<exitcode>-?\d+)",
                (Sample("gangway: crew 1 of process 4242 left with 3"),), Role.STATE,
                marks=(Mark.WORKER_EXIT, Mark.ENDS)),
        Pattern("gangway.stop", ("gangway: sends home ",), r"gangway: sends home (?P<pid>\d+)",
                (Sample("gangway: sends home 4241"),), Role.SYMPTOM, marks=(Mark.STOPS_WORKERS,),
                title="gangway stops the others"),
        Pattern("gangway.again", ("gangway: sets out again",), r"gangway: sets out again",
                (Sample("gangway: sets out again"),), Role.STATE, marks=(Mark.RESTARTS,),
                landmark=Landmark.RESTART),
    ),
    programs=(
        Program(Kind.LAUNCHER, ("gangway",), "gangway", outer=99, source=Source.LAUNCHER,
                traits=(Trait.PER_NODE, Trait.SEVERAL_PER_TASK, Trait.ONE_OUTPUT, Trait.TOGETHER,
                        Trait.NO_SIGN_OF_LIFE, Trait.STOPS_SURVIVORS)),
    ),
)
'''
TRAINER = r'''"""A trainer whose ranks say who they are."""

from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

FORMAT = LineFormat(
    name="sledge",
    title="Sledge",
    reference="made up",
    patterns=(
        Pattern("sledge.hello", ("sledge: I am ",),
                r"sledge: I am (?P<rank>\d+) of (?P<world_size>\d+), process (?P<pid>\d+) on (?P<host>\S+)",
                (Sample("sledge: I am 1 of 2, process 4242 on node007"),), Role.INFO,
                marks=(Mark.STARTS, Mark.NAMES_SELF)),
        Pattern("sledge.turn", ("sledge: turn ",), r"sledge: turn (?P<step>\d+) took (?P<s>[\d.]+)",
                (Sample("sledge: turn 12 took 1.25"),), Role.INFO, numeric=("step", "s")),
        Pattern("sledge.weighed", ("sledge: weighed ",), r"sledge: weighed its load",
                (Sample("sledge: weighed its load"),), Role.STATE, marks=(Mark.LENGTHENS_STEP,)),
    ),
    programs=(Program(Kind.FRAMEWORK, ("sledge",), "Sledge", outer=99, traits=(Trait.AT_WORK,)),),
)
'''
TURNS = "".join(f"2026-11-21 04:12:{i:02} sledge: turn {{}}{i} took 1.25\n" for i in range(10, 40))
HELLO = "".join(f"2026-11-21 04:12:01 sledge: I am {r} of 2, process {4241 + r} on node007\n" for r in range(2))
START = "2026-11-21 04:12:00 gangway: starting 2 crew\n"
LEFT = "2026-11-21 04:12:50 gangway: crew 1 of process 4242 left with 3\n2026-11-21 04:12:51 gangway: sends home 4241\n"
AGAIN = "2026-11-21 04:12:55 gangway: sets out again\n"
ONCE = START + HELLO + TURNS.replace("{}", "") + LEFT
TWICE = START + HELLO + TURNS.replace("{}", "") + AGAIN + TURNS.replace("{}", "1") + LEFT
Analyse = Callable[[Mapping[str, str]], Analysis]
Fresh = Callable[[str], Analysis]


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The two formats as files beside the others, where they must be found without more ado."""
    folder = tmp_path / "formats"
    folder.mkdir()
    for name, source in (("zz_gangway", LAUNCHER), ("zz_sledge", TRAINER)):
        (folder / f"{name}.py").write_text(source)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder)])
    registry.cache_clear()
    yield
    for name in ("zz_gangway", "zz_sledge"):
        sys.modules.pop(f"{formats.__name__}.{name}", None)
    monkeypatch.undo()
    registry.cache_clear()


@pytest.fixture
def fresh(analysed: Analyse) -> Fresh:
    """What is said of one log, by a thread of its own: a thread keeps its scanner, and the formats known then."""

    def analyse(text: str) -> Analysis:
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(analysed, {"job.log": text}).result()

    return analyse


def test_without_their_files_nobody_knows_them(fresh: Fresh) -> None:
    report = fresh(TWICE).report
    assert (report.job.framework, report.job.launcher, report.job.attempts) == (None, None, 1)
    assert report.steps is None
    assert report.verdict.culprit_ranks == ()


@pytest.mark.usefixtures("made_up")
def test_the_job_is_theirs(fresh: Fresh) -> None:
    job = fresh(ONCE).report.job
    assert (job.framework, job.launcher, job.world_size) == ("Sledge", "gangway", 2)


@pytest.mark.usefixtures("made_up")
def test_steps_are_read_in_the_declared_unit(fresh: Fresh) -> None:
    report = fresh(ONCE).report
    assert report.steps is not None
    assert (report.job.last_step, report.steps.median_ms) == (39, 1250.0)


@pytest.mark.usefixtures("made_up")
def test_a_step_that_holds_something_else_does_not_count(fresh: Fresh) -> None:
    weighed = "2026-11-21 04:12:20 sledge: weighed its load\n"
    at = ONCE.index("2026-11-21 04:12:21")
    facts = Facts(fresh(ONCE[:at] + weighed + ONCE[at:]).case)
    counted = counted_steps(facts.case, facts.steps[0])
    assert facts.steps[0].steps[~counted].tolist() == [10, 21], "the first step of a start, and that one"


@pytest.mark.usefixtures("made_up")
def test_ends_are_those_of_ranks(fresh: Fresh) -> None:
    """The launcher names a process, the trainer says which rank it is, and the two are joined."""
    found = fresh(ONCE)
    (end,) = Facts(found.case).exits.processes
    assert (end.rank, end.pid, end.code) == (1, 4242, 3)
    assert found.report.verdict.culprit_ranks == (1,)


@pytest.mark.usefixtures("made_up")
def test_who_the_launcher_sends_home_had_no_time_to_speak(fresh: Fresh) -> None:
    assert stopped_early(Facts(fresh(ONCE).case)) == {0}


@pytest.mark.usefixtures("made_up")
def test_an_attempt_begins_where_the_launcher_says_so(fresh: Fresh) -> None:
    report = fresh(TWICE).report
    assert report.job.attempts == 2
    (restart,) = [e for e in report.timeline if e.mark == "restart"]
    assert (restart.source, restart.what) == ("launcher", "2026-11-21 04:12:55 gangway: sets out again")


@pytest.mark.usefixtures("made_up")
def test_an_attempt_begins_where_a_start_comes_again(fresh: Fresh) -> None:
    assert fresh(ONCE + ONCE.replace(" 04:", " 05:")).report.job.attempts == 2


@pytest.mark.usefixtures("made_up")
def test_the_chain_ends_with_what_stopped_the_survivors(fresh: Fresh) -> None:
    assert [s.what for s in fresh(ONCE).report.chain][-1] == "launchers stop the surviving workers"


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("text", "process", "node"),
    [(TURNS.replace("{}", ""), True, False), (START + TURNS.replace("{}", ""), False, True)],
    ids=["trainer-alone", "launcher-too"],
)
def test_one_process_or_one_node(text: str, process: bool, node: bool, fresh: Fresh) -> None:
    facts = Facts(fresh(text).case)
    assert (is_single_process(facts), is_single_node(facts.identity)) == (process, node)
