"""How codes of the sciences say that they ended as planned. A job may run several, so that one far above its end is none of
the job's."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample


def _ends(name: str, title: str, anchors: tuple[str, ...], regex: str, *samples: str) -> Pattern:
    return Pattern(
        name=f"simulation_end.{name}",
        anchors=anchors,
        regex=regex,
        samples=tuple(map(Sample, samples)),
        role=Role.END,
        marks=(Mark.ANY_END,),
        title=title,
    )


FORMAT = LineFormat(
    name="simulation_ends",
    title="ends of codes of the sciences",
    reference="manuals and outputs of Gaussian 16, ORCA 5, CP2K 2023, VASP 6, Quantum ESPRESSO 7, GROMACS 2023, LAMMPS, NAMD 3, "
    "AMBER 22, WRF 4, CESM 2, HPL 2.3, HPCG 3.1, Psi4, SIESTA, ABINIT, Q-Chem, xtb, SPAdes, Abaqus, Athena++, GADGET, NWChem, "
    "GAMESS, FHI-aims, ROMS, Nek5000, SPECFEM3D, STAR",
    patterns=(
        _ends(
            "quantum",
            "a code of quantum chemistry ended normally",
            (
                "Normal termination of Gaussian",
                "ORCA TERMINATED NORMALLY",
                "PROGRAM ENDED AT  ",
                "Psi4 exiting successfully",
                "Thank you very much for using Q-Chem",
                "normal termination of xtb",
                "EXECUTION OF GAMESS TERMINATED NORMALLY",
                "Have a nice day.",
                ">> End of run: ",
            ),
            r"^ {0,4}Normal termination of Gaussian|\*{4}ORCA TERMINATED NORMALLY\*{4}|\bPROGRAM ENDED AT {2,30}\d{4}-"
            r"|^ {0,4}\*{3} Psi4 exiting successfully|^[* ]{0,12}Thank you very much for using Q-Chem"
            r"|^normal termination of xtb|EXECUTION OF GAMESS TERMINATED NORMALLY|^ {6,14}Have a nice day\.\s*$"
            r"|^>> End of run: {1,4}\d",
            " Normal termination of Gaussian 16 at Fri Jan  2 03:04:05 2026.",
            "                             ****ORCA TERMINATED NORMALLY****",
            "  **** **** ******  **  PROGRAM ENDED AT                 2026-01-02 03:04:05.678",
            "*** Psi4 exiting successfully. Buy a developer a beer!",
            "        *  Thank you very much for using Q-Chem.  Have a nice day.  *",
            "normal termination of xtb",
            " EXECUTION OF GAMESS TERMINATED NORMALLY Fri Jan  2 03:04:05 2026",
            "          Have a nice day.",
            ">> End of run:   2-JAN-2026   3:04:05",
        ),
        _ends(
            "solids",
            "a code of solids ended normally",
            (
                "General timing and accounting informations for this job",
                "   JOB DONE.",
                "Calculation completed.",
                "Total times  cpu: ",
            ),
            r"^ {0,4}General timing and accounting informations for this job|^ {2,4}JOB DONE\.\s*$"
            r"|^ {0,2}Calculation completed\.\s*$|^ Total times  cpu: {2,12}\d",
            " General timing and accounting informations for this job:",
            "   JOB DONE.",
            " Calculation completed.",
            " Total times  cpu:      165.7s     wall:       57.5s",
        ),
        _ends(
            "dynamics",
            "a code of molecular dynamics ended normally",
            ("Finished mdrun on ", "Total wall time: ", "] End of program"),
            r"^Finished mdrun on (?:rank|node|process) \d|^\|? {0,4}(?:Master )?Total wall time: {1,12}\d|\] End of program\s*$",
            "Finished mdrun on rank 0 Fri Jan  2 03:04:05 2026",
            "Total wall time: 0:00:57",
            "|  Total wall time:          57    seconds     0.02 hours",
            "[Partition 0][Node 0] End of program",
        ),
        _ends(
            "fluids",
            "a code of the earth, of stars or of fluids ended normally",
            (
                "SUCCESS COMPLETE ",
                "SUCCESSFUL TERMINATION OF ",
                "Terminating on time limit",
                "Terminating on cycle limit",
                " reached. Simulation ends.",
                "ROMS/TOMS: DONE",
                "run successful: dying ...",
                "End of the simulation",
            ),
            r"\bSUCCESS COMPLETE (?:WRF|REAL_EM|IDEAL|NDOWN|TC)\b|\bSUCCESSFUL TERMINATION OF \w|^Terminating on (?:time|cycle) limit"
            r"|^Final time= ?\S{1,30} reached\. Simulation ends\.|ROMS/TOMS: DONE|^ ?run successful: dying \.\.\.|^ ?End of the simulation\s*$",
            "wrf: SUCCESS COMPLETE WRF",
            "(seq_mct_drv): ===============       SUCCESSFUL TERMINATION OF CPL7-e3sm ===============",
            "Terminating on time limit",
            "Terminating on cycle limit",
            "Final time=57 reached. Simulation ends.",
            " ROMS/TOMS: DONE...  Friday - January 2, 2026 -  3:04:05 AM",
            " run successful: dying ...",
            " End of the simulation",
        ),
        _ends(
            "others",
            "a code ended as planned",
            (
                "End of Tests.",
                "HPCG result is VALID",
                "EnergyPlus Completed Successfully",
                "SPAdes pipeline finished",
                "THE ANALYSIS HAS COMPLETED SUCCESSFULLY",
                "..... finished successfully",
            ),
            r"^End of Tests\.\s*$|\bHPCG result is VALID\b|^EnergyPlus Completed Successfully|^={3,12} SPAdes pipeline finished|THE ANALYSIS HAS COMPLETED SUCCESSFULLY"
            r"|^\w{3} \d\d \d\d:\d\d:\d\d \.{5} finished successfully",
            "End of Tests.",
            "Final Summary::HPCG result is VALID with a GFLOP/s rating of=57.57",
            "EnergyPlus Completed Successfully.",
            "======= SPAdes pipeline finished.",
            " THE ANALYSIS HAS COMPLETED SUCCESSFULLY",
            "Jan 02 03:04:05 ..... finished successfully",
        ),
    ),
)
