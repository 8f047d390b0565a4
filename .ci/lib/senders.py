"""The sending hosts. Each one keeps one hubsend process running, as an operator would, and records what happened to it."""

import os
import signal
import subprocess
import time

# Exit codes of `run` that end a round; after any other code, `run` is started again.
OVER = {0, 3}
# These exit codes do not indicate a bug: the store or the hub is unreachable, another process finishes the run, or the run was stopped.
LATER = {75, 5}


class Sender:
    """One host, with its folder, its clock and its process."""

    def __init__(self, name, number, network, folder, environment, clock):
        self.name = name
        self.source = f"10.78.0.{number}"
        self.network = network
        self.folder = folder
        self.environment = environment
        self.clock = clock
        self.skew = 0
        self.command = None
        self.process = None
        self.faults = []
        self.logs = []
        self.forget()
        network.join(name, number, ["store", "hub"], hub="10.78.0.1")
        os.mkdir(folder, 0o755)

    def forget(self):
        """Forgets the previous round."""
        self.cuts = {"store": [], "hub": []}
        self.stops = []
        self.ends = []
        self.is_over = False
        self._since = {}
        self._next = 0

    # MARK: the process

    def go(self, command):
        """Keeps this command running; None: no command."""
        self.command = command
        self.is_over = False
        self._next = 0

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def tick(self):
        """Starts the command again if it has ended."""
        if self.process is not None and self.process.poll() is not None:
            self._ended(self.process.returncode)
        if self.command is None or self.process is not None or self.is_over or time.time() < self._next:
            return
        environment = dict(self.environment)
        if self.skew:
            environment |= {"LD_PRELOAD": self.clock, "CLOCK_SKEW": str(self.skew)}
        path = f"{self.folder}/log-{len(self.logs)}"
        self.logs.append(path)
        settings = [f"{key}={value}" for key, value in environment.items()]
        with open(path, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self.network.inside(self.name, "env", "-i", *settings, *self.command), cwd=self.folder,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._told = None
        self._started = self.command

    def _ended(self, code):
        is_worker = self._started[1] == "worker"
        expected = {-signal.SIGKILL} if self._told == "kill" else {0} if is_worker else {0, 3, 143}
        if self._told is None and is_worker:
            expected = set()
        if self._told == "term":
            # The process may not have installed its signal handlers yet.
            expected |= {-signal.SIGTERM}
        if code not in expected | LATER:
            self.faults.append(f"{self.name}: its process ended with {code}{self.last_words()}")
        self.ends.append((time.time(), self._told or f"ended with {code}", code))
        self.process = None
        self.is_over = self.command == self._started and not is_worker and code in OVER
        self._next = max(self._next, time.time() + 1)

    def last_words(self):
        with open(self.logs[-1], encoding="utf-8") as log:
            said = log.read().strip()
        return f": {said[-1500:]}" if said else ""

    def kill(self, pause):
        if self.is_running:
            self._told = "kill"
            self._next = time.time() + pause
            self.process.kill()
            self.process.wait()
            if "stop" in self._since:
                self.go_on()

    def terminate(self, pause=0):
        if self.is_running and self._told is None:
            self._told = "term"
            self._next = time.time() + pause
            self.process.terminate()

    def stand_still(self):
        if self.is_running and "stop" not in self._since:
            self._since["stop"] = time.time()
            self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        since = self._since.pop("stop", None)
        if since is not None:
            if self.is_running:
                self.process.send_signal(signal.SIGCONT)
            self.stops.append((since, time.time()))

    def end(self):
        """Kills the process at the end."""
        self.command = None
        if self.is_running:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        self.process = None

    # MARK: its networks

    def cut(self, network):
        now = time.time()
        self.network.cut(self.name, network)
        self._since.setdefault(network, []).append(now)

    def restore(self, network):
        self.network.restore(self.name, network)
        self.cuts[network].append((self._since[network].pop(), time.time()))
