# SPDX-License-Identifier: Apache-2.0
import math
from typing import Annotated, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Object, Out, Range, Shape, Tensor, kernel

T = TypeVar("T", np.float64, np.float32)
MASK = 2**64 - 1


def turned(v: int, by: int) -> int:
    return (v << by | v >> (64 - by)) & MASK


class Rng:
    def __init__(self, words: list[int]) -> None:
        self.s = [w & MASK for w in words]

    def step(self) -> int:
        s = self.s
        out = turned(s[1] * 5 & MASK, 7) * 9 & MASK
        moved = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= moved
        s[3] = turned(s[3], 45)
        return out

    def unit(self) -> float:
        return (self.step() >> 11) * 2.0**-53

    def next(self) -> int:
        return self.step() >> 1

    def words(self) -> list[int]:
        return [w - 2**64 if w >= 2**63 else w for w in self.s]


def seeded(seed: int) -> Rng:
    words = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        words.append(z ^ z >> 31)
    return Rng(words)


def new(start, name: str = "rng") -> dict:
    return {"call": "rng_new", "arguments": {"start": start}, "keep": name}


def uniform(name: str, n: int) -> dict:
    out = {"shape": [n], "dtype": "float32"}
    arguments = {"rng": {"kept": name}, "low": -1.0, "high": 3.0, "out": out}
    return {"call": "rng_uniform", "arguments": arguments}


def refused(step: dict) -> dict:
    arguments = {**step["arguments"], "high": -1.0}
    return {**step, "arguments": arguments, "refused": {"kind": "ValueError", "message": "low"}}


def state(name: str) -> dict:
    return {"call": "rng_state", "arguments": {"rng": {"kept": name}}}


AFTER_THREE = seeded(42)
for _ in range(3):
    AFTER_THREE.step()


@kernel(
    sequences=[
        {
            "text": "numbers go on, and a refused call draws none",
            "repeatable": True,
            "steps": [
                new(42),
                uniform("rng", 3),
                state("rng"),
                {"call": "rng.next", "arguments": []},
                refused(uniform("rng", 2)),
                {"call": "rng.next", "arguments": []},
            ],
        },
        {
            "text": "a generator of a state is like the one that had it",
            "repeatable": True,
            "steps": [
                new(42),
                uniform("rng", 3),
                new(AFTER_THREE.words(), "copy"),
                {"call": "rng.next", "arguments": []},
                {"call": "copy.next", "arguments": []},
                uniform("copy", 5),
                state("rng"),
            ],
        },
    ],
    calls=[
        {"arguments": {"start": [0, 0, 0, 0]}, "refused": {"kind": "ValueError"}},
        {"arguments": {"start": [1, 2, 3]}, "refused": {"kind": "ValueError"}},
        {"arguments": {"start": [1, -2, 3, 4]}},
    ],
)
def rng_new(
    start: Union[Annotated[int, Examples(42, -1)], list[int]],
) -> Object["blind4.Rng"]:
    if isinstance(start, int):
        return seeded(start)
    if len(start) != 4:
        raise ValueError("4 numbers")
    if not any(start):
        raise ValueError("zeros")
    return Rng(start)


@kernel(
    needs=[new(7)],
    sizes={"n": [5, 0, 1, 100]},
    where=["low < high"],
    promises=["repeatable", "shared"],
)
def rng_uniform(
    rng: Object["blind4.Rng"],
    low: Annotated[float, Examples(0, -2.5), Range(-1e6, 1e6)],
    high: Annotated[float, Examples(1, 4), Range(-1e6, 1e6)],
    out: Out[Tensor[T, "n", {"layout": "strided"}]],
) -> None:
    out[...] = [low + (high - low) * rng.unit() for _ in range(len(out))]


@kernel(needs=[new(-3)], sizes={"a": [3, 0, 1], "b": [2, 40]}, promises=["fresh", "repeatable"])
def rng_normal(
    rng: Object["blind4.Rng"], shape: Annotated[Shape["a b"], Range(0, 64)]
) -> Tensor[np.float64, "a b"]:
    values = []
    for _ in range(shape[0] * shape[1]):
        radius = math.sqrt(-2 * math.log(1 - rng.unit()))
        values.append(radius * math.cos(2 * math.pi * rng.unit()))
    return np.array(values, np.float64).reshape(shape)


@kernel(needs=[new([5, 6, -7, 8])], promises=["shared", "repeatable"])
def rng_state(rng: Object["blind4.Rng"]) -> list[int]:
    return rng.words()
