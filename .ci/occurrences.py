"""Compares `hubsend schedule` with croniter and zoneinfo; see .ci/calendar."""
import bisect
import concurrent.futures
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import zoneinfo

from croniter import croniter

UTC = datetime.timezone.utc
YEARS = range(2011, 2031)
# hubsend lists at most this many occurrences of a campaign.
MOST_A_YEAR = 1000

ZONES = [
    "Europe/Berlin", "America/New_York",
    "Australia/Lord_Howe",   # a change of half an hour
    "Asia/Kathmandu",        # no changes, at a quarter to the hour
    "Pacific/Apia",          # skipped a whole day in 2011
    "Africa/Casablanca",     # changes for Ramadan, from a list
    "America/Santiago",      # skips midnight
    "Antarctica/Troll",      # a change of two hours
]
FIELDS = [
    "0 9 * * mon", "30 2 * * *", "@daily", "@weekly", "@monthly", "@yearly", "0 0 31 * *", "0 0 29 2 *",
    "*/30 0-3 * 3,4,9,10,11 sun", "15 2,3 * 3-4,10-11 *", "10-50/20 1 1-10 1-12/3 *", "45 23 28-31 * *",
    "59 23 30,31 12 *", "0 9 30 dec *", "5 4 * * 0", "5 4 * * 7",
    # If both are set, the day of the month or the weekday must match; if one begins with a star, both must match.
    "0 12 13 * fri", "7 1 15-21 mar,apr-jun tue-thu", "0 12 */2 * mon", "0 12 1-7 * */2",
]


def more_fields(count):
    """Yields more schedules, which are random but always the same."""
    chance = random.Random(19)

    def values(low, high, names=None):
        def value(number):
            return names[number - low] if names and chance.random() < 0.5 else str(number)

        first, last = sorted(chance.sample(range(low, high + 1), 2))
        return chance.choice([
            f"{value(first)}-{value(last)}", f"{first}-{last}/{chance.randint(2, 4)}", f"{value(first)},{value(last)}",
            f"*/{chance.randint(2, 9)}", value(first), "*",
        ])

    months = "jan feb mar apr may jun jul aug sep oct nov dec".split()
    weekdays = "sun mon tue wed thu fri sat".split()
    while count:
        fields = " ".join([
            str(chance.randint(0, 59)), str(chance.randint(0, 23)), values(1, 31), values(1, 12, months), values(0, 6, weekdays)])
        # Half of the schedules are at night, when clocks change.
        if chance.random() < 0.5:
            fields = " ".join(["*/30", "0-3", *fields.split()[2:]])
        if croniter.is_valid(fields) and 1 <= len(walls(fields, 2011, 2012)) <= 60:
            count -= 1
            yield fields


def walls(fields, first, last):
    """The local times of a schedule, without a zone."""
    end = datetime.datetime(last, 1, 3)
    # Combine days as Debian's cron does, which treats a star with a step as a star; croniter calls this a bug.
    times = croniter(fields, datetime.datetime(first - 1, 12, 28), ret_type=datetime.datetime, implement_cron_bug=True)
    found = []
    while (time := times.get_next()) < end:
        found.append(time)
    return found


def instant(wall, zone, counts):
    """Returns the time in UTC when the zone's clocks first show this time, or the first minute after a skipped time."""
    aware = wall.replace(tzinfo=zone)
    utc = aware.astimezone(UTC)
    if utc.astimezone(zone).replace(tzinfo=None) == wall:
        counts["twice"] += aware.utcoffset() != aware.replace(fold=1).utcoffset()
        return utc
    counts["skipped"] += 1
    low, high = sorted([utc, aware.replace(fold=1).astimezone(UTC)])
    before = low.astimezone(zone).utcoffset()
    while high - low > datetime.timedelta(seconds=1):
        middle = low + (high - low) // 2
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    high = high.replace(microsecond=0)
    assert high.astimezone(zone).utcoffset() != before and high.astimezone(zone).second == 0
    return high


def expected(fields):
    """All times of a schedule in each zone, and the number of special ones."""
    counts = {"twice": 0, "skipped": 0}
    times = walls(fields, YEARS[0], YEARS[-1] + 1)
    found = {}
    for name in ZONES:
        zone = zoneinfo.ZoneInfo(name)
        found[name] = sorted({instant(wall, zone, counts) for wall in times})
    return fields, found, counts


def listed(hubsend, folder, year):
    """The occurrences that hubsend lists at the beginning of a year."""
    command = [
        "faketime", "-m", "--exclude-monotonic", "-f", f"{year}-01-01 00:00:00", hubsend,
        "schedule", "--until", f"{year + 1}-01-01T00:00:00Z", "--format", "json", folder,
    ]
    end = subprocess.run(command, env={"PATH": os.environ["PATH"], "TZ": "UTC"}, capture_output=True)
    if end.returncode or end.stderr:
        sys.exit(f"{' '.join(command)} ended with {end.returncode}:\n{end.stderr.decode()}")
    return year, json.loads(end.stdout)


def main(hubsend, work):
    folder = pathlib.Path(work) / "campaigns"
    folder.mkdir()
    fields = FIELDS + list(more_fields(20))
    names = {f"s{number}-{zone.lower().replace('/', '-').replace('_', '-')}": (line, zone)
             for number, line in enumerate(fields) for zone in ZONES}
    for name, (line, zone) in names.items():
        (folder / f"{name}.yaml").write_text(
            f"campaign: {name}\nkind: secure\nplatforms: [apns]\naudience: {{ usernames: [alice] }}\n"
            f"payload: {{ text: Hello }}\nschedule: {{ cron: \"{line}\", time_zone: {zone} }}\n")

    cores = os.cpu_count() or 1
    with concurrent.futures.ProcessPoolExecutor(cores) as processes:
        ours = processes.map(listed, [hubsend] * len(YEARS), [str(folder)] * len(YEARS), YEARS)
        theirs = list(processes.map(expected, fields))
        years = list(ours)
    times = {line: found for line, found, _ in theirs}
    counts = {key: sum(special[key] for _, _, special in theirs) for key in ("twice", "skipped")}
    compared, differences = 0, []
    for year, campaigns in years:
        start, end = (datetime.datetime(y, 1, 1, tzinfo=UTC) for y in (year, year + 1))
        assert {campaign["campaign"] for campaign in campaigns} == set(names)
        for campaign in campaigns:
            line, zone = names[campaign["campaign"]]
            clock = zoneinfo.ZoneInfo(zone)
            all_times = times[line][zone]
            right = [(time.strftime("%Y-%m-%dT%H:%M:%SZ"), time.astimezone(clock).isoformat())
                     for time in all_times[bisect.bisect(all_times, start):bisect.bisect(all_times, end)]]
            listing = [(occurrence["utc"], occurrence["local"]) for occurrence in campaign["occurrences"]]
            assert len(listing) < MOST_A_YEAR
            compared += len(right)
            if listing != right:
                differences.append(f"{line} {zone} {year}: {sorted(set(listing) ^ set(right))[:4]}")
    print(f"{compared:,} occurrences of {len(fields)} schedules in {len(ZONES)} zones from {YEARS[0]} to {YEARS[-1]}; "
          f"{counts['skipped']:,} are at a skipped time, {counts['twice']:,} at a repeated one.")
    if differences:
        sys.exit("\n".join([f"{len(differences)} differ:", *differences[:20]]))
    if not (compared and counts["skipped"] and counts["twice"]):
        sys.exit("Too few special times were compared.")


if __name__ == "__main__":
    main(*sys.argv[1:])
