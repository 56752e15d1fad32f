# SPDX-License-Identifier: Apache-2.0
"""The calls of a function that are drawn, so that all choices of its signature stand in them.

Every value of every choice that it lists - types, sizes, None or a value, alternatives - stands in
one call at least that is served, if the function serves any.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import HarnessError
from .choices import Choices, Pair, pairs_of
from .examples import Draw, Unfit
from .size_expression import NotHere

PAIRS_MAX = 24  # calls, where each two choices are to stand in one
SEEDED_MAX = 12  # calls that differ from a listed one in one argument
SEEDED_ROUNDS = 3
CANDIDATES = 8  # rows for such a call: the one with most pairs that are left is taken
ATTEMPTS = 120  # to draw values that meet `where`
PATIENCE = 20  # of them with all that a row chooses; the others with one choice of it
REFUSALS = 3  # of a row by the function, and then the others with one choice of it
FEW = 3  # in each such call elements are some of five, so that equal ones are among them


def choices_of(name: str, signature: Mapping[str, Any]) -> Choices:
    """What its calls are chosen from: a draw that offers, and takes the first of each."""

    class Offer(Draw):
        def __init__(self) -> None:
            super().__init__(signature, {}, "offer")
            self.choices = Choices()

        def pick(self, place: str, values: list[Any]) -> Any:
            self.choices.offer(place, values)
            return values[0]

        def value(self, place: str, told: Mapping[str, Any]) -> Any:
            super().value(place, {**told, "optional": False}) if told.get("optional") else None
            for other in told.get("any_of", [])[1:]:
                super().value(place, other)
            return super().value(place, told)

    offer = Offer()
    for _ in range(ATTEMPTS):
        try:
            offer.arguments()
            break
        except (HarnessError, NotHere) as error:
            raise HarnessError(f"{name}: {error}") from error
        except Unfit:
            offer.sizes.clear()
            offer.ranks.clear()
            offer.values.clear()
    return offer.choices


Serve = Callable[[dict[str, Any]], bool]


def draw_call(
    name: str,
    draw: Callable[[int, bool], Draw],
    choices: Choices,
    serve: Serve,
    attempts: int = ATTEMPTS,
) -> tuple[dict[str, Any], dict[str, int]] | None:
    """The arguments of a call that is served, and what was chosen in the end; None if nothing that
    was drawn meets the conditions, or is served."""
    refused = 0
    for attempt in range(attempts):
        try:
            made = draw(attempt, attempt >= PATIENCE or refused >= REFUSALS)
            arguments = made.arguments()
        except Unfit:
            continue
        except (HarnessError, NotHere) as error:
            told = f"what is {error} in its signature?" if isinstance(error, NotHere) else error
            raise HarnessError(f"{name}: {told}") from error
        if serve(arguments):
            return arguments, choices.in_order(made.picked)
        refused += 1
        if refused == 3 * REFUSALS:
            break
    return None


def draw_row(
    name: str,
    signature: Mapping[str, Any],
    choices: Choices,
    row: dict[str, int],
    number: int,
    serve: Serve,
    attempts: int = ATTEMPTS,
) -> tuple[dict[str, Any], dict[str, int]] | None:
    """A call with what a row chooses, or with one choice of it if there is none."""

    def draw(attempt: int, loose: bool) -> Draw:
        chosen = choices.loosened(row, attempt) if loose else row
        return Draw(signature, chosen, f"{name} {number} {attempt}", number % FEW == FEW - 1)

    return draw_call(name, draw, choices, serve, attempts)


def always(arguments: dict[str, Any]) -> bool:
    return True


def draw_calls(
    name: str, signature: Mapping[str, Any], serve: Serve = always
) -> Iterator[dict[str, Any]]:
    """The arguments of each call that is served: rows of choices, then each two values that did not
    stand in one call, then options that did not meet. HarnessError: nothing that was drawn meets
    the conditions."""
    choices = choices_of(name, signature)
    met: set[Pair] = set()
    options: set[tuple[int, ...] | None] = set()
    calls = drawn = 0

    def counted(arguments: dict[str, Any]) -> bool:
        nonlocal drawn
        drawn += 1
        return serve(arguments)

    for number, row in enumerate(choices.rows()):
        made = draw_row(name, signature, choices, row, number, counted)
        if made:
            calls += 1
            met |= pairs_of(made[1])
            options.add(choices.of_options(made[1]))
            yield made[0]
    if not drawn:
        raise HarnessError(
            f'{name}: no call that was drawn meets "where"; '
            'give "value", "min" and "max", "examples", or "sizes"'
        )
    left = [pair for pair in choices.pairs() if pair not in met]
    while left and calls < PAIRS_MAX:
        made = draw_pair(name, signature, choices, left, calls, serve)
        if made:
            calls += 1
            options.add(choices.of_options(made[1]))
            yield made[0]
        left = [pair for pair in left[1:] if not made or pair not in pairs_of(made[1])]
    for row in choices.option_rows(options):
        made = draw_row(name, signature, choices, row, calls, serve, PATIENCE)
        if made and choices.of_options(made[1]) not in options:
            calls += 1
            options.add(choices.of_options(made[1]))
            yield made[0]


def draw_pair(
    name: str,
    signature: Mapping[str, Any],
    choices: Choices,
    left: list[Pair],
    number: int,
    serve: Serve,
) -> tuple[dict[str, Any], dict[str, int]] | None:
    """A call with the first pair, and as many others as possible, and what was chosen."""
    rows = (choices.around(left[0], candidate) for candidate in range(CANDIDATES))
    drawn = [draw_row(name, signature, choices, row, number, always, PATIENCE) for row in rows]
    fit = [call for call in filter(None, drawn) if pairs_of(call[1]).intersection(left)]
    fit.sort(key=lambda call: -len(pairs_of(call[1]).intersection(left)))
    return next((call for call in fit[:REFUSALS] if serve(call[0])), None)


def draw_seeded(
    name: str, signature: Mapping[str, Any], seeds: list[dict[str, Any]], serve: Serve
) -> Iterator[dict[str, Any]]:
    """Calls that differ from a listed one in one argument."""
    choices = choices_of(name, signature)
    places = itertools.product(range(SEEDED_ROUNDS), signature["parameters"], enumerate(seeds))
    calls = 0
    for again, told, (number, seed) in places:
        fixed = {key: value for key, value in seed.items() if key != told["name"]}
        key = f"{name} {told['name']} {number} {again}"

        def draw(attempt: int, loose: bool) -> Draw:
            row = choices.loosened({"": again}, attempt)  # noqa: B023
            return Draw(signature, row, f"{key} {attempt}", fixed=fixed)  # noqa: B023

        made = draw_call(name, draw, choices, serve, PATIENCE)
        if made and calls < SEEDED_MAX:
            calls += 1
            yield made[0]
