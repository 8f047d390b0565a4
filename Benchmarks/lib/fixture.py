"""Shared by the tests of kills, power cuts and disk errors: a hub that records, a folder with campaigns, and the final checks.

The hub is independent of hubsend: it accepts all sends, and records the recipients and body of each.
"""

import asyncio
import csv
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

PLATFORMS = {"apple": "apns", "gcm": "fcm", "fcmv1": "fcm", "windows": "wns", "adm": "adm", "browser": "browser"}
KEY = "c3BlZWQgaXMgbWVhc3VyZWQsIG5vdCBmZWx0"
NOTIFICATION = re.compile(rb"(?<![a-z2-7])[a-z2-7]{26}(?![a-z2-7])")
HERE = os.path.dirname(os.path.abspath(__file__))


class Fault(Exception):
    """A broken promise."""


def hold(condition, text):
    if not condition:
        raise Fault(text)


class Push:
    """One person's push in a request."""

    def __init__(self, target, body):
        self.target = target
        self.body = body

    def names(self, mark):
        return mark.encode() in self.body


def parse(stream):
    """The complete requests at the beginning of a stream, as heads and bodies, and the remaining bytes."""
    requests = []
    while True:
        end = stream.find(b"\r\n\r\n")
        if end < 0:
            return requests, stream
        lines = stream[:end].decode("latin-1").split("\r\n")
        head = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        length = int(head.get("content-length", "0"))
        if len(stream) < end + 4 + length:
            return requests, stream
        head[""] = lines[0]
        requests.append((head, stream[end + 4:end + 4 + length]))
        stream = stream[end + 4 + length:]


def pushes(head, body):
    """The pushes in a request."""
    platform = PLATFORMS.get(head.get("servicebusnotification-format", ""), "?")
    terms = [term.strip() for term in head.get("servicebusnotification-tags", "").split("||")]
    return [Push(f"{term.removeprefix('username:')}/{platform}", body) for term in terms]


class Hub:
    """Accepts every send and answers after `delay` seconds. Calls `before_answer` with each request's number before its answer."""

    def __init__(self, delay=0.0):
        self.delay = delay
        self.pushes = []
        self.requests = 0
        self.before_answer = None
        self.connections = 0
        self.loop = asyncio.new_event_loop()
        started = threading.Event()

        async def serve():
            self.server = await self.loop.create_server(lambda: Connection(self), "127.0.0.1", 0, backlog=512)
            self.port = self.server.sockets[0].getsockname()[1]
            started.set()
            await self.server.serve_forever()

        def work():
            asyncio.set_event_loop(self.loop)
            try:
                self.loop.run_until_complete(serve())
            except asyncio.CancelledError:
                pass

        self.thread = threading.Thread(target=work, daemon=True)
        self.thread.start()
        started.wait(30)

    @property
    def environment(self):
        return {
            "HUBSEND_HUB_CONNECTION_STRING":
                f"Endpoint=http://127.0.0.1:{self.port}/;SharedAccessKeyName=proof;SharedAccessKey={KEY}",
            "HUBSEND_HUB_NAME": "hub",
        }

    def settle(self):
        """Waits until everything that a killed process sent has been read."""
        end = time.monotonic() + 20
        while self.connections > 0:
            hold(time.monotonic() < end, "the hub still has connections of a process that is gone")
            time.sleep(0.001)

    def received(self):
        found = {}
        for push in self.pushes:
            found.setdefault(push.target, []).append(push)
        return found


class Connection(asyncio.Protocol):
    ANSWER = (b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nLocation: https://namespace.servicebus.windows.net/hub/messages/"
              b"NH-0123456789abcdef0123456789abcdef?api-version=2020-06\r\n\r\n")

    def __init__(self, hub):
        self.hub = hub
        self.rest = b""

    def connection_made(self, transport):
        self.transport = transport
        self.hub.connections += 1

    def connection_lost(self, error):
        self.hub.connections -= 1

    def data_received(self, data):
        requests, self.rest = parse(self.rest + data)
        for head, body in requests:
            self.hub.requests += 1
            self.hub.pushes += pushes(head, body)
            if self.hub.before_answer:
                self.hub.before_answer(self.hub.requests)
            if self.hub.delay:
                self.hub.loop.call_later(self.hub.delay, self.answer)
            else:
                self.answer()

    def answer(self):
        if not self.transport.is_closing():
            self.transport.write(self.ANSWER)


