"""A service that answers with a page for people, or that it took too long: the failure is the service's."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.server_page",
    writer="clients of services over HTTP that raise what they were answered: pystac-client, openai, label-studio",
    types=(r"API(?:Status)?Error$", r"InternalServerError$", r"ServiceError$"),
    says=(r"^<(?:!DOCTYPE |html)", r"exceeded the maximum allowed time"),
    cls=FailureClass.INFRASTRUCTURE,
    weight=55,
    title="a service failed to answer",
    advice=(
        Advice("training", "ask again after a pause; where it comes again, ask whoever runs the service: {raised}"),
    ),
    samples=(
        Raised("pystac_client.exceptions.APIError: <!DOCTYPE html PUBLIC '57'>"),
        Raised(
            "pystac_client.exceptions.APIError: The request exceeded the maximum allowed time, please try again. 57"
        ),
        Raised("openai.InternalServerError: <html><head><title>502 Bad Gateway</title></head>57"),
        Raised("label_studio.ServiceError: <html>57"),
    ),
)
