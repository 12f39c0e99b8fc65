"""A server that somebody waited for did not come up: why, its own log tells."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.server_not_up",
    writer="sglang/test/test_utils.py popen_launch_server, and scripts that start vLLM's or SGLang's server",
    types=(r"^(?:RuntimeError|TimeoutError|Exception)$",),
    says=(
        r"\b(?:server|nodes?|engine|service|instance)\b.{0,80}\b(?:failed|did(?: not|n't)|never|unable) (?:to )?"
        r"(?:start|come|came|become|became|get|got)\b.{0,30}\b(?:in|within|after) (?:the timeout|\d)",
        r"\b(?:failed|timed out) (?:to wait|waiting) for (?:all )?(?:the )?\w{0,20} ?(?:servers?|nodes?|workers?) to be ready\b",
    ),
    title="a server that was waited for did not come up",
    samples=(
        Raised("RuntimeError: Server http://127.0.0.1:5757/health failed to start in 570s"),
        Raised("TimeoutError: Server failed to start within the timeout period."),
        Raised(
            "RuntimeError: Failed to start decode node on 10.0.0.7: Server failed to start within the timeout period."
        ),
        Raised("RuntimeError: Failed to wait for all nodes to be ready"),
    ),
)