class Remains:
    """The state of a run in its store, read from a copy."""

    CLAIMED = "SELECT sum(claimed) FROM run_platforms WHERE run = ?"
    # Deliveries that were claimed but have no row yet, and deliveries that were claimed again.
    DOUBTS = """
        SELECT r.name || '/' || p.platform
        FROM run_platforms p
        JOIN recipients r ON r.run = p.run
        LEFT JOIN deliveries d ON d.run = p.run AND d.platform = p.position AND d.number = r.number
        WHERE p.run = ? AND r.number <= p.claimed AND (d.state IS NULL OR d.state = 0)
        """
    EVER = """
        SELECT r.name || '/' || p.platform FROM run_platforms p JOIN recipients r ON r.run = p.run
        WHERE p.run = ? AND r.number <= p.claimed
        """

    def __init__(self, folder, campaign):
        self.stage, self.doubts, self.claimed = "nothing", set(), set()
        with tempfile.TemporaryDirectory(prefix="hubsend-remains-") as copy:
            for name in ("store.sqlite", "store.sqlite-wal"):
                path = os.path.join(folder, name)
                if os.path.exists(path):
                    shutil.copyfile(path, os.path.join(copy, name))
            if not os.path.exists(os.path.join(copy, "store.sqlite")):
                return
            store = sqlite3.connect(os.path.join(copy, "store.sqlite"))
            try:
                tables = {row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
                run = None
                if "deliveries" in tables:
                    run = store.execute("SELECT key, state FROM runs WHERE campaign = ?", (campaign,)).fetchone()
                if run is None:
                    return
                self.doubts = {row[0] for row in store.execute(self.DOUBTS, (run[0],))}
                self.claimed = {row[0] for row in store.execute(self.EVER, (run[0],))}
            finally:
                store.close()
        if run[1] in ("staging", "finished"):
            self.stage = run[1]
        else:
            self.stage = "staged" if not self.claimed else "sending" if self.doubts else "settled"


class Campaign:
    """A campaign file for a table of people."""

    KINDS = ("shared", "personal", "grouped", "alert")

    def __init__(self, name, kind, delivery="rate: unlimited, concurrency: 16"):
        self.name, self.kind = name, kind
        # True if people who may have been reached must not get the push again.
        self.holds = kind == "alert" or "on_unknown: hold" in delivery
        self.message = f"News of {name}."
        payload = {"personal": 'text: "News for {{town}}"', "alert": f"message: {self.message}"}.get(kind, "text: There is news.")
        share = ", recipients_per_push: 4" if kind == "grouped" else ""
        self.text = f"""\
campaign: {name}
kind: {"alert" if kind == "alert" else "secure"}
platforms: [apns, fcm]
audience: {{ files: [people.csv] }}
payload: {{ {payload} }}
delivery: {{ {delivery}{share} }}
"""


class Place:
    """A folder with people and campaigns, and store and reports in their default places."""

    def __init__(self, hubsend, people, parent=None):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="hubsend-proof-", dir=parent or os.environ.get("TMPDIR", "/var/tmp")))
        self.hubsend = hubsend
        self.people = people
        self.targets = [f"{person}/{platform}" for person in sorted(people) for platform in ("apns", "fcm")]
        self.write("people.csv", "username,town\n" + "".join(f"{person},Town of {person}\n" for person in people))

    @property
    def state(self):
        return os.path.join(self.folder, ".hubsend")

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, arguments, environment, before=(), stdout=subprocess.PIPE):
        return subprocess.Popen(
            [*before, self.hubsend, *arguments], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
            stdout=stdout, stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "HOME": self.folder, "SWIFT_BACKTRACE": "enable=no"} | environment)

    def call(self, arguments, environment=None, timeout=120):
        """Runs a command to its end; returns exit code, output and errors."""
        process = self.start(arguments, environment or {})
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Fault(f"hubsend {' '.join(arguments)} does not end") from None
        return process.returncode, output, errors

    def reports(self, campaign):
        folder = os.path.join(self.state, "reports")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [os.path.join(folder, name) for name in sorted(names) if name.endswith(f"-{campaign}.csv")]

    def rows(self, campaign):
        """The rows of the campaign's report, which must be complete; None if it does not exist."""
        paths = self.reports(campaign)
        hold(len(paths) < 2, f"{campaign} has {len(paths)} reports")
        if not paths:
            return None
        with open(paths[0], newline="", encoding="utf-8") as file:
            text = file.read()
        hold(text.endswith("\n"), f"{paths[0]} is cut off")
        rows = list(csv.DictReader(text.splitlines()))
        found = [f"{row['recipient']}/{row['platform']}" for row in rows]
        hold(found == self.targets, f"{paths[0]} has {len(found)} rows, not one for each delivery in order")
        return rows

    def check(self):
        """Runs `store check` on a copy, so that nothing changes for the next command."""
        if not os.path.exists(os.path.join(self.state, "store.sqlite")):
            return
        with tempfile.TemporaryDirectory(prefix="hubsend-check-") as copy:
            for name in os.listdir(self.state):
                if name.startswith("store.sqlite") and not name.endswith("-shm"):
                    shutil.copy2(os.path.join(self.state, name), copy)
            code, output, errors = self.call(["store", "check", "--store", os.path.join(copy, "store.sqlite")])
        # The store may not exist yet, or may be incomplete; the next run completes it.
        unfinished = "There is no store", "created by an older version"
        hold(code == 0 or any(words in errors for words in unfinished), f"store check: {code}: {output}{errors}")

    def leftovers(self):
        kept = {"reports"} | {"store.sqlite" + ending for ending in ("", "-wal", "-shm", ".mark", ".key", ".lock")}
        names = set(os.listdir(self.state)) - kept
        names |= {name for name in os.listdir(os.path.join(self.state, "reports")) if not name.endswith(".csv")}
        return sorted(name for name in names if not name.startswith("store.sqlite."))


