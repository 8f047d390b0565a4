"""The servers that Benchmarks/serve measures: `hubsend serve` and the Go server in lib/backend, with the same notifications."""

import base64
import contextlib
import csv
import glob
import http.client
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.parse

from database import Database, programs
from fixture import HERE, hold

PACKAGES = "/usr/share/gocode/src/github.com"
NEEDED = {"nginx": "nginx-light", "go": "golang-go", "cc": "gcc libc6-dev", "openssl": "openssl",
          "psql": "postgresql-client", f"{programs()}/initdb": "postgresql",
          f"{PACKAGES}/mattn/go-sqlite3": "golang-github-mattn-go-sqlite3-dev", f"{PACKAGES}/lib/pq": "golang-github-lib-pq-dev",
          f"{PACKAGES}/golang-jwt/jwt": "golang-github-golang-jwt-jwt-dev"}
CAMPAIGN = """\
campaign: {name}
kind: {kind}
platforms: [{platforms}]
audience: {{ files: [{people}.csv] }}
payload: {{ {payload} }}
delivery: {{ rate: unlimited, concurrency: 64 }}
"""
TEXT = 'text: "Your code is {{code}}."'
CONFIG = """\
backend:
  listen: 127.0.0.1:0
  audit: hubsend.jsonl
  jwt:
    issuer: benchmark
    audience: hubsend
    keys: [{{ id: benchmark, algorithm: ES256, file: {work}/public.pem }}]
"""
IMAGE_BYTES = 200_000
# The limit on open files that 10,000 connections require.
FILES = 11_000


