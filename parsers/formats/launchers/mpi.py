"""Open MPI, PRRTE, PALS and MPICH: which rank on which host ended how; start-up without PMI."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait
from logtui.parsers.remedies import ROOM_ON_HOST

_NOTICED = r"(?:mpirun|mpiexec|prterun|orterun)(?:\.real)? noticed that process rank (?P<rank>\d+) with PID (?P<pid>\d+) on node (?P<host>[\w.-]+) exited on"
"""PRRTE breaks the sentence there where it is long."""

ENDS = (
    Pattern(
        name="mpirun.crashed",
        anchors=(" noticed that process rank ",),
        regex=_NOTICED + r" signal (?P<signal>(?!9\b|15\b|6\b)\d+) \((?P<what>[^)]+)\)",
        samples=(
            Sample(
                "mpirun noticed that process rank 57 with PID 4242 on node node007 exited on signal 11 (Segmentation fault).",
                {"rank": "57", "pid": "4242", "host": "node007", "signal": "11", "what": "Segmentation fault"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK,),
        cls=FailureClass.SOFTWARE,
        weight=60,
        title="a rank crashed",
    ),
    Pattern(
        name="mpirun.killed",
        anchors=(" noticed that process rank ",),
        regex=_NOTICED + r" signal (?P<signal>9) \((?P<what>[^)]+)\)",
        samples=(
            Sample(
                "mpirun noticed that process rank 57 with PID 4242 on node node007 exited on signal 9 (Killed).",
                {"rank": "57", "signal": "9"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=52,
        title="a rank was killed with SIGKILL",
    ),
    Pattern(
        name="mpirun.ended",
        anchors=(" noticed that process rank ",),
        regex=_NOTICED + r"(?: signal (?P<signal>15|6) \((?P<what>[^)]+)\)|\s*$)",
        samples=(
            Sample("prterun noticed that process rank 57 with PID 4242 on node node007 exited on", {"rank": "57"}),
            Sample(
                "mpirun noticed that process rank 57 with PID 4242 on node node007 exited on signal 6 (Aborted).",
                {"signal": "6"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.NAMES_RANK,),
        title="a rank aborted or was terminated",
    ),
    Pattern(
        name="mpirun.cleaned_up",
        anchors=(" total processes killed (some possibly by ",),
        regex=r"^\d{1,7} total processes killed \(some possibly by (?:mpirun|mpiexec|prterun|orterun) during cleanup\)",
        samples=(Sample("57 total processes killed (some possibly by mpirun during cleanup)"),),
        role=Role.SYMPTOM,
        title="mpirun killed what was left of the processes",
    ),
    Pattern(
        name="prrte.first",
        anchors=("Process name: [",),
        regex=r"Process name: \[(?:\[\d{1,10},\d{1,10}\]|(?:prterun-)?(?P<launcher>[^\[\],]{0,128}?)(?:-\d+)?@?\d{0,20}),(?P<rank>\d+)\]"
        r"(?:\s+Exit code: +(?P<exitcode>\d+))?",
        samples=(
            Sample("  Process name: [[4242,1],57]", {"rank": "57"}),
            Sample("   Process name: [prterun-node000-4242@1,57] Exit code:    3", {"rank": "57", "exitcode": "3"}),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK,),
        cls=FailureClass.SOFTWARE,
        weight=38,
        title="the first rank that exited with an error",
        note="The host in the name is the launcher's.",
    ),
    Pattern(
        name="mpirun.wrapper",
        anchors=("Primary job  terminated normally, but ", "detected that one or more processes exited with non-zero"),
        regex=r"Primary job  terminated normally, but (?P<count>\d+) process|(?:mpirun|prterun) detected that one or more processes exited with non-zero",
        samples=(
            Sample(
                "Primary job  terminated normally, but 1 process returned a non-zero exit code. Per user-direction, the job has been aborted.",
                {"count": "1"},
            ),
            Sample("prterun detected that one or more processes exited with non-zero status,", {}),
        ),
        role=Role.SYMPTOM,
        title="mpirun ends the job",
    ),
    Pattern(
        name="mpirun.exit_code",
        anchors=("Exit code: ",),
        regex=r"^ {0,8}Exit code: {1,12}(?P<exitcode>[1-9]\d{0,2})\s*$",
        samples=(Sample("  Exit code:    1", {"exitcode": "1"}),),
        role=Role.SYMPTOM,
        marks=(Mark.EXIT_CODE,),
        title="mpirun tells the exit code of the first process that failed",
    ),
    Pattern(
        name="openmpi.abort",
        anchors=("MPI_ABORT was invoked on rank ",),
        regex=r"MPI_ABORT was invoked on rank (?P<rank>\d+)",
        samples=(Sample("MPI_ABORT was invoked on rank 57 in communicator MPI_COMM_WORLD", {"rank": "57"}),),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK,),
        cls=FailureClass.SOFTWARE,
        weight=44,
        title="a rank called MPI_Abort",
    ),
    Pattern(
        name="openmpi.unreachable",
        anchors=("pair of MPI processes are unable to reach each other",),
        regex=r"pair of MPI processes are unable to reach each other",
        samples=(Sample("At least one pair of MPI processes are unable to reach each other for"),),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=76,
        follow=12,
        title="two ranks have no transport to reach each other by",
        note="The block below names both processes, their hosts, and the BTLs that were tried.",
    ),
    Pattern(
        name="openmpi.lost_daemon",
        anchors=("has lost communication with a remote daemon", "lost communication with daemon"),
        regex=r"has lost communication with a remote daemon|lost communication with daemon",
        samples=(Sample("ORTE has lost communication with a remote daemon."),),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=70,
        follow=6,
        title="mpirun lost a node",
    ),
)

RANK_ENDS = (
    Pattern(
        name="pals.exit",
        anchors=(" exited with code ",),
        regex=r"^.{0,80}?(?P<host>[A-Za-z][\w.-]*): rank (?P<rank>\d+) exited with code (?P<exitcode>[1-9]\d*)",
        samples=(
            Sample(
                "node007.hsn.example: rank 57 exited with code 1",
                {"host": "node007.hsn.example", "rank": "57", "exitcode": "1"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK,),
        cls=FailureClass.SOFTWARE,
        weight=36,
        title="a rank exited with an error",
        note="mpiexec of HPE's PALS.",
    ),
    Pattern(
        name="pals.signal",
        anchors=(" died from signal ",),
        regex=r"^.{0,80}?(?P<host>[A-Za-z][\w.-]*): rank (?P<rank>\d+) died from signal (?P<signal>(?!15\b|6\b|9\b)\d+)",
        samples=(
            Sample(
                "node007.hsn.example: rank 57 died from signal 11 and dumped core",
                {"host": "node007.hsn.example", "rank": "57", "signal": "11"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK,),
        cls=FailureClass.SOFTWARE,
        weight=52,
        title="a rank died from a signal",
    ),
    Pattern(
        name="pals.killed",
        anchors=(" died from signal ",),
        regex=r"^.{0,80}?(?P<host>[A-Za-z][\w.-]*): rank (?P<rank>\d+) died from signal (?P<signal>9)\b",
        samples=(
            Sample(
                "node007.hsn.example: rank 57 died from signal 9",
                {"host": "node007.hsn.example", "rank": "57", "signal": "9"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK,),
        cls=FailureClass.HOST_OOM,
        weight=52,
        title="a rank was killed with SIGKILL: for want of host memory, unless somebody did it",
        advice=ROOM_ON_HOST,
    ),
    Pattern(
        name="pals.terminated",
        anchors=(" died from signal ",),
        regex=r": rank (?P<rank>\d+) died from signal (?P<signal>15|6)\b",
        samples=(Sample("node007.hsn.example: rank 57 died from signal 15", {"rank": "57", "signal": "15"}),),
        role=Role.SYMPTOM,
        marks=(Mark.NAMES_RANK,),
        bulk=True,
        title="a rank was terminated or aborted",
    ),
    Pattern(
        name="mpich.rank",
        anchors=(" RUNNING AT ",),
        regex=r"=\s+(?:RANK (?P<rank>\d+) )?PID (?P<pid>\d+) RUNNING AT (?P<host>[\w.-]+)",
        samples=(Sample("=   RANK 57 PID 4242 RUNNING AT node007", {"rank": "57", "pid": "4242", "host": "node007"}),),
        role=Role.STATE,
        follow=3,
        title="the first process that ended badly",
        note="MPICH and Intel MPI; the next line has the signal or exit code. Which rank was first is not said.",
    ),
    Pattern(
        name="mpich.killed",
        anchors=("KILLED BY SIGNAL: ", "WITH THE EXIT STRING: "),
        regex=r"(?:KILLED BY SIGNAL: (?P<signal>9) |WITH THE EXIT STRING: (?P<what>Killed) )\(",
        samples=(
            Sample("=   KILLED BY SIGNAL: 9 (Killed)", {"signal": "9"}),
            Sample("YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)", {"what": "Killed"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=50,
        title="a rank was killed with SIGKILL: for want of host memory, unless somebody did it",
        advice=ROOM_ON_HOST,
    ),
    Pattern(
        name="mpich.crashed",
        anchors=("KILLED BY SIGNAL: ", "WITH THE EXIT STRING: "),
        regex=r"(?:KILLED BY SIGNAL: (?P<signal>4|7|8|11) |WITH THE EXIT STRING: (?P<what>Segmentation fault|Bus error|Floating point exception|Illegal instruction) )\(",
        samples=(
            Sample("=   KILLED BY SIGNAL: 11 (Segmentation fault)", {"signal": "11"}),
            Sample(
                "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)",
                {"what": "Segmentation fault"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=56,
        title="a rank crashed",
    ),
    Pattern(
        name="mpich.terminated",
        anchors=("WITH THE EXIT STRING: ",),
        regex=r"WITH THE EXIT STRING: (?P<what>[A-Z][\w ]{2,40}) \(signal (?P<signal>15|2|1)\)",
        samples=(
            Sample(
                "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Terminated (signal 15)",
                {"what": "Terminated", "signal": "15"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.SIGNALLED,),
        title="a process was ended by a signal",
    ),
)

CRASHES = (
    Pattern(
        name="openmpi.signal",
        anchors=("] Signal: ",),
        regex=r"\[(?P<host>[\w.-]+):(?P<pid>\d+)\] Signal: (?P<what>Segmentation fault|Bus error|Floating point exception|Illegal instruction) \((?P<signal>\d+)\)",
        samples=(
            Sample(
                "[node007:4242] Signal: Segmentation fault (11)", {"host": "node007", "pid": "4242", "signal": "11"}
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=58,
        follow=30,
        title="a process crashed",
    ),
    Pattern(
        name="openmpi.aborted",
        anchors=("] Signal: ",),
        regex=r"\[(?P<host>[\w.-]+):(?P<pid>\d+)\] Signal: (?P<what>Aborted|Terminated) \((?P<signal>\d+)\)",
        samples=(Sample("[node007:4242] Signal: Aborted (6)", {"what": "Aborted"}),),
        role=Role.SYMPTOM,
        title="a process aborted",
    ),
)

START = (
    Pattern(
        name="openmpi.daemons",
        anchors=(
            "was unable to reliably start one or more daemons",
            " died unexpectedly with status ",
            " daemon has unexpectedly failed after launch",
        ),
        regex=r"(?:ORTE|PRTE) was unable to reliably start one or more daemons"
        r"|An? (?:ORTE|PRTE) daemon has unexpectedly failed after launch"
        r"|A daemon \(pid \w{1,10}\) died unexpectedly with status \d+ while attempting",
        samples=(
            Sample("An ORTE daemon has unexpectedly failed after launch and before"),
            Sample("ORTE was unable to reliably start one or more daemons."),
            Sample("A daemon (pid 4821) died unexpectedly with status 57 while attempting"),
            Sample("A daemon (pid unknown) died unexpectedly with status 1 while attempting"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=66,
        title="mpirun could not start its daemons on all hosts",
        note="ssh, names, paths or firewalls of the hosts; what ssh said stands above.",
        advice=(
            Advice(
                "infrastructure", "check ssh without a password to every host, one path of mpirun on all, and firewalls"
            ),
        ),
    ),
    Pattern(
        name="openmpi.errors_fatal",
        anchors=("help-mpi-errors.txt / mpi_errors_are_fatal",),
        regex=r"more process(?:es)? ha(?:s|ve) sent help message help-mpi-errors\.txt / mpi_errors_are_fatal",
        samples=(
            Sample(
                "[node007:4821] 57 more processes have sent help message help-mpi-errors.txt / mpi_errors_are_fatal"
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.UNKNOWN,
        weight=20,
        title="an MPI call failed, and that ended the job",
        note="The first message, which says which call and why, went elsewhere.",
    ),
    Pattern(
        name="openmpi.no_slots",
        anchors=("There are not enough slots available",),
        regex=r"There are not enough slots available in the system to satisfy the (?P<slots>\d+)",
        samples=(Sample("There are not enough slots available in the system to satisfy the 57", {"slots": "57"}),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=78,
        title="more processes were asked for than the hosts have slots",
        advice=(
            Advice(
                "training",
                "give the hosts enough slots (host:8 in the hostfile), or start fewer than {slots} processes; "
                "--oversubscribe only for tests",
            ),
        ),
    ),
    Pattern(
        name="openmpi.no_pmi",
        anchors=("OPAL ERROR: ", "OMPI was not built with SLURM's PMI", "PMI2_Init failed to initialize"),
        regex=r"OPAL ERROR: (?P<msg>.+)|OMPI was not built with SLURM's PMI|PMI2_Init failed to initialize",
        samples=(
            Sample(
                "[node007:4242] OPAL ERROR: Unreachable in file pmix3x_client.c at line 57",
                {"msg": "Unreachable in file pmix3x_client.c at line 57"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=74,
        title="MPI cannot reach its launcher",
        note="Open MPI without the PMI that srun offers: another --mpi option or mpirun.",
        advice=(
            Advice(
                "training",
                "start with mpirun, or with the PMI that the MPI was built for: srun --mpi=pmix (srun --mpi=list)",
            ),
        ),
    ),
    Pattern(
        name="openmpi.init_failed",
        anchors=("*** An error occurred in MPI_Init", "It looks like MPI_INIT failed"),
        regex=r"\*\*\* An error occurred in MPI_Init|It looks like MPI_INIT failed",
        samples=(Sample("*** An error occurred in MPI_Init_thread"),),
        role=Role.SYMPTOM,
        bulk=True,
        title="MPI did not start",
    ),
)

FORMAT = LineFormat(
    name="mpi",
    title="Open MPI, PRRTE, PALS, MPICH",
    reference="open-mpi/ompi orterun help texts 3 to 5; openpmix/prrte",
    patterns=ENDS + RANK_ENDS + CRASHES + START,
    programs=(
        Program(
            Kind.LAUNCHER, ("mpirun",), "mpirun", outer=60, traits=(Trait.JOINS_NODES, Trait.ONE_OUTPUT, Trait.TOGETHER)
        ),
        Program(Kind.LAUNCHER, ("prrte",), "mpirun", outer=60, traits=(Trait.JOINS_NODES, Trait.TOGETHER)),
        Program(Kind.LAUNCHER, ("openmpi",), "mpirun", outer=60, traits=(Trait.TOGETHER,)),
        Program(Kind.AGENT, ("pals",), traits=(Trait.JOINS_NODES, Trait.TOGETHER)),
        Program(Kind.AGENT, ("mpich",), traits=(Trait.TOGETHER,)),
    ),
)
