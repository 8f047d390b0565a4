"""Turns a preview (stdin, JSON) into the request that every client sends: headers, an empty line, the body.

Values that a preview hides or leaves open are filled with values of a realistic length.
"""

import json
import sys
import urllib.parse

platform = json.load(sys.stdin)["platforms"][0]
headers = platform["headers"]
address = urllib.parse.quote(platform["url"].split("/messages")[0], safe="")
headers["Authorization"] = (
    f"SharedAccessSignature sr={address}&sig={'a' * 43}%3D&se=1800000000&skn=benchmark"
)
headers["TrackingId"] = "01234567-89ab-4cde-8f01-23456789abcd"
headers["ServiceBusNotification-Tags"] = "username:customer-00000000"
for name in ("Host", "Content-Length"):  # every client writes its own
    headers.pop(name, None)
for name, value in headers.items():
    print(f"{name}: {value}")
print()
print(platform["body"], end="")
