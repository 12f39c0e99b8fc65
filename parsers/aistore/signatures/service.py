"""Backends and HTTP service: what clients and clouds see."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

SIGNATURES = (
    Signature(
        "service.backend_error",
        ("aws-error[", "gcp-error[", "azure-error[", "oci-error["),
        r"(?P<backend>aws|gcp|azure|oci)-error\[(?P<code>[^:\]]+)",
        (
            Sample(
                "aws-error[NoSuchKey: corpus/shard-00012.tar]: GET /v1/objects/corpus/shard-00012.tar (t[AbCdEfGh]: f.go:1])",
                {"code": "NoSuchKey"},
            ),
        ),
        Meaning.CAUSE,
        Severity.WARNING,
        "the cloud backend answered with an error",
        "all",
        blames="backend",
    ),
    Signature(
        "service.backend_throttled",
        ("backend rate limiter: request still throttled after ",),
        r"request still throttled after (?P<attempts>\d+) retry",
        (
            Sample(
                "backend rate limiter: request still throttled after 5 retry attempts and 31s total backoff: 503",
                {"attempts": "5"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "the cloud backend throttles",
        "3.28+",
        blames="backend",
    ),
    Signature(
        "service.bucket_unreachable",
        (" is currently unreachable",),
        r'bucket "(?P<bucket>[^"]+)" is currently unreachable',
        (Sample('bucket "s3://corpus" is currently unreachable', {"bucket": "s3://corpus"}),),
        Meaning.CAUSE,
        Severity.ERROR,
        "a remote bucket cannot be reached",
        "all",
        blames="backend",
    ),
    Signature(
        "service.bucket_missing",
        ('" does not exist (',),
        r'bucket "(?P<bucket>[^"]+)" does not exist \(',
        (Sample('ais bucket "ais://corpus" does not exist (BMD v9)', {"bucket": "ais://corpus"}),),
        Meaning.CAUSE,
        Severity.ERROR,
        "the bucket does not exist",
        "all",
        blames="config",
    ),
    Signature(
        "service.listener_died",
        ("HTTP terminated with error: ", "HTTPS terminated with error: "),
        r"HTTPS? terminated with error: (?P<err>.*)",
        (
            Sample(
                "HTTP terminated with error: accept tcp: too many open files",
                {"err": "accept tcp: too many open files"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "the HTTP listener died",
        "all",
        blames="restart",
    ),
    Signature(
        "service.control_response",
        (" response error: ",),
        r"(?P<gone>\[client gone\] )?\S+ response error: (?P<err>.*)",
        (
            Sample(
                "Warning: [client gone] list-objects response error: write: broken pipe, message: {} at f.go:1",
                {"gone": "[client gone] "},
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "a control answer could not be written; counts err.http.write.n",
        "all",
        blames="client",
    ),
)
