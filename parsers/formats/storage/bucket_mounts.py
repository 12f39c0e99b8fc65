"""Buckets mounted as file systems: Mountpoint for S3, s3fs, Cloud Storage FUSE, JuiceFS."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

_STORE = (Advice("storage", "look at the object store and at the credentials of the mount[ on {host}]"),)
_ABSENT = r"(?!.{0,400}(?:does not exist|[Nn]o such file|not found|NoSuchKey))"
"""Programs ask for what may not be there; that is no failure of the mount."""

FORMAT = LineFormat(
    name="bucket_mounts",
    title="Mounted buckets: S3, Cloud Storage, JuiceFS",
    reference="awslabs/mountpoint-s3 src/fuse.rs 1.0 to 1.19; GoogleCloudPlatform/gcsfuse 1.2 to 3.2; s3fs-fuse 1.90; juicefs 1.0 to 1.3",
    patterns=(
        Pattern(
            name="bucket.s3",
            anchors=("mountpoint_s3",),
            regex=_ABSENT
            + r"\b(?:ERROR|WARN)\b.{0,200}?\bmountpoint_s3\w{0,20}(?:::\w{1,40}){0,4}: (?P<what>.{0,160}(?:failed|error).{0,160})",
            samples=(
                Sample(
                    "2026-01-02T03:04:05.678901Z  WARN read{req=57 ino=7}: mountpoint_s3::fuse: read failed: get request "
                    "failed: no answer in time",
                    {"what": "read failed: get request failed: no answer in time"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=64,
            bulk=True,
            title="a mounted S3 bucket failed",
            advice=_STORE,
        ),
        Pattern(
            name="bucket.gcs",
            anchors=("input/output error, fs.", "mountWithStorageHandle: "),
            regex=r"(?P<call>\w{3,20}): input/output error, fs\.\w{3,20}: (?P<why>[^\"]{1,160})|mountWithStorageHandle: (?P<mount>[^\"]{1,200})",
            samples=(
                Sample(
                    '{"severity":"ERROR","message":"WriteFile: input/output error, fs.WriteFile: the bucket did not answer"}',
                    {"call": "WriteFile", "why": "the bucket did not answer"},
                ),
                Sample(
                    "Error: mountWithArgs: mountWithStorageHandle: fs.NewServer: permission denied",
                    {"mount": "fs.NewServer: permission denied"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=66,
            bulk=True,
            title="a mounted Cloud Storage bucket failed",
            advice=_STORE,
        ),
        Pattern(
            name="bucket.juicefs",
            anchors=("juicefs[",),
            regex=r"juicefs\[\d{1,10}\] <(?:ERROR|FATAL)>: " + _ABSENT + r"(?P<what>.{1,200})",
            samples=(
                Sample(
                    "2026/01/02 03:04:05.678901 juicefs[4242] <ERROR>: write inode 57: input/output error [writer.go:57]",
                    {},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=62,
            bulk=True,
            title="JuiceFS failed",
            advice=_STORE,
        ),
        Pattern(
            name="bucket.s3fs",
            anchors=("s3fs: could not", "s3fs: unable to access", "s3fs: Failed to"),
            regex=r"s3fs: (?P<what>(?:could not|unable to access|Failed to) (?!.{0,200}Transport endpoint).{1,160})",
            samples=(Sample("s3fs: could not determine how to establish security credentials.", {}),),
            role=Role.CAUSE,
            cls=FailureClass.STORAGE_IO,
            weight=62,
            title="a bucket could not be mounted",
            advice=_STORE,
        ),
    ),
)
