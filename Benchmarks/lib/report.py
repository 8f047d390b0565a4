"""Prints all figures, and whether the machine was quiet enough for reliable figures."""

import argparse
import collections
import os
import platform
import statistics
import subprocess
import sys

options = argparse.ArgumentParser()
options.add_argument("results")
for name in ("people", "few", "many", "filled"):
    options.add_argument(f"--{name}", type=int)
options.add_argument("--load", type=float)
for name in ("steal", "disk", "binary", "cores"):
    options.add_argument(f"--{name}")
given = options.parse_args()

series = collections.defaultdict(dict)
with open(given.results, encoding="utf-8") as file:
    for line in file:
        name, number, value = line.split("\t")
        series[name][int(number)] = float(value)


def per_round(function, *names):
    """Applies a function to the values of each round that has all of them."""
    rounds = sorted(set.intersection(*(set(series[name]) for name in names)))
    return [function(*(series[name][each] for name in names)) for each in rounds]


people, few, many = given.people, given.few, given.many
# Each figure has a name, a bound, whether this is a minimum or a maximum, a unit, and the value of each round.
figures = [
    ("send phase against wrk, plain", 0.65, ">=", "",
     per_round(lambda mine, wrk: people / mine / wrk, "plain.sending", "wrk")),
    ("send phase against wrk, TLS", 0.65, ">=", "",
     per_round(lambda mine, wrk: people / mine / wrk, "tls.sending", "wrk-tls")),
    ("send phase against the Go loop", 1.5, ">=", "",
     per_round(lambda mine, go: people / mine / go, "plain.sending", "go")),
    ("whole run against wrk sending the same number", 0.40, ">=", "",
     per_round(lambda mine, wrk: people / mine / wrk, "plain.whole", "wrk")),
    ("20 recipients per push against 1, send phase", 5, ">=", "",
     per_round(lambda one, shared: one / shared, "plain.sending", "shared.sending")),
    ("20 recipients per push against 1, whole run", 2, ">=", "",
     per_round(lambda one, shared: one / shared, "plain.whole", "shared.whole")),
    (f"staging {many:,} names, 5% duplicates, against sort -u and sqlite3 .import", 3.0, "<=", "",
     per_round(lambda mine, others: mine / others, "staging.staged", "import")),
    (f"speed into a store with {given.filled} such runs, against an empty store", 0.80, ">=", "",
     per_round(lambda fresh, filled: fresh / filled, "staging.staged", "staging-filled.staged")),
    (f"peak memory at {many:,} recipients", 64, "<=", " MiB",
     per_round(lambda size: size, "large.memory")),
    (f"peak memory at {many:,} against {few:,}", 1.10, "<=", "",
     per_round(lambda large, small: large / small, "large.memory", "small.memory")),
    (f"time for {many:,} against {many // few} times {few:,}", 1.1, "<=", "",
     per_round(lambda large, small: large / (many / few * small), "large.whole", "small.whole")),
    ("24 waves against one, whole run", 1.1, "<=", "",
     per_round(lambda waves, one: waves / one, "waves.whole", "one-wave.whole")),
    ("24 waves against one, processor time", 1.1, "<=", "",
     per_round(lambda waves, one: waves / one, "waves.processor", "one-wave.processor")),
    ("start-up against git --version", 6, "<=", "",
     per_round(lambda mine, git: mine / git, "startup", "startup-git")),
]
details = [
    ("wrk, plain", "/s", per_round(lambda rate: rate, "wrk")),
    ("wrk, TLS", "/s", per_round(lambda rate: rate, "wrk-tls")),
    ("send phase, plain", "/s", per_round(lambda time: people / time, "plain.sending")),
    ("send phase, TLS", "/s", per_round(lambda time: people / time, "tls.sending")),
    (f"{few:,} people: send phase under on_unknown: hold", "/s",
     per_round(lambda time: few / time, "held.sending")),
    ("send phase, on_unknown: hold against resend", "",
     per_round(lambda small, held: small / held, "small.sending", "held.sending")),
    ("Go loop", "/s", per_round(lambda rate: rate, "go")),
    ("aiohttp loop", "/s", per_round(lambda rate: rate, "aiohttp")),
    ("send phase against the aiohttp loop", "",
     per_round(lambda mine, other: people / mine / other, "plain.sending", "aiohttp")),
    (f"{people:,} people: until staged", " s", per_round(lambda time: time, "plain.staged")),
    (f"{people:,} people: send phase", " s", per_round(lambda time: time, "plain.sending")),
    (f"{people:,} people: report", " s",
     per_round(lambda whole, staged, sending: whole - staged - sending,
               "plain.whole", "plain.staged", "plain.sending")),
    (f"{people:,} people: whole run", " s", per_round(lambda time: time, "plain.whole")),
    (f"{people:,} people: processor time", " s", per_round(lambda time: time, "plain.processor")),
    (f"{people:,} people, 20 per push: send phase", " s",
     per_round(lambda time: time, "shared.sending")),
    (f"{people:,} people, 20 per push: whole run", " s", per_round(lambda time: time, "shared.whole")),
    (f"{people:,} people with zones, no waves: whole run", " s",
     per_round(lambda time: time, "zoned.whole")),
    (f"{people:,} people in one wave: whole run", " s", per_round(lambda time: time, "one-wave.whole")),
    (f"{people:,} people in 24 waves: whole run", " s", per_round(lambda time: time, "waves.whole")),
    ("one wave against none, whole run", "",
     per_round(lambda one, none: one / none, "one-wave.whole", "zoned.whole")),
    ("one wave against none, processor time", "",
     per_round(lambda one, none: one / none, "one-wave.processor", "zoned.processor")),
    (f"{many:,} people: whole run", " s", per_round(lambda time: time, "large.whole")),
    (f"staging {many:,} names, 5% duplicates", "/s",
     per_round(lambda time: many / time, "staging.staged")),
    ("sort -u and sqlite3 .import of the same names", " s", per_round(lambda time: time, "import")),
    (f"staging {many:,} names into a filled store", "/s",
     per_round(lambda time: many / time, "staging-filled.staged")),
    (f"peak memory at {few:,} recipients", " MiB", per_round(lambda size: size, "small.memory")),
    ("hubsend --version", " ms", per_round(lambda time: time, "startup")),
    ("git --version", " ms", per_round(lambda time: time, "startup-git")),
]


