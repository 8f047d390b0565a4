"""Prints what a PostgreSQL server and all it has started have used so far: server_use.py PID.

`server` is processor time in seconds; `written` is bytes that were to go to a disk, where the system tells that.
What ended is in its parent's sums, since the server waits for each of its own.
"""

import os
import sys


def times(process):
    """A process's parent, and its ticks: its own, and those of the children that it has waited for."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15]))


def written(process):
    """Its bytes, those of the children that it has waited for included."""
    with open(f"/proc/{process}/io", encoding="utf-8") as file:
        values = dict(line.split(": ") for line in file)
    return int(values["write_bytes"])


server, ticks, size = int(sys.argv[1]), 0, 0
for each in filter(str.isdigit, os.listdir("/proc")):
    try:
        parent, own = times(each)
        if server not in (int(each), parent):
            continue
        ticks += own
        size += written(each)
    except (FileNotFoundError, ProcessLookupError):
        continue
    except PermissionError:
        size = float("nan")
print("server", ticks / os.sysconf("SC_CLK_TCK"))
if size > 0:
    print("written", size)