class Bench:
    """A folder with the hub, keys, campaigns, and the stores that each round copies."""

    def __init__(self, work, hubsend):
        missing = [name for file, name in NEEDED.items() if not (shutil.which(file) or os.path.exists(file))]
        if missing:
            sys.exit("Benchmarks/serve: some programs are missing; install them with: "
                     f"apt-get install --no-install-recommends {' '.join(missing)}")
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if limit != resource.RLIM_INFINITY and limit < FILES:
            sys.exit(f"Benchmarks/serve: a process may open {limit:,} files, and needs {FILES:,}; raise the hard limit (ulimit -Hn).")
        self.work, self.hubsend, self.people, self.nginx, self.database, self.number = work, hubsend, 0, None, None, 0
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("HUBSEND") and not name.lower().endswith("_proxy")}

    def path(self, *names):
        return os.path.join(self.work, *names)

    def call(self, *command, **options):
        """Runs a command to its end; returns its output."""
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, check=False, **options)
        hold(done.returncode == 0,
             f"{' '.join(command)} ended with {done.returncode}: {done.stdout[-500:]!r} {done.stderr[-500:]!r}")
        return done.stdout

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), 0o644)

    def __enter__(self):
        build = self.environment | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": self.path("go-cache")}
        for name, folder in (("fetch", "../clients/fetch"), ("backend", "backend")):
            subprocess.run(["go", "build", "-o", self.path(name), "."], cwd=os.path.join(HERE, folder), env=build, check=True)
        for name in ("signing", "other", "key"):
            self.call("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.path(f"{name}.pem"))
        self.call("openssl", "ec", "-in", self.path("signing.pem"), "-pubout", "-out", self.path("public.pem"))
        self.call("openssl", "req", "-x509", "-key", self.path("key.pem"), "-days", "2", "-subj", "/CN=localhost",
                  "-out", self.path("certificate.pem"))
        self.write("payload.key", base64.b64encode(os.urandom(32)).decode())
        os.chmod(self.path("payload.key"), 0o600)
        self.environment["HUBSEND_PAYLOAD_KEY_FILE"] = self.path("payload.key")
        plain, tls = self.call(sys.executable, os.path.join(HERE, "ports.py"), "2", text=True).split()
        with open(os.path.join(HERE, "nginx.conf"), encoding="utf-8") as file:
            text = file.read()
        for mark, value in (("@WORK@", self.work), ("@PLAIN@", plain), ("@TLS@", tls)):
            text = text.replace(mark, value)
        self.write("nginx.conf", text)
        self.nginx = subprocess.Popen(["nginx", "-e", self.path("nginx.log"), "-p", self.work, "-c", self.path("nginx.conf")])
        self.call(sys.executable, os.path.join(HERE, "await_port.py"), plain)
        self.database = Database(self.path("server"), self.environment)
        self.environment["HUBSEND_HUB_NAME"] = "hub"
        self.environment["HUBSEND_HUB_CONNECTION_STRING"] = (
            f"Endpoint=http://127.0.0.1:{plain}/;SharedAccessKeyName=benchmark;SharedAccessKey="
            + base64.b64encode(b"speed is measured, not felt").decode())
        return self

    def __exit__(self, *error):
        if self.nginx:
            self.nginx.terminate()
            self.nginx.wait()
        if self.database:
            self.database.stop()

    # --- The stores ---------------------------------------------------------------------------------------------------

    def prepare(self, size):
        """Sends `size.runs` runs, copies the store to the server, fills the Go server's databases, and writes the lists of tokens."""
        self.people = size.people
        os.mkdir(self.path("prepared"))
        self.write("prepared/hubsend.yaml", CONFIG.format(work=self.work))
        self.write("prepared/tls.yaml", CONFIG.format(work=self.work)
                   + f"  tls: {{ certificate: {self.work}/certificate.pem, key: {self.work}/key.pem }}\n")
        with open(self.path("prepared", "image.png"), "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + random.Random(3).randbytes(IMAGE_BYTES - 8))
        os.chmod(self.path("prepared", "image.png"), 0o644)
        names = [f"customer-{number:08d}" for number in range(size.people)]
        codes = {name: f"{number:06d}" for number, name in enumerate(names)}
        for name, count in (("all", size.people), ("few", size.few), ("some", size.sent), ("group", 50)):
            rows = [f"{name},{codes[name]}" for name in names[:count]]
            self.write(f"prepared/{name}.csv", "username,code\n" + "\n".join(rows) + "\n")
        picture = "message: A picture., type: img, file: image.png"
        self.campaign("first", "all", TEXT)
        self.campaign("image", "few", picture, kind="rich")
        self.campaign("second", "some", TEXT, platforms="apns")
        self.campaign("third", "some", TEXT, platforms="apns")
        groups = [f"group-{number}" for number in range(size.runs - 2)]
        for name in groups:
            self.campaign(name, "group", TEXT)
        print(f"Sending {size.people * 2:,} pushes, and {size.runs - 1} smaller runs.", file=sys.stderr)
        sent = {}
        for name in ("first", "image", *groups):
            self.run(self.path("prepared"), name)
            sent[name] = self.sent(name)
        for name in ("hubsend", "go"):
            self.database.ask(f"CREATE DATABASE {name}")
        self.call(self.hubsend, "store", "migrate", "--quiet", "--from", self.path("prepared", ".hubsend", "store.sqlite"),
                  "--store", self.database.address("hubsend"))
        self.database.ask("VACUUM ANALYZE", "hubsend")
        self.import_all(sent, codes)
        self.sign("first", sent["first"])
        self.sign("image", sent["image"])

    def campaign(self, name, people, payload, kind="secure", platforms="apns, fcm"):
        self.write(f"prepared/{name}.yaml", CAMPAIGN.format(name=name, people=people, payload=payload, kind=kind, platforms=platforms))

    def run(self, folder, campaign):
        """Sends a campaign; returns the seconds."""
        start = time.monotonic()
        self.call(self.hubsend, "run", "--quiet", "--config", f"{folder}/hubsend.yaml", f"{folder}/{campaign}.yaml")
        return time.monotonic() - start

    def sent(self, campaign):
        """The id that each person was sent."""
        path, = glob.glob(self.path("prepared", ".hubsend", "reports", f"*-{campaign}.csv"))
        with open(path, newline="", encoding="utf-8") as file:
            return {row["recipient"]: row["notification"] for row in csv.DictReader(file)}

    def import_all(self, sent, codes):
        """Copies hubsend's store to the Go server's databases."""
        someone = min(sent["image"])
        with self.fresh() as folder, Hubsend(self).started(folder, False) as server:
            status, _, body = server.ask("/api/notifications?limit=100", self.token(someone))
        hold(status == 200, f"the list is answered with {status}")
        described = {each["Id"]: each for each in json.loads(body)}
        lines = []
        for ids in sent.values():
            what = described[ids[someone]]
            if what["Kind"] == "rich":
                lines.append(what | {"File": self.path("prepared", "image.png"), "Users": list(ids)})
            else:
                lines += (what | {"Id": each, "Text": f"Your code is {codes[user]}.", "Users": [user]} for user, each in ids.items())
        text = "\n".join(map(json.dumps, lines))
        for place in (self.path("prepared", "go.sqlite"), self.database.address("go")):
            self.call(self.path("backend"), "import", place, self.path("payload.key"), input=text.encode())

    def sign(self, name, ids):
        """Writes a token and an id for each person, in random order."""
        pairs = list(ids.items())
        random.Random(5).shuffle(pairs)
        text = "".join(f"{user} {each}\n" for user, each in pairs)
        with open(self.path(f"{name}.txt"), "wb") as file:
            file.write(self.call(self.path("fetch"), "-sign", self.path("signing.pem"), input=text.encode()))

    def token(self, user, *options, key="signing"):
        line = self.call(self.path("fetch"), "-sign", self.path(f"{key}.pem"), *options, input=f"{user} -\n", text=True)
        return line.split()[0]

    @contextlib.contextmanager
    def fresh(self, database=None):
        """A folder with both stores as they were before any fetch, or with databases named after the folder."""
        self.number += 1
        folder = self.path(f"copy_{self.number}")
        shutil.copytree(self.path("prepared"), folder, ignore=shutil.ignore_patterns(*([".hubsend", "*.sqlite"] if database else ["reports"])))
        if database:
            for name in ("hubsend", "go"):
                database.ask(f"CREATE DATABASE {name}_{self.number} TEMPLATE {name}")
            database.ask("CHECKPOINT")
        # Write everything to disk now, so that these writes do not slow down the measurement.
        os.sync()
        yield folder
        shutil.rmtree(folder)
        if database:
            for name in ("hubsend", "go"):
                database.ask(f"DROP DATABASE {name}_{self.number}")

    # --- Measuring ----------------------------------------------------------------------------------------------------

    def load(self, server, pairs, options):
        return Load([self.path("fetch"), *options.split(), f"127.0.0.1:{server.port}", self.path(f"{pairs}.txt")])

    def compare(self, *servers):
        """Checks that both servers give exactly the same answers."""
        ids, image = self.sent("first"), self.sent("image")
        # This person got few notifications besides these two: hubsend would split a long list into pages, but Go would not.
        *_, other, mine = sorted(image)
        good = self.token(mine)
        tag = {"If-None-Match": None}
        cases = [
            ("one's own", ids[mine], good, {}), ("fetched again", ids[mine], good, {}), ("another's", ids[other], good, {}),
            ("unknown", "a" * 26, good, {}), ("malformed", "x", good, {}), ("no token", ids[mine], None, {}),
            ("another key", ids[mine], self.token(mine, key="other"), {}),
            ("another issuer", ids[mine], self.token(mine, "-issuer", "other"), {}),
            ("another audience", ids[mine], self.token(mine, "-audience", "other"), {}),
            ("expired", ids[mine], self.token(mine, "-life", "-2m"), {}),
            ("valid for too long", ids[mine], self.token(mine, "-life", "48h"), {}),
            ("image", image[mine], good, {}), ("image, another's", image[mine], self.token(max(ids)), {}),
            ("image, unchanged", image[mine], good, tag), ("list", None, good, {}), ("list, of one", None, self.token(max(ids)), {}),
        ]
        answers = []
        for server in servers:
            with self.fresh(server.database) as folder, server.started(folder, False) as process:
                found = []
                for _, each, token, fields in cases:
                    answer = process.ask("/api/notifications" + (f"/{each}" if each else ""), token, fields)
                    tag["If-None-Match"] = answer[1].get("etag") or tag["If-None-Match"]
                    found.append(answer)
                answers.append(found)
        for (name, *_), one, *others in zip(cases, *answers):
            for two in others:
                hold(one == two, f"{name}: the servers answer differently: {str(one)[:600]} and {str(two)[:600]}")
        counts = [found.count for found in ([answer[0] for answer in each] for each in answers)]
        hold(all(count(200) == 5 and count(304) == 1 and count(404) == 4 and count(401) == 6 for count in counts),
             f"the answers are {[answer[0] for answer in answers[0]]}")


class Load:
    """A running client."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def result(self):
        output, errors = self.process.communicate()
        hold(self.process.returncode == 0, f"the client ended with {self.process.returncode}: {errors[-500:]}")
        return json.loads(output)

    def stop(self):
        """Stops it after the requests in flight."""
        self.process.terminate()
        return self.result()


class Process:
    """A server that listens."""

    def __init__(self, process, port, database):
        self.process, self.port, self.database = process, port, database

    def ticks(self):
        """Processor time so far, including the database server's, in milliseconds."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) * 1000 / os.sysconf("SC_CLK_TCK") + (self.database.ticks() if self.database else 0)

    def peak(self):
        """Peak memory in MiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return int(next(line for line in file if line.startswith("VmHWM:")).split()[1]) / 1024

    def ask(self, path, token, fields=None):
        """Sends one request; returns status, relevant fields and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers=({"Authorization": f"Bearer {token}"} if token else {}) | (fields or {}))
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders() if name.lower() not in ("date", "server")}, body


