"""MPICH, Cray MPICH and Intel MPI: error stacks of calls that failed, and by what; mpd; calls outside MPI's life."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_WHERE = r" \([^():]{1,40}:\d{1,6}:\w{1,60}:(?P<why>[^()]{1,160})"
"""File, line and function of MPICH's source, and what libfabric said."""
_SET_UP = r"(?:EP |[Ee]ndpoint |domain |fabric |addrinfo|getinfo|event queue |address vector |resource )"

STACKS = (
    Pattern(
        name="mpich.fatal",
        anchors=("Fatal error in ",),
        regex=r"(?:\(rank (?P<rank>\d{1,7}) in comm -?\d{1,10}\): )?Fatal error in (?P<call>(?:P?MPI|internal)_\w{1,40}): .{1,120}?error stack:",
        samples=(
            Sample(
                "MPICH ERROR [Rank 57] [job id 4821.0] [Fri Jan  2 03:04:05 2026] [nid000007] - Abort(2695311) (rank 57 in "
                "comm 0): Fatal error in PMPI_Allreduce: Other MPI error, error stack:",
                {"rank": "57", "call": "PMPI_Allreduce"},
            ),
            Sample("Fatal error in internal_Bcast: Other MPI error, error stack:", {"call": "internal_Bcast"}),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.NAMES_RANK,),
        title="{call} failed",
        note="The stack below ends with what the transport said.",
    ),
    Pattern(
        name="mpich.host_file",
        anchors=("unable to open host file", "error parsing machine file", "unable to open the machine file"),
        regex=r"(?:unable to open (?:the )?(?:host|machine) ?file:? ?(?P<file>\S{0,300})|error parsing machine file)",
        samples=(
            Sample(
                "[mpiexec@node007] HYDU_parse_hostfile (../../utils/args/args.c:553): unable to open host file: etc/hosts57",
                {"file": "etc/hosts57"},
            ),
            Sample("[mpiexec@node007] machine_file_fn (../../ui/mpich/utils.c:505): error parsing machine file"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=74,
        marks=(Mark.ENDS,),
        title="mpiexec cannot read its list of hosts[: {file}]",
        advice=(Advice("training", "look whether the host file is there, and give its whole path"),),
    ),
    Pattern(
        name="mpich.not_executed",
        anchors=("execvp error on file ",),
        regex=r"execvp error on file (?P<file>\S{1,300}) \((?P<why>[^()\n]{1,80})\)",
        samples=(
            Sample(
                "[proxy:0:0@node007] HYDU_create_process (utils/launch/launch.c:75): execvp error on file run57 (Permission denied)",
                {"file": "run57", "why": "Permission denied"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=74,
        marks=(Mark.ENDS,),
        title="mpiexec cannot execute {file}: {why}",
        advice=(Advice("training", "give the program's whole path, and make it executable (chmod +x {file})"),),
    ),
    Pattern(
        name="mpich.endpoint",
        anchors=(" failed (ofi_", " failure (ofi_"),
        regex=r": OFI " + _SET_UP + r"[\w() ]{0,60}?(?:failed|failure)" + _WHERE,
        samples=(
            Sample(
                "create_endpoint(1359).......: OFI EP enable failed (ofi_init.c:1359:create_endpoint:Address already in use)",
                {"why": "Address already in use"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=70,
        title="MPI does not start on the fabric: {why}",
    ),
    Pattern(
        name="mpich.transport",
        anchors=(" failed (ofi_", "ucx function returned with failed status"),
        regex=r"^(?!.*: OFI "
        + _SET_UP
        + r").*(?:: OFI [\w() ]{1,60}? failed"
        + _WHERE
        + r"|ucx function returned with failed status)",
        samples=(
            Sample(
                "MPIDI_OFI_handle_cq_error(1075): OFI poll failed (ofi_events.c:1077:MPIDI_OFI_handle_cq_error:Input/output "
                "error - CANCELED)",
                {"why": "Input/output error - CANCELED"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=66,
        title="the fabric gave MPI an error[: {why}]",
        note="An operation is cancelled too where the process at its other end is gone: look for one that ended before.",
    ),
    Pattern(
        name="mpich.fence",
        anchors=("PMI2 KVS_Fence failed", "PMI_Barrier returned ", "PMI_KVS_Get returned "),
        regex=r"PMI2 KVS_Fence failed|PMI_(?:Barrier|KVS_Get) returned (?P<code>-?[1-9]\d{0,5})",
        samples=(Sample("MPIR_pmi_barrier(273).......:  PMI2 KVS_Fence failed: -1"),),
        role=Role.SYMPTOM,
        title="a rank did not come to MPI's start",
    ),
)

CALLS = (
    Pattern(
        name="openmpi.before_init",
        anchors=(" function was called before MPI_INIT was invoked",),
        regex=r"\*\*\* The (?P<call>MPI_\w{1,60})\(\) function was called before MPI_INIT was invoked",
        samples=(
            Sample(
                "*** The MPI_Comm_rank() function was called before MPI_INIT was invoked.", {"call": "MPI_Comm_rank"}
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=64,
        title="{call} was called before MPI_Init",
    ),
    Pattern(
        name="openmpi.time_limit",
        anchors=("The user-provided time limit for job execution has been reached",),
        regex=r"The user-provided time limit for job execution has been reached",
        samples=(Sample("The user-provided time limit for job execution has been reached:"),),
        role=Role.CAUSE,
        marks=(Mark.TIME_LIMIT,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=74,
        follow=3,
        title="mpiexec ended the job at the time limit it was given",
    ),
)

MPD = (
    Pattern(
        name="mpd.crashed",
        anchors=("exit status of rank ",),
        regex=r"exit status of rank (?P<rank>\d{1,7}): killed by signal (?P<signal>4|7|8|11)\b",
        samples=(Sample("  exit status of rank 57: killed by signal 11 ", {"rank": "57", "signal": "11"}),),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK,),
        cls=FailureClass.SOFTWARE,
        weight=58,
        title="a rank crashed",
    ),
    Pattern(
        name="mpd.ended",
        anchors=("exit status of rank ",),
        regex=r"exit status of rank (?P<rank>\d{1,7}): (?:killed by signal (?P<signal>6|9|15)\b|return code (?P<exitcode>[1-9]\d{0,3}))",
        samples=(
            Sample("  exit status of rank 57: killed by signal 9 ", {"rank": "57", "signal": "9"}),
            Sample("  exit status of rank 57: return code 1 ", {"rank": "57", "exitcode": "1"}),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.NAMES_RANK,),
        title="a rank ended, or was ended with the others",
    ),
)

HYDRA = (
    Pattern(
        name="hydra.interrupted",
        anchors=("] Sending Ctrl-C to processes as requested",),
        regex=r"^\[mpiexec@(?P<host>[^\]\n]{1,80})\] Sending Ctrl-C to processes as requested",
        samples=(Sample("[mpiexec@node57] Sending Ctrl-C to processes as requested", {"host": "node57"}),),
        role=Role.CAUSE,
        marks=(Mark.TOLD_TO_STOP,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=56,
        title="somebody pressed Ctrl-C",
    ),
)

FORMAT = LineFormat(
    name="mpich",
    title="MPICH, Cray MPICH, Intel MPI",
    reference="pmodels/mpich src/mpi/errhan/errnames.txt, src/mpid/ch4/netmod/ofi; mpd of MPICH2; open-mpi/ompi help texts",
    patterns=STACKS + CALLS + MPD + HYDRA,
)
