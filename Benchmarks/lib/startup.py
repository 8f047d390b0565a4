"""Records how long `hubsend --version` and `git --version` take: medians of many alternating starts, in milliseconds.

Usage: startup.py RESULTS ROUND STARTS HUBSEND
"""

import os
import shutil
import statistics
import sys
import time

results, number, starts, hubsend = sys.argv[1:]
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]


def start(program):
    """Starts a program and waits for its end; returns milliseconds."""
    begin = time.perf_counter()
    pid = os.posix_spawn(program, [program, "--version"], os.environ, file_actions=quiet)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        sys.exit(f"{program} --version failed")
    return (time.perf_counter() - begin) * 1_000


git = shutil.which("git")
times = {"startup": [], "startup-git": []}
for _ in range(int(starts)):
    times["startup"].append(start(hubsend))
    times["startup-git"].append(start(git))
with open(results, "a", encoding="utf-8") as file:
    for series, values in times.items():
        file.write(f"{series}\t{number}\t{statistics.median(values)}\n")
