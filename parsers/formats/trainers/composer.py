"""MosaicML Composer: progress, and how its launcher saw the ranks end."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, Kind, Landmark, LineFormat, Pattern, Program, Role, Sample

FORMAT = LineFormat(
    name="composer",
    title="MosaicML Composer",
    reference="mosaicml/composer loggers/console_logger.py and cli/launcher.py, 0.8 to 0.30",
    patterns=(
        Pattern(
            name="composer.batch",
            anchors=("Train time/batch: ",),
            regex=r"Train time/batch: (?P<step>\d+)",
            samples=(Sample("\t Train time/batch: 57", {"step": "57"}),),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="composer.progress",
            anchors=("][batch=",),
            regex=r"\[epoch=(?P<epoch>\d+)(?:/\d+)?\]\[batch=(?P<batch>\d+)/(?P<batches>\d+)\]",
            samples=(Sample("[epoch=1][batch=57/640]:", {"epoch": "1", "batch": "57", "batches": "640"}),),
            role=Role.INFO,
            bulk=True,
        ),
        Pattern(
            name="composer.autoresume",
            anchors=("Autoresuming training from checkpoint",),
            regex=r"Autoresuming training from checkpoint",
            samples=(
                Sample(
                    "2026-01-02 03:04:05,678: rank0[4242][MainThread]: INFO: composer.trainer.trainer: Autoresuming training "
                    "from checkpoint"
                ),
            ),
            role=Role.INFO,
            landmark=Landmark.RESUMED,
            title="resumed from a checkpoint",
        ),
        Pattern(
            name="composer.crashed",
            anchors=(" crashed with exit code ",),
            regex=r"Rank (?P<rank>\d+) crashed with exit code (?P<exitcode>-?\d+)",
            samples=(
                Sample(
                    "ERROR:composer.cli.launcher:Rank 57 crashed with exit code -9.", {"rank": "57", "exitcode": "-9"}
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=35,
            title="Composer's launcher saw a rank crash",
            note="The first one its node saw; the rank's own STDERR block decides.",
        ),
        Pattern(
            name="composer.exit",
            anchors=(") exited with code ",),
            regex=r"Global rank (?P<rank>\d+) \(PID (?P<pid>\d+)\) exited with code (?P<exitcode>-?\d+)",
            samples=(
                Sample("Global rank 57 (PID 4242) exited with code 1", {"rank": "57", "pid": "4242", "exitcode": "1"}),
            ),
            role=Role.STATE,
        ),
        Pattern(
            name="composer.stderr_begin",
            anchors=("----------Begin global rank ",),
            regex=r"-{10}Begin global rank (?P<rank>\d+) (?P<stream>STDERR|STDOUT)-{10}",
            samples=(Sample("----------Begin global rank 57 STDERR----------", {"rank": "57", "stream": "STDERR"}),),
            role=Role.STATE,
            follow=60,
            title="what a rank wrote, collected by Composer's launcher",
        ),
        Pattern(
            name="composer.killing",
            anchors=("Killing global rank ",),
            regex=r"Killing global rank (?P<rank>\d+) \(PID (?P<pid>\d+)\) with (?P<signal>SIG\w+)",
            samples=(
                Sample(
                    "Killing global rank 3 (PID 4242) with SIGTERM", {"rank": "3", "pid": "4242", "signal": "SIGTERM"}
                ),
            ),
            role=Role.SYMPTOM,
            bulk=True,
            title="Composer's launcher kills the surviving ranks",
        ),
    ),
    programs=(Program(Kind.FRAMEWORK, ("composer",), "Composer", outer=50),),
)
