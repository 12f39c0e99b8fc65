"""MLPerf's `:::MLLOG` lines: JSON with a time in epoch milliseconds."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample


def _line(event: str, key: str, value: str, metadata: str) -> str:
    return (
        f' 0: :::MLLOG {{"namespace": "", "time_ms": 1767323045678, "event_type": "{event}", "key": "{key}", '
        f'"value": {value}, "metadata": {{"file": "/workspace/train.py", "lineno": 57, {metadata}}}}}'
    )


def _stopped(status: str) -> str:
    """How a timed run ended, whichever of the keys is written first: some submissions print the dict of Python."""
    return rf""":::MLLOG (?=.{{0,2000}}["']status["']: ["'](?P<status>{status})["']).{{0,2000}}"key": "run_stop\""""


def _stops(status: str) -> tuple[Sample, ...]:
    lines = (
        _line("INTERVAL_END", "run_stop", "null", f'"status": "{status}"'),
        _line("INTERVAL_END", "run_stop", "null", f"'status': '{status}'"),
        f':::MLLOG {{"metadata": {{"status": "{status}", "lineno": 57}}, "key": "run_stop", "time_s": 1767323045.678}}',
    )
    return tuple(Sample(line, {"status": status}) for line in lines)


FORMAT = LineFormat(
    name="mlperf",
    title="MLPerf training logs",
    reference="mlcommons/logging mlperf_logging/mllog, rules 1.0 to 5.0",
    patterns=(
        Pattern(
            name="mlperf.step_timing",
            anchors=('"train_step_timing in s": ', '"train_step_time": '),
            regex=r'"(?:train_step_timing in s|train_step_time)": (?P<s>[\d.]+)\}'
            r'(?:.{0,400}?"step"|.{0,400}?"samples_count"): (?P<step>\d+)',
            samples=(
                Sample(
                    _line(
                        "POINT_IN_TIME", "tracked_stats", '{"train_step_time": 0.571}', '"samples_count": 57, "step": 7'
                    ),
                    {"step": "7", "s": "0.571"},
                ),
                Sample(
                    _line("POINT_IN_TIME", "tracked_stats", '{"train_step_timing in s": 10.571}', '"step": 57'),
                    {"step": "57", "s": "10.571"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
            note="What some submissions call step is the number of samples or tokens so far.",
        ),
        Pattern(
            name="mlperf.run_start",
            anchors=('"key": "run_start"',),
            regex=r'"time_ms": (?P<epoch_ms>\d+).*"key": "run_start"',
            samples=(
                Sample(_line("INTERVAL_START", "run_start", "null", '"epoch_num": 0'), {"epoch_ms": "1767323045678"}),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            title="the timed run begins",
        ),
        Pattern(
            name="mlperf.success",
            anchors=('"key": "run_stop"',),
            regex=_stopped("success"),
            samples=_stops("success"),
            role=Role.END,
            marks=(Mark.TARGET_MET,),
            title="the run reached its target",
        ),
        Pattern(
            name="mlperf.aborted",
            anchors=('"key": "run_stop"',),
            regex=_stopped("aborted"),
            samples=_stops("aborted"),
            role=Role.CAUSE,
            marks=(Mark.TARGET_MISSED,),
            cls=FailureClass.UNKNOWN,
            weight=45,
            title="the run stopped without reaching its target",
            note="Usually no convergence within the allowed steps; nothing broke.",
        ),
        Pattern(
            name="mlperf.submission",
            anchors=('"key": "submission_benchmark"', '"key": "submission_org"'),
            regex=r'"key": "(?P<what>submission_benchmark|submission_org)", "value": "(?P<value>[^"]*)"',
            samples=(
                Sample(
                    _line("POINT_IN_TIME", "submission_benchmark", '"gpt3"', '"n": 0'),
                    {"what": "submission_benchmark", "value": "gpt3"},
                ),
            ),
            role=Role.INFO,
        ),
        Pattern(
            name="mlperf.ending",
            anchors=("ENDING TIMING RUN AT ",),
            regex=r"ENDING TIMING RUN AT (?P<datetime>\S+ [\d:]+ [AP]M)",
            samples=(Sample("ENDING TIMING RUN AT 2026-01-02 03:04:05 AM", {"datetime": "2026-01-02 03:04:05 AM"}),),
            role=Role.END,
            marks=(Mark.SCRIPT_END,),
            title="the run script reached its end",
            note="Printed only where the training command returned 0: also one that failed, where a pipe or a launcher hides it.",
        ),
        Pattern(
            name="mlperf.run_script_stop",
            anchors=("RUNANDTIME_STOP ", "RUNANDTIME_START "),
            regex=r"RUNANDTIME_(?P<what>START|STOP) (?P<epoch_s>\d{10})",
            samples=(Sample("RUNANDTIME_STOP 1767323045", {"what": "STOP", "epoch_s": "1767323045"}),),
            role=Role.INFO,
        ),
    ),
    programs=(Program(Kind.FRAMEWORK, ("mlperf",), "MLPerf", outer=15),),
)
