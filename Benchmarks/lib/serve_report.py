"""Prints the tables of Benchmarks/serve."""

import os
import statistics


def shown(value):
    """A number with its significant digits."""
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def median(values, name):
    return statistics.median(each[name] for each in values)


def report(rows, results, people, load):
    """Prints all figures; returns how many bounds are missed."""
    missed = []

    def verdict(name, *reasons):
        missed.extend(reasons)
        return ", ".join(f"missed: {each}" for each in reasons)

    print(f"{os.cpu_count()} cores, shared with the client; {len(results['run'])} rounds; load {load:.1f} at the start\n")
    figures = ("rate", "p50", "p99", "processor", "memory")
    print("| | hubsend / Go | Must reach | Requests a second | Go's | p50, ms | Go's | p99, ms | Go's "
          "| Processor, ms | Go's | Memory, MiB | Go's | Failed | Go's | |")
    print("|" + "---|" * 16)
    for row in rows:
        own, go = results[row.name, "hubsend"], results[row.name, "go"]
        ratio = statistics.median(one["rate"] / other["rate"] for one, other in zip(own, go))
        mine, theirs = ({name: median(values, name) for name in figures} for values in (own, go))
        failed = [sum(each["failures"] for each in values) for values in (own, go)]
        reasons = [name for name, is_missed in (
            ("rate", round(ratio, 2) < row.bound), ("p99", mine["p99"] > theirs["p99"]), ("failures", failed[0] > 0),
            ("processor time", mine["processor"] > row.cost * theirs["processor"]), ("memory", mine["memory"] > row.memory)) if is_missed]
        print(f"| {row.name} | {shown(ratio)} | {row.bound} "
              f"| {' | '.join(shown(each[name]) for name in figures for each in (mine, theirs))} "
              f"| {failed[0]} | {failed[1]} | {verdict(row.name, *reasons)} |")

    runs = results["run"]
    print(f"\n| 2,000 fetches a second, and a run for {people:,} people | Must reach | Median | |")
    print("|---|---|---|---|")
    figures = [
        ("fetches a second, alone", None, [each["alone"]["rate"] for each in runs]),
        ("fetches a second, with a run", None, [each["with run"]["rate"] for each in runs]),
        ("with a run / alone", 0.6, [each["with run"]["rate"] / each["alone"]["rate"] for each in runs]),
        ("p99 alone, ms", -50, [each["alone"]["p99"] for each in runs]),
        ("p99 with a run, ms", -50, [each["with run"]["p99"] for each in runs]),
        ("pushes a second, alone", None, [each["run alone"] for each in runs]),
        ("pushes a second, with fetches", None, [each["run"] for each in runs]),
        ("with fetches / alone", 0.7, [each["run"] / each["run alone"] for each in runs]),
    ]
    for name, bound, values in figures:
        value = statistics.median(values)
        most = "" if bound is None else f"at most {-bound}" if bound < 0 else bound
        is_missed = bound is not None and (value > -bound if bound < 0 else value < bound)
        print(f"| {name} | {most} | {shown(value)} | {verdict(name, *(['bound'] if is_missed else []))} |")

    if load > 0.5:
        print("\nThe machine was not quiet. Measure again before you trust a figure.")
    print(f"\n{len(missed)} bounds are missed." if missed else "\nEvery bound is met.")
    return len(missed)
