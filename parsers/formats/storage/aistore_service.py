"""Backends and HTTP service: what clients and clouds see."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample, Scope, Severity

FORMAT = LineFormat(
    name="aistore_service",
    title="AIStore: backends and http service: what clients and clouds see",
    reference="NVIDIA/aistore ais/, cmn/, hk/; 3.17 to 5.0",
    scope=Scope.DAEMONS,
    patterns=(
        Pattern(
            name="service.backend_error",
            anchors=("aws-error[", "gcp-error[", "azure-error[", "oci-error["),
            regex=r"(?P<backend>aws|gcp|azure|oci)-error\[(?P<code>[^:\]]+)",
            samples=(
                Sample(
                    "aws-error[NoSuchKey: corpus/shard-00012.tar]: GET /v1/objects/corpus/shard-00012.tar (t[AbCdEfGh]: f.go:1])",
                    {"code": "NoSuchKey"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="the cloud backend answered with an error",
            versions="all",
            blames="backend",
        ),
        Pattern(
            name="service.backend_throttled",
            anchors=("backend rate limiter: request still throttled after ",),
            regex=r"request still throttled after (?P<attempts>\d+) retry",
            samples=(
                Sample(
                    "backend rate limiter: request still throttled after 5 retry attempts and 31s total backoff: 503",
                    {"attempts": "5"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="the cloud backend throttles",
            versions="3.28+",
            blames="backend",
        ),
        Pattern(
            name="service.bucket_unreachable",
            anchors=(" is currently unreachable",),
            regex=r'bucket "(?P<bucket>[^"]+)" is currently unreachable',
            samples=(Sample('bucket "s3://corpus" is currently unreachable', {"bucket": "s3://corpus"}),),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a remote bucket cannot be reached",
            versions="all",
            blames="backend",
        ),
        Pattern(
            name="service.bucket_missing",
            anchors=('" does not exist',),
            regex=r'bucket "(?P<bucket>[^"]+)" does not exist',
            samples=(
                Sample(
                    'ErrBckNotFound: ais bucket "ais://corpus" does not exist: GET /v1/buckets/corpus (called by p[px])',
                    {"bucket": "ais://corpus"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="the bucket does not exist",
            versions="all",
            blames="config",
        ),
        Pattern(
            name="service.listener_died",
            anchors=("HTTP terminated with error: ", "HTTPS terminated with error: "),
            regex=r"HTTPS? terminated with error: (?P<err>.*)",
            samples=(
                Sample(
                    "HTTP terminated with error: accept tcp: too many open files",
                    {"err": "accept tcp: too many open files"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="the HTTP listener died",
            versions="all",
            blames="restart",
        ),
        Pattern(
            name="service.control_response",
            anchors=(" response error: ",),
            regex=r"(?P<gone>\[client gone\] )?(?<!\S)\S+ response error: (?P<err>.*)",
            samples=(
                Sample(
                    "Warning: [client gone] list-objects response error: write: broken pipe, message: {} at f.go:1",
                    {"gone": "[client gone] "},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="a control answer could not be written; counts err.http.write.n",
            versions="all",
            blames="client",
        ),
    ),
)
