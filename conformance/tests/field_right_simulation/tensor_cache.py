# SPDX-License-Identifier: Apache-2.0
from collections import OrderedDict
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Object, Range, Retained, Tensor, kernel

F32 = np.float32


class Cache:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.kept: OrderedDict[str, np.ndarray] = OrderedDict()

    def put(self, name: str, value: np.ndarray) -> int:
        self.kept[name] = value
        self.kept.move_to_end(name)
        if len(self.kept) > self.capacity:
            self.kept.popitem(last=False)
        return len(self.kept)

    def get(self, name: str) -> Optional[np.ndarray]:
        if name in self.kept:
            self.kept.move_to_end(name)
        return self.kept.get(name)

    def clear(self) -> int:
        had = len(self.kept)
        self.kept.clear()
        return had


def put(cache: str, name: str, *values: float) -> dict:
    value = np.array(values, F32)
    arguments = {"cache": {"kept": cache}, "name": name, "value": value}
    return {"call": "cache_put", "arguments": arguments}


def get(cache: str, name: str, expected: str) -> dict:
    arguments = {"cache": {"kept": cache}, "name": name}
    return {"call": "cache_get", "arguments": arguments, "expected": {"result": expected}}


NEW = {"call": "cache_new", "arguments": {"capacity": 2}, "keep": "cache"}


@kernel(
    sequences=[
        {
            "text": "what was not used for the longest time is gone",
            "repeatable": True,
            "steps": [
                NEW,
                put("cache", "a", 1, 2),
                put("cache", "b", 3),
                get("cache", "a", "[1, 2]"),
                put("cache", "c"),
                get("cache", "b", "None"),
                get("cache", "a", "[1, 2]"),
                put("cache", "a", 9),
                get("cache", "a", "[9]"),
                {**put("cache", "", 5), "refused": {"kind": "ValueError", "message": "name"}},
                {"call": "cache.clear", "arguments": [], "expected": {"result": "2"}},
                get("cache", "a", "None"),
            ],
        },
        {
            "text": "caches are apart",
            "steps": [
                NEW,
                {**NEW, "keep": "other"},
                put("cache", "a", 1),
                get("other", "a", "None"),
                put("other", "a", 2),
                get("cache", "a", "[1]"),
            ],
        },
    ],
    refuses=[{"with": {"capacity": 0}, "kind": "ValueError", "message": "capacity"}],
)
def cache_new(capacity: Annotated[int, Examples(2), Range(1, 1024)]) -> Object["blind2.Cache"]:
    return Cache(capacity)


@kernel(
    needs=[NEW],
    sizes={"n": [3, 0]},
    refuses=[{"with": {"name": ""}, "kind": "ValueError", "message": "name is empty"}],
)
def cache_put(
    cache: Object["blind2.Cache"],
    name: Annotated[str, Examples("k", "é")],
    value: Retained[Tensor[F32, "n"]],
) -> int:
    return cache.put(name, value)


@kernel(
    needs=[NEW, put("cache", "k", 0.5, -1), put("cache", "two", 4)],
    promises=["shared", "repeatable"],
)
def cache_get(
    cache: Object["blind2.Cache"], name: Annotated[str, Examples("k", "none", "")]
) -> Optional[Tensor[F32, "_"]]:
    return cache.get(name)
