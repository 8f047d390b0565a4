"""Prints a CSV of so many rows in random order, of which so many per cent name somebody a second time."""

import random
import sys

count, doubled = int(sys.argv[1]), int(sys.argv[2])
chance = random.Random(20)
repeats = count * doubled // 100
names = [f"customer-{number:08d}" for number in range(count - repeats)]
names += chance.sample(names, repeats)
chance.shuffle(names)
sys.stdout.write("username\n" + "\n".join(names) + "\n")
