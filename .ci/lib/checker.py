"""Compares what the hub was sent with what the ledger says, for every delivery of a round."""

import bisect
import collections
import json

# For how long a process may send behind its last renewal: a lease is 15 seconds, of which it leaves two to a server that forgets.
HELD = 13
# What is in the way of a renewal beside a fault, so that a fault a little shorter than a lease can already end one.
NEARLY = 11.5
# From an answer until it is durable: answers are written down several times a second.
WRITING = 2.0
# From the moment at which too many have failed until nobody begins a push: two tells of what has ended, one that all have to pause, 0.5
# seconds each.
PAUSING = 2.0
# From the hub's first answer that asks for patience until all hosts have heard of it.
HEARING = 1.0
# What a request may be late by when its lease ends, on a busy machine.
LATE = 0.5
# The hub's answers to those that it did not take, and to those that it took.
TAKEN = ("taken", "slow")
MAYBE = ("lost", "closed", "hung", "refused")
PLATFORMS = {"apple": "apns", "fcmv1": "fcm"}


class Request:
    __slots__ = ("sent", "at", "host", "what", "message", "notification")

    def __init__(self, sent, at, host, what, message, notification):
        self.sent, self.at, self.host = sent, at, host
        self.what, self.message, self.notification = what, message, notification


class History:
    """What was done to a host in a round."""

    def __init__(self, sender):
        self.name = sender.name
        self.cuts = {network: list(spans) for network, spans in sender.cuts.items()}
        self.stops, self.ends = list(sender.stops), list(sender.ends)


class Evidence:
    """What is known of a round: departures from hosts, what the hub saw, and what was done to hosts and servers."""

    def __init__(self, senders, course, delay):
        self.senders = {each.name: History(each) for each in senders}
        self.hosts = {each.source: each.name for each in senders}
        self.course = course
        self.delay = delay
        self.left = {}
        self.departures = []
        self.requests = collections.defaultdict(list)
        self.seen = 0

    def read(self, departures, record, names):
        """Reads both files from where the round began; `record` is the hub's.

        Returns what reached the hub only now and is for other people than these: what a network held back that was cut arrives
        when it is mended, long after whoever sent it has given up.
        """
        others = []
        for line in departures:
            at, host, tracking = line.split()
            self.left[tracking] = float(at)
            self.departures.append((float(at), host))
        self.departures.sort()
        for line in record:
            entry = json.loads(line)
            self.seen += 1
            if set(entry["people"]) <= names:
                self.add(entry)
            else:
                others.append(entry)
        return others

    def add(self, entry):
        """Takes a line of the hub's record in."""
        request = Request(
            self.left.get(entry["tracking"], entry["at"]), entry["at"], self.hosts[entry["source"]], entry["what"],
            entry["message"], entry["notification"])
        for person in entry["people"]:
            requests = self.requests[person, PLATFORMS[entry["platform"]]]
            requests.append(request)
            requests.sort(key=lambda request: request.sent)

    def all(self):
        """All requests, as they came to the hub."""
        return sorted({id(each): each for requests in self.requests.values() for each in requests}.values(), key=lambda each: each.at)

    # MARK: what excuses what

    def apart(self, host):
        """When a host could not reach the server, or did nothing; what follows at once belongs together."""
        sender = self.senders[host]
        spans = sorted(sender.cuts["store"] + sender.stops + self.course.outages)
        joined = []
        for start, end in spans:
            if joined and start - joined[-1][1] < 5:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return joined

    def held_up(self, host):
        """When a host could be waiting for another one, which stood still or was cut off in the middle of a transaction."""
        return [
            (start, end) for name, each in self.senders.items() if name != host
            for start, end in each.cuts["store"] + each.stops]

    def has_lost_worker(self, request):
        """Whether what became of a request may not have been written down, since its worker has gone or lost its lease."""
        held_up = self.held_up(request.host)
        writing = WRITING + self.answering(request)
        apart = [
            (min([start, *(since for since, until in held_up if since < start <= until + 1)]), end)
            for start, end in self.apart(request.host)]
        for start, end in apart:
            if end - start >= NEARLY and start - writing <= request.sent <= end + 1:
                return True
        for at, how, code in self.senders[request.host].ends:
            around = [start for start, end in apart if start <= at <= end + 3]
            if how != "kill" and not around:
                continue
            if min([at, *around]) - writing <= request.sent <= at + LATE:
                return True
        return False

    def answering(self, request):
        """How long the hub takes to answer."""
        return self.delay + (3 if request.what == "slow" else 0)

    def has_lost_answer(self, request):
        if request.what in MAYBE:
            return True
        took = self.answering(request) + LATE
        return any(
            start <= request.at + took and end >= request.sent for start, end in self.senders[request.host].cuts["hub"])

    def has_lost_server(self, request):
        """Whether the server that knew of it went without its replica having heard; the replica is behind by a moment always."""
        return any(start - WRITING <= request.sent <= end + 1 for start, end in self.course.losses)


