"""How codes of the sciences say that they failed: quantum chemistry, solids, structures, oceans and stars. LAMMPS, GROMACS,
Quantum ESPRESSO, OpenFOAM and WRF stand in `simulations`."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample


def _failed(name: str, title: str, anchors: tuple[str, ...], regex: str, *samples: str, weight: int = 60) -> Pattern:
    return Pattern(
        name=f"simulation_failed.{name}",
        anchors=anchors,
        regex=regex,
        samples=tuple(map(Sample, samples)),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=weight,
        title=title,
        note="Input, numbers and resources may stand behind it: the lines above say more.",
    )


FORMAT = LineFormat(
    name="simulation_failures",
    title="failures of codes of the sciences",
    reference="manuals and outputs of Gaussian 16, ORCA 5, VASP 6, CP2K 2023, GAMESS, Q-Chem, AMBER 22, Abaqus, ROMS, GADGET-4, "
    "NEMO 4, CESM 2, FLASH 4, MOOSE, Turbomole",
    patterns=(
        _failed(
            "quantum",
            "a code of quantum chemistry ended with an error",
            (
                "Error termination via Lnk1e",
                "ORCA finished by error termination",
                "TERMINATED -ABNORMALLY-",
                "Q-Chem fatal error occurred",
                " ended abnormally",
            ),
            r"^ {0,4}Error termination via Lnk1e|ORCA finished by error termination|EXECUTION OF GAMESS TERMINATED -ABNORMALLY-"
            r"|^ {0,4}Q-Chem fatal error occurred|^ {0,4}(?:dscf|ridft|grad|rdgrad|ricc2|jobex|escf|aoforce) ended abnormally",
            " Error termination via Lnk1e in /opt/g16/l502.exe at Fri Jan  2 03:04:05 2026.",
            "ORCA finished by error termination in SCF",
            " EXECUTION OF GAMESS TERMINATED -ABNORMALLY- AT Fri Jan  2 03:04:05 2026",
            " Q-Chem fatal error occurred in module 57",
            " ridft ended abnormally",
        ),
        _failed(
            "solids",
            "a code of solids ended with an error",
            ("VERY BAD NEWS! internal error", "Error EDDDAV: Call to ", "ZBRENT: fatal error", " * [ABORT]"),
            r"VERY BAD NEWS! internal error|Error EDDDAV: Call to \w|ZBRENT: fatal error|^ \* {1,2}\[ABORT\]",
            "VERY BAD NEWS! internal error in subroutine SGRCON57",
            " Error EDDDAV: Call to ZHEGV failed. Returncode =  57 1  57",
            "ZBRENT: fatal error in bracketing",
            " * [ABORT]                                                                     *",
        ),
        _failed(
            "dynamics",
            "a code stopped itself",
            ("SANDER BOMB in subroutine ", "endrun called with an error level of ", "ABNORMAL termination: "),
            r"^ {0,4}SANDER BOMB in subroutine \w|endrun called with an error level of \d|\bABNORMAL termination: {0,4}\w",
            " SANDER BOMB in subroutine nonbond_list57",
            "Task=3: endrun called with an error level of 57",
            " ROMS/TOMS - Blows up ................ exit_flag:   1  ABNORMAL termination: BLOWUP.",
        ),
        _failed(
            "structures",
            "Abaqus did not complete its analysis",
            ("THE ANALYSIS HAS NOT BEEN COMPLETED", "Abaqus/Analysis exited with errors"),
            r"THE ANALYSIS HAS NOT BEEN COMPLETED|Abaqus/Analysis exited with errors",
            " THE ANALYSIS HAS NOT BEEN COMPLETED",
            "Abaqus Error: Abaqus/Analysis exited with errors.",
            weight=52,
        ),
        Pattern(
            name="simulation_failed.told",
            anchors=("(shr_abort_abort) ERROR: ", "(shr_sys_abort) ERROR: ", "DRIVER_ABORT: "),
            regex=r"(?:\(shr_(?:abort|sys)_abort\) ERROR: |^ {0,4}DRIVER_ABORT: )(?P<msg>\S[^\n]{2,300})",
            samples=(
                Sample(" (shr_abort_abort) ERROR: unknown grid57", {"msg": "unknown grid57"}),
                Sample(" (shr_sys_abort) ERROR: unknown grid57"),
                Sample(" DRIVER_ABORT: too many blocks: 57"),
            ),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            title="a model stopped itself",
        ),
        Pattern(
            name="simulation_failed.below",
            anchors=(">>> : E R R O R", "*** ERROR ***"),
            regex=r"^ ?={3,8}>{3} ?: E R R O R|^\*{3} ERROR \*{3}\s*$",
            samples=(Sample(" ===>>> : E R R O R"), Sample("*** ERROR ***")),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT,),
            follow=3,
            title="a model stopped itself",
        ),
    ),
)
