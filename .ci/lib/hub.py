"""A hub that accepts pushes, fails as ordered, and records all requests: hub.py RECORD.

It answers like the real one (201 with an absolute Location, TrackingId, an empty body), knows no devices and checks no keys. Orders are lines
of JSON on stdin: `{"delay": 0.02}` sets the time until an answer; `{"fault": KIND, "share": 0.5, "platform": "apple"}` sets the fault of
that share of requests, or of those from one `source`, an address; `{"fault": null}` ends it; `{"sync": N}` flushes the record. Each order is
confirmed with the same line on stdout.

Faults: `throttled` (429 with Retry-After), `rejected` (400), `refused` (500, not accepted), `lost` (500, but accepted), `closed` (accepted,
then the connection is closed without an answer), `hung` (accepted, without an answer until the fault ends), `slow` (accepted, answered after
three seconds).
"""

import asyncio
import json
import random
import re
import sys
import time
import uuid

PORT = 8080
NOTIFICATION = re.compile(rb'"secureId"\s*:\s*"([^"]+)"')


class Hub:
    def __init__(self, record):
        self.record = record
        self.delay = 0.02
        self.fault, self.share, self.platform, self.source = None, 1.0, None, None
        self.chance = random.Random(1)
        self.hanging = set()

    def order(self, line):
        order = json.loads(line)
        if "delay" in order:
            self.delay = order["delay"]
        if "fault" in order:
            self.fault, self.share = order["fault"], order.get("share", 1.0)
            self.platform, self.source = order.get("platform"), order.get("source")
            for connection in list(self.hanging):
                connection.transport.close()
        if "sync" in order:
            self.record.flush()
        print(line, flush=True)

    def what(self, platform, source):
        if self.fault is None or self.platform not in (None, platform) or self.source not in (None, source):
            return "taken"
        if self.chance.random() >= self.share:
            return "taken"
        return self.fault

    def write(self, **values):
        self.record.write(json.dumps(values) + "\n")


class Connection(asyncio.Protocol):
    def __init__(self, hub):
        self.hub = hub
        self.bytes = b""

    def connection_made(self, transport):
        self.transport = transport
        self.source = transport.get_extra_info("peername")[0]

    def connection_lost(self, error):
        self.hub.hanging.discard(self)

    def data_received(self, data):
        self.bytes += data
        while True:
            head, end, rest = self.bytes.partition(b"\r\n\r\n")
            if not end:
                return
            lines = head.split(b"\r\n")
            fields = {}
            for line in lines[1:]:
                name, _, value = line.partition(b":")
                fields[name.strip().lower().decode()] = value.strip().decode()
            length = int(fields.get("content-length", 0))
            if len(rest) < length:
                return
            self.bytes = rest[length:]
            self.take(lines[0].decode(), fields, rest[:length])

    def take(self, line, fields, body):
        method, target, _ = line.split(" ")
        tracking = fields.get("trackingid", "")
        if method != "POST" or "/messages" not in target:
            # This hub does not support connection tests and registrations.
            self.answer("404 Not Found", tracking, {}, b"")
            return
        platform = fields.get("servicebusnotification-format", "")
        what = self.hub.what(platform, self.source)
        message = f"{uuid.uuid4().hex}-{time.strftime('%Y%m%d%H%M%S', time.gmtime())}-1-1"
        found = NOTIFICATION.search(body)
        self.hub.write(
            at=time.time(), source=self.source, tracking=tracking, platform=platform, what=what, message=message,
            people=[each.removeprefix("username:") for each in fields.get("servicebusnotification-tags", "").split("||")],
            notification=found and found[1].decode())
        loop = asyncio.get_running_loop()
        if what == "closed":
            self.transport.abort()
        elif what == "hung":
            self.hub.hanging.add(self)
        elif what == "throttled":
            self.answer("429 Too Many Requests", tracking, {"Retry-After": "1"}, error(429, "SubCode=42900. Throttled"))
        elif what == "rejected":
            loop.call_later(self.hub.delay, self.answer, "400 Bad Request", tracking, {}, error(400, "The push is no good"))
        elif what in ("lost", "refused"):
            loop.call_later(self.hub.delay, self.answer, "500 Internal Server Error", tracking, {}, error(500, "Sorry"))
        else:
            host = fields.get("host", "127.0.0.1")
            place = {"Location": f"http://{host}{target.split('?')[0].rstrip('/')}/{message}?api-version=2020-06"}
            loop.call_later(
                3 if what == "slow" else self.hub.delay, self.answer, "201 Created", tracking, place, b"")

    def answer(self, status, tracking, fields, body):
        if self.transport.is_closing():
            return
        fields = {
            "Content-Type": "application/xml; charset=utf-8", **fields, "TrackingId": tracking,
            "x-ms-correlation-request-id": tracking, "Content-Length": str(len(body)),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body)


def error(code, text):
    return f"<Error><Code>{code}</Code><Detail>{text}.TrackingId:{uuid.uuid4()}_G1</Detail></Error>".encode()


async def main():
    with open(sys.argv[1], "w", encoding="utf-8") as record:
        hub = Hub(record)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(hub), "0.0.0.0", PORT, backlog=1024)
        orders = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
        print("ready", flush=True)
        while line := await orders.readline():
            hub.order(line.decode().rstrip())
        server.close()


asyncio.run(main())