def compare(evidence, rows, names, platforms, is_hold, concurrency, *, is_capped=False):
    """Compares; returns faults as text, and counts of repeats by their reason.

    Under a cap people have pushes of several campaigns, which their ids tell apart; who was skipped is left to `capped`.
    """
    faults = []
    repeats = collections.Counter()
    outcomes = {}
    for row in rows:
        key = (row["recipient"], row["platform"])
        if key in outcomes:
            faults.append(f"{key}: two rows in the report")
        outcomes[key] = row
    sent = evidence.requests
    if is_capped:
        ids = {row["notification"] for row in rows}
        sent = {
            key: own for key, requests in evidence.requests.items()
            if (own := [each for each in requests if each.notification in ids])}
    unexplained = 0
    for key in ((name, platform) for name in names for platform in platforms):
        row = outcomes.get(key)
        requests = sent.get(key, [])
        if row is None:
            faults.append(f"{key}: not in the report")
            continue
        outcome = row["outcome"]
        if outcome == "accepted":
            if row["hub_message"] not in [each.message for each in requests if each.what in TAKEN]:
                faults.append(f"{key}: accepted, and the hub has not seen {row['hub_message']} {tell(requests)}")
        elif outcome == "unknown" and is_hold:
            last = requests[-1] if requests else None
            if last is None or not (evidence.has_lost_answer(last) or evidence.has_lost_worker(last)):
                unexplained += 1
        elif outcome == "rejected" and requests and requests[-1].what == "rejected":
            pass
        elif outcome == "skipped" and is_capped:
            pass
        else:
            faults.append(f"{key}: {outcome} ({row['detail']}) {tell(requests)}")
        ids = {each.notification for each in requests}
        if len(ids) > 1 or (ids and not is_hold and ids != {row["notification"]}):
            faults.append(f"{key}: sent with the ids {ids}, and is {row['notification']}")
        for each in requests[:-1]:
            if each.what == "throttled" or each.what == "refused" and not is_hold:
                continue
            if evidence.has_lost_server(each):
                repeats["server lost"] += 1
            elif is_hold:
                faults.append(f"{key}: sent twice under hold {tell(requests)}")
            elif evidence.has_lost_answer(each):
                repeats["answer lost"] += 1
            elif evidence.has_lost_worker(each):
                repeats["worker lost"] += 1
            else:
                faults.append(f"{key}: sent again without a reason {tell(requests)}")
    for key in outcomes.keys() | sent.keys():
        if key[0] not in names:
            faults.append(f"{key}: nobody of this campaign")
    gone = sum(len(each.ends) + len(evidence.apart(each.name)) for each in evidence.senders.values())
    if unexplained > gone * (concurrency + 50):
        faults.append(f"{unexplained} are unknown although {gone} losses explain {gone * (concurrency + 50)} at the most")
    return faults, repeats


def capped(evidence, reports, names, platforms, cap):
    """Whether each person got as many pushes as the cap allows, and nobody who had fewer was skipped, over several campaigns.

    A server that was lost without its replica having heard takes with it what it knew of pushes.
    """
    faults = []
    rows = collections.defaultdict(list)
    for report in reports:
        for row in report:
            rows[row["recipient"], row["platform"]].append(row)
    for key in ((name, platform) for name in names for platform in platforms):
        requests = evidence.requests.get(key, [])
        if any(evidence.has_lost_server(each) for each in requests):
            continue
        ids = {row["notification"] for row in rows[key]}
        taken = {each.notification for each in requests if each.what in (*TAKEN, "lost", "closed", "hung")}
        skipped = [row for row in rows[key] if row["outcome"] == "skipped"]
        pushed = len(rows[key]) - len(skipped)
        if len(taken) > cap or pushed > cap:
            faults.append(f"{key}: {len(taken)} pushes, {pushed} by the ledger, and the cap is {cap} {tell(requests)}")
        if skipped and pushed < cap:
            faults.append(f"{key}: skipped after {pushed} pushes, and the cap is {cap} {tell(requests)}")
        for row in skipped:
            if not row["detail"].startswith("capped") or row["notification"] in {each.notification for each in requests}:
                faults.append(f"{key}: skipped ({row['detail']}) {tell(requests)}")
        if not {each.notification for each in requests} <= ids:
            faults.append(f"{key}: sent with an id of no campaign {tell(requests)}")
    return faults


