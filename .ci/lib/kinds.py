"""Kinds of rounds: what a round sends, and its faults."""

import faults

# Each kind of round, with its relative weight.
KINDS = {"faults": 12, "cap": 4, "failures": 2, "slow down": 2}


class Campaign:
    """A campaign of a round, and its people."""

    def __init__(self, name, people):
        self.name, self.people = name, people


def draw(chance):
    return chance.choices([*KINDS], KINDS.values())[0]


def make(round_, chance):
    """Adapts a round to its kind; keeps earlier choices that fit."""
    {"faults": _faults, "cap": _cap, "failures": _failures, "slow down": _slow_down}[round_.kind](round_, chance)
    if round_.kind != "slow down":
        round_.faults = [each for each in round_.faults if each.kind != round_.without]


def _name(round_, count):
    round_.people = [f"{round_.name}-{each:04}" for each in range(count)]
    round_.campaigns = [Campaign(round_.name, round_.people)]


def _faults(round_, chance):
    _name(round_, len(round_.people))


def _cap(round_, chance):
    round_.cap = chance.choice((1, 2))
    # There is one more campaign than the cap allows, and most people are in all campaigns.
    round_.campaigns = [
        Campaign(f"{round_.name}-{letter}", [name for place, name in enumerate(round_.people) if place % 10 != left_out])
        for left_out, letter in enumerate("abc"[:round_.cap + 1])]
    # Stopping one campaign would not stop the others.
    round_.faults = [each for each in round_.faults if each.kind != "halt"]


def _failures(round_, chance):
    round_.rate = round_.rate or 100
    _name(round_, 400 if round_.rate == 60 else 700)
    round_.limit = (chance.choice((10, 25, 40)), chance.choice((50, 100, 150)))
    round_.rejected = chance.uniform(0.6, 1)
    round_.until_rejected = chance.uniform(0, 2)
    # These faults happen after the pause.
    round_.faults = faults.draw(chance, [each.name for each in round_.stage.senders], ["kill", "term", "stop"])


def _slow_down(round_, chance):
    # This delay is long enough that the rate of the hosts does not depend on the load of this machine.
    round_.is_hold, round_.rate, round_.delay = False, None, 0.2
    _name(round_, 1000)
    who = chance.choice(round_.stage.senders)
    round_.throttled = who.name
    round_.faults = [faults.Fault("hub throttled", 4, 3, who.name, {"fault": "throttled", "source": who.source})]
