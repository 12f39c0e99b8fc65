"""How simulation codes stop at an error of their own: LAMMPS, GROMACS, Quantum ESPRESSO, NAMD, WRF.

What they say is classified as the words of a Python exception are.
"""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START

FORMAT = LineFormat(
    name="simulations",
    title="LAMMPS, GROMACS, Quantum ESPRESSO, NAMD, WRF",
    reference="lammps src/error.cpp; gromacs src/gromacs/utility/fatalerror.cpp, errorformat.cpp; QEF/q-e UtilXlib/error_handler.f90, "
    "upflib/iotk; NAMD src/common.C; wrf-model/WRF frame/module_dm.F",
    patterns=(
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
            marks=(Mark.UNCAUGHT,),
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
    ),
)
