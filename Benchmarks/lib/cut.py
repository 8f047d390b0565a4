"""Computes what a disk contains after a power cut, from the calls that disk.c recorded.

A file's bytes are on the disk once the file was synced, and a name once its folder was synced. Later changes may or may not be on
the disk: `Disk.write` takes a selection of them.
"""

import os
import struct

HEAD = struct.Struct("<8sQqIIQ")
SECTOR = 512


class Event:
    def __init__(self, letter, inode, offset, path, second, data):
        self.letter, self.inode, self.offset, self.path, self.second, self.data = letter, inode, offset, path, second, data


def events(path):
    """The calls in order, without an incomplete last one."""
    with open(path, "rb") as file:
        data = file.read()
    found, at = [], 0
    while at + HEAD.size <= len(data):
        letter, inode, offset, first, second, length = HEAD.unpack_from(data, at)
        at += HEAD.size
        if at + first + second + length > len(data):
            break
        paths = data[at:at + first + second]
        at += first + second
        found.append(Event(letter[:1].decode(), inode, offset, os.path.normpath(paths[:first].decode()) if first else "",
                           os.path.normpath(paths[first:].decode()) if second else "", data[at:at + length]))
        at += length
    return found


class File:
    """A file: its bytes on the disk, and later changes."""

    def __init__(self, mode, data=b""):
        self.mode, self.data, self.pending = mode, data, []

    def settle(self):
        self.data = self.bytes(self.pending)
        self.pending = []

    def bytes(self, changes):
        data = bytearray(self.data)
        for offset, written in changes:
            if written is None:
                del data[offset:]
                data += bytes(offset - len(data))
            else:
                data += bytes(max(0, offset - len(data)))
                data[offset:offset + len(written)] = written
        return bytes(data)


class Folder:
    """A folder: its names on the disk, the names that a process sees, and later changes."""

    def __init__(self, mode):
        self.mode, self.disk, self.seen, self.pending = mode, {}, {}, []

    def change(self, changes):
        """Changes several names at once: all or none reach the disk."""
        for name, item in changes:
            put(self.seen, name, item)
        self.pending.append(changes)

    def settle(self):
        self.disk = self.names(self.pending)
        self.pending = []

    def names(self, changes):
        names = dict(self.disk)
        for change in changes:
            for name, item in change:
                put(names, name, item)
        return names


def put(names, name, item):
    if item is None:
        names.pop(name, None)
    else:
        names[name] = item


class Disk:
    """A simulated disk with one folder."""

    def __init__(self, root):
        """Reads the folder as it is now, all of it on the disk."""
        self.path = root
        self.inodes = {}
        self.root = self.read(root)

    def read(self, path):
        status = os.lstat(path)
        folder = Folder(status.st_mode & 0o7777)
        for entry in os.scandir(path):
            status = entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                item = self.read(entry.path)
            else:
                with open(entry.path, "rb") as file:
                    item = File(status.st_mode & 0o7777, file.read())
                self.inodes[status.st_ino] = item
            folder.disk[entry.name] = item
        folder.seen = dict(folder.disk)
        return folder

    def find(self, path):
        """The folder of a path, and its last component."""
        parts = os.path.relpath(path, self.path).split(os.sep)
        folder = self.root
        for component in parts[:-1]:
            folder = folder.seen[component]
        return folder, parts[-1]

    def happen(self, event):
        if event.letter == "C":
            folder, name = self.find(event.path)
            self.inodes[event.inode] = File(event.offset & 0o7777)
            folder.change([(name, self.inodes[event.inode])])
        elif event.letter == "M":
            folder, name = self.find(event.path)
            folder.change([(name, Folder(event.offset & 0o7777))])
        elif event.letter == "W":
            self.inodes[event.inode].pending.append((event.offset, event.data))
        elif event.letter == "T":
            self.inodes[event.inode].pending.append((event.offset, None))
        elif event.letter == "F":
            self.inodes[event.inode].settle()
        elif event.letter == "D":
            if event.path == self.path:
                self.root.settle()
            else:
                folder, name = self.find(event.path)
                folder.seen[name].settle()
        elif event.letter == "U":
            folder, name = self.find(event.path)
            folder.change([(name, None)])
        elif event.letter in "RL":
            source, name = self.find(event.path)
            target, other = self.find(event.second)
            item = source.seen[name]
            if event.letter == "L":
                target.change([(other, item)])
            elif source is target:
                target.change([(name, None), (other, item)])
            else:
                target.change([(other, item)])
                source.change([(name, None)])

    def write(self, root, keep):
        """Writes the folder as it is after a cut.

        keep: chooses, from the changes of a file or folder that were not synced, those that still reach the disk.
        """
        self.write_folder(self.root, root, keep)

    def write_folder(self, folder, path, keep):
        os.makedirs(path, exist_ok=True)
        for name, item in folder.names(keep(folder, folder.pending)).items():
            place = os.path.join(path, name)
            if isinstance(item, Folder):
                self.write_folder(item, place, keep)
            elif not name.endswith("-shm"):
                with open(place, "wb") as file:
                    file.write(item.bytes(keep(item, item.pending)))
                os.chmod(place, item.mode)
        os.chmod(path, folder.mode)


def nothing(item, changes):
    """Only what was synced."""
    return []


def names(item, changes):
    """All names, but only synced bytes."""
    return changes if isinstance(item, Folder) else []


def everything(item, changes):
    """As if only the process had been killed."""
    return changes


def some(chance):
    """The first changes of a folder, random writes in any order, and part of one write."""
    def keep(item, changes):
        if isinstance(item, Folder):
            return changes[:chance.randint(0, len(changes))]
        kept = [change for change in changes if chance.random() < 0.5]
        if kept and kept[-1][1] is not None and len(kept[-1][1]) > SECTOR:
            offset, data = kept[-1]
            kept[-1] = offset, data[:SECTOR * chance.randint(1, len(data) // SECTOR)]
        return kept
    return keep
