"""Prints the processor time in seconds that a PostgreSQL server and all it has started have taken so far: server_time.py PID.

What ended is in its parent's sums, since the server waits for each of its own.
"""

import os
import sys


def times(process):
    """A process's parent, and its ticks: its own, and those of the children that it has waited for."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15]))


server, ticks = int(sys.argv[1]), 0
for each in filter(str.isdigit, os.listdir("/proc")):
    try:
        parent, own = times(each)
    except (FileNotFoundError, ProcessLookupError):
        continue
    if server in (int(each), parent):
        ticks += own
print(ticks / os.sysconf("SC_CLK_TCK"))
