"""Writes to a store and reads from it every few milliseconds, as `hubsend serve` does, until a file exists: waits.py STORE FILE.

Prints the duration of writes, of their waits for other writers, and of reads: median, 99th percentile and longest, in
milliseconds.
"""
import os
import sqlite3
import sys
import time


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000


def timed(times, work):
    start = time.perf_counter()
    work()
    times.append(time.perf_counter() - start)


store, end = sys.argv[1:]
# `serve` also waits up to five seconds for a lock, using the same function of SQLite.
database = sqlite3.connect(store, timeout=5, isolation_level=None)
database.execute("PRAGMA synchronous = FULL")
writes, waits, reads = [], [], []


def write():
    timed(waits, lambda: database.execute("BEGIN IMMEDIATE"))
    # This write is as small as a receipt.
    database.execute("UPDATE progress SET saved = saved")
    database.execute("COMMIT")


def read():
    database.execute("SELECT id FROM notification_ids WHERE id >= 'm' LIMIT 1").fetchall()


while not os.path.exists(end):
    timed(writes, write)
    timed(reads, read)
    time.sleep(0.003)
for name, times in (("writes", writes), ("waits", waits), ("reads", reads)):
    print(name, len(times), *(f"{value:.1f}" for value in
                              (quantile(times, 0.5), quantile(times, 0.99), max(times) * 1000)))
