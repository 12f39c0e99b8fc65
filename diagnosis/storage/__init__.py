"""The storage side: clocks, counters, disks, the failure chain, and whether storage is to blame."""
