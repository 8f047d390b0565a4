"""Prints "token id" for so many rows of a report: a signed token (ES256) of the row's recipient, and their payload's id."""

import base64
import csv
import json
import random
import subprocess
import sys
import time

report, key, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signature(message):
    der = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", key], input=message, capture_output=True, check=True
    ).stdout
    # SEQUENCE { INTEGER r, INTEGER s } becomes r and s of 32 bytes each (RFC 7518, section 3.4).
    first = 4 + der[3]
    numbers = der[4:first], der[first + 2 :]
    return b"".join(number.lstrip(b"\0").rjust(32, b"\0") for number in numbers)


with open(report, newline="") as file:
    ids = {row["recipient"]: row["notification"] for row in csv.DictReader(file)}
now = int(time.time())
head = text(json.dumps({"alg": "ES256", "kid": "benchmark"}).encode())
for user in random.Random(5).sample(sorted(ids), count):
    claims = {"iss": "benchmark", "aud": "hubsend", "sub": user, "iat": now, "exp": now + 7200}
    body = f"{head}.{text(json.dumps(claims).encode())}"
    print(f"{body}.{text(signature(body.encode()))}", ids[user])
