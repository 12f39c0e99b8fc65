"""What the daemons of AIStore 4.1 and 5.0 say, word for word."""

from __future__ import annotations

from dataclasses import dataclass

BUILDS = {"4.1": "4.1.0aa17be21, build 2025-12-02T10:11:12+0000, CPUs(40, runtime=80), containerized",
          "5.0": "5.0.7c1f00d92, build 2026-08-20T10:11:12+0000, CPUs(40, runtime=80), container:cgroup-v2"}  # fmt: skip
HOUR_LINE = {"4.1": 501, "5.0": 494}


@dataclass(frozen=True, slots=True)
class Words:
    """Messages of one release; `job` is the bare xid, `item` the work item."""

    version: str
    job: str
    item: str

    @property
    def old(self) -> bool:
        """The release still aborts whole jobs, and names causes."""
        return self.version == "4.1"

    @property
    def wid(self) -> str:
        """The work item as quoted inside messages."""
        return f"wid={self.item}" if self.old else f'wid="{self.item}"'

    def title(self, letter: str, node: str) -> str:
        """Node title."""
        return f"Node {letter}[{node}], Version {BUILDS[self.version]}"

    def timed_out(self, node: str, index: int) -> str:
        """Why a batch was cut: a peer delivered nothing."""
        wait = "30s" if self.old else "20s"
        return (
            f"x-get-batch[{self.job}]: timed out waiting for missing entry at index {index} "
            f"[ t[{node}], {self.wid}, total-wait={wait} ]"
        )

    def network_error(self, node: str, index: int) -> str:
        """Why a batch was cut: a peer's stream broke."""
        return (
            f"x-get-batch[{self.job}]: network error while retrieving entry at index {index} "
            f"[ t[{node}], {self.wid}, err=unexpected EOF ]"
        )

    def cut(self, cause: str) -> str:
        """The batch is cut short; 5.0 no longer says why."""
        if self.old:
            return f"x-get-batch[{self.job}] Warning: failed to transmit GET response [ {cause} ]"
        return (
            f"get-batch[{self.job}] err: Warning: failed to transmit GET response [ work:{self.wid} objs:[0 0B] "
            "files:[37 10.41MiB] ] streaming: true"
        )

    def out_of_bounds(self, node: str, index: int) -> str:
        """A late entry."""
        return f"x-get-batch[{self.job}] t[{node}] out-of-bounds index {index} (recv'd len=0, {self.wid})"

    def terminated(self, src: str, dst: str, member: str) -> str:
        """A sender's stream died."""
        err = "write tcp 10.0.7.19:44210->10.0.3.11:51083: write: broken pipe"
        dropped = f"dropping sobj-ais://corpus/{member}(size=183404)"
        if self.old:
            return f"shared-dm[{src}=>{dst}] terminated [reason: 'error' ctx: {dropped} err: {err}]"
        return f"shared-dm[{src}=>{dst}] terminated [{err} ctx: {dropped}]"

    def xid_not_found(self, node: str, member: str) -> str:
        """Data for a job that has ended."""
        if self.old:
            return (
                f"shared-dm: xid {self.job} not found, dropping recv [oname: corpus/{member}]: "
                f"PUT /v1/objstream/shared-dm (t[{node}]: recv.go:121])"
            )
        return f"shared-dm xid {self.job} not found - dropping 1"

    def path(self, item: str) -> str:
        """Where a client fetches a batch."""
        return f"/v1/ml/moss/{self.job}/{item}/2"

    def not_active(self, node: str, item: str) -> str:
        """A client came for a batch of an aborted job."""
        return f'x-moss: xid "{self.job}" not active: GET {self.path(item)} (t[{node}]: htrun.go:1414 <- ml.go:281])'

    def idle(self) -> str:
        """End of a job."""
        return f"x-get-batch[{self.job}] idle expired [ pending:0 reqs:3744 ]"

    def pressure(self) -> str:
        """Throttling under load."""
        advice = "resource pressure: load=critical sleep=10ms [mem=low cpu=low dsk=critical]"
        if self.old:
            return f"{advice} - sleeping/delaying: 10ms"
        return f"x-get-batch[{self.job}] pending: 97 {advice} throttle: 10ms"
