# SPDX-License-Identifier: Apache-2.0
"""The law of includes: a file may include headers of its own room and of those its README names.

check_rooms.py README...    each README holds one table with the columns "room" and "may use"

A room is a folder, named as seen from the README. A header is looked up as the compiler does it:
beside the file, below the folder of the rooms, and below each room. A header in none of these
places belongs to another folder of the project or to the system.
Exit status: 0 every include is allowed, 1 an include or the table is wrong.
"""

import re
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\s+"([^"]+)"', re.MULTILINE)
HEAD = re.compile(r"^\| *room *\|.*\| *may use *\|$")
SOURCES = {".c", ".h", ".cc", ".def", ".inc"}
Rooms = dict[Path, set[Path]]


def rooms_in(readme: Path) -> Rooms:
    """The rooms of the table, in its order, and those that each may use, itself among them."""
    base = readme.resolve().parent
    lines = iter(readme.read_text().splitlines())
    if not any(HEAD.match(line) for line in lines):
        raise SystemExit(f'{readme}: no table with the columns "room" and "may use"')
    rooms: Rooms = {}
    for line in list(takewhile(lambda line: line.startswith("|"), lines))[1:]:
        first, *_, last = (cell.strip() for cell in line.strip("|").split("|"))
        room = base / first.strip("`/")
        named = {room.parent / word.strip() for word in last.split(",") if word.strip()}
        rooms[room] = {room, *rooms} if last == "all" else {room, *named}
    return rooms


def wrong_rows(rooms: Rooms) -> Iterator[str]:
    """Mistakes in the table: a missing folder or row, a use of a room further down."""
    for parent in {room.parent for room in rooms}:
        folders = (path.parent for path in parent.glob("*/*") if path.suffix in SOURCES)
        yield from (
            f"{folder.name}: not in the table of rooms" for folder in sorted({*folders} - {*rooms})
        )
    above: set[Path] = set()
    for room, allowed in rooms.items():
        above.add(room)
        if not room.is_dir():
            yield f"{room.name}: in the table of rooms, but not a folder"
        for other in sorted(allowed - above):
            yield f"{room.name}: may not use {other.name}, which is not above it in the table"


def room_of(file: Path, header: str, base: Path, rooms: Rooms) -> Path | None:
    """The room of an included header; None if it is in no room."""
    places = [file.parent, base, *{room.parent for room in rooms}, *rooms]
    found = next((place / header for place in places if (place / header).is_file()), None)
    return next((room for room in rooms if found and found.resolve().is_relative_to(room)), None)


def wrong_includes(base: Path, rooms: Rooms) -> Iterator[str]:
    """Each include that the table does not allow."""
    for room, allowed in rooms.items():
        for file in sorted(path for path in room.rglob("*") if path.suffix in SOURCES):
            text = file.read_text()
            for match in INCLUDE.finditer(text):
                used = room_of(file, match[1], base, rooms)
                if used and used not in allowed:
                    line = text.count("\n", 0, match.start()) + 1
                    place = f"{file.relative_to(base)}:{line}"
                    yield f"{place}: includes {match[1]}: {room.name} may not use {used.name}"


def problems_of(readme: Path) -> list[str]:
    rooms = rooms_in(readme)
    return [*wrong_rows(rooms), *wrong_includes(readme.resolve().parent, rooms)]


def main(readmes: list[str]) -> int:
    problems = [problem for readme in readmes for problem in problems_of(Path(readme))]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
