# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
USUAL = "0123456789bcdefghjkmnpqrstuvwxyz"
HEX32 = "0123456789abcdefghijklmnopqrstuv"


def letters(alphabet):
    if alphabet is None:
        return USUAL
    if len(alphabet.encode()) != 32 or len(set(alphabet)) != 32 or not alphabet.isascii():
        raise ValueError("alphabet")
    return alphabet


def cell(v, half, bits):
    return int(min(max(np.floor((float(v) + half) / (2 * half) * 2.0**bits), 0), 2**bits - 1))


EXAMPLE = {
    "lat": np.array([57.64911, -90, 90, 0]),
    "lon": np.array([10.40744, -180, 180, 0]),
    "precision": 11,
    "alphabet": None,
}


@kernel(
    sizes={"n": [4, 0, 1, 33]},
    parameters={"lat": {"layout": "strided"}, "lon": {"layout": "strided"}},
    promises=["repeatable"],
    calls=[
        {"arguments": EXAMPLE},
        {"arguments": {**EXAMPLE, "precision": 5, "alphabet": HEX32}},
        {"arguments": {**EXAMPLE, "precision": 12}},
        {
            "arguments": {**EXAMPLE, "lat": np.array([0, 90.0001, 0, 0])},
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {**EXAMPLE, "lat": np.array([0, np.nan, 0, 0])},
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {**EXAMPLE, "lon": np.array([0, -180.5, 0, 0])},
            "refused": {"kind": "ValueError"},
        },
        {"arguments": {**EXAMPLE, "alphabet": "abc"}, "refused": {"kind": "ValueError"}},
        {"arguments": {**EXAMPLE, "alphabet": "0" * 32}, "refused": {"kind": "ValueError"}},
    ],
)
def geohash_encode(
    lat: Annotated[Tensor[T, "n"], Range(-90, 90)],
    lon: Annotated[Tensor[T, "n"], Range(-180, 180)],
    precision: Annotated[int, Examples(7, 5), Range(1, 12)],
    alphabet: Optional[Annotated[str, Examples(HEX32)]],
) -> list[str]:
    abc = letters(alphabet)
    if not ((lat >= -90) & (lat <= 90) & (lon >= -180) & (lon <= 180)).all():
        raise ValueError("coordinates")
    bits = precision * 5
    out = []
    for la, lo in zip(lat, lon):
        a, o = cell(la, 90, bits // 2), cell(lo, 180, bits - bits // 2)
        sa, so = (
            format(a, "b").zfill(bits // 2)[-(bits // 2) :],
            format(o, "b").zfill(bits - bits // 2),
        )
        text = "".join(so[k // 2] if k % 2 == 0 else sa[k // 2] for k in range(bits))
        out.append("".join(abc[int(text[k * 5 : k * 5 + 5], 2)] for k in range(precision)))
    return out


@kernel(
    promises=["repeatable", "fresh"],
    calls=[
        {"arguments": {"codes": ["u4pruydqqvj", "ezs42", "7zzzzzzzzzzz"], "alphabet": None}},
        {"arguments": {"codes": ["EZS42", "0", "z"], "alphabet": None}},
        {"arguments": {"codes": [], "alphabet": None}},
        {"arguments": {"codes": ["ail", "0v"], "alphabet": HEX32}},
    ]
    + [
        {"arguments": {"codes": codes, "alphabet": abc}, "refused": {"kind": "ValueError"}}
        for codes, abc in [
            (["ezs42", "ezs4a"], None),
            (["ezs42", "e zs", "0"], None),
            (["é"], None),
            (["ezs42", "üü"], None),
            (["z\u3042"], None),
            ([""], None),
            (["0000000000000"], None),
            (["AIL"], HEX32),
            (["0"], "short"),
        ]
    ],
    sequences=[
        {
            "text": "each call reads in its own alphabet",
            "repeatable": True,
            "steps": [
                {
                    "call": "geohash_decode",
                    "arguments": {"codes": ["b"], "alphabet": None},
                    "expected": {
                        "result[1]": "array([[22.5, 22.5]])",
                        "result[0]": "array([[67.5, -157.5]])",
                    },
                },
                {
                    "call": "geohash_decode",
                    "arguments": {"codes": ["a"], "alphabet": HEX32},
                    "expected": {
                        "result[1]": "array([[22.5, 22.5]])",
                        "result[0]": "array([[67.5, -157.5]])",
                    },
                },
                {
                    "call": "geohash_decode",
                    "arguments": {"codes": ["a"], "alphabet": None},
                    "refused": {"kind": "ValueError"},
                },
            ],
        }
    ],
)
def geohash_decode(
    codes: list[Annotated[str, Examples("ezs42", "u4pruydqqvj", "S0", "zzzzzzzzzzzz")]],
    alphabet: Optional[Annotated[str, Examples(HEX32)]],
) -> tuple[Tensor[np.float64, "_ 2"], Tensor[np.float64, "_ 2"]]:
    abc = letters(alphabet)
    centre, half = np.zeros((len(codes), 2)), np.zeros((len(codes), 2))
    for i, code in enumerate(codes):
        if not 1 <= len(code.encode()) <= 12:
            raise ValueError("length")
        if alphabet is None:
            if any(c not in abc and c not in abc.upper() for c in code):
                raise ValueError("letter")
            code = code.lower()
        if any(c not in abc for c in code):
            raise ValueError("letter")
        text = "".join(format(abc.index(c), "05b") for c in code)
        lo, la = text[0::2], text[1::2]
        half[i] = 90 * 2.0 ** -len(la), 180 * 2.0 ** -len(lo)
        centre[i] = (
            -90 + half[i, 0] * (2 * int(la or "0", 2) + 1),
            -180 + half[i, 1] * (2 * int(lo, 2) + 1),
        )
    return centre, half
