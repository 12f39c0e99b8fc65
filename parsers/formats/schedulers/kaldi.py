"""What Kaldi's and ESPnet's `run.pl`, `queue.pl` and `slurm.pl` write round the output of each command."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="kaldi",
    title="Kaldi: parallelisation scripts",
    reference="kaldi egs/wsj/s5/utils/parallel/run.pl, queue.pl, slurm.pl; the same in ESPnet's utils",
    patterns=(
        Pattern(
            name="kaldi.started",
            anchors=("# Started at ",),
            regex=r"^# Started at \w",
            samples=(
                Sample("# Started at Fri Jan  2 03:04:05 UTC 2026"),
                Sample("# Started at Thứ sáu, 02 Tháng 1 năm 2026 03:04:05 +07"),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            title="the script starts its command",
        ),
        Pattern(
            name="kaldi.completed",
            anchors=("# Ended (code 0) at ",),
            regex=r"^# Ended \(code 0\) at ",
            samples=(Sample("# Ended (code 0) at Fri Jan  2 04:01:02 UTC 2026, elapsed time 3417 seconds"),),
            role=Role.END,
            marks=(Mark.ENDS,),
            title="the script's command ended well",
        ),
        Pattern(
            name="kaldi.failed",
            anchors=("# Ended (code ",),
            regex=r"^# Ended \(code (?P<exitcode>[1-9]\d{0,2})\b",
            samples=(
                Sample(
                    "# Ended (code 57) at Fri Jan  2 04:01:02 UTC 2026, elapsed time 3417 seconds", {"exitcode": "57"}
                ),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.ENDS, Mark.EXIT_CODE, Mark.CHILD_EXIT),
            title="the script's command failed",
        ),
        Pattern(
            name="kaldi.diagnostic_failed",
            anchors=("/analyze_", "it's just for diagnostics"),
            regex=r"^(?:run|queue|slurm|ssh|pbs)\.pl: job failed, log is in \S{1,300}/analyze_\w{1,60}\.log$"
            r"|\bfailed, but ignoring the error \(it's just for diagnostics\)",
            samples=(
                Sample("run.pl: job failed, log is in exp/tri57/log/analyze_alignments.log"),
                Sample(
                    "steps/diagnostic/analyze_alignments.sh: analyze_phone_length_stats.py failed, "
                    "but ignoring the error (it's just for diagnostics)"
                ),
            ),
            role=Role.NOISE,
            title="a look at the result of a stage failed, which does without it",
        ),
    ),
)
