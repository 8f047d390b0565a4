"""A PostgreSQL server and its replica on separate hosts: restarts, failovers, full disks."""

import glob
import os
import secrets
import shutil
import signal
import subprocess
import time

from network import Impossible, NETWORKS, call

USER = "hubsend"
DATABASE = "hubsend"


def programs():
    """The folder of the newest installed server."""
    found = [each for each in glob.glob("/usr/lib/postgresql/*/bin") if os.access(f"{each}/postgres", os.X_OK)]
    if not found:
        raise Impossible("There is no PostgreSQL server here; install one with: apt-get install postgresql")
    return max(found, key=lambda each: float(each.split("/")[-2]))


class Server:
    """A server: a folder with its data, and its process while it is running."""

    def __init__(self, name, number, folder, network):
        self.name = name
        self.address = f"{NETWORKS['store']}.{number}"
        self.folder = folder
        self.data = f"{folder}/data"
        self.network = network
        self.process = None
        os.mkdir(folder, 0o755)
        shutil.chown(folder, "postgres")

    def owned(self, *command):
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--", *command]

    def tool(self, *command, **keywords):
        done = subprocess.run(
            self.owned(*command), cwd=self.folder, capture_output=True, text=True, **keywords)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")
        return done.stdout

    def settings(self, standbys):
        """Writes settings that can change while the server runs; `standbys` are the servers that must confirm commits."""
        with open(f"{self.data}/hosts.conf", "w", encoding="utf-8") as file:
            file.write(f"synchronous_standby_names = '{standbys}'\n")
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGHUP)

    def start(self):
        with open(f"{self.folder}/log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self.network.inside(self.name, *self.owned(
                    f"{programs()}/postgres", "-D", self.data, "-k", self.folder)),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)

    def end(self, how):
        """Ends the server: SIGINT is a fast shutdown, and SIGQUIT an immediate one, after which the server recovers."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                # A fast shutdown waits for a synchronous replica, even an unreachable one.
                self.process.send_signal(signal.SIGQUIT)
                self.process.wait(timeout=30)
        self.process = None

    def ask(self, statement, timeout=10, database=DATABASE):
        """Rows of text fields; raises an error if the server does not answer."""
        done = subprocess.run(
            ["psql", "-h", self.folder, "-U", "postgres", "-d", database, "-AtqX", "-v", "ON_ERROR_STOP=1", "-c", statement],
            capture_output=True, text=True, timeout=timeout, env={"PATH": os.environ["PATH"], "PGCONNECT_TIMEOUT": "5"})
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return [line.split("|") for line in done.stdout.splitlines()]

    def wait(self, statement, wanted, timeout=60, database=DATABASE):
        """Waits until a statement returns this answer."""
        end = time.monotonic() + timeout
        last = None
        while time.monotonic() < end:
            if self.process is None or self.process.poll() is not None:
                break
            try:
                last = self.ask(statement, database=database)
                if last == wanted:
                    return
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                last = error
            time.sleep(0.1)
        with open(f"{self.folder}/log", encoding="utf-8") as log:
            said = "".join(log.readlines()[-5:])
        raise RuntimeError(f"the server {self.name} does not reach {wanted}: {last}\n{said}")


class Servers:
    """A primary and a replica, or only a primary on a small disk of `disk` megabytes."""

    def __init__(self, folder, network, disk=None):
        self.password = secrets.token_hex(16)
        self.network = network
        self.folder = folder
        network.join("one", 1, ["store"])
        network.join("two", 2, ["store"])
        self.primary = Server("one", 1, f"{folder}/one", network)
        self.replica = Server("two", 2, f"{folder}/two", network)
        self.is_synchronous = False
        self.disk = disk
        settings = ""
        if disk is not None:
            call("mount", "-t", "tmpfs", "-o", f"size={disk}m,mode=755", "tmpfs", self.primary.folder)
            shutil.chown(self.primary.folder, "postgres")
            settings = "min_wal_size = 32MB\nmax_wal_size = 32MB"
        self._create(settings)

    @property
    def uri(self):
        hosts = ",".join(sorted(each.address for each in (self.primary, self.replica)))
        return f"postgresql://{USER}@{hosts}/{DATABASE}?target_session_attrs=read-write&connect_timeout=3&sslmode=disable"

    def password_file(self, path):
        with open(path, "w", encoding="utf-8", opener=lambda *given: os.open(*given, 0o600)) as file:
            file.write(f"*:*:*:*:{self.password}\n")

    def _create(self, settings):
        server = self.primary
        server.tool(f"{programs()}/initdb", "-D", server.data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8")
        with open(f"{server.data}/postgresql.conf", "a", encoding="utf-8") as file:
            file.write(
                "listen_addresses = '*'\npassword_encryption = 'scram-sha-256'\nwal_keep_size = 64MB\n"
                "wal_receiver_timeout = 5s\nwal_retrieve_retry_interval = 500ms\nwal_sender_timeout = 10s\nhot_standby = on\n"
                f"shared_buffers = 32MB\nlog_min_messages = warning\n{settings}\ninclude_if_exists = 'hosts.conf'\n")
        with open(f"{server.data}/pg_hba.conf", "w", encoding="utf-8") as file:
            # Only this script can reach the socket's folder.
            file.write(
                "local all all trust\nlocal replication all trust\n"
                "host all all 10.77.0.0/24 scram-sha-256\nhost replication all 10.77.0.0/24 scram-sha-256\n")
        server.settings("")
        shutil.chown(f"{server.data}/hosts.conf", "postgres")
        server.start()
        server.wait("SELECT 1", [["1"]], database="postgres")
        server.ask(
            f"CREATE ROLE {USER} LOGIN PASSWORD '{self.password}'; CREATE ROLE follower LOGIN REPLICATION PASSWORD '{self.password}'",
            database="postgres")
        server.ask(f"CREATE DATABASE {DATABASE} OWNER {USER}", database="postgres")
        self.password_file(f"{self.folder}/follower")
        shutil.chown(f"{self.folder}/follower", "postgres")

    def follow(self):
        """Rebuilds the replica, and makes commits wait for it."""
        if self.disk is not None:
            return
        replica, primary = self.replica, self.primary
        replica.end(signal.SIGQUIT)
        shutil.rmtree(replica.data, ignore_errors=True)
        replica.tool(
            f"{programs()}/pg_basebackup", "-h", primary.folder, "-U", "postgres", "-D", replica.data, "-c", "fast", "-X", "stream")
        with open(f"{replica.data}/postgresql.auto.conf", "a", encoding="utf-8") as file:
            file.write(
                f"primary_conninfo = 'host={primary.address} user=follower passfile={self.folder}/follower connect_timeout=2'\n")
        open(f"{replica.data}/standby.signal", "w", encoding="utf-8").close()
        for name in ("standby.signal", "postgresql.auto.conf"):
            shutil.chown(f"{replica.data}/{name}", "postgres")
        replica.settings("")
        shutil.chown(f"{replica.data}/hosts.conf", "postgres")
        replica.start()
        primary.wait("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", [["1"]])
        self.synchronous(True)

    def synchronous(self, is_synchronous):
        self.primary.settings("*" if is_synchronous else "")
        if is_synchronous:
            self.primary.wait("SELECT count(*) FROM pg_stat_replication WHERE sync_state <> 'async'", [["1"]])
        self.is_synchronous = is_synchronous

    def restart(self, how):
        self.primary.end(how)
        self.primary.start()
        self.primary.wait("SELECT 1", [["1"]])

    def fail_over(self, lag=0):
        """Loses the primary; the replica replaces it. With `lag`, the replica has received nothing for this many seconds."""
        if lag > 0:
            self.network.cut(self.replica.name, "store")
            time.sleep(lag)
        self.primary.end(signal.SIGQUIT)
        if lag > 0:
            self.network.restore(self.replica.name, "store")
        self.primary, self.replica = self.replica, self.primary
        self.primary.settings("")
        self.primary.wait("SELECT pg_promote()", [["t"]])
        self.is_synchronous = False

    def fill_disk(self, seconds):
        """Fills the primary's disk for some seconds, and restarts the server if it crashed."""
        ballast = f"{self.primary.folder}/ballast"
        with open(ballast, "wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                try:
                    while file.write(b"\0" * size) == size:
                        pass
                except OSError:
                    continue
        time.sleep(seconds)
        os.remove(ballast)
        if self.primary.process.poll() is not None:
            self.primary.start()
        self.primary.wait("SELECT 1", [["1"]])

    def close(self):
        for each in (self.replica, self.primary):
            each.end(signal.SIGQUIT)
        if self.disk is not None:
            call("umount", self.primary.folder)
