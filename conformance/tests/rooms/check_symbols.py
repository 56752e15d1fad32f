# SPDX-License-Identifier: Apache-2.0
"""The law of includes, for linking: an object uses symbols of its own room and of those it may use.

check_symbols.py NM README FILE    FILE names the object files, one a line; README holds the table

The room of an object file is the folder that it lies in. An object in no room may use no room's
symbols, but every room may use its. Rooms that hold no C are not looked at.
Exit status: 0 every symbol is allowed, 1 one is not, or a room has no objects.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from check_rooms import rooms_in

UNDEFINED = "Uvw"


class Symbols(NamedTuple):
    """What an object file defines for others, and what it takes from others."""

    defined: frozenset[str]
    used: frozenset[str]


def symbols_in(listing: str) -> Symbols:
    """Reads what `nm -g -P` prints: a name and a letter, then numbers."""
    rows = [line.split()[:2] for line in listing.splitlines() if line]
    used = frozenset(name for name, letter in rows if letter in UNDEFINED)
    return Symbols(frozenset(name for name, _ in rows) - used, used)


def room_name(file: Path, rooms: Iterable[str]) -> str | None:
    return file.parent.name if file.parent.name in rooms else None


def wrong_uses(objects: dict[Path, Symbols], law: dict[str, set[str]]) -> Iterator[str]:
    """Each symbol that a room takes from a room that it may not use, and each empty room."""
    homes = {
        name: room_name(file, law) for file, symbols in objects.items() for name in symbols.defined
    }
    for room in law:
        if not any(room_name(file, law) == room for file in objects):
            yield f"{room}: has no object files"
    for file, symbols in objects.items():
        room = room_name(file, law)
        for name in sorted(symbols.used):
            home = homes.get(name)
            if home and home not in law.get(room or "", set()):
                yield f"{file.name}: uses {name}: {room or 'no room'} may not use {home}"


def main(nm: str, readme: str, names: str) -> int:
    law = {
        room.name: {other.name for other in allowed}
        for room, allowed in rooms_in(Path(readme)).items()
        if any(room.glob("*.c"))
    }
    files = [Path(line) for line in Path(names).read_text().splitlines() if line]
    objects = {}
    for file in files:
        command = [nm, "-g", "-P", str(file)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        objects[file] = symbols_in(printed)
    problems = list(wrong_uses(objects, law))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
