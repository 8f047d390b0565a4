"""Writes down when requests leave hosts, by the kernel's clock: departures.py RECORD PATH NAME [PATH NAME...].

What leaves is what a host decided, whatever the network makes of it then. Of each namespace, given by its path, packets are looked at that leave
through the interface `hub`; a line has the time, the host's name and the request's TrackingId. What the kernel sends again is written once.
"""

import ctypes
import os
import re
import selectors
import socket
import struct
import sys

EVERYTHING = 0x0003
OUTGOING = 4
TIMESTAMPNS = 35
TRACKING = re.compile(rb"\r\nTrackingId: ([^\r]+)\r\n")
library = ctypes.CDLL(None, use_errno=True)


def listener(path):
    place = os.open(path, os.O_RDONLY)
    if library.setns(place, 0x40000000) != 0:
        sys.exit(f"departures: {path}: {os.strerror(ctypes.get_errno())}")
    os.close(place)
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERYTHING))
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUFFORCE if hasattr(socket, "SO_RCVBUFFORCE") else 33, 16 << 20)
    made.setsockopt(socket.SOL_SOCKET, TIMESTAMPNS, 1)
    made.bind(("hub", EVERYTHING))
    made.setblocking(False)
    return made


selector = selectors.DefaultSelector()
for path, name in zip(sys.argv[2::2], sys.argv[3::2]):
    selector.register(listener(path), selectors.EVENT_READ, name)
seen = set()
print("ready", flush=True)
with open(sys.argv[1], "w", encoding="utf-8", buffering=1) as record:
    while True:
        for key, _ in selector.select():
            while True:
                try:
                    packet, extra, _, address = key.fileobj.recvmsg(65536, 64)
                except BlockingIOError:
                    break
                found = address[2] == OUTGOING and TRACKING.search(packet)
                if not found or found[1] in seen:
                    continue
                seen.add(found[1])
                seconds, nanoseconds = struct.unpack("qq", extra[0][2])
                record.write(f"{seconds}.{nanoseconds:09} {key.data} {found[1].decode()}\n")
