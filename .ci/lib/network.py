"""Hosts on one machine: network namespaces joined by two networks, from which each host can be cut off.

Servers are on the network `store` and the hub is on the network `hub`, so a host can lose one and keep the other. Hosts are not
informed about a cut: packets disappear, as with a broken switch.
"""

import os
import shutil
import subprocess

NETWORKS = {"store": "10.77.0", "hub": "10.78.0"}


class Impossible(Exception):
    """This machine cannot simulate hosts; the message says why."""


def call(*command):
    """Runs a short command; its output is shown if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Network:
    """A switch with both networks, and the hosts connected to it."""

    def __init__(self):
        if os.geteuid() != 0:
            raise Impossible("Network namespaces need root: run it as root or with sudo.")
        if shutil.which("ip") is None:
            raise Impossible("It needs ip(8) for network namespaces; install it with: apt-get install iproute2")
        self._prefix = f"hubsend-{os.getpid()}"
        self._made = []
        self._cuts = {}
        try:
            self._switch = self._namespace("switch")
            for name in NETWORKS:
                call("ip", "-n", self._switch, "link", "add", name, "type", "bridge")
                call("ip", "-n", self._switch, "link", "set", name, "up")
        except RuntimeError as error:
            self.close()
            raise Impossible(f"This system allows no network namespaces with bridges: {error}") from error

    def _namespace(self, name):
        namespace = f"{self._prefix}-{name}"
        call("ip", "netns", "add", namespace)
        self._made.append(namespace)
        call("ip", "-n", namespace, "link", "set", "lo", "up")
        return namespace

    def join(self, name, number, networks, hub=None):
        """Creates a host with an address in each of these networks.

        With `hub`, the hub's address, it reaches the hub as 127.0.0.1, because hubsend only uses plain HTTP on loopback: that address is
        then routed over the network instead of to the host itself.
        """
        namespace = self._namespace(name)
        for network in networks:
            port = f"{name}-{network}"
            call("ip", "-n", self._switch, "link", "add", port, "type", "veth", "peer", "name", network, "netns", namespace)
            call("ip", "-n", self._switch, "link", "set", port, "master", network, "up")
            call("ip", "-n", namespace, "addr", "add", f"{NETWORKS[network]}.{number}/24", "dev", network)
            if network == "hub":
                for setting in ("route_localnet", "accept_local"):
                    call("ip", "netns", "exec", namespace, "sh", "-c", f"echo 1 >/proc/sys/net/ipv4/conf/hub/{setting}")
            call("ip", "-n", namespace, "link", "set", network, "up")
            self._cuts[name, network] = 0
        if hub is not None:
            call("ip", "-n", namespace, "route", "del", "local", "127.0.0.0/8", "dev", "lo", "table", "local")
            call("ip", "-n", namespace, "route", "del", "local", "127.0.0.1", "dev", "lo", "table", "local")
            source = f"{NETWORKS['hub']}.{number}"
            call("ip", "-n", namespace, "route", "add", "127.0.0.1/32", "via", hub, "dev", "hub", "src", source)
        return namespace

    def inside(self, name, *command):
        """A command line that runs a command on a host, with the host's name and in the same process."""
        return [
            "ip", "netns", "exec", f"{self._prefix}-{name}", "unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"',
            name, *command,
        ]

    def cut(self, name, network):
        """Cuts a host off; overlapping cuts end with the last one."""
        self._cuts[name, network] += 1
        if self._cuts[name, network] == 1:
            call("ip", "-n", self._switch, "link", "set", f"{name}-{network}", "nomaster")

    def restore(self, name, network):
        self._cuts[name, network] -= 1
        if self._cuts[name, network] == 0:
            call("ip", "-n", self._switch, "link", "set", f"{name}-{network}", "master", network)

    def path(self, name):
        return f"/run/netns/{self._prefix}-{name}"

    def close(self):
        for namespace in reversed(self._made):
            subprocess.run(["ip", "netns", "del", namespace], capture_output=True)
        self._made = []
