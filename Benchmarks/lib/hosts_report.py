"""Prints the table of `Benchmarks/hosts`: hosts_report.py RESULTS --people N --many N --share N."""

import argparse
import collections
import statistics

parser = argparse.ArgumentParser()
parser.add_argument("results")
parser.add_argument("--people", type=int, required=True)
parser.add_argument("--many", type=int, required=True)
parser.add_argument("--share", type=int, required=True)
given = parser.parse_args()
series = collections.defaultdict(list)
with open(given.results, encoding="utf-8") as file:
    for line in file:
        name, _, value = line.split("\t")
        series[name].append(float(value))


def each(name, work):
    """A series, each value changed."""
    return [work(value) for value in series[name]]


def rates(name, count):
    return each(name, lambda seconds: count / seconds)


def ratios(over, under):
    return [one / other for one, other in zip(over, under)]


def shown(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


file_rate, server_rate = (rates(f"{each}.sending", given.people) for each in ("sqlite", "server"))
file_staging, server_staging = (rates(f"{each}-stage.staged", given.many) for each in ("sqlite", "server"))
one, four, twelve = (rates(f"together-{count}.rest", count * given.share) for count in (1, 4, 12))
rows = [
    ("send phase on PostgreSQL against SQLite", 0.5, ratios(server_rate, file_rate)),
    ("staging on PostgreSQL, names a second", 150_000, server_staging),
    ("four senders against one, a hub that takes 50 ms", 3.5, ratios(four, one)),
    ("twelve senders against one, a hub that takes 50 ms", 9, ratios(twelve, one)),
    ("send phase on PostgreSQL, requests a second", None, server_rate),
    ("send phase on SQLite, requests a second", None, file_rate),
    ("staging on SQLite, names a second", None, file_staging),
    ("one sender, a hub that takes 50 ms, requests a second", None, one),
    ("four senders, the same", None, four),
    ("twelve senders, the same", None, twelve),
]
for key, what, scale in (
    ("log", "bytes of write-ahead log", 1),
    ("server", "server: processor time, µs", 1e6),
    ("processor", "client: processor time, µs", 1e6),
    ("statements", "statements per 1,000", 1000),
    ("transactions", "transactions per 1,000", 1000),
):
    staging = each(f"server-stage.{key}", lambda value: value / given.many * scale)
    whole = each(f"server.{key}", lambda value: value / given.people * scale)
    rows.append((f"{what}, a name staged", None, staging))
    rows.append((f"{what}, a delivery", None, [all - part for all, part in zip(whole, staging)]))
    for count in (1, 4, 12) if key != "processor" else ():
        all_of_it = each(f"together-{count}.{key}", lambda value: value / count / given.share * scale)
        rows.append((
            f"{what}, a delivery by {count} at 200/s each", None, [all - part for all, part in zip(all_of_it, staging)]))
staging = each("sqlite-stage.processor", lambda value: value / given.many * 1e6)
whole = each("sqlite.processor", lambda value: value / given.people * 1e6)
rows.append(("SQLite: processor time, µs, a name staged", None, staging))
rows.append(("SQLite: processor time, µs, a delivery", None, [all - part for all, part in zip(whole, staging)]))

print("\n| Figure | Must reach | Median | Rounds | |")
print("|---|---|---|---|---|")
missed = 0
for name, bound, values in rows:
    if not values:
        continue
    median = statistics.median(values)
    is_missed = bound is not None and median < bound
    missed += is_missed
    print(
        f"| {name} | {'' if bound is None else shown(bound)} | {shown(median)} |"
        f" {', '.join(map(shown, values))} | {'missed' if is_missed else ''} |"
    )
bounds = sum(bound is not None for _, bound, _ in rows)
print("\nAll bounds are met." if missed == 0 else f"\n{missed} of {bounds} bounds are missed.")
