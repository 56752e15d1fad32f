# SPDX-License-Identifier: Apache-2.0
"""What the calls of a function are chosen from: each value, and each two values, in one call."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CALLS_MAX = 48
OPTIONS_MAX = 16  # calls in which options meet
EVERY_MAX = 1 << 12

Pair = tuple  # of two places, each with the number of its value


@dataclass
class Choices:
    """What a call may be chosen from: for each place of the signature how many values there are."""

    counts: dict[str, int] = field(default_factory=dict)
    options: list[str] = field(default_factory=list)  # places of words, truth values and None
    empty: dict[str, int] = field(default_factory=dict)  # of sizes that may be 0, which one is

    def offer(self, place: str, values: Sequence[Any]) -> None:
        if len(values) <= 1:
            return
        of_words = all(isinstance(one, (str, bool)) for one in values)
        if of_words and place not in self.counts and not place.startswith("dtype "):
            self.options.append(place)
        if place.startswith("size ") and 0 in values:
            self.empty[place] = values.index(0)
        self.counts[place] = len(values)

    def loosened(self, row: dict[str, int], attempt: int) -> dict[str, int]:
        """One choice of a row, another with each attempt, and anything for the others."""
        places = list(self.counts)
        kept = places[attempt % len(places)] if places else ""
        source = random.Random(f"{row} {attempt}")
        return {
            place: row.get(place, 0) if place == kept else source.randrange(count)
            for place, count in self.counts.items()
        }

    def rows(self) -> Iterator[dict[str, int]]:
        """Each value of each place once at least: all first ones, all sizes 0 that may be, then
        each other one by itself while the others move on, too."""
        yield {}
        if len(self.empty) > 1:
            yield dict(self.empty)
        most = max(self.counts.values(), default=1)
        for row in range(1, min(most * 2, CALLS_MAX)):
            yield {
                place: (row + shift * (row >= most)) % count
                for shift, (place, count) in enumerate(self.counts.items())
            }

    def pairs(self) -> Iterator[Pair]:
        for (one, count), (other, others) in itertools.combinations(self.counts.items(), 2):
            for values in itertools.product(range(count), range(others)):
                yield (one, values[0]), (other, values[1])

    def around(self, pair: Pair, number: int) -> dict[str, int]:
        """A row with this pair: number 0 has the first of all others, each further one any."""
        source = random.Random(f"{pair} {number}")
        return {
            place: dict(pair).get(place, source.randrange(count) if number else 0)
            for place, count in self.counts.items()
        }

    def of_options(self, row: Mapping[str, int]) -> tuple[int, ...] | None:
        """What a row has for the options; None if something else is not the first there."""
        if any(chosen for place, chosen in row.items() if place not in self.options):
            return None
        return tuple(row.get(place, 0) for place in self.options)

    def option_rows(self, met: set[tuple[int, ...] | None]) -> Iterator[dict[str, int]]:
        """Rows in which options meet that did not meet yet, with the first of everything else."""
        every = itertools.product(*(range(self.counts[place]) for place in self.options))
        left = [row for row in itertools.islice(every, EVERY_MAX) if row not in met]
        if len(left) > OPTIONS_MAX:
            left = random.Random(0).sample(left, OPTIONS_MAX)
        for row in left:
            yield dict(zip(self.options, row))

    def in_order(self, row: Mapping[str, int]) -> dict[str, int]:
        return {place: row[place] for place in self.counts if place in row}


def pairs_of(row: Mapping[str, int]) -> set[Pair]:
    return set(itertools.combinations(row.items(), 2))
