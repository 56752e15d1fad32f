# SPDX-License-Identifier: Apache-2.0
"""The limits, extents and conditions of a signature, and the names in them."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from .size_expression import NotHere, names_in, parse


def bounds_of(told: Mapping[str, Any]) -> Iterator[Any]:
    """The limits, extents and lengths of a type and of those within it."""
    yield from (told[name] for name in ("shape", "min", "max", "length") if name in told)
    inner = [*told.get("elements", []), *told.get("any_of", []), *told.get("entries", {}).values()]
    for some in (*inner, *(told[name] for name in ("element", "key") if name in told)):
        yield from bounds_of(some)


def names_in_bound(bound: Any) -> list[str]:
    """The names in a shape, a limit or a length."""
    words = bound.split() if isinstance(bound, str) else bound if isinstance(bound, list) else []
    whole = names_in(bound) if isinstance(bound, str) else []
    parts = [names_in(word.lstrip("#*?")) for word in words if isinstance(word, str)]
    return [*whole, *itertools.chain.from_iterable(parts)]


def sizes_of(signature: Mapping[str, Any]) -> set[str]:
    """The names of the sizes of a signature."""
    types = [*signature["parameters"], *([signature["rest"]] if signature.get("rest") else [])]
    used = itertools.chain.from_iterable(
        names_in_bound(bound) for told in types for bound in bounds_of(told)
    )
    return {*signature.get("sizes", {}), *used} - {told["name"] for told in types if "name" in told}


def bounds_in(condition: str) -> Iterator[tuple[str, type, str]]:
    """NAME < LIMIT, for each comparison in a condition that has a name on one side."""
    swapped = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
    try:
        tree = parse(condition).body
    except NotHere:
        return
    if not isinstance(tree, ast.Compare):
        return
    sides = [tree.left, *tree.comparators]
    for symbol, left, right in zip(tree.ops, sides, sides[1:]):
        if type(symbol) in swapped and isinstance(left, ast.Name):
            yield left.id, type(symbol), ast.unparse(right)
        if type(symbol) in swapped and isinstance(right, ast.Name):
            yield right.id, swapped[type(symbol)], ast.unparse(left)