def judge(place, campaign, received, doubts, code):
    """Checks a finished run.

    received: pushes by target, for this campaign and others. doubts: how often a process ended while the target was claimed without
    an outcome. code: the exit code of the last process.
    """
    rows = place.rows(campaign.name)
    hold(rows is not None, f"{campaign.name} has no report")
    for row in rows:
        target = f"{row['recipient']}/{row['platform']}"
        mark = campaign.message if campaign.kind == "alert" else row["notification"]
        own = [push for push in received.get(target, []) if push.names(mark)]
        received[target] = [push for push in received.get(target, []) if not push.names(mark)]
        times = doubts.get(target, 0)
        if campaign.holds:
            wanted = "unknown" if times else "accepted"
            hold(row["outcome"] == wanted, f"{target} is {row['outcome']}, in doubt {times} times")
            hold(len(own) <= 1, f"{target} was sent to {len(own)} times")
            hold(times or own, f"{target} is lost")
        else:
            hold(row["outcome"] == "accepted", f"{target} is {row['outcome']}")
            hold(own, f"{target} is lost")
            hold(len(own) <= 1 + times, f"{target} was sent to {len(own)} times, in doubt {times} times")
    strays = [target for target, left in received.items() if left]
    hold(not strays, f"{len(strays)} targets have pushes that no report knows, such as {strays[:3]}")
    wanted = 3 if campaign.holds and doubts else 0
    hold(code == wanted, f"the last process of {campaign.name} ended with {code}, not {wanted}")


def shim(folder):
    """Compiles disk.c."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        sys.exit("A C compiler is missing; install one with: apt-get install --no-install-recommends gcc libc6-dev")
    path = os.path.join(folder, "disk.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", path, os.path.join(HERE, "disk.c"),
                    "-lpthread"], check=True)
    return path


class Counts:
    """The number of calls of each kind, as disk.c counts them."""

    KINDS = ("open", "read", "write", "sync", "rename", "unlink", "truncate", "mkdir")

    def __init__(self, folder):
        self.path = os.path.join(folder, "counts")
        self.clear()

    def clear(self):
        with open(self.path, "wb") as file:
            file.write(bytes(4096))

    def read(self):
        with open(self.path, "rb") as file:
            data = file.read()
        numbers = [int.from_bytes(data[8 * index:8 * index + 8], "little") for index in range(len(self.KINDS))]
        return dict(zip(self.KINDS, numbers)), data[256:].split(b"\0")[0].decode()


def program(named):
    """The path in $HUBSEND, or a release binary built here."""
    if named:
        path = os.path.realpath(named)
    else:
        root = os.path.dirname(os.path.dirname(HERE))
        build = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "hubsend"]
        print("Building the release binary; this takes some minutes the first time.", file=sys.stderr)
        subprocess.run(build, cwd=root, check=True, stdout=sys.stderr)
        path = subprocess.run([*build, "--show-bin-path"], cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        path = os.path.join(path, "hubsend")
    if not os.access(path, os.X_OK):
        sys.exit(f"{path} is not a program.")
    return path
