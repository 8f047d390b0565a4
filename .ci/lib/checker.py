"""Compares the requests at the hub with the ledger, for every delivery of a round."""

import bisect
import collections
import json

# Seconds for which a process can send after its last renewal: a lease of 15 seconds, minus two in case a server loses writes.
HELD = 13
# A fault that lasts this many seconds can end a lease, because a renewal also takes time.
NEARLY = 11.5
# Seconds from an answer until it is durable; answers are saved several times a second.
WRITING = 2.0
# Seconds from the moment when too many pushes have failed until no host starts a push: results are reported twice and the pause once,
# every 0.5 seconds.
PAUSING = 2.0
# Seconds from the hub's first 429 until all hosts know about it.
HEARING = 1.0
# Seconds after the end of a lease in which a request may still be sent, on a busy machine.
LATE = 0.5
# Requests that the hub accepted, and those that it may have accepted.
TAKEN = ("taken", "slow")
MAYBE = ("lost", "closed", "hung", "refused")
PLATFORMS = {"apple": "apns", "fcmv1": "fcm"}


class Request:
    __slots__ = ("sent", "at", "host", "what", "message", "notification")

    def __init__(self, sent, at, host, what, message, notification):
        self.sent, self.at, self.host = sent, at, host
        self.what, self.message, self.notification = what, message, notification


class History:
    """The faults of a host in a round."""

    def __init__(self, sender):
        self.name = sender.name
        self.cuts = {network: list(spans) for network, spans in sender.cuts.items()}
        self.stops, self.ends = list(sender.stops), list(sender.ends)


class Evidence:
    """The records of a round: requests that left hosts, requests at the hub, and faults of hosts and servers."""

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
        """Reads both files from the beginning of the round; `record` is the hub's.

        Returns requests for people who are not in `names`: a cut network may deliver requests much later, when it works again and
        their sender has given up.
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
        """Adds a line of the hub's record."""
        request = Request(
            self.left.get(entry["tracking"], entry["at"]), entry["at"], self.hosts[entry["source"]], entry["what"],
            entry["message"], entry["notification"])
        for person in entry["people"]:
            requests = self.requests[person, PLATFORMS[entry["platform"]]]
            requests.append(request)
            requests.sort(key=lambda request: request.sent)

    def all(self):
        """All requests in the order of their arrival at the hub."""
        return sorted({id(each): each for requests in self.requests.values() for each in requests}.values(), key=lambda each: each.at)

    # MARK: reasons for repeats

    def apart(self, host):
        """The periods in which a host could not reach the server or was stopped; joins periods that are close together."""
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
        """The periods in which a host may have waited for another host that was stopped or cut off during a transaction."""
        return [
            (start, end) for name, each in self.senders.items() if name != host
            for start, end in each.cuts["store"] + each.stops]

    def has_lost_worker(self, request):
        """Whether the result of a request may be unsaved because its worker exited or lost its lease."""
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
        """Seconds until the hub answers."""
        return self.delay + (3 if request.what == "slow" else 0)

    def has_lost_answer(self, request):
        if request.what in MAYBE:
            return True
        took = self.answering(request) + LATE
        return any(
            start <= request.at + took and end >= request.sent for start, end in self.senders[request.host].cuts["hub"])

    def has_lost_server(self, request):
        """Whether the server was lost before its replica, which always lags a little, had the result."""
        return any(start - WRITING <= request.sent <= end + 1 for start, end in self.course.losses)


