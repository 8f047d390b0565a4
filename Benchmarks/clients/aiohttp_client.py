"""Sends one request for each name of a CSV file over 64 persistent connections, and prints the requests per second.

This program is simple: it records nothing and retries nothing.

Usage: aiohttp_client.py URL REQUEST NAMES
"""

import asyncio
import sys
import time
import uuid

import aiohttp

WORKERS = 64


async def work(session, url, headers, body, names):
    """Sends until there are no names left; any answer but 201 ends the measurement."""
    for name in names:
        own = {"ServiceBusNotification-Tags": f"username:{name}", "TrackingId": str(uuid.uuid4())}
        async with session.post(url, data=body, headers={**headers, **own}) as response:
            await response.read()
            if response.status != 201:
                sys.exit(f"the hub answered {response.status}")


async def main(url, request, people):
    """Reads the request and the names, sends, and prints the rate."""
    with open(request, encoding="utf-8") as file:
        head, _, body = file.read().partition("\n\n")
    headers = dict(line.split(": ", 1) for line in head.splitlines())
    with open(people, encoding="utf-8") as file:
        names = file.read().split()[1:]
    connector = aiohttp.TCPConnector(limit=WORKERS)
    async with aiohttp.ClientSession(
            connector=connector, skip_auto_headers=("Accept", "Accept-Encoding")) as session:
        left = iter(names)
        start = time.perf_counter()
        await asyncio.gather(
            *(work(session, url, headers, body.encode(), left) for _ in range(WORKERS)))
        print(f"{len(names) / (time.perf_counter() - start):.1f}")


asyncio.run(main(*sys.argv[1:]))
