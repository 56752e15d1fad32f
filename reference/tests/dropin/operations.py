# SPDX-License-Identifier: Apache-2.0
"""Operations on containers, drawn by chance from a seed, and what each of them gives.

operations.py SEED COUNT prints one line an operation, and the path of the library to standard
error. With two libraries the lines must be the same.
"""

from __future__ import annotations

import operator
import random
import sys
from collections.abc import Callable

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, Shape
from tvm_ffi._ffi_api import DeepCopy, RecursiveEq, RecursiveHash

LEAVES = [
    *(None, True, False, 0, 1, -5, 2**62, 1.5, float("nan"), 0.0, -0.0),
    *("", "abc", "a much longer text", "a much longer texu"),
    *(b"", b"bytes", b"more bytes than seven", Shape((1, 2)), Shape(())),
]


def shown(value: object, depth: int = 0) -> object:
    """Content and types, whatever the library can print."""
    if depth > 6:
        return "..."
    if isinstance(value, Shape):
        return ["Shape", *map(int, value)]
    if isinstance(value, (Array, List, list, tuple)):
        return [type(value).__name__, *(shown(one, depth + 1) for one in value)]
    if isinstance(value, (Map, Dict)):
        entries = [(shown(key, depth + 1), shown(one, depth + 1)) for key, one in value.items()]
        return [type(value).__name__, *entries]
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return f"{type(value).__name__} {value!r}"
    return type(value).__name__


class Draw:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def value(self, depth: int = 0) -> object:
        if depth > 2 or self.chance.random() < 0.6:
            return self.chance.choice(LEAVES)
        kind = self.chance.choice([Array, List, Map, Dict])
        values = [self.value(depth + 1) for _ in range(self.chance.randrange(5))]
        if kind in (Array, List):
            return kind(values)
        return kind({self.chance.choice(LEAVES): value for value in values})

    def place(self) -> int:
        return self.chance.randrange(-6, 7)


def operations(a: object, v: object, i: int, j: int) -> list[Callable[[], object]]:
    """Most do not fit most values; then it matters that both libraries refuse them alike."""
    reading = [
        lambda: a[i],
        lambda: a[i:j],
        lambda: a[::-1],
        lambda: v in a,
        lambda: a.index(v),
        lambda: a.count(v),
        lambda: operator.add(a, [v]),
        lambda: operator.add([v], a),
        lambda: list(reversed(a)),
        lambda: len(a),
        lambda: bool(a),
        lambda: list(a.keys()),
        lambda: list(a.values()),
        lambda: list(a.items()),
        lambda: a.get(v, 7),
        lambda: a[v],
    ]
    changing = [
        lambda: a.append(v),
        lambda: a.insert(i, v),
        lambda: a.pop(),
        lambda: a.pop(i),
        lambda: a.__delitem__(i),
        lambda: a.__delitem__(slice(i, j)),
        lambda: a.__setitem__(i, v),
        lambda: a.__setitem__(slice(i, j), [v, v]),
        lambda: a.__setitem__(slice(None, None, 2), [v]),
        lambda: a.extend([v, 1]),
        lambda: a.remove(v),
        lambda: a.reverse(),
        lambda: a.__setitem__(v, 1),
        lambda: a.__delitem__(v),
        lambda: a.update({v: 2, "q": 3}),
        lambda: a.setdefault(v, 4),
        lambda: a.pop(v, 5),
        lambda: a.popitem(),
    ]
    return reading + changing + [lambda: a]


def tell(operation: Callable[[], object]) -> None:
    try:
        print(shown(operation()))
    except Exception as error:
        print(type(error).__name__)


def main(seed: int, count: int) -> None:
    draw = Draw(seed)
    for _ in range(count):
        one = draw.value()
        other = DeepCopy(one) if draw.chance.random() < 0.4 else draw.value()
        equal = RecursiveEq(one, other)
        print(equal, not equal or RecursiveHash(one) == RecursiveHash(other))
        for operation in operations(one, draw.value(), draw.place(), draw.place()):
            tell(operation)
    print(tvm_ffi.LIB._name, file=sys.stderr)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
