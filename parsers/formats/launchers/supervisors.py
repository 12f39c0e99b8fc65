"""What stands around a job: NVIDIA's resiliency extension, shells, systemd, pdsh."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait
from logtui.parsers.prefix.grammar import LINE_START
from logtui.parsers.remedies import ROOM_ON_HOST

_SHELL = r"^.{0,160}?(?P<script>[\w./-]+): line (?P<line>\d+): +(?P<pid>\d+) "
_SHELL_ABROAD = r"^.{0,160}?(?P<script>[\w./-]+): ?(?:Zeile|ligne|línea|linha|riga|行) ?(?P<line>\d+): +(?P<pid>\d+) "
"""Of bash in German, French, Spanish, Portuguese, Italian and Chinese, whose C library names the signals."""
_ABROAD = (": Zeile ", ": ligne ", ": línea ", ": linha ", ": riga ")

RESILIENCY = (
    Pattern(
        name="ft.hang",
        anchors=(
            "Did not get initial heartbeat",
            "Did not get subsequent heartbeat",
            "' has been open for ",
            "Was out of section for ",
        ),
        regex=r"Did not get (?P<which>initial|subsequent) heartbeat\. Waited (?P<waited_s>[\d.]+) sec|Section '(?P<section>[^']+)' has been open for (?P<open_s>[\d.]+) seconds"
        r"|Was out of section for (?P<outside_s>[\d.]+) seconds",
        samples=(
            Sample(
                "[Cycle 0] Did not get subsequent heartbeat. Waited 570.10 seconds.",
                {"which": "subsequent", "waited_s": "570.10"},
            ),
            Sample(
                "Section 'step' has been open for 570.1 seconds. Timeout is 300.0 seconds.",
                {"section": "step", "open_s": "570.1"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.UNKNOWN,
        weight=48,
        title="this rank sent no heartbeat",
        note="The rank that prints it is the one that hung.",
    ),
    Pattern(
        name="straggler.warning",
        anchors=("STRAGGLER DETECTION WARNING: ",),
        regex=r"STRAGGLER DETECTION WARNING: Some GPUs (?P<what>have worse relative performance|performance dropped)\. Affected ranks: (?P<ranks>.+)",
        samples=(
            Sample(
                "STRAGGLER DETECTION WARNING: Some GPUs have worse relative performance. Affected ranks: {57}",
                {"what": "have worse relative performance", "ranks": "{57}"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SLOW_TRAINING,
        weight=72,
        title="slow GPUs",
        note="Relative: compared with other ranks. Dropped: compared with its own past, as when throttled.",
        advice=(
            Advice(
                "hardware",
                "compare clocks, temperature and links of the GPUs named with the others' (nvidia-smi -q -d "
                "PERFORMANCE,CLOCK)",
            ),
        ),
    ),
    Pattern(
        name="straggler.score",
        anchors=(" Score=0.", " Score=1.", " Score=nan"),
        regex=r"Rank=(?P<rank>\d+) Node=(?P<host>\S+) Score=(?P<score>[\d.]+|nan)",
        samples=(Sample("  Rank=57 Node=node007 Score=0.57", {"rank": "57", "host": "node007", "score": "0.57"}),),
        role=Role.STATE,
        bulk=True,
    ),
    Pattern(
        name="straggler.terminating",
        anchors=("Detected stragglers. Terminating training",),
        regex=r"Detected stragglers\. Terminating training",
        samples=(Sample("Detected stragglers. Terminating training..."),),
        role=Role.CAUSE,
        cls=FailureClass.SLOW_TRAINING,
        weight=74,
        title="training was ended because of slow GPUs",
    ),
    Pattern(
        name="straggler.smoothed_mean",
        anchors=("Smoothed mean (iters ",),
        regex=r"Smoothed mean \(iters (?P<first>\d+)-(?P<last>\d+): (?P<mean_ms>[\d.]+) ms, baseline: (?P<baseline_ms>[\d.]+) ms\), threshold ratio: ?(?P<ratio>\d+\.?\d*\b)",
        samples=(
            Sample(
                "2026-01-02 03:04:05 Smoothed mean (iters 57-61: 9300.00 ms, baseline: 3100.00 ms), threshold ratio:2.00. Warning",
                {"first": "57", "last": "61", "mean_ms": "9300.00", "baseline_ms": "3100.00", "ratio": "2.00"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SLOW_TRAINING,
        weight=70,
        title="a platform's detector finds training slow",
        note="ratio = mean / baseline - 1.",
    ),
)

SHELLS = (
    Pattern(
        name="shell.killed",
        anchors=(": line ",),
        regex=_SHELL + r"(?P<what>Killed)(?:: 9)? +(?P<command>.*)",
        samples=(
            Sample(
                "/var/spool/slurmd/job04821/slurm_script: line 28:  4242 Killed                  python train.py",
                {"line": "28", "pid": "4242", "command": "python train.py"},
            ),
            Sample(
                "run.sh: line 28:  4242 Killed: 9               python train.py",
                {"pid": "4242", "command": "python train.py"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.SHELL_SAW_END,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=50,
        title="a process was killed with SIGKILL",
        note="Usually the OOM killer; no rank, only a pid.",
        advice=(
            Advice(
                "infrastructure",
                "look into the kernel log[ of {host}] for the OOM killer of that minute; else find out who sent "
                "SIGKILL",
            ),
        ),
    ),
    Pattern(
        name="shell.killed_behind",
        anchors=("]Killed",),
        regex=r"(?:it|s|iB|B)(?:/(?:it|s))?(?:, [^\]]{0,400})?\](?P<what>Killed)\s*$",
        samples=(Sample("Loading shards:  57%|#####7    | 4/7 [00:57<00:41, 13.71s/it]Killed", {"what": "Killed"}),),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=50,
        title="a process was killed with SIGKILL",
        note="A shell's word behind a progress bar. Usually the OOM killer.",
        advice=(
            Advice(
                "infrastructure",
                "look into the kernel log[ of {host}] for the OOM killer of that minute; else find out who sent "
                "SIGKILL",
            ),
        ),
    ),
    Pattern(
        name="shell.crashed",
        anchors=(": line ", "Segmentation fault      (core", "Bus error               (core"),
        regex=r"(?:"
        + _SHELL
        + r"|^ {0,8})(?P<what>Segmentation fault|Bus error|Illegal instruction|Floating point exception)(?:: \d{1,2})? *(?P<core>\(core dumped\))? *(?P<command>.*)",
        samples=(
            Sample(
                "run.sh: line 7:  4242 Segmentation fault      (core dumped) python train.py",
                {"what": "Segmentation fault", "pid": "4242"},
            ),
            Sample(
                "run.sh: line 7:  4242 Segmentation fault: 11  python train.py",
                {"what": "Segmentation fault", "command": "python train.py"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.SHELL_SAW_END,),
        cls=FailureClass.SOFTWARE,
        weight=52,
        title="a process crashed",
    ),
    Pattern(
        name="shell.ended",
        anchors=(": line ",),
        regex=_SHELL + r"(?P<what>Terminated|Aborted|Abort trap)(?:: \d{1,2})? *(?:\(core dumped\))? *(?P<command>.*)",
        samples=(
            Sample("run.sh: line 7:  4242 Terminated              python train.py", {"what": "Terminated"}),
            Sample("run.sh: line 7:  4242 Abort trap: 6           python train.py", {"command": "python train.py"}),
        ),
        note="macOS adds the signal's number.",
        role=Role.SYMPTOM,
        marks=(Mark.SHELL_SAW_END,),
        title="a process was terminated or aborted",
    ),
    Pattern(
        name="shell.killed_abroad",
        anchors=(*_ABROAD, "已杀死"),
        regex=_SHELL_ABROAD
        + r"(?P<what>Getötet|Processus arrêté|Terminado \(killed\)|Morto|Ucciso|已杀死)(?=\s) *(?P<command>.*)",
        samples=(
            Sample(
                "run.sh: Zeile 28:  4242 Getötet                 python train.py",
                {"pid": "4242", "command": "python train.py"},
            ),
            Sample("train.sh: 行 57: 4242 已杀死               python train.py", {"command": "python train.py"}),
        ),
        role=Role.CAUSE,
        marks=(Mark.SHELL_SAW_END,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=50,
        title="a process was killed with SIGKILL",
        note="Usually the OOM killer; no rank, only a pid.",
    ),
    Pattern(
        name="shell.crashed_abroad",
        anchors=(*_ABROAD, "段错误"),
        regex=_SHELL_ABROAD
        + r"(?P<what>Speicherzugriffsfehler|Erreur de segmentation|Violación de segmento|Falha de segmentação"
        r"|Errore di segmentazione|段错误) *(?P<core>\([^)\n]{1,40}\))? *(?P<command>.*)",
        samples=(
            Sample(
                "run.sh: Zeile 7:  4242 Speicherzugriffsfehler  (Speicherabzug geschrieben) python train.py",
                {"pid": "4242", "command": "python train.py"},
            ),
            Sample(
                "run.sh: 行 7:  4242 段错误               (核心已转储) python train.py", {"command": "python train.py"}
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.SHELL_SAW_END,),
        cls=FailureClass.SOFTWARE,
        weight=52,
        title="a process crashed",
    ),
    Pattern(
        name="shell.ended_abroad",
        anchors=(*_ABROAD, "已终止", "已放弃", "已中止"),
        regex=_SHELL_ABROAD
        + r"(?P<what>Beendet|Abgebrochen|Complété|Abandon|Abortado|Terminado(?! \(killed)|已终止|已放弃|已中止)(?=\s)"
        r" *(?:\([^)\n]{1,40}\))? *(?P<command>.*)",
        samples=(
            Sample("run.sh: Zeile 7:  4242 Abgebrochen             python train.py", {"what": "Abgebrochen"}),
            Sample("run.sh: 行 7:  4242 已放弃               (核心已转储) python train.py", {"what": "已放弃"}),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.SHELL_SAW_END,),
        title="a process was terminated or aborted",
    ),
    Pattern(
        name="shell.warned",
        anchors=(": line ",),
        regex=_SHELL
        + r"(?P<what>User defined signal [12]|(?:Cputime|CPU time|File size) limit exceeded) *(?P<command>.*)",
        samples=(
            Sample(
                "/var/spool/job57: line 7:  4242 User defined signal 1  python train.py",
                {"what": "User defined signal 1"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.SHELL_SAW_END,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=52,
        title="a process was ended by a signal of the scheduler ({what})",
        note="Grid Engine, LSF and SLURM send USR1, USR2 or XCPU as the time limit nears; a program that does not catch it dies of it.",
    ),
    Pattern(
        name="shell.hangup",
        anchors=(": line ",),
        regex=_SHELL + r"(?P<what>Hangup) +(?P<command>.*)",
        samples=(Sample("run.sh: line 7:  4242 Hangup                  python train.py", {"what": "Hangup"}),),
        role=Role.CAUSE,
        marks=(Mark.SHELL_SAW_END,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=48,
        title="the terminal was closed (SIGHUP)",
    ),
    Pattern(
        name="shell.timeout",
        anchors=("timeout: sending signal ",),
        regex=LINE_START + r"timeout: sending signal (?P<signal>\w{2,10}) to command \W(?P<command>[^\n]{1,300}?)\W?$",
        samples=(
            Sample("timeout: sending signal TERM to command ‘python’", {"signal": "TERM", "command": "python"}),
            Sample("timeout: sending signal KILL to command 'srun'", {"signal": "KILL", "command": "srun"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=60,
        title="the script's own time limit ended the program",
        note="coreutils' timeout, with --verbose; it ends with 124.",
        advice=(Advice("training", "give `timeout` more time, or look where the program stood still"),),
    ),
    Pattern(
        name="shell.unbound",
        anchors=(": unbound variable",),
        regex=r"^(?!\S*conda\S*: line )[^\n]*: line (?P<line>\d+): (?P<variable>\w+): unbound variable",
        samples=(Sample("run.sh: line 7: MASTER_ADDR: unbound variable", {"line": "7", "variable": "MASTER_ADDR"}),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=62,
        title="the job's script stopped at a variable that is not set",
        advice=(Advice("training", "set {variable} in the script, line {line}, or give it a default: ${{variable}}"),),
    ),
    Pattern(
        name="systemd.oom",
        anchors=("has been killed by the OOM killer",),
        regex=r"(?<!\S)(?P<unit>\S+): A process of this unit has been killed by the OOM killer",
        samples=(
            Sample(
                "Jan  2 03:04:05 node007 systemd[1]: slurmstepd.scope: A process of this unit has been killed by the OOM killer.",
                {"unit": "slurmstepd.scope"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=84,
        title="the OOM killer killed a process of a unit",
        advice=ROOM_ON_HOST,
    ),
    Pattern(
        name="systemd.exit",
        anchors=("Main process exited, code=",),
        regex=r"(?<!\S)(?P<unit>\S+): Main process exited, code=(?P<code>\w+), status=(?P<status>\d+)/(?P<name>\w+)",
        samples=(
            Sample(
                "systemd[1]: train.service: Main process exited, code=killed, status=9/KILL",
                {"unit": "train.service", "status": "9", "name": "KILL"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.ENDS,),
        title="systemd saw a service end",
    ),
)

PDSH = (
    Pattern(
        name="pdsh.unreachable",
        anchors=(": ssh exited with exit code 255", "ssh: connect to host ", "ssh: Could not resolve hostname "),
        regex=r"pdsh@(?P<launcher>[\w.-]+): (?P<host>[\w.-]+): ssh exited with exit code 255|ssh: (?:connect to host|Could not resolve hostname) (?P<target>[\w.-]+)",
        samples=(
            Sample("pdsh@node000: node007: ssh exited with exit code 255", {"launcher": "node000", "host": "node007"}),
            Sample("ssh: connect to host node007 port 22: Connection refused", {"target": "node007"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=64,
        title="a node cannot be reached by ssh",
        advice=(
            Advice(
                "infrastructure",
                "check the name {host}, ssh without a password, and the hostfile: the launcher could not reach it",
            ),
        ),
    ),
    Pattern(
        name="pdsh.exit",
        anchors=(": ssh exited with exit code ",),
        regex=r"pdsh@(?P<launcher>[\w.-]+): (?P<host>[\w.-]+): ssh exited with exit code (?P<exitcode>(?!255\b)\d+)",
        samples=(
            Sample("pdsh@node000: node007: ssh exited with exit code 245", {"host": "node007", "exitcode": "245"}),
        ),
        role=Role.STATE,
        title="how a node's launcher ended",
        note="Codes above 128 are 256 minus the signal: 245 SIGSEGV, 247 SIGKILL, 249 SIGBUS, 250 SIGABRT.",
    ),
    Pattern(
        name="pdsh.sigterm",
        anchors=("sending SIGTERM to ssh ",),
        regex=r"sending SIGTERM to ssh (?P<host>[\w.-]+)(?: pid (?P<pid>\d+))?",
        samples=(Sample("sending SIGTERM to ssh node007 pid 4242", {"host": "node007", "pid": "4242"}),),
        role=Role.SYMPTOM,
        title="pdsh terminates a node's launcher",
    ),
)

FORMAT = LineFormat(
    name="supervisors",
    title="resiliency extensions, shells, systemd, pdsh",
    reference="NVIDIA/nvidia-resiliency-ext; GNU bash jobs.c; systemd; chaos/pdsh",
    patterns=RESILIENCY + SHELLS + PDSH,
    programs=(Program(Kind.AGENT, ("pdsh",), traits=(Trait.JOINS_NODES, Trait.TOGETHER)),),
)
