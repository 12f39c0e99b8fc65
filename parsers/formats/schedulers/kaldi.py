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
    ),
)
