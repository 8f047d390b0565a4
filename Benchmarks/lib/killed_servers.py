"""Kills `serve` and `hub --state`: changes that were confirmed before a kill must still be there afterwards."""

import base64
import concurrent.futures
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import signal
import subprocess
import threading
import time
import urllib.parse

from fixture import Campaign, Counts, Place, hold

SECRET = "kills are signed with what everybody may know"
# Seconds until `hub --state` has saved a change: it writes about once a second, but a busy machine may be slower.
SAVED_WITHIN = 3.0


def part(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bearer(user):
    """A user's token for the config of `Backend`."""
    now = int(time.time())
    claims = {"iss": "proof", "aud": "hubsend", "sub": user, "iat": now, "exp": now + 7200}
    body = f'{part(json.dumps({"alg": "HS256", "kid": "proof"}).encode())}.{part(json.dumps(claims).encode())}'
    return f"{body}.{part(hmac.new(SECRET.encode(), body.encode(), hashlib.sha256).digest())}"


def signature(string):
    """A token for a hub, made from a connection string."""
    fields = dict(field.split("=", 1) for field in string.split(";") if field)
    resource = urllib.parse.quote(fields["Endpoint"], safe="").lower()
    end = str(int(time.time()) + 7200)
    digest = hmac.new(fields["SharedAccessKey"].encode(), f"{resource}\n{end}".encode(), hashlib.sha256).digest()
    sign = urllib.parse.quote(base64.b64encode(digest).decode(), safe="")
    return f'SharedAccessSignature sr={resource}&sig={sign}&se={end}&skn={fields["SharedAccessKeyName"]}'


def ask(port, method, path, headers, body=None, timeout=20):
    """Sends one request; returns status and body, or None if the answer is incomplete."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def start(place, arguments, environment):
    """Starts a server; returns it with its ready line, or None if it was killed before."""
    process = place.start(arguments, environment)
    line = process.stdout.readline()
    return process, json.loads(line) if line.endswith("\n") else None


def end(process):
    """Waits for a server to end; returns its exit code and errors."""
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


class Doom:
    """Determines how to kill a server: at a time after it is ready, or at a file operation."""

    def __init__(self, place, library, chance, longest):
        self.place, self.chance, self.longest = place, chance, longest
        self.counts = Counts(place.folder)
        self.library = library

    def draw(self, starts, calls):
        """The environment of the next server, and the seconds after which it is killed at the latest."""
        if self.chance.random() < 0.5:
            return {}, self.chance.uniform(0, self.longest)
        # Kill mostly at calls after the start, because the start is always the same.
        kind = self.chance.choice(["write", "write", "sync", "sync", "rename", "open"])
        first = starts.get(kind, 0) if self.chance.random() < 0.8 else 0
        number = self.chance.randint(first + 1, first + max(4, calls.get(kind, 0) - starts.get(kind, 0)))
        self.counts.clear()
        return {"LD_PRELOAD": self.library, "DISK_FOLDER": self.place.folder, "DISK_COUNTS": self.counts.path,
                "DISK_FAULT": f"{kind}:{number}:{self.chance.choice(['before', 'after'])}"}, self.longest


# --- serve ------------------------------------------------------------------------------------------------------------

USERS = 8
SENDINGS = 40


class Devices:
    """The requests of all users' devices, and which of them were confirmed."""

    def __init__(self, ids):
        self.ids = ids
        self.held = {user: {} for user in ids}
        self.deleted = {user: set() for user in ids}
        self.doubtful = set()
        self.read = {user: set() for user in ids}
        self.answers = 0
        self.number = 0
        self.lock = threading.Lock()

    def step(self, port, user, chance):
        """Sends a device's next request; returns false if there was no answer."""
        headers = {"Authorization": f"Bearer {bearer(user)}"}
        what = chance.random()
        if what < 0.5:
            with self.lock:
                self.number += 1
                handle = f"{self.number:064x}"
            return self.register(port, user, handle, headers)
        if what < 0.65 and self.held[user]:
            identifier = chance.choice(sorted(self.held[user]))
            self.doubtful.add(identifier)
            answer = ask(port, "DELETE", f"/api/register/{identifier}", headers)
            if answer is None:
                return False
            hold(answer[0] == 200, f"DELETE was answered with {answer}")
            self.deleted[user].add(identifier)
            self.held[user].pop(identifier, None)
        else:
            identifier = chance.choice(self.ids[user])
            answer = ask(port, "GET", f"/api/notifications/{identifier}", headers)
            if answer is None:
                return False
            hold(answer[0] == 200, f"GET was answered with {answer}")
            answer = ask(port, "PUT", f"/api/notifications/{identifier}/read", headers)
            if answer is None:
                return False
            hold(answer[0] == 204, f"PUT …/read was answered with {answer}")
            self.read[user].add(identifier)
        with self.lock:
            self.answers += 1
        return True

    def register(self, port, user, handle, headers):
        answer = ask(port, "POST", f"/api/register?handle={handle}", headers)
        if answer is None:
            return False
        hold(answer[0] == 200, f"POST /api/register was answered with {answer}")
        identifier = json.loads(answer[1])
        body = json.dumps({"Platform": "apns", "Handle": handle, "Tags": ["news"]})
        answer = ask(port, "PUT", f"/api/register/{identifier}", headers | {"Content-Type": "application/json"}, body)
        if answer is None:
            return False
        hold(answer[0] == 200, f"PUT /api/register was answered with {answer}")
        with self.lock:
            self.held[user][identifier] = handle
            self.answers += 1
        return True


def kill_backend(hubsend, rounds, chance, tally, library):
    users = [f"user{number}" for number in range(USERS)]
    place = Place(hubsend, users)
    place.write("secret", SECRET, 0o600)
    place.write("hubsend.yaml", """\
backend:
  listen: 127.0.0.1:0
  jwt: { issuer: proof, audience: hubsend, keys: [{ id: proof, algorithm: HS256, file: secret }] }
  allowed_tags: [news]
""", 0o600)
    hub, ready = start(place, ["hub", "--json", "--port", "0"], {})
    port = urllib.parse.urlsplit(ready["http"]["url"]).port
    environment = {"HUBSEND_HUB_CONNECTION_STRING": ready["http"]["connection_string"], "HUBSEND_HUB_NAME": ready["hub"]}
    try:
        campaigns = [Campaign(f"c{number}", "personal") for number in range(SENDINGS)]
        names = [place.write(f"{campaign.name}.yaml", campaign.text) for campaign in campaigns]
        code, _, errors = place.call(["run", *names], environment)
        hold(code == 0, f"the campaigns were not sent: {code}: {errors}")
        ids = {user: set() for user in users}
        for campaign in campaigns:
            for row in place.rows(campaign.name):
                ids[row["recipient"]].add(row["notification"])
        devices = Devices({user: sorted(found) for user, found in ids.items()})
        doom = Doom(place, library, chance, 0.5)
        starts, calls = {}, {}
        kills = 0
        while kills < rounds:
            shimmed, longest = doom.draw(starts, calls)
            kills += crash_backend(place, devices, environment | shimmed, longest, chance, tally, doom, starts, calls)
            check_backend(place, devices, port, chance, tally)
        tally["answers that were checked"] = devices.answers
    finally:
        hub.terminate()
        end(hub)
    place.remove()
    return kills


def crash_backend(place, devices, environment, longest, chance, tally, doom, starts, calls):
    serve, ready = start(place, ["serve", "--json"], environment)
    if ready is None:
        code, errors = end(serve)
        hold(code == -signal.SIGKILL, f"serve did not come up: {code}: {errors}")
        tally["killed at: call, in the start"] += 1
        return 1
    if "DISK_COUNTS" in environment:
        starts.update(doom.counts.read()[0])
    port = urllib.parse.urlsplit(ready["url"]).port
    timer = threading.Timer(longest, serve.kill)
    timer.start()

    def work(user, seed):
        own = random.Random(seed)
        while devices.step(port, user, own):
            pass

    with concurrent.futures.ThreadPoolExecutor(USERS) as pool:
        list(pool.map(work, devices.ids, [chance.random() for _ in devices.ids]))
    code, errors = end(serve)
    timer.cancel()
    hold(code == -signal.SIGKILL, f"serve ended with {code}: {errors}")
    if "DISK_COUNTS" in environment:
        calls.update(doom.counts.read()[0])
        tally["killed at: call, at work" if doom.counts.read()[1] else "killed at: instant"] += 1
    else:
        tally["killed at: instant"] += 1
    return 1


def check_backend(place, devices, port, chance, tally):
    place.check()
    # Check only two users each time; over many kills, each user is checked many times.
    for user in chance.sample(sorted(devices.ids), 2):
        code, output, errors = place.call(["export", user])
        hold(code == 0, f"export: {code}: {errors}")
        known = set(re.findall(r'"id"\s*:\s*"([^"]+)"', json.dumps(json.loads(output)["registrations"])))
        # The number of devices per user is limited; a new device replaces the oldest one.
        held = [identifier for identifier in devices.held[user] if identifier not in devices.doubtful]
        lost = [identifier for identifier in held[-5:] if identifier not in known]
        hold(not lost, f"{user}: {len(lost)} confirmed registrations are not in the store: {lost}")
        back = devices.deleted[user] & known
        hold(not back, f"{user}: deleted registrations are there again: {back}")
        for identifier in held[-2:]:
            answer = ask(port, "GET", f"/.hubsend/registrations/{identifier}", {})
            hold(answer[0] == 200 and devices.held[user][identifier].upper() in answer[1].decode().upper(),
                 f"{user}: the hub lacks the registration {identifier}: {answer}")
        tally["registrations found"] += len(held[-5:])
        code, output, errors = place.call(["report", "--user", user, "--format", "jsonl"])
        hold(code == 0, f"report: {code}: {errors}")
        rows = [json.loads(line) for line in output.splitlines()]
        recorded = {row["notification"] for row in rows if row["read_at"]}
        lost = devices.read[user] - recorded
        hold(not lost, f"{user}: {len(lost)} confirmed reads are not in the store")
        tally["readings found"] += len(devices.read[user])


# --- hub --state ------------------------------------------------------------------------------------------------------


def kill_hub(hubsend, rounds, chance, tally, library):
    place = Place(hubsend, ["nobody"])
    state = os.path.join(place.folder, "state.json")
    # The writes for each id, newest last: the handle (None if it was deleted) and the time when the write was confirmed.
    history, number, kills, dead = {}, 0, 0, 0.0
    doom = Doom(place, library, chance, 3.5)
    starts, calls = {}, {}
    while kills < rounds:
        shimmed, longest = doom.draw(starts, calls)
        hub, ready = start(place, ["hub", "--json", "--port", "0", "--state", state], shimmed)
        if ready is None:
            code, errors = end(hub)
            hold(code == -signal.SIGKILL, f"the hub did not come up: {code}: {errors}")
            tally["killed at: call, in the start"] += 1
            kills += 1
            continue
        if shimmed:
            starts.update(doom.counts.read()[0])
        port = urllib.parse.urlsplit(ready["http"]["url"]).port
        token = {"Authorization": signature(ready["http"]["connection_string"])}
        if not check_hub(port, ready["hub"], token, history, dead, tally):
            code, errors = end(hub)
            hold(code == -signal.SIGKILL, f"the hub ended with {code}: {errors}")
            tally["killed at: call, before there was work"] += 1
            kills += 1
            continue
        timer = threading.Timer(longest, hub.kill)
        timer.start()
        while True:
            number += 1
            identifier = f"device-{chance.randrange(60)}"
            value = f"{number:064x}"
            path = f"/{ready['hub']}/installations/{identifier}?api-version=2020-06"
            if chance.random() < 0.2:
                value, answer = None, ask(port, "DELETE", path, token)
            else:
                body = json.dumps({"installationId": identifier, "platform": "apns", "pushChannel": value, "tags": [f"n{number}"]})
                answer = ask(port, "PUT", path, token | {"Content-Type": "application/json"}, body)
            history.setdefault(identifier, []).append((value, time.monotonic() if answer else None))
            if answer is None:
                break
            hold(answer[0] in (200, 204, 404), f"an installation was answered with {answer}")
            tally["answers"] += 1
            time.sleep(0.001)
        code, errors = end(hub)
        timer.cancel()
        hold(code == -signal.SIGKILL, f"the hub ended with {code}: {errors}")
        dead = time.monotonic()
        if shimmed:
            calls.update(doom.counts.read()[0])
        tally["killed at: call, at work" if shimmed and doom.counts.read()[1] else "killed at: instant"] += 1
        kills += 1
    place.remove()
    return kills


def check_hub(port, hub, token, history, dead, tally):
    """Checks that each installation has the state of a recent enough write; returns false if the hub was killed."""
    for identifier, writes in history.items():
        answer = ask(port, "GET", f"/{hub}/installations/{identifier}?api-version=2020-06", token)
        if answer is None:
            return False
        hold(answer[0] in (200, 404), f"{identifier} is answered with {answer}")
        found = json.loads(answer[1])["pushChannel"].lower() if answer[0] == 200 else None
        # The newest write that must have been saved before the kill, and the newest confirmed write.
        sure = max((index for index, (_, at) in enumerate(writes) if at is not None and dead - at >= SAVED_WITHIN), default=-1)
        answered = max((index for index, (_, at) in enumerate(writes) if at is not None), default=-1)
        allowed = [value for value, _ in writes[max(sure, 0):]] + ([None] if sure < 0 else [])
        hold(found in allowed, f"{identifier} is {found}, and was written {len(writes)} times; the newest that must be there is "
             f"{writes[sure] if sure >= 0 else 'none'}, the kill was at {dead}")
        if answered >= 0 and found not in [value for value, _ in writes[answered:]]:
            tally["lost changes of the last seconds"] += 1
            tally["longest such, in ms"] = max(tally["longest such, in ms"], round((dead - writes[answered][1]) * 1000))
        # The hub loaded this state from the disk, so another kill cannot lose it.
        writes[:] = [(found, float("-inf"))]
    return True
