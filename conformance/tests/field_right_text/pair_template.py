# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

from tvmffi_conform.kernels import Examples, Range, kernel

Id = Annotated[int, Range(0)]


@kernel(
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "first": [11, 12, 13, 14, 15],
                "second": [21, 22],
                "cls": 101,
                "sep": 102,
                "max_length": 7,
            },
            "expected": {
                "result[0]": "(101, 11, 12, 102, 21, 22, 102)",
                "result[1]": "(0, 0, 0, 0, 1, 1, 1)",
            },
            "text": "the longer one is cut until both are equal",
        },
        {
            "arguments": {
                "first": [11, 12, 13],
                "second": [21, 22, 23],
                "cls": 1,
                "sep": 5000000000,
                "max_length": 6,
            },
            "text": "of equal ones the second loses first",
        },
        {
            "arguments": {"first": [], "second": [], "cls": 1, "sep": 2, "max_length": 3},
            "expected": {"result[0]": "(1, 2, 2)", "result[1]": "(0, 0, 1)"},
        },
        {
            "arguments": {"first": [7], "second": [8], "cls": 1, "sep": 2, "max_length": 2},
            "refused": {"kind": "ValueError", "message": "max_length"},
        },
        {
            "arguments": {"first": [7, -1], "second": None, "cls": 1, "sep": 2, "max_length": None},
            "refused": {"kind": "ValueError", "message": "negative"},
        },
    ],
)
def pair_template(
    first: list[Id],
    second: Optional[list[Id]],
    cls: Annotated[int, Examples(101), Range(0)],
    sep: Annotated[int, Examples(102), Range(0)],
    max_length: Optional[Annotated[int, Examples(8, 4, 512), Range(2)]],
) -> tuple[list[int], list[int]]:
    a = list(first)
    b = None if second is None else list(second)
    special = 2 if b is None else 3
    if max_length is not None:
        if max_length < special:
            raise ValueError("max_length must leave room for the special tokens")
        while len(a) + len(b or []) > max_length - special:
            if b is not None and len(b) >= len(a):
                b.pop()
            else:
                a.pop()
    ids = [cls, *a, sep]
    types = [0] * len(ids)
    if b is not None:
        ids += [*b, sep]
        types += [1] * (len(b) + 1)
    return ids, types
