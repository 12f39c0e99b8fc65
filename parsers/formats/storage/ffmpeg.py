"""FFmpeg's libraries, as readers of videos and sound print them: what they conceal or cannot decode of one file."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="ffmpeg",
    title="FFmpeg's libraries",
    reference="FFmpeg libavutil/log.c: the component and its address before each line; 3 to 7",
    patterns=(
        Pattern(
            name="ffmpeg.component",
            anchors=(
                "[h264 @ 0x", "[hevc @ 0x", "[mpeg4 @ 0x", "[mjpeg @ 0x", "[vp9 @ 0x", "[av1 @ 0x", "[aac @ 0x", "[mp3 @ 0x",
                "[swscaler @ 0x", "[mov,mp4,m4a,3gp,3g2,mj2 @ 0x", "[matroska,webm @ 0x", "[mpegts @ 0x", "[avi @ 0x",
            ),
            regex=r"^\[(?P<component>[\w,]{2,40}) @ 0x[0-9a-f]{4,16}\] ",
            samples=(
                Sample("[h264 @ 0x55d9bb928b97] Invalid NAL unit size (5701 > 57).", {"component": "h264"}),
                Sample("[mov,mp4,m4a,3gp,3g2,mj2 @ 0x55d8a84e0abb] moov atom not found", {"component": "mov,mp4,m4a,3gp,3g2,mj2"}),
            ),
            role=Role.NOISE,
            bulk=True,
            note="Of one file: whoever reads it says below what that means for the job.",
        ),
    ),
)  # fmt: skip
