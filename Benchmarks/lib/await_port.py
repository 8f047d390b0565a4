"""Waits until something listens on each port, for at most ten seconds."""

import socket
import sys
import time

deadline = time.monotonic() + 10
for port in map(int, sys.argv[1:]):
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            if time.monotonic() > deadline:
                sys.exit(1)
            time.sleep(0.02)