def after_failures(evidence, percent, minimum, paused):
    """For how long requests left after too many had failed, in seconds, and what is wrong with that; it was paused by `paused`."""
    ended = failed = share = 0
    breach = None
    for each in evidence.all():
        if each.at > paused or each.what not in (*TAKEN, "rejected"):
            continue
        ended += 1
        failed += each.what == "rejected"
        share = max(share, failed / ended if ended >= minimum else 0)
        if breach is None and ended >= minimum and failed * 100 >= percent * ended:
            breach = each.at + evidence.delay
    if breach is None:
        # One process may know of a failure before it knows of others' successes.
        return 0, [] if share * 100 >= percent * 0.8 else [f"it paused when {share * 100:.0f}% at the most had failed"]
    late = [(at, host) for at, host in evidence.departures if breach < at <= paused]
    lasted = max((at - breach for at, _ in late), default=0)
    counts = collections.Counter(host for at, host in late if at > breach + PAUSING + LATE)
    return lasted, [f"{host}: {count} requests left it although too many had failed" for host, count in counts.items()]


def slow_down(evidence, heard, throttled):
    """When the last host heard that the hub had asked one of them to be slower, in seconds, and what is wrong with that."""
    first = min((each.at for each in evidence.all() if each.what == "throttled"), default=None)
    if first is None:
        return None, [f"{throttled}: it was not asked to be slower"]
    faults, longest = [], 0.0
    for name in evidence.senders:
        if name == throttled:
            continue
        since = min((at for at, host in heard if host == name and at >= first), default=None)
        if since is None:
            faults.append(f"{name}: it has not heard that the hub asked {throttled} to be slower")
            continue
        longest = max(longest, since - first)
        if since - first > HEARING:
            faults.append(f"{name}: it heard after {since - first:.3f} s that the hub asked {throttled} to be slower")
        # Nobody stands still then: each goes by the share of all answers that complained, behind the pages that it has out.
        before = rate(evidence.departures, name, first - 2, first)
        after = rate(evidence.departures, name, first + 3.5, first + 5.5)
        if before == 0 or after > 0.9 * before:
            faults.append(f"{name}: it sent {before:.0f}/s before the hub asked {throttled} to be slower, and {after:.0f}/s behind it")
    return longest, faults


def rate(departures, name, start, end):
    """The requests a second that left a host in a time."""
    return sum(host == name and start <= at < end for at, host in departures) / (end - start)


def tell(requests):
    return "[" + ", ".join(f"{each.host} {each.what} {each.sent % 10_000:.2f}" for each in requests) + "]"


def fastest(departures):
    """The most requests that left all hosts together within any second."""
    times = [at for at, _ in departures]
    return max((bisect.bisect_left(times, at + 1) - place for place, at in enumerate(times)), default=0)


def longest_silence(departures):
    """For how long, at the most, nothing left any host between the first and the last request, in seconds."""
    return max((after - before for (before, _), (after, _) in zip(departures, departures[1:])), default=0)


def without_lease(evidence):
    """Requests that left a host which had not reached the server for as long as it may send without."""
    faults = []
    spans = {name: [*each.cuts["store"], *evidence.course.outages] for name, each in evidence.senders.items()}
    late = collections.Counter(
        host for at, host in evidence.departures for start, end in spans[host] if start + HELD + LATE < at < end)
    return [f"{host}: {count} requests left it without a lease" for host, count in late.items()]


def while_stopped(evidence):
    """Requests that left a host after `hubsend stop` had said that the run is stopped, and before it was continued."""
    late = collections.Counter(
        host for at, host in evidence.departures for start, end in evidence.course.halts if start < at < end)
    return [f"{host}: {count} requests left it while the run was stopped" for host, count in late.items()]
