"""Uvicorn, under FastAPI and the servers of language models: its first words and its last."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="uvicorn",
    title="Uvicorn: a web server for asynchronous programs",
    reference="encode/uvicorn uvicorn/server.py, Server.serve",
    patterns=(
        Pattern(
            name="uvicorn.started",
            anchors=("Started server process [",),
            regex=r"\bStarted server process \[(?P<pid>\d+)\]",
            samples=(Sample("INFO:     Started server process [4242]", {"pid": "4242"}),),
            role=Role.INFO,
            title="the server starts",
        ),
        Pattern(
            name="uvicorn.finished",
            anchors=("Finished server process [",),
            regex=r"\bFinished server process \[(?P<pid>\d+)\]",
            samples=(Sample("INFO:     Finished server process [4242]", {"pid": "4242"}),),
            role=Role.END,
            marks=(Mark.UNSURE_END,),
            title="the server was shut down in order",
            note="Also where a program shuts it down whose engine failed.",
        ),
    ),
)
