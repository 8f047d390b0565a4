"""Totals of all rounds."""

import collections


class Sums:
    def __init__(self):
        self.kinds = collections.Counter()
        self.figures = collections.Counter()
        self.repeats = collections.Counter()
        self.pausing = self.hearing = None

    def add(self, kind, repeats, *, pausing=None, hearing=None, **figures):
        """Adds a round: repeats by reason, the seconds until all hosts paused or knew about throttling, and counts."""
        self.kinds[kind] += 1
        self.figures.update(figures)
        self.repeats.update(repeats)
        self.pausing = longest(self.pausing, pausing)
        self.hearing = longest(self.hearing, hearing)

    def __str__(self):
        rows = [("rounds", sum(self.kinds.values()), listed(self.kinds))]
        rows += [(name, count, "") for name, count in self.figures.items()]
        rows.append(("repeats", sum(self.repeats.values()), listed(self.repeats)))
        for name, seconds in (
                ("all paused after, at the latest", self.pausing), ("slow down reached all after, at the latest", self.hearing)):
            if seconds is not None:
                rows.append((name, round(seconds * 1000), "ms"))
        width = max(len(name) for name, _, _ in rows)
        return "\n".join(f"    {name:{width}}  {count:>9,}  {rest}".rstrip() for name, count, rest in rows)


def longest(one, other):
    return max((each for each in (one, other) if each is not None), default=None)


def listed(counts):
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))