def compare(evidence, rows, names, platforms, is_hold, concurrency, *, is_capped=False):
    """Compares the records with the ledger; returns problems as text, and counts of repeats by reason.

    Under a cap, people get pushes from several campaigns, which are distinguished by id; `capped` checks people who were skipped.
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
                faults.append(f"{key}: accepted, but the hub has not seen {row['hub_message']} {tell(requests)}")
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
            faults.append(f"{key}: sent with the ids {ids} instead of {row['notification']}")
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
            faults.append(f"{key}: not in this campaign")
    gone = sum(len(each.ends) + len(evidence.apart(each.name)) for each in evidence.senders.values())
    if unexplained > gone * (concurrency + 50):
        faults.append(f"{unexplained} are unknown, but {gone} losses explain at most {gone * (concurrency + 50)}")
    return faults, repeats


def capped(evidence, reports, names, platforms, cap):
    """Checks across several campaigns that nobody got more pushes than the cap, and that nobody with fewer pushes was skipped.

    Skips people whose pushes a lost server may not have replicated.
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
            faults.append(f"{key}: {len(taken)} pushes, {pushed} in the ledger, but the cap is {cap} {tell(requests)}")
        if skipped and pushed < cap:
            faults.append(f"{key}: skipped after {pushed} pushes, but the cap is {cap} {tell(requests)}")
        for row in skipped:
            if not row["detail"].startswith("capped") or row["notification"] in {each.notification for each in requests}:
                faults.append(f"{key}: skipped ({row['detail']}) {tell(requests)}")
        if not {each.notification for each in requests} <= ids:
            faults.append(f"{key}: sent with an id of no campaign {tell(requests)}")
    return faults


def after_failures(evidence, percent, minimum, paused):
    """Returns the seconds during which requests left after too many had failed, and problems; the run was paused at `paused`."""
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
        # A process may learn about a failure before it learns about the successes of other processes.
        return 0, [] if share * 100 >= percent * 0.8 else [f"it paused when at most {share * 100:.0f}% had failed"]
    late = [(at, host) for at, host in evidence.departures if breach < at <= paused]
    lasted = max((at - breach for at, _ in late), default=0)
    counts = collections.Counter(host for at, host in late if at > breach + PAUSING + LATE)
    return lasted, [f"{host}: {count} requests left it although too many had failed" for host, count in counts.items()]


def slow_down(evidence, heard, throttled):
    """Returns the seconds until the last host learned that the hub had throttled one of them, and problems."""
    first = min((each.at for each in evidence.all() if each.what == "throttled"), default=None)
    if first is None:
        return None, [f"{throttled}: the hub did not throttle it"]
    faults, longest = [], 0.0
    for name in evidence.senders:
        if name == throttled:
            continue
        since = min((at for at, host in heard if host == name and at >= first), default=None)
        if since is None:
            faults.append(f"{name}: it did not learn that the hub throttled {throttled}")
            continue
        longest = max(longest, since - first)
        if since - first > HEARING:
            faults.append(f"{name}: it learned after {since - first:.3f} s that the hub throttled {throttled}")
        # Hosts slow down in proportion to the 429s among all answers, but only after sending the pages they had claimed.
        before = rate(evidence.departures, name, first - 2, first)
        after = rate(evidence.departures, name, first + 3.5, first + 5.5)
        if before == 0 or after > 0.9 * before:
            faults.append(f"{name}: it sent {before:.0f}/s before the hub throttled {throttled}, and {after:.0f}/s afterwards")
    return longest, faults


def rate(departures, name, start, end):
    """The requests per second that left a host during a period."""
    return sum(host == name and start <= at < end for at, host in departures) / (end - start)


def tell(requests):
    return "[" + ", ".join(f"{each.host} {each.what} {each.sent % 10_000:.2f}" for each in requests) + "]"


def fastest(departures):
    """The largest number of requests that left all hosts within a second."""
    times = [at for at, _ in departures]
    return max((bisect.bisect_left(times, at + 1) - place for place, at in enumerate(times)), default=0)


def longest_silence(departures):
    """The longest pause without requests from any host, in seconds."""
    return max((after - before for (before, _), (after, _) in zip(departures, departures[1:])), default=0)


def without_lease(evidence):
    """Requests that left a host after its lease had ended."""
    faults = []
    spans = {name: [*each.cuts["store"], *evidence.course.outages] for name, each in evidence.senders.items()}
    late = collections.Counter(
        host for at, host in evidence.departures for start, end in spans[host] if start + HELD + LATE < at < end)
    return [f"{host}: {count} requests left it without a lease" for host, count in late.items()]


def while_stopped(evidence):
    """Requests that left a host between the confirmation of `hubsend stop` and the resume."""
    late = collections.Counter(
        host for at, host in evidence.departures for start, end in evidence.course.halts if start < at < end)
    return [f"{host}: {count} requests left it while the run was stopped" for host, count in late.items()]
