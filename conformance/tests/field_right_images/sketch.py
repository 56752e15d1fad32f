# SPDX-License-Identifier: Apache-2.0
"""A sketch of a distribution by its nearest centroids."""

from bisect import bisect_right
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Examples, Object, Range, kernel

Kind = "sketchkit.Quantiles"


class Quantiles:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.means: list[float] = []
        self.weights: list[int] = []

    def insert(self, mean: float, weight: int) -> None:
        at = bisect_right(self.means, mean)
        self.means.insert(at, mean)
        self.weights.insert(at, weight)
        if len(self.means) <= self.capacity:
            return
        m, w = self.means, self.weights
        i = min(range(len(m) - 1), key=lambda i: m[i + 1] - m[i])
        total = w[i] + w[i + 1]
        m[i : i + 2] = [(m[i] * w[i] + m[i + 1] * w[i + 1]) / total]
        w[i : i + 2] = [total]

    def add(self, value: float) -> int:
        if not abs(value) <= 1e9:
            raise ValueError("value refused")
        self.insert(value, 1)
        return sum(self.weights)

    def extend(self, values: np.ndarray) -> int:
        if not (np.abs(values) <= 1e9).all():
            raise ValueError("value refused")
        for v in values.tolist():
            self.insert(v, 1)
        return sum(self.weights)

    def count(self) -> int:
        return sum(self.weights)


def add(name: str, *values: float) -> list[dict]:
    return [{"call": f"{name}.add", "arguments": [float(v)]} for v in values]


def ask(name: str, q: float) -> dict:
    return {"call": "quantile", "arguments": {"s": {"kept": name}, "q": q}}


def refuse(step: dict, kind: str, message: str) -> dict:
    return {**step, "refused": {"kind": kind, "message": message}}


@kernel(
    refuses=[
        {"when": "capacity < 2", "kind": "ValueError", "message": "capacity must be 2 to 512"},
        {"when": "capacity > 512", "kind": "ValueError", "message": "capacity must be 2 to 512"},
    ],
    sequences=[
        {
            "text": "exact as long as all fits, then the nearest are merged",
            "repeatable": True,
            "steps": [
                {"call": "sketch", "arguments": {"capacity": 3}, "keep": "few"},
                *add("few", 5, 1, 9),
                ask("few", 0.5),
                *add("few", 6, 2.5, -4),
                {"call": "few.count", "arguments": []},
                ask("few", 0.0),
                ask("few", 0.5),
                ask("few", 1.0),
            ],
        },
        {
            "text": "what is refused is not counted",
            "steps": [
                {"call": "sketch", "arguments": {"capacity": 8}, "keep": "s"},
                refuse(ask("s", 0.5), "RuntimeError", "the sketch is empty"),
                refuse(ask("s", 1.5), "ValueError", "q must be from 0 to 1"),
                refuse({"call": "s.add", "arguments": [2e9]}, "ValueError", "refused"),
                refuse(
                    {"call": "s.extend", "arguments": [np.array([1.0, np.nan])]},
                    "ValueError",
                    "refused",
                ),
                refuse(
                    {"call": "s.extend", "arguments": [np.array([1, 2], np.float32)]},
                    "TypeError",
                    "values must be of float64",
                ),
                {"call": "s.count", "arguments": [], "expected": {"result": "0"}},
                {"call": "s.extend", "arguments": [np.array([3.0, 1.0, 2.0])]},
                ask("s", 0.5),
            ],
        },
        {
            "text": "a merged sketch is another one",
            "steps": [
                {"call": "sketch", "arguments": {"capacity": 4}, "keep": "a"},
                {"call": "sketch", "arguments": {"capacity": 4}, "keep": "b"},
                {"call": "sketch", "arguments": {"capacity": 5}, "keep": "c"},
                *add("a", 1, 2, 3),
                *add("b", 10, 20, 30),
                {
                    "call": "merged",
                    "arguments": {"a": {"kept": "a"}, "b": {"kept": "b"}},
                    "keep": "all",
                },
                {"call": "all.count", "arguments": []},
                ask("all", 0.25),
                ask("all", 1.0),
                *add("all", 100),
                {"call": "a.count", "arguments": []},
                ask("b", 1.0),
                refuse(
                    {"call": "merged", "arguments": {"a": {"kept": "a"}, "b": {"kept": "c"}}},
                    "ValueError",
                    "capacities differ",
                ),
            ],
        },
    ],
)
def sketch(capacity: Annotated[int, Examples(16, 3), Range(2, 512)]) -> Object[Kind]:
    return Quantiles(capacity)


@kernel(
    needs=[
        {"call": "sketch", "arguments": {"capacity": 4}, "keep": "s"},
        *add("s", 4, 8, 15, 16, 23, 42),
    ],
    where=["isfinite(q)"],
    refuses=[
        {"when": "q < 0 or q > 1", "kind": "ValueError", "message": "q must be from 0 to 1"},
        {"with": {"q": "nan"}, "kind": "ValueError", "message": "q must be from 0 to 1"},
    ],
    promises=["repeatable", "shared"],
)
def quantile(s: Object[Kind], q: Annotated[float, Examples(0.5, 0.95), Range(0, 1)]) -> float:
    target = q * (sum(s.weights) - 1)
    passed = 0
    for mean, weight in zip(s.means, s.weights):
        passed += weight
        if passed > target:
            return mean
    return s.means[-1]


@kernel(
    needs=[
        {"call": "sketch", "arguments": {"capacity": 4}, "keep": "a"},
        {"call": "sketch", "arguments": {"capacity": 4}, "keep": "b"},
        *add("a", 1, 5),
        *add("b", 2, 2.5, 7),
    ],
    promises=["shared"],
)
def merged(a: Object[Kind], b: Object[Kind]) -> Object[Kind]:
    if a.capacity != b.capacity:
        raise ValueError("capacities differ")
    out = Quantiles(a.capacity)
    for part in (a, b):
        for mean, weight in zip(list(part.means), list(part.weights)):
            out.insert(mean, weight)
    return out
