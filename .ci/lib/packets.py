"""Records packets of hosts with the kernel's times: packets.py requests|complaints RECORD PATH NAME [PATH NAME...].

PATH is a namespace. `requests` records requests when they leave a host for the hub, even if the network loses them: time, host and TrackingId,
once for each request. `complaints` records when the store tells a host that the hub has throttled any host of a run: time and host.
"""

import ctypes
import os
import re
import selectors
import socket
import struct
import sys

EVERYTHING = 0x0003
INCOMING, OUTGOING = 0, 4
TIMESTAMPNS = 35
# For each kind: an interface, a direction and a pattern; each value of the pattern's group is recorded once.
KINDS = {
    "requests": ("hub", OUTGOING, re.compile(rb"\r\nTrackingId: ([^\r]+)\r\n")),
    "complaints": ("store", INCOMING, re.compile(rb'"complaints":[1-9]')),
}
library = ctypes.CDLL(None, use_errno=True)


def listener(path):
    place = os.open(path, os.O_RDONLY)
    if library.setns(place, 0x40000000) != 0:
        sys.exit(f"packets: {path}: {os.strerror(ctypes.get_errno())}")
    os.close(place)
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERYTHING))
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUFFORCE if hasattr(socket, "SO_RCVBUFFORCE") else 33, 16 << 20)
    made.setsockopt(socket.SOL_SOCKET, TIMESTAMPNS, 1)
    made.bind((interface, EVERYTHING))
    made.setblocking(False)
    return made


interface, way, wanted = KINDS[sys.argv[1]]
selector = selectors.DefaultSelector()
for path, name in zip(sys.argv[3::2], sys.argv[4::2]):
    selector.register(listener(path), selectors.EVENT_READ, name)
seen = set()
print("ready", flush=True)
with open(sys.argv[2], "w", encoding="utf-8", buffering=1) as record:
    while True:
        for key, _ in selector.select():
            while True:
                try:
                    packet, extra, _, address = key.fileobj.recvmsg(65536, 64)
                except BlockingIOError:
                    break
                found = address[2] == way and wanted.search(packet)
                if not found or (found.lastindex and found[1] in seen):
                    continue
                seen.update(found.groups())
                seconds, nanoseconds = struct.unpack("qq", extra[0][2])
                record.write(" ".join((f"{seconds}.{nanoseconds:09}", key.data, *(each.decode() for each in found.groups()))) + "\n")
