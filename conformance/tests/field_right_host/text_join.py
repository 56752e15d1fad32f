# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Union

from tvmffi_conform.kernels import Examples, kernel

Text = Annotated[str, Examples("x", "", "a part of some length")]
Number = Annotated[int, Examples(0, -5)]


@kernel(
    promises=["repeatable"],
    calls=[
        {
            "arguments": {"separator": ", ", "parts": ["a", 2, "c"]},
            "expected": {"result": "'a, 2, c'"},
        },
        {"arguments": {"separator": ", ", "parts": []}, "expected": {"result": "''"}},
        {"arguments": {"separator": "", "parts": ["é", "", -7]}, "expected": {"result": "'é-7'"}},
    ],
)
def text_join(
    separator: Annotated[str, Examples(",", "", " and then ")],
    *parts: Union[Text, Number],
) -> str:
    return separator.join(str(p) for p in parts)
