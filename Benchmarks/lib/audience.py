"""Prints a CSV of so many rows in random order, of which so many per cent name somebody a second time.

With a third number, a second column has one of so many time zones, at most 24, an hour apart.
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
    # East of UTC the names count down.
    zones = [f"Etc/GMT{11 - number:+d}" for number in range(int(sys.argv[3]))]
    rows = [f"{name},{chance.choice(zones)}" for name in names]
    sys.stdout.write("username,tz\n" + "\n".join(rows) + "\n")
else:
    sys.stdout.write("username\n" + "\n".join(names) + "\n")
