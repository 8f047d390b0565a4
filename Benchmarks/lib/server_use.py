"""Prints what a PostgreSQL server and its children have used so far: server_use.py PID.

`server` is processor time in seconds; `written` is bytes written to a disk, if the system reports them.
Child processes that have ended are included, because the server waits for each of them.
"""

import os
import sys


def times(process):
    """A process's parent, and its ticks, including children that it has waited for."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15]))


def written(process):
    """Bytes written, including children that it has waited for."""
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
