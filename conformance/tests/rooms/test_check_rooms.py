# SPDX-License-Identifier: Apache-2.0
"""Each way to break the law of includes is found, in a tree of two rooms made for it."""

import tempfile
import unittest
from pathlib import Path

from check_rooms import problems_of

TABLE = """| room | what it does | may use |
|---|---|---|
| `lower/` | x | |
| `upper/` | y | lower |
"""
FILES = {
    "README.md": TABLE,
    "lower/lower.h": "",
    "lower/lower.c": '#include "lower/lower.h"\n',
    "upper/upper.h": '#include <stdio.h>\n#include "elsewhere.h"\n',
    "upper/upper.c": '#include "upper.h"\n#include "lower/lower.h"\n',
}


def problems(**changed: str) -> list[str]:
    """What is reported when these files differ; a name has __ for a slash and _dot_ for a dot."""
    files = FILES | {
        name.replace("__", "/").replace("_dot_", "."): text for name, text in changed.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return problems_of(Path(folder, "README.md"))


class CheckRooms(unittest.TestCase):
    def test_nothing_is_reported_of_a_lawful_tree(self) -> None:
        self.assertEqual(problems(), [])

    def test_an_include_turned_around(self) -> None:
        for text in (
            '#include "upper/upper.h"\n',
            '#include "../upper/upper.h"\n',
            '  # include "upper.h"\n',
        ):
            found = problems(lower__lower_dot_c="\n" + text)
            self.assertEqual(len(found), 1, text)
            self.assertRegex(found[0], r"^lower/lower\.c:2: includes .*: lower may not use upper$")

    def test_a_room_without_a_row(self) -> None:
        self.assertEqual(problems(third__third_dot_c=""), ["third: not in the table of rooms"])

    def test_a_row_without_a_room(self) -> None:
        found = problems(README_dot_md=TABLE + "| `gone/` | z | |\n")
        self.assertEqual(found, ["gone: in the table of rooms, but not a folder"])

    def test_a_row_that_looks_down(self) -> None:
        found = problems(README_dot_md=TABLE.replace("| x | |", "| x | upper |"))
        self.assertEqual(found, ["lower: may not use upper, which is not above it in the table"])

    def test_no_table(self) -> None:
        with self.assertRaisesRegex(SystemExit, "no table"):
            problems(README_dot_md="Nothing here.\n")


if __name__ == "__main__":
    unittest.main()
