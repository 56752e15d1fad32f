# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Tensor, kernel


@kernel(
    promises=["atomic", "repeatable"],
    text="Texts of the dictionary may be those of the column.",
    calls=[
        {
            "arguments": {
                "column": ["pear", None, "apple", "pear", "", "a longer text, of an object"],
                "sorted": False,
            },
            "expected": {
                "result[0]": "(0, -1, 1, 0, 2, 3)",
                "result[1]": "('pear', 'apple', '', 'a longer text, of an object')",
            },
        },
        {"arguments": {"column": ["pear", None, "Ä", "z", "apple", "pear"], "sorted": True}},
        {"arguments": {"column": [None, None], "sorted": True}},
        {"arguments": {"column": [], "sorted": False}},
    ],
)
def dict_encode(
    column: list[Optional[Annotated[str, Examples("red", "", "a text that is not small", "é")]]],
    sorted: bool,
) -> tuple[Tensor[np.int32, "_"], list[str]]:
    known = {}
    for cell in column:
        if cell is not None:
            known.setdefault(cell, len(known))
    words = list(known)
    if sorted:
        words.sort(key=lambda word: word.encode())
        known = {word: i for i, word in enumerate(words)}
    codes = [-1 if cell is None else known[cell] for cell in column]
    return np.array(codes, np.int32), words