def shown(value, unit=""):
    """A number with its significant digits."""
    text = f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return text + unit


def processor():
    """The processor's name."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown")


def said_by(*command):
    """The first line of a program's version."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return (result.stdout or result.stderr).splitlines()[0].strip()


def noise():
    """Reasons why the figures may be unreliable."""
    if given.load > 0.5:
        yield f"the load was {given.load} at the start"
    for name in ("wrk", "wrk-tls"):
        rates = list(series[name].values())
        spread = (max(rates) - min(rates)) / statistics.median(rates)
        if spread > 0.10:
            yield f"the rounds of {name} differ by {spread:.0%}"
    before, total_before = map(int, given.steal.split("/"))
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(each) for each in file.readline().split()[1:]]
    stolen = (ticks[7] - before) / max(1, sum(ticks[:8]) - total_before)
    if stolen > 0.01:
        yield f"other virtual machines used {stolen:.1%} of the processor time"
    if given.disk == "tmpfs":
        yield "the stores were in memory, where durable writes cost nothing; set TMPDIR to a disk"


print(f"{given.binary}; {os.cpu_count()} x {processor()}; Linux {platform.release()}; {given.disk}")
print(f"{said_by('nginx', '-v')}; {said_by('go', 'version')}; Python {platform.python_version()}")
print(f"{len(series['wrk'])} rounds, {given.cores}\n")
print("| Figure | Must reach | Median | Rounds | |")
print("|---|---|---|---|---|")
missed = 0
for name, bound, kind, unit, values in figures:
    median = statistics.median(values)
    is_met = median >= bound if kind == ">=" else median <= bound
    missed += not is_met
    verdict = "" if is_met else "missed"
    rounds = ", ".join(shown(value) for value in values)
    sign = "" if kind == ">=" else "at most "
    print(f"| {name} | {sign}{shown(bound, unit)} | {shown(median, unit)} | {rounds} | {verdict} |")
print("\n| Detail | Median | Rounds |")
print("|---|---|---|")
for name, unit, values in details:
    print(f"| {name} | {shown(statistics.median(values), unit)} | {', '.join(shown(value) for value in values)} |")
reasons = list(noise())
print()
if reasons:
    print(f"The machine was noisy: {'; '.join(reasons)}. Measure again before you trust a figure.")
else:
    print("The machine was quiet.")
print("Every bound is met." if missed == 0 else f"{missed} of {len(figures)} bounds are missed.")
sys.stdout.flush()
