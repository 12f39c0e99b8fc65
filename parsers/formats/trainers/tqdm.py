"""tqdm bars: the first and the last refresh, whose literals are long enough to scan for. What lies between is not read."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Pattern, Program, Role, Sample, Trait

FORMAT = LineFormat(
    name="tqdm",
    title="tqdm progress bars",
    reference="tqdm/tqdm std.py format_meter",
    patterns=(
        Pattern(
            name="tqdm.start",
            anchors=("<?, ?it/s", "<?, ?s/it"),
            regex=r"(?:(?P<description>[^|\r]{1,80}?): +)?\d+%\|.*?\| (?P<done>\d+)/(?P<total>\d+) \[[\d:]+<\?",
            samples=(
                Sample(
                    "Training:   0%|          | 0/1000 [00:00<?, ?it/s]",
                    {"description": "Training", "done": "0", "total": "1000"},
                ),
                Sample("  0%|          | 0/57 [00:00<?, ?it/s]", {"done": "0", "total": "57"}),
            ),
            role=Role.INFO,
            bulk=True,
        ),
        Pattern(
            name="tqdm.end",
            anchors=("<00:00, ",),
            regex=r"(?:(?P<description>[^|\r]{1,80}?): +)?100%\|.*?\| (?P<done>\d+)/(?P<total>\d+) \[(?P<elapsed>[\d:]+)<00:00, +(?P<rate>[\d.]+)(?P<unit>it/s|s/it)",
            samples=(
                Sample(
                    "Training: 100%|##########| 1000/1000 [08:20<00:00,  2.00it/s, loss=2.31]",
                    {
                        "description": "Training",
                        "done": "1000",
                        "total": "1000",
                        "elapsed": "08:20",
                        "rate": "2.00",
                        "unit": "it/s",
                    },
                ),
            ),
            role=Role.INFO,
            bulk=True,
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("tqdm",), traits=(Trait.AT_WORK,)),),
)
