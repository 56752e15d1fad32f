# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional

from tvmffi_conform.kernels import Examples, kernel


@kernel(
    promises=["repeatable", "fresh", "atomic"],
    calls=[
        {
            "arguments": {"base": {"a": 1, "b": 2}, "more": {"b": 3, "c": 4}, "rule": None},
            "expected": {"result.a": "1", "result.b": "3", "result.c": "4"},
        },
        {"arguments": {"base": {"a": 1, "b": 2}, "more": {"b": 3, "c": 4}, "rule": "sum"}},
        {"arguments": {"base": {"x": 5}, "more": {"x": 6}, "rule": "first"}},
        {"arguments": {"base": {}, "more": {}, "rule": "refuse"}},
        {
            "arguments": {"base": {"x": 5}, "more": {"x": 6}, "rule": "refuse"},
            "refused": {"kind": "KeyError", "message": "in both"},
        },
        {
            "arguments": {"base": {"x": 2**63 - 1}, "more": {"x": 1}, "rule": "sum"},
            "refused": {"kind": "ValueError", "message": "64 bits"},
        },
    ],
)
def merge_options(
    base: dict[str, Annotated[int, Examples(1, -7, 2**40)]],
    more: dict[str, Annotated[int, Examples(3, 0)]],
    rule: Optional[Literal["last", "first", "sum", "refuse"]],
) -> dict[str, int]:
    both = base.keys() & more.keys()
    if rule == "refuse" and both:
        raise KeyError("in both")
    if rule == "sum":
        sums = {k: base[k] + more[k] for k in both}
        if any(not -(2**63) <= v < 2**63 for v in sums.values()):
            raise ValueError("overflow")
        return base | more | sums
    return more | base if rule == "first" else base | more
