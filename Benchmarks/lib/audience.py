"""Prints a CSV table in random order: audience.py ROWS PERCENT [ZONES]. PERCENT of the rows repeat a name.

With ZONES, a second column contains one of this many time zones (at most 24), which are an hour apart.
"""

import random
import sys

count, doubled = int(sys.argv[1]), int(sys.argv[2])
chance = random.Random(20)
repeats = count * doubled // 100
names = [f"customer-{number:08d}" for number in range(count - repeats)]
names += chance.sample(names, repeats)
chance.shuffle(names)
if len(sys.argv) > 3:
    # The sign in these names is reversed: Etc/GMT-1 is an hour ahead of UTC.
    zones = [f"Etc/GMT{11 - number:+d}" for number in range(int(sys.argv[3]))]
    rows = [f"{name},{chance.choice(zones)}" for name in names]
    sys.stdout.write("username,tz\n" + "\n".join(rows) + "\n")
else:
    sys.stdout.write("username\n" + "\n".join(names) + "\n")
