# SPDX-License-Identifier: Apache-2.0
"""Each way to break the law of symbols is found, in the listings of a few object files."""

import unittest
from pathlib import Path

from check_symbols import symbols_in, wrong_uses

LAW = {"lower": {"lower"}, "upper": {"upper", "lower"}}
LISTINGS = {
    "x/lower/one.o": "one T 0 4\nmalloc U\ncodec U\n",
    "x/upper/two.o": "two T 0 4\none U\n",
    "x/elsewhere/codec.o": "codec T 0 4\n",
}


def problems(**changed: str) -> list[str]:
    """What is reported when these rooms have other objects."""
    listings = dict(LISTINGS)
    for room, listing in changed.items():
        listings = {name: text for name, text in listings.items() if f"/{room}/" not in name}
        if listing:
            listings[f"x/{room}/other.o"] = listing
    objects = {Path(name): symbols_in(text) for name, text in listings.items()}
    return list(wrong_uses(objects, LAW))


class CheckSymbols(unittest.TestCase):
    def test_nothing_is_reported_of_lawful_objects(self) -> None:
        self.assertEqual(problems(), [])

    def test_use_of_a_room_above(self) -> None:
        wrong = ["other.o: uses two: lower may not use upper"]
        self.assertEqual(problems(lower="one T 0 4\ntwo U\n"), wrong)

    def test_weak_use_of_a_room_above(self) -> None:
        wrong = ["other.o: uses two: lower may not use upper"]
        self.assertEqual(problems(lower="one T 0 4\ntwo w\n"), wrong)

    def test_use_of_a_room_by_what_is_in_none(self) -> None:
        wrong = ["other.o: uses one: no room may not use lower"]
        self.assertEqual(problems(elsewhere="codec T 0 4\none U\n"), wrong)

    def test_a_room_without_objects(self) -> None:
        self.assertEqual(problems(upper=""), ["upper: has no object files"])


if __name__ == "__main__":
    unittest.main()
