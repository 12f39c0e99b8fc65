"""slurmstepd as it leaves a node: the control groups that it could not tidy away, when all is done."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="slurm_cgroups",
    title="SLURM's control groups",
    reference="slurm 23 src/interfaces/cgroup.c, src/plugins/cgroup",
    patterns=(
        Pattern(
            name="slurm_cgroups.left",
            anchors=("slurmstepd: error: common_file_write", "failed on path (null)/cgroup.procs", "Cannot write to cgroup.procs for ", "to init root cgroup", "to root cgroup", "error unlocking cgroup", "cgroup_delete: rmdir", "rmdir(/sys/fs/cgroup/"),
            regex=r"slurmstepd: error: (?:common_file_write_\w{1,20}: write (?:pid|value|content) .{0,300} failed|common_file_write_content: unable to"
            r"|Unable to move pid \d{1,9} to (?:init )?root cgroup|error unlocking cgroup '"
            r"|_cgroup_procs_check: failed on path \(null\)|Cannot write to cgroup\.procs for |x?cgroup_delete: rmdir\(|rmdir\(/sys/fs/cgroup/)",
            samples=(
                Sample(
                    "slurmstepd: error: common_file_write_uint32s: write pid 4821 to /sys/fs/cgroup/cgroup.procs failed: Device or "
                    "resource busy"
                ),
                Sample("slurmstepd: error: Unable to move pid 4821 to init root cgroup /sys/fs/cgroup"),
                Sample("slurmstepd: error: _cgroup_procs_check: failed on path (null)/cgroup.procs: No such file or directory"),
                Sample("slurmstepd: error: Cannot write to cgroup.procs for (null)"),
                Sample("slurmstepd: error: error unlocking cgroup '/sys/fs/cgroup/system.slice/a' : Bad file descriptor"),
                Sample("slurmstepd: error: rmdir(/sys/fs/cgroup/memory/slurm/uid_57): Device or resource busy"),
            ),
            role=Role.NOISE,
            title="a control group could not be tidied away",
        ),
    ),
)  # fmt: skip
