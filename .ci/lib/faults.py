"""The faults of a round: drawn from a seed, and started at their times."""

import signal
import threading
import time

SHORT, LONG = (2, 8), (20, 40)
HUB = ("throttled", "refused", "lost", "closed", "hung", "slow")


class Fault:
    """A fault, with its time after the start of the round, and the time when it ends, if any."""

    def __init__(self, kind, at, length=0, who=None, detail=None):
        self.kind, self.at, self.length, self.who, self.detail = kind, at, length, who, detail
        self.state = "ahead"

    def __str__(self):
        text = self.kind if self.who is None else f"{self.kind} {self.who}"
        if length := self.length or (self.detail if self.kind == "disk full" else 0):
            text += f" {length:.0f} s"
        return f"{text} at {self.at:.0f} s"


def draw(chance, names, kinds=None):
    """Draws two to five faults: at most two are longer than a lease, and at most one affects a server."""
    if kinds == ["disk"]:
        return [Fault("disk full", chance.uniform(2, 6), detail=chance.uniform(2, 20))]
    faults, longs, hub_free = [], 0, 0.0
    has_server = has_halt = False
    for at in sorted(chance.uniform(1, 14) for _ in range(chance.randint(2, 5))):
        kind = chance.choice(kinds or (
            "cut store", "cut store", "cut hub", "cut both", "stop", "stop", "kill", "kill", "term", "restart", "failover", "halt", "hub", "hub"))
        who = chance.choice(names)
        if kind.startswith("cut") or kind == "stop":
            is_long = longs < 2 and chance.random() < 0.5
            longs += is_long
            faults.append(Fault(kind, at, chance.uniform(*(LONG if is_long else SHORT)), who))
        elif kind in ("kill", "term"):
            faults.append(Fault(kind, at, who=who, detail=chance.uniform(0, 3)))
        elif kind == "restart" and not has_server:
            has_server = True
            faults.append(Fault(chance.choice(("restart fast", "restart immediate")), at))
        elif kind == "failover" and not has_server:
            has_server = True
            is_synchronous = chance.random() < 0.7
            faults.append(Fault(
                "failover" if is_synchronous else "failover asynchronous", at,
                detail=0 if is_synchronous else chance.choice((0, 1, 2))))
        elif kind == "halt" and not has_halt:
            has_halt = True
            faults.append(Fault(kind, at))
        elif kind == "hub":
            at = max(at, hub_free)
            length = chance.uniform(2, 4)
            hub_free = at + length + 0.5
            what = chance.choice(HUB)
            share = chance.choice((0.5, 1)) if what == "throttled" else chance.uniform(0.1, 0.4)
            faults.append(Fault(
                f"hub {what}", at, length, detail={
                    "fault": what, "share": share,
                    **({"platform": "apple"} if what == "throttled" and chance.random() < 0.5 else {})}))
    return faults


class Course:
    """Starts and ends the faults of a round."""

    def __init__(self, faults, senders, servers, order, halt):
        self.faults = faults
        self.senders = {each.name: each for each in senders}
        self.servers = servers
        self.order = order
        self.halt = halt
        self.start = time.monotonic()
        self.outages = []
        self.losses = []
        self.halts = []
        self.trouble = None
        self._work = None

    @property
    def is_over(self):
        return all(each.state == "over" for each in self.faults) and (self._work is None or not self._work.is_alive())

    def tick(self):
        """Begins and ends the faults that are due."""
        if self.trouble:
            raise self.trouble
        now = time.monotonic() - self.start
        for each in self.faults:
            if each.state == "ahead" and now >= each.at:
                self._begin(each, now)
            elif each.state == "there" and now >= each.ends:
                self._end(each)
                each.state = "over"

    def _begin(self, fault, now):
        sender = self.senders.get(fault.who)
        if fault.kind.startswith(("restart", "failover", "disk", "halt")):
            # Only one of these faults happens at a time; the others wait.
            if self._work is None or not self._work.is_alive():
                fault.state = "over"
                self._in_background(self._halt if fault.kind == "halt" else lambda: self._server(fault))
            return
        fault.state = "there" if fault.length else "over"
        fault.ends = now + fault.length
        if fault.kind.startswith("cut"):
            for network in self._networks(fault):
                sender.cut(network)
        elif fault.kind == "stop":
            sender.stand_still()
        elif fault.kind == "kill":
            sender.kill(fault.detail)
        elif fault.kind == "term":
            sender.terminate(fault.detail)
        else:
            self.order(**fault.detail)

    def _end(self, fault):
        sender = self.senders.get(fault.who)
        if fault.kind.startswith("cut"):
            for network in self._networks(fault):
                sender.restore(network)
        elif fault.kind == "stop":
            sender.go_on()
        else:
            self.order(fault=None)

    def _networks(self, fault):
        return ("store", "hub") if fault.kind == "cut both" else (fault.kind.split()[1],)

    def _in_background(self, work):
        def guarded():
            try:
                work()
            except Exception as error:  # any error ends the script
                self.trouble = error

        self._work = threading.Thread(target=guarded, daemon=True)
        self._work.start()

    def _halt(self):
        self.halts.append(self.halt())

    def _server(self, fault):
        servers, start = self.servers, time.time()
        if fault.kind == "failover asynchronous":
            servers.synchronous(False)
            start = time.time()
            servers.fail_over(lag=fault.detail)
            self.losses.append((start, time.time()))
        elif fault.kind == "failover":
            servers.fail_over()
        elif fault.kind == "disk full":
            servers.fill_disk(fault.detail)
        else:
            was_synchronous = servers.is_synchronous
            servers.restart(signal.SIGINT if fault.kind == "restart fast" else signal.SIGQUIT)
            if was_synchronous:
                servers.synchronous(True)
        self.outages.append((start, time.time()))
        if fault.kind.startswith("failover"):
            servers.follow()
