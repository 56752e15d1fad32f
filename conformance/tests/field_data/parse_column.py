# SPDX-License-Identifier: Apache-2.0
import re
from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import DType, Examples, Range, Tensor, kernel

Text = Annotated[
    str,
    Examples(
        "12",
        "-7",
        " 3\t",
        "+0",
        "1.5",
        "NA",
        "",
        "2147483648",
        "-2147483648",
        "1e3",
        "nine",
        "0x10",
        "é",
        "9223372036854775807",
        "1e39",
    ),
]


@kernel(
    calls=[
        {
            "arguments": {
                "texts": ["1", None, "x", "NA", "-2147483648"],
                "dtype": "int32",
                "errors": "null",
                "missing": ["NA"],
                "fill": -5,
            },
            "expected": {
                "result[0]": "[1, -5, -5, -5, -2147483648]",
                "result[1]": "[1, 0, 0, 0, 1]",
                "result[2]": "3",
            },
        },
        {
            "arguments": {
                "texts": [" 1.25 ", "-2e2", None],
                "dtype": "float64",
                "errors": "raise",
                "missing": None,
                "fill": 0,
            },
            "expected": {
                "result[0]": "[1.25, -200, 0]",
                "result[1]": "[1, 1, 0]",
                "result[2]": "1",
            },
        },
        {
            "arguments": {
                "texts": ["NA"],
                "dtype": "int64",
                "errors": "raise",
                "missing": None,
                "fill": 0,
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "texts": ["4294967296"],
                "dtype": "int32",
                "errors": "raise",
                "missing": None,
                "fill": 0,
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "texts": ["1"],
                "dtype": "int64",
                "errors": "ignore",
                "missing": None,
                "fill": 0,
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "texts": ["1"],
                "dtype": "float32x4",
                "errors": "null",
                "missing": None,
                "fill": 0,
            },
            "refused": {"kind": "TypeError"},
        },
        {
            "arguments": {
                "texts": ["1"],
                "dtype": "int8",
                "errors": "null",
                "missing": None,
                "fill": 0,
            },
            "refused": {"kind": "TypeError"},
        },
    ],
    sequences=[
        {
            "text": "what was missing in one call is not in the next",
            "repeatable": True,
            "steps": [
                {
                    "call": "parse_column",
                    "arguments": {
                        "texts": ["0", "1"],
                        "dtype": "int32",
                        "errors": "null",
                        "missing": ["0"],
                        "fill": 8,
                    },
                    "expected": {"result[0]": "[8, 1]", "result[2]": "1"},
                },
                {
                    "call": "parse_column",
                    "arguments": {
                        "texts": ["0", "1"],
                        "dtype": "int32",
                        "errors": "null",
                        "missing": None,
                        "fill": 8,
                    },
                    "expected": {"result[0]": "[0, 1]", "result[2]": "0"},
                },
            ],
        }
    ],
    parameters={"texts": {"length": [5, 0, 1, 9]}},
    promises=["atomic", "repeatable", "fresh"],
    text="numbers of texts, with 1 where there is one and fill where there is none, and how many there are not",
)
def parse_column(
    texts: list[Optional[Text]],
    dtype: DType[np.int32, np.int64, np.float32, np.float64],
    errors: Literal["raise", "null"],
    missing: Optional[list[Annotated[str, Examples("NA", "", "-7")]]],
    fill: Annotated[int, Examples(0, -1), Range(-(2**31), 2**31 - 1)],
) -> tuple[Tensor["dtype", "_"], Tensor[np.uint8, "_"], int]:
    dtype = np.dtype(dtype)
    values, valid = np.full(len(texts), fill, dtype), np.zeros(len(texts), np.uint8)
    for i, text in enumerate(texts):
        if text is None or (missing is not None and text in missing):
            continue
        text = text.strip(" \t")
        value = None
        if dtype.kind == "i":
            if (
                re.fullmatch("[+-]?[0-9]+", text)
                and np.iinfo(dtype).min <= int(text) <= np.iinfo(dtype).max
            ):
                value = int(text)
        elif re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?", text):
            with np.errstate(over="ignore"):
                value = dtype.type(float(text))
            if np.isinf(value):
                value = None
        if value is not None:
            values[i], valid[i] = value, 1
        elif errors == "raise":
            raise ValueError("no number of this type")
    return values, valid, int((valid == 0).sum())
