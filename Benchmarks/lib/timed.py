"""Runs `hubsend run`, and records its phases and its peak memory.

Usage: timed.py RESULTS SERIES ROUND STATUS COMMAND...
"""

import json
import os
import signal
import subprocess
import sys
import time

results, series, number, status, *command = sys.argv[1:]
start = time.monotonic()
process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
for each in (signal.SIGINT, signal.SIGTERM):
    signal.signal(each, lambda *_: process.kill())

said, values = [], {}
for line in process.stderr:
    at = time.monotonic() - start
    said.append(line)
    try:
        event = json.loads(line)
    except ValueError:
        continue
    if event.get("message") == "Staged a run":
        values["staged"] = at
    elif event.get("message") == "The work on a run ended":
        values["sending"] = float(event["seconds-sending"])
        values["requests"] = int(event["requests"])
_, end, usage = os.wait4(process.pid, 0)
values["whole"] = time.monotonic() - start
values["memory"] = usage.ru_maxrss / 1024
values["processor"] = usage.ru_utime + usage.ru_stime

ended = os.waitstatus_to_exitcode(end)
if ended != int(status):
    sys.exit(f"{' '.join(command)} ended with {ended} instead of {status}:\n{''.join(said[-5:])}")
# With multiple senders, the one that finishes the run reports the times.
if "staged" not in values or "sending" not in values and not series.startswith("together-"):
    sys.exit(f"{command[0]} does not say when it has staged and sent; it is too old to be measured.")
values["rest"] = values["whole"] - values["staged"]
with open(results, "a", encoding="utf-8") as file:
    for name, value in values.items():
        file.write(f"{series}.{name}\t{number}\t{value}\n")
