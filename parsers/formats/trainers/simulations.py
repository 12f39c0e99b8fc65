"""How simulation codes stop at an error of their own: LAMMPS, GROMACS, Quantum ESPRESSO, NAMD, WRF, OpenFOAM, ESMF; Amber's steps.

What they say is classified as the words of a Python exception are.
"""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START

FORMAT = LineFormat(
    name="simulations",
    title="LAMMPS, GROMACS, Quantum ESPRESSO, NAMD, WRF, OpenFOAM, ESMF",
    reference="lammps src/error.cpp; gromacs src/gromacs/utility/fatalerror.cpp, errorformat.cpp; QEF/q-e UtilXlib/error_handler.f90, "
    "upflib/iotk; NAMD src/common.C; Amber 16 to 24 pmemd runfiles.F90; wrf-model/WRF frame/module_dm.F; "
    "OpenFOAM src/OpenFOAM/db/error, src/OSspecific/POSIX/signals; ESMF src/Infrastructure/LogErr",
    patterns=(
        Pattern(
            name="amber.step",
            anchors=(" NSTEP = ",),
            regex=r"^ NSTEP = {1,9}(?P<step>\d{1,12}) {1,9}TIME\(PS\) = ",
            samples=(
                Sample(
                    " NSTEP =    57000   TIME(PS) =     157.000  TEMP(K) =   299.57  PRESS =     0.0", {"step": "57000"}
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="wrf.task",
            anchors=("starting wrf task ",),
            regex=r"^\s{0,4}starting wrf task +(?P<rank>\d{1,6}) +of +(?P<world_size>\d{1,7})\s*$",
            samples=(Sample(" starting wrf task           57  of          128", {"rank": "57", "world_size": "128"}),),
            role=Role.INFO,
            marks=(Mark.STARTS, Mark.NAMES_SELF),
            title="a task of WRF introduces itself",
        ),
        Pattern(
            name="wrf.domain",
            anchors=("the domain size is too small for this many processors", "namelist settings are wrong"),
            regex=r"^\s{0,8}For domain +\d{1,3} ?, the domain size is too small for this many processors"
            r"|^\s{0,4}NOTE: +\d{1,4} namelist settings are wrong",
            samples=(
                Sample(
                    "   For domain           57 , the domain size is too small for this many processors, or the decomposition "
                    "aspect ratio is poor."
                ),
                Sample(" NOTE:      57 namelist settings are wrong. Please check and reset these options"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=74,
            marks=(Mark.REFUSED,),
            title="WRF's settings do not fit",
        ),
        Pattern(
            name="wrf.fatal",
            anchors=("FATAL CALLED FROM FILE: ",),
            regex=r"^\s{0,4}FATAL CALLED FROM FILE: {1,4}\S{1,80} {1,4}LINE: {1,8}\d{1,7}",
            samples=(Sample("FATAL CALLED FROM FILE:  <stdin>  LINE:    5757"),),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            follow=1,
            title="WRF stopped at a fatal error",
        ),
        Pattern(
            name="mitgcm.step",
            anchors=("%MON time_tsnumber", "%CHECKPOINT "),
            regex=r"(?:%MON time_tsnumber {1,24}= {1,30}|%CHECKPOINT {1,16})(?P<step>\d{1,12})(?=\s|$)",
            samples=(
                Sample("(PID.TID 0000.0001) %CHECKPOINT        57 ckptA", {"step": "57"}),
                Sample("(PID.TID 0000.0001) %MON time_tsnumber                =                    57", {"step": "57"}),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="mitgcm.end",
            anchors=("PROGRAM MAIN: Execution ended Normally", "STOP NORMAL END"),
            regex=r"^(?:PROGRAM MAIN: Execution ended Normally|STOP NORMAL END)",
            samples=(Sample("PROGRAM MAIN: Execution ended Normally"), Sample("STOP NORMAL END")),
            role=Role.END,
            title="MITgcm ended as planned",
        ),
        Pattern(
            name="mitgcm.abnormal",
            anchors=("ABNORMAL END: ",),
            regex=r"^(?:STOP )?ABNORMAL END: (?P<where>[\w. /]{1,60})",
            samples=(Sample("STOP ABNORMAL END: S/R CONFIG57", {"where": "S/R CONFIG57"}),),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=44,
            title="MITgcm stopped in {where}",
            note="STDERR of the ranks says why.",
        ),
        Pattern(
            name="lammps.error",
            anchors=("ERROR: ", "ERROR on proc "),
            regex=LINE_START
            + r"ERROR(?: on proc (?P<rank>\d{1,6}))?: (?P<msg>\S[^\n]{0,300}) \((?:\.\./|src/)?[\w/.-]{1,120}\.(?:cpp|h):\d{1,6}\)\s*$",
            samples=(
                Sample(
                    "ERROR: Lost atoms: original 5700 current 5699 (src/thermo.cpp:57)",
                    {"msg": "Lost atoms: original 5700 current 5699"},
                ),
                Sample(
                    "ERROR on proc 3: Failed to allocate 570 bytes for array neigh (../memory.cpp:57)", {"rank": "3"}
                ),
            ),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT, Mark.NAMES_RANK),
            title="LAMMPS stopped at an error",
        ),
        Pattern(
            name="gromacs.error",
            anchors=("Fatal error:", "Inconsistency in user input:", "File input/output error:"),
            regex=LINE_START + r"(?:Fatal error|Inconsistency in user input|File input/output error):\s*$",
            samples=(Sample("Fatal error:"), Sample("Inconsistency in user input:")),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            follow=2,
            title="a program stopped at a fatal error",
        ),
        Pattern(
            name="gromacs.no_file",
            anchors=("Can not open file:",),
            regex=r"^Can not open file:\s*$",
            samples=(Sample("Can not open file:"),),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=62,
            marks=(Mark.REFUSED,),
            follow=1,
            title="GROMACS does not find a file that it was given",
        ),
        Pattern(
            name="espresso.error",
            anchors=("Error in routine ",),
            regex=r"^\s{0,12}Error in routine +(?P<routine>\S{1,80}) \(\s{0,8}-?\d{1,9}\):\s*$",
            samples=(Sample("     Error in routine davcio (57):", {"routine": "davcio"}),),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            follow=2,
            title="Quantum ESPRESSO stopped in {routine}",
        ),
        Pattern(
            name="espresso.iteration",
            anchors=("     iteration #",),
            regex=r"^ {4,6}iteration # {0,4}(?P<step>\d{1,6}) {2,8}ecut= ",
            samples=(Sample("     iteration # 57     ecut=    50.00 Ry     beta= 0.40", {"step": "57"}),),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="espresso.time_limit",
            anchors=("Maximum CPU time exceeded",),
            regex=r"^\s{0,12}Maximum CPU time exceeded\s*$",
            samples=(Sample("     Maximum CPU time exceeded"),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=62,
            marks=(Mark.TIME_LIMIT,),
            title="Quantum ESPRESSO stopped itself at max_seconds",
            note="It writes what it needs to go on: restart_mode = 'restart'.",
        ),
        Pattern(
            name="openfoam.processes",
            anchors=("nProcs : ",),
            regex=r"^nProcs {0,4}: (?P<world_size>(?!1\s*$)\d{1,6})\s*$",
            samples=(Sample("nProcs : 57", {"world_size": "57"}),),
            role=Role.INFO,
            title="how many processes OpenFOAM runs",
        ),
        Pattern(
            name="espresso.iotk",
            anchors=("# error writing", "# error reading", "# error opening", "# error closing"),
            regex=r"^# (?P<msg>error (?:writing|reading|opening|closing)\b[^\n]{0,200})",
            samples=(Sample("# error writing", {"msg": "error writing"}),),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            title="Quantum ESPRESSO failed to read or write a file",
        ),
        Pattern(
            name="namd.error",
            anchors=("FATAL ERROR: ",),
            regex=LINE_START + r"FATAL ERROR: (?P<msg>[A-Z][^\n]{2,300})",
            samples=(Sample("FATAL ERROR: Periodic cell has become too small for original patch grid!"),),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            title="a program stopped at a fatal error",
        ),
        Pattern(
            name="openfoam.fatal",
            anchors=("--> FOAM FATAL ",),
            regex=r"^(?:\[(?P<rank>\d{1,6})\] ?)?--> FOAM FATAL (?:IO )?ERROR ?:",
            samples=(
                Sample("--> FOAM FATAL ERROR: (openfoam-2012)"),
                Sample("[3] --> FOAM FATAL IO ERROR: (openfoam-2012)", {"rank": "3"}),
            ),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT, Mark.NAMES_RANK),
            follow=4,
            title="OpenFOAM stopped at a fatal error",
        ),
        Pattern(
            name="openfoam.time",
            anchors=("Time = ",),
            regex=r"^Time = (?P<step>\d{1,9})s?\s*$",
            samples=(Sample("Time = 57", {"step": "57"}),),
            role=Role.INFO,
            numeric=("step", ""),
            note="Steady solvers count iterations so; the others print fractions of seconds, which count nothing.",
        ),
        Pattern(
            name="openfoam.signal",
            anchors=("Foam::sig",),
            regex=r"^(?:\[(?P<rank>\d{1,6})\] ?)?#\d+ +Foam::sig(?P<signal>Fpe|Segv)::sigHandler\(int\)",
            samples=(
                Sample("#1  Foam::sigFpe::sigHandler(int) at ??:?", {"signal": "Fpe"}),
                Sample("[3] #1  Foam::sigSegv::sigHandler(int) at ??:?", {"rank": "3", "signal": "Segv"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=60,
            marks=(Mark.NAMES_RANK,),
            title="OpenFOAM died of a floating point error or a bad address",
            note="A case that diverges divides by zero: look at residuals and Courant numbers above it.",
        ),
        Pattern(
            name="esmf.error",
            anchors=(" ERROR            PET",),
            regex=r"^\d{8} \d{6}\.\d{3} ERROR {1,16}PET(?P<rank>\d{1,6}) \S[^\n]{0,200}? {2,8}[^\n]{1,60}? - "
            r"(?!Passing error in return code|Internal subroutine call)(?P<msg>\S[^\n]{0,300})",
            samples=(
                Sample(
                    "20260102 030405.678 ERROR            PET3 ESMCI_FTable.C:57 c_esmc_set     Invalid argument  - "
                    "shared object not found",
                    {"rank": "3", "msg": "shared object not found"},
                ),
            ),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT, Mark.NAMES_RANK),
            title="ESMF: {msg}",
        ),
    ),
)
