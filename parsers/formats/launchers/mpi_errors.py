"""Errors that MPI's own handler prints before it ends a job: which call, and which class of error."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="mpi_errors",
    title="Open MPI's error handler, and launches that it refuses",
    reference="open-mpi/ompi ompi/errhandler/errhandler_predefined.c and help-errhandler, 1.8 to 5; orterun help-orterun.txt",
    patterns=(
        Pattern(
            name="mpi_error.truncated",
            anchors=("MPI_ERR_TRUNCATE: ",),
            regex=r"\*\*\* MPI_ERR_TRUNCATE: message truncated",
            samples=(Sample("[node007:4242] *** MPI_ERR_TRUNCATE: message truncated"),),
            role=Role.CAUSE,
            cls=FailureClass.COLLECTIVE_MISMATCH,
            weight=62,
            title="a rank received more than it expected",
            note="Sender and receiver disagree on a count, or a rank is in another operation than its partner.",
        ),
        Pattern(
            name="mpi_error.fatal",
            anchors=("*** MPI_ERR_",),
            regex=r"\*\*\* (?P<error>MPI_ERR_(?!TRUNCATE)\w{2,40}): (?P<message>\S.{0,200})",
            samples=(
                Sample(
                    "[node007:4242] *** MPI_ERR_COMM: invalid communicator",
                    {"error": "MPI_ERR_COMM", "message": "invalid communicator"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=50,
            title="MPI refused a call: {message}",
        ),
        Pattern(
            name="mpi_error.no_program",
            anchors=(
                "was unable to launch the specified application as it ",
                "unable to find the specified executable file",
            ),
            regex=r"unable to launch the specified application as it (?P<why>could not .{0,80})"
            r"|unable to find the specified executable file",
            samples=(
                Sample(
                    "mpirun was unable to launch the specified application as it could not access",
                    {"why": "could not access"},
                ),
                Sample("prterun was unable to find the specified executable file, and therefore did not launch"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=66,
            title="mpirun did not find the program",
            note="The lines below name it, and the node.",
        ),
    ),
)
