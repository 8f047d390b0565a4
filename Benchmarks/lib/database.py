"""A PostgreSQL server with default settings; the caller removes its folder."""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from fixture import HERE, hold


def programs():
    """The folder of the newest server's programs; None if no server is installed."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    return os.environ.get("POSTGRESQL") or max(folders, key=lambda name: int(re.search(r"\d+", name)[0]), default=None)


class Database:
    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = {name: value for name, value in environment.items() if not name.startswith("PG")}
        # The server refuses to run as root.
        self.before = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] if os.getuid() == 0 else []
        os.mkdir(folder)
        if self.before:
            shutil.chown(folder, "postgres")
            os.chmod(os.path.dirname(folder), 0o711)
        self.owner = self.call(*self.before, "id", "-un").strip()
        self.call(*self.before, f"{programs()}/initdb", "-D", f"{folder}/data", "-U", self.owner, "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8")
        with open(f"{folder}/log", "wb") as log:
            self.process = subprocess.Popen([*self.before, f"{programs()}/postgres", "-D", f"{folder}/data", "-k", folder, "-c", "listen_addresses="],
                                            cwd=folder, stdout=log, stderr=log, env=self.environment)
        while subprocess.run([f"{programs()}/pg_isready", "-q", "-h", folder], check=False).returncode:
            hold(self.process.poll() is None, "the PostgreSQL server does not start")
            time.sleep(0.1)

    def call(self, *command):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment, check=False)
        hold(done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-500:]}")
        return done.stdout

    def address(self, name):
        return f"postgresql://{self.owner}@/{name}?host={self.folder}&sslmode=disable"

    def ask(self, statement, name="postgres"):
        return self.call("psql", "-AtqX", "-v", "ON_ERROR_STOP=1", "-c", statement, self.address(name))

    def ticks(self):
        """Processor time of all its processes so far, in milliseconds."""
        return float(self.call(sys.executable, os.path.join(HERE, "server_use.py"), str(self.process.pid)).split()[1]) * 1000

    def stop(self):
        # SIGINT makes the server shut down without waiting for its clients.
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
