"""Flask's own server, which programs start to be asked: a second start in one file is another run."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="flask",
    title="Flask: its development server",
    reference="pallets/flask src/flask/cli.py, show_server_banner, 2.0 to 3.1",
    patterns=(
        Pattern(
            name="flask.start",
            anchors=(" * Serving Flask app ",),
            regex=r"^ \* Serving Flask app ['\"]?(?P<app>[\w.:-]{1,80})",
            samples=(
                Sample(" * Serving Flask app 'serve57'", {"app": "serve57"}),
                Sample(' * Serving Flask app "serve57" (lazy loading)', {"app": "serve57"}),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            title="Flask's server starts",
        ),
    ),
)
