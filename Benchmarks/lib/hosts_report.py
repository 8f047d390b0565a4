"""Prints the table of `Benchmarks/hosts`: hosts_report.py RESULTS --people N --many N --share N [--json FILE]."""

import argparse
import collections
import json
import statistics

parser = argparse.ArgumentParser()
parser.add_argument("results")
parser.add_argument("--people", type=int, required=True)
parser.add_argument("--many", type=int, required=True)
parser.add_argument("--share", type=int, required=True)
parser.add_argument("--json", default="")
given = parser.parse_args()
series = collections.defaultdict(list)
with open(given.results, encoding="utf-8") as file:
    for line in file:
        name, _, value = line.split("\t")
        series[name].append(float(value))


def each(name, work):
    """Applies a function to each value of a series."""
    return [work(value) for value in series[name]]


def rates(name, count):
    return each(name, lambda seconds: count / seconds)


def ratios(over, under):
    return [one / other for one, other in zip(over, under)]


def differences(whole, part):
    return [one - other for one, other in zip(whole, part)]


def shown(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


file_rate, server_rate, own_rate = (rates(f"{each}.sending", given.people) for each in ("sqlite", "server", "own"))
file_staging, server_staging, own_staging = (
    rates(f"{each}-stage.staged", given.many) for each in ("sqlite", "server", "own"))
together = {count: rates(f"together-{count}.rest", count * given.share) for count in (1, 4, 12)}
one, four, twelve = together.values()
# Each row has a key in the file for `scale`, a name, a bound, and the values of the rounds.
rows = [
    ("", "send phase on PostgreSQL against SQLite", 0.5, ratios(server_rate, file_rate)),
    ("staging", "staging on PostgreSQL, names a second", 150_000, server_staging),
    ("", "four senders against one, hub answers after 50 ms", 3.5, ratios(four, one)),
    ("", "twelve senders against one, hub answers after 50 ms", 9, ratios(twelve, one)),
    ("sending", "send phase on PostgreSQL, requests a second", None, server_rate),
    ("", "send phase on SQLite, requests a second", None, file_rate),
    ("", "staging on SQLite, names a second", None, file_staging),
    ("own-sending", "send phase on PostgreSQL, different texts, requests a second", None, own_rate),
    ("own-staging", "staging on PostgreSQL, different texts, names a second", None, own_staging),
    ("together-1", "one sender, hub answers after 50 ms, requests a second", None, one),
    ("together-4", "four senders, hub answers after 50 ms, requests a second", None, four),
    ("together-12", "twelve senders, hub answers after 50 ms, requests a second", None, twelve),
    ("report", "bytes of the report as CSV, a delivery", None, each("server.report", lambda size: size / given.people)),
]
for key, what, scale in (
    ("log", "bytes of write-ahead log", 1),
    ("disk", "bytes of the database's files", 1),
    ("written", "bytes that the server writes, including a final checkpoint", 1),
    ("pages", "pages that the server writes, including a final checkpoint, per 1,000", 1000),
    ("log-writes", "writes to the write-ahead log per 1,000", 1000),
    ("syncs", "syncs of the write-ahead log per 1,000", 1000),
    ("server", "server: processor time, µs", 1e6),
    ("processor", "client: processor time, µs", 1e6),
    ("statements", "statements per 1,000", 1000),
    ("transactions", "transactions per 1,000", 1000),
    ("claims", "claims per 1,000", 1000),
):
    per_name = {}
    for store, of_these in (("server", ""), ("own", ", different texts")):
        staging = per_name[store] = each(f"{store}-stage.{key}", lambda value: value / given.many * scale)
        whole = each(f"{store}.{key}", lambda value: value / given.people * scale)
        rows.append((f"{key}.{store}-name", f"{what}, a name staged{of_these}", None, staging))
        rows.append((f"{key}.{store}", f"{what}, a delivery{of_these}", None, differences(whole, staging)))
    # With so few people, a final checkpoint writes mostly the tables themselves, so its pages are left out here.
    for count in together if key not in ("processor", "written", "pages") else ():
        all_of_it = each(f"together-{count}.{key}", lambda value: value / count / given.share * scale)
        rest = differences(all_of_it, per_name["server"])
        rows.append((f"{key}.together-{count}", f"{what}, a delivery by {count} at 200/s each", None, rest))
        if key in ("log-writes", "syncs", "transactions", "claims"):
            a_second = [value * rate / scale for value, rate in zip(rest, together[count])]
            rows.append((f"{key}-second.together-{count}", f"{what.removesuffix(' per 1,000')} a second, by {count} at 200/s each", None, a_second))
staging = each("sqlite-stage.processor", lambda value: value / given.many * 1e6)
whole = each("sqlite.processor", lambda value: value / given.people * 1e6)
rows.append(("", "SQLite: processor time, µs, a name staged", None, staging))
rows.append(("", "SQLite: processor time, µs, a delivery", None, differences(whole, staging)))

print("\n| Figure | Must reach | Median | Rounds | |")
print("|---|---|---|---|---|")
missed, medians = 0, {}
for key, name, bound, values in rows:
    if not values:
        continue
    median = statistics.median(values)
    medians[key] = median
    is_missed = bound is not None and median < bound
    missed += is_missed
    print(
        f"| {name} | {'' if bound is None else shown(bound)} | {shown(median)} |"
        f" {', '.join(map(shown, values))} | {'missed' if is_missed else ''} |"
    )
bounds = sum(bound is not None for _, _, bound, _ in rows)
print("\nAll bounds are met." if missed == 0 else f"\n{missed} of {bounds} bounds are missed.")
if given.json:
    medians.pop("", None)
    medians["share"] = given.share
    with open(given.json, "w", encoding="utf-8") as file:
        json.dump(medians, file, indent=1)
        file.write("\n")