class Server:
    """A measured server, with its store in a file or on a database server."""

    def __init__(self, bench, database=None):
        self.bench, self.database = bench, database

    def database_name(self, folder):
        """The name that `Bench.fresh` gave the database."""
        return f"{self.name}_{folder.rpartition('_')[2]}"

    @contextlib.contextmanager
    def started(self, folder, is_tls):
        with open(os.path.join(folder, f"{self.name}.log"), "ab+") as log:
            process = subprocess.Popen(self.command(folder, is_tls), stdout=subprocess.PIPE, stderr=log, text=True, env=self.bench.environment)
            try:
                line = process.stdout.readline()
                hold(line, f"{self.name} does not start; {self.said(log)}")
                yield Process(process, self.port(line), self.database)
                process.send_signal(signal.SIGTERM)
                hold(process.wait(60) == 0, f"{self.name} ended with {process.returncode}; {self.said(log)}")
            finally:
                process.kill()
                process.wait()
                process.stdout.close()

    @staticmethod
    def said(log):
        log.seek(0)
        return f"it said: {log.read()[-500:]!r}"

    def audit_lines(self, folder):
        """The number of answers with content in the audit."""
        with open(os.path.join(folder, f"{self.name}.jsonl"), "rb") as file:
            return sum(b'"outcome":"ok"' in line for line in file)


class Hubsend(Server):
    name = "hubsend"

    def store(self, folder):
        return ["--store", self.database.address(self.database_name(folder))] if self.database else []

    def command(self, folder, is_tls):
        return [self.bench.hubsend, "serve", "--json", "--config", os.path.join(folder, "tls.yaml" if is_tls else "hubsend.yaml"), *self.store(folder)]

    def port(self, line):
        return urllib.parse.urlsplit(json.loads(line)["url"]).port

    def receipts(self, folder):
        count = 0
        for campaign in ("first", "image"):
            text = self.bench.call(self.bench.hubsend, "report", campaign, "--quiet", "--config", f"{folder}/hubsend.yaml", *self.store(folder),
                                   "-o", "-", text=True)
            count += len({row["recipient"] for row in csv.DictReader(text.splitlines()) if row["fetched_at"]})
        return count


class GoServer(Server):
    name = "go"

    def command(self, folder, is_tls):
        path = self.bench.path
        place = self.database.address(self.database_name(folder)) if self.database else os.path.join(folder, "go.sqlite")
        tls = [path("certificate.pem"), path("key.pem")] if is_tls else []
        return [path("backend"), "serve", place, path("payload.key"), path("public.pem"), os.path.join(folder, "go.jsonl"), *tls]

    def port(self, line):
        return int(line)

    def receipts(self, folder):
        count = "SELECT count(*) FROM receipts WHERE fetched IS NOT NULL"
        if self.database:
            return int(self.database.ask(count, self.database_name(folder)))
        with contextlib.closing(sqlite3.connect(os.path.join(folder, "go.sqlite"))) as database:
            return database.execute(count).fetchone()[0]
