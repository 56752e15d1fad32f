#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of a fuzzer of a JSON file: make_texts.py FOLDER NAME. To them come those that
fuzzing found worth keeping, in corpus/NAME.hex, one a line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import found

KINDS = [
    "any",
    "none",
    "int",
    "bool",
    "float",
    "pointer",
    "dtype",
    "device",
    "string",
    "bytes",
]
KINDS += ["shape", "function", "object"]


def schema(kind: str, *args: dict) -> dict:
    return {"type": kind, **({"args": list(args)} if args else {})}


def metadata() -> dict[str, str]:
    """Metadata as the official generators write them."""
    number, tensor = schema("int"), schema("DLTensor*")
    functions = {
        "add": schema("ffi.Function", number, number, number),
        "add-one": schema("ffi.Function", schema("None"), tensor, schema("ffi.Tensor")),
        "optional": schema(
            "ffi.Function", schema("Any"), schema("Optional", schema("std::string"))
        ),
        "containers": schema("ffi.Function", schema("ffi.Array", number), schema("ffi.Map")),
        "union": schema("ffi.Function", number, schema("Union", number, schema("float"))),
        "callback": schema("ffi.Function", schema("dtype"), schema("ffi.Function", number)),
        "unknown": schema("my.Type"),
    }
    named = {"return": [tensor], "params": [number, schema("Optional", tensor)]}
    functions["named"] = {"type": "ffi.Function", "named_args": named}
    texts = {
        name: json.dumps({"type_schema": json.dumps(function), "arg_const": [True]})
        for name, function in functions.items()
    }
    alone = {f"{name}-alone": "S" + json.dumps(function) for name, function in functions.items()}
    messages = {
        "message-list": "M`f(0: Array<ffi.Tensor>, 1: Optional<int>) -> Tuple<str, int>`",
        "message-shapes": "M`f(X: Tensor([m, 8], float32), n: int32)`, expected",
        "message-function": "M`f(0: (0: int) -> void, 1: Map<str, std::function<int(int)>>)"
        " -> Any`",
    }
    return {**texts, **alone, **messages}


def signatures() -> dict[str, str]:
    tensor = {
        "name": "x",
        "kind": "tensor",
        "dtype": "float32",
        "shape": ["n", 4],
        "role": "in",
    }
    out = {**tensor, "name": "y", "role": "out", "alias": "x", "device": "cuda:1", "alignment": 64}
    add = {
        "parameters": [tensor, out],
        "result": {"kind": "none"},
        "sizes": {"n": 5},
        "expected": {"y": "x + 1"},
        "tolerance": 0.001,
        "launches": True,
        "text": "adds one",
    }
    plain = {
        "parameters": [{"name": f"p{i}", "kind": kind} for i, kind in enumerate(KINDS)],
        "result": {"kind": "object", "type_key": "ffi.Object", "optional": True},
    }
    values = {
        "parameters": [
            {"name": "i", "kind": "int", "value": -3},
            {"name": "b", "kind": "bool", "value": True},
            {"name": "f", "kind": "float", "value": 1.5},
            {"name": "s", "kind": "string", "value": "text"},
            {
                "name": "r",
                "kind": "string",
                "value": "text",
                "spellings": ["raw", "small"],
            },
            {"name": "d", "kind": "dtype", "value": "float16x4"},
            {"name": "o", "kind": "object", "type_key": "ffi.Object", "optional": True},
        ]
    }
    batch = {
        "kind": "tensor",
        "dtype": "T",
        "shape": "*batch 2*n",
        "device": ["cpu", "cuda"],
    }
    said = {
        "parameters": [
            {"name": "x", **batch, "layout": "rows", "min": 0, "max": "k - 1"},
            {"name": "y", **batch, "role": "out", "values": [0, 1.5]},
            {"name": "k", "kind": "int", "values": [1, 3], "value": 3},
            {
                "name": "parts",
                "kind": "array",
                "element": {"kind": "any"},
                "length": [0, 2],
            },
            {"name": "mode", "kind": "string", "values": ["relu", "gelu"]},
            {
                "name": "options",
                "kind": "map",
                "entries": {"eps": {"kind": "float", "optional": True, "min": "1e-9"}},
            },
            {
                "name": "pair",
                "kind": "tuple",
                "elements": [{"kind": "int"}, {"kind": "none"}],
            },
            {
                "name": "either",
                "kind": "variant",
                "any_of": [{"kind": "int"}, {"kind": "shape"}],
            },
            {
                "name": "f",
                "kind": "function",
                "parameters": [{"name": "a", "kind": "float"}],
                "result": {"kind": "float"},
                "does": "2 * a",
            },
            {"name": "dims", "kind": "shape", "extents": "n #k _ b=4", "min": 0},
            {
                "name": "lengths",
                "kind": "array",
                "element": {"kind": "int"},
                "value": [2, 0, 3],
            },
            {
                **batch,
                "name": "z",
                "shape": "sum(lengths) prod(dims)",
                "role": "inout",
                "alias": ["x"],
            },
        ],
        "rest": {
            "name": "more",
            "kind": "map",
            "key": {},
            "element": {},
            "counts": [0, 2],
        },
        "result": {"kind": "tensor", "dtype": ["int8", "bool"], "shape": "... n"},
        "sizes": {"n": [4, 400]},
        "dtypes": {"T": ["float16", "float32"]},
        "where": ["1 <= k <= n", "len(parts) > 0"],
        "refuses": [
            {"when": "k > n", "kind": "ValueError", "message": "k must"},
            {"with": {"k": 0, "x": None, "n": 5}},
        ],
        "checks": ["arity", "value"],
        "expected": {
            "y": "exp(x) / sum(exp(x), axis=-1, keepdims=1)",
            "result": "x > k",
        },
        "tolerance": {"float32": 1e-5},
        "calls": [
            {"arguments": {"k": 3, "parts": [1, [2.5, None]]}, "expected": {"y": "x"}},
            {"arguments": {"f": {"does": ["a", "nan"]}}, "expected": {"y": "x"}},
            {"arguments": {"k": -1}, "refused": {"kind": "ValueError"}},
        ],
    }
    made = {"call": "scale", "arguments": {"n": 2}, "keep": "pool"}
    steps = {
        "parameters": [{"name": "n", "kind": "int"}],
        "needs": [made],
        "sequences": [
            {
                "repeatable": True,
                "text": "twice",
                "steps": [
                    made,
                    {
                        "call": "pool.add",
                        "arguments": [
                            {"elements": [[1, 2.5], [True, "nan"]], "dtype": "float32"},
                            {"shape": [2, 0], "dtype": "int8"},
                            [None, {"k": "a\0b"}, {"kept": "pool"}],
                        ],
                        "expected": {"result": "1"},
                    },
                    {"call": "pool", "refused": {"kind": "ValueError"}},
                ],
            }
        ],
    }
    named = {
        "parameters": said["parameters"][:3],
        "dtypes": said["dtypes"],
        "let": {
            "most": "max(x, axis=-1)",
            "r": "k == 1",
            "part": "most * most if r else most.sum(axis=k)",
        },
        "where": ["r or part > 0", "x.size != 'r'"],
        "refuses": [{"when": "not r"}],
        "expected": {"y": "part"},
        "calls": [{"arguments": {"k": 3}, "expected": {"y": "sum(part, axis=0) + most"}}],
    }
    overloads = {"signatures": [plain, {"parameters": [], "checks": False}]}
    texts = {
        **steps_of_all_kinds(),
        "steps": {"scale": steps},
        "add": {"add": add},
        "said": {"scale": said},
        "named": {"scale": named},
        "overloads": {"add": overloads, "scale": {"tentative": True}},
        "plain": {"add_one": plain},
        "values": {"scale": values},
    }
    texts["all"] = {"add": add, "add_one": plain, "scale": values}
    return {name: json.dumps({"functions": functions}) for name, functions in texts.items()}


def steps_of_all_kinds() -> dict[str, dict]:
    """Calls of a function with one parameter, each with a value of its kind or of another one."""
    tensor = {"kind": "tensor", "dtype": "float32"}
    kinds = {
        "int": [7, "seven", None],
        "bool": [True, 1],
        "float": [0.5, "nan", "much"],
        "string": ["a\0b", 1],
        "bytes": ["6162", "6", "x"],
        "dtype": ["float8_e5m2", "float7"],
        "device": ["cpu", "cuda:1", "moon"],
        "shape": [[2, 0], [-1], [0.5], 2],
        "array": [[1], [], 1, list(range(70))],
        "tuple": [[1, 2], {}],
        "map": [{"a": 1}, {"1": 2}, [], {str(i): i for i in range(70)}],
        "function": [{"kept": "pool"}, {"kept": "none"}, {"kept": 1}, 1],
        "object": [None, {"kept": "pool", "more": 1}],
        "any": [1, 2.5, "a", True, [1, [2]], {"a": {"b": 1}}, {"elements": 1}],
        "tensor": [
            {"elements": [1, 2.5, "inf"]},
            {"elements": [[1, 2], [3, 4]], "dtype": "int8"},
            {"elements": [[1, 2], [3]]},
            {"elements": [1, [2]]},
            {"elements": ["much"]},
            {"elements": list(range(300))},
            {"elements": [1], "dtype": "float7"},
            {"elements": [], "shape": [1]},
            {"shape": [-1]},
            {"shape": [2] * 9},
            {"shape": [1, "n"]},
            {"npy": "none.npy"},
            {"elements": [1], "more": 1},
            1,
        ],
    }
    parts = {"array": {"element": {"kind": "any"}}, "tensor": {"dtype": "float32"}}
    parts["tuple"] = {"elements": [{"kind": "int"}, {"kind": "any"}]}
    parts["map"] = {"key": {"kind": "int"}, "element": {"kind": "int"}}
    texts = {}
    for kind, values in kinds.items():
        for number, value in enumerate(values):
            one = {"parameters": [{"name": "x", "kind": kind, **parts.get(kind, {})}]}
            call = {"call": "scale", "arguments": {"x": value}}
            made = {"call": "scale", "arguments": {"x": None}, "keep": "pool"}
            for refused in (False, True):
                if refused:
                    call = {**call, "refused": {"kind": "ValueError", "message": "x"}}
                one["sequences"] = [{"steps": [made, call]}]
                texts[f"step-{kind}-{number}{'-refused' * refused}"] = {"scale": dict(one)}
    wrong = [
        {"call": 1},
        {"call": "nobody"},
        {"call": "pool.add"},
        {"call": "scale", "arguments": 1},
        {"call": "scale", "arguments": {"y": 1}},
        {"call": "scale", "arguments": [tensor] * 70},
        {"call": "scale", "keep": ""},
        {"call": "scale", "keep": 1},
        {"call": "scale", "refused": 1},
        {"call": "scale", "expected": 1},
        {"call": "scale", "expected": {"x": "1"}},
        {"call": "scale", "expected": {"result": "1 +"}},
        {"call": "scale", "text": 1},
        {"call": "scale", "more": 1},
        {"call": "device"},
        1,
    ]
    device = {"parameters": [], "launches": True}
    plain = {"parameters": [{"name": "x", "kind": "int"}]}
    lists = [[{"steps": [step]}] for step in wrong]
    lists += [1, [], [1], [{}], [{"steps": []}], [{"steps": [wrong[1]], "repeatable": 1}]]
    for number, sequences in enumerate(lists):
        functions = {"scale": {**plain, "sequences": sequences}, "device": device}
        texts[f"steps-wrong-{number}"] = functions
    texts["needs-wrong"] = {"scale": {**plain, "needs": [wrong[0]]}}
    texts["needs-empty"] = {"scale": {**plain, "needs": []}}
    return texts


def waivers() -> dict[str, str]:
    once = {
        "case": "version.told-twice",
        "reason": "known",
        "url": "https://example.org/1",
    }
    old = {**once, "since": "0.1.0", "until": "0.1.8"}
    new = {**once, "since": "0.1.9", "expires": "2028-02-29"}
    row = {"case": "version.told-often.two", "reason": "a row"}
    rows = {"case": "version.told-often.*", "reason": "rows"}
    unknown = {"case": "version.told-thrice", "reason": "no such case"}
    lists = {
        "none": [],
        "once": [once],
        "two": [old, new],
        "rows": [row, rows],
        "unknown": [unknown],
    }
    return {name: json.dumps({"waivers": entries}, indent=1) for name, entries in lists.items()}


def policy() -> dict[str, str]:
    whole = {
        "format": "tvmffi-conform-policy/1",
        "abi_floor": "0.1.8",
        "glibc": "2.28",
        "glibcxx": "3.4.25",
        "cxxabi": "1.3.11",
        "exports": {
            "required": ["__tvm_ffi_add"],
            "allowed": ["__tvm_ffi_*", "[a-f]*"],
        },
        "imports": {"allowed": ["TVMFFI*", "malloc"]},
        "findings": [{"id": "exports.unique", "level": "none", "reason": "never unloaded"}],
    }
    files = {
        "format": whole["format"],
        "files": {"fuzz*.so": {"glibc": "2.0"}, "*": {"abi_floor": "9.9"}},
    }
    missing = {
        "id": "policy.export-missing",
        "level": "note",
        "reason": "they come later",
    }
    lowered = {"id": "policy.export-not-allowed", "level": "none", "reason": "known"}
    more = {
        # More of a kind than are listed.
        "many": {
            "exports": {"required": [f"f{n}" for n in range(250)]},
            "findings": [missing],
        },
        "symbols": {
            "exports": {"allowed": []},
            "findings": [{**lowered, "symbol": "fuzz_*"}, {**lowered, "symbol": "no"}],
        },
    }
    more = {name: {"format": whole["format"], **rules} for name, rules in more.items()}
    texts = {name: {"format": whole["format"], name: value} for name, value in whole.items()}
    return {
        name: json.dumps(text, indent=1)
        for name, text in {**texts, **more, "whole": whole, "files": files}.items()
    }


def baseline() -> dict[str, str]:
    found = [
        {"id": "exports.unique", "symbol": "x"},
        {"id": "symbols.hidden", "symbol": None},
    ]
    same = {
        "name": "fuzz.so",
        "path": "fuzz.so",
        "api": {"floor": None},
        "glibc": "2.2.5",
        "glibcxx": "3.4.25",
        "cxxabi": "1.3.11",
        "exports": ["__tvm_ffi_add_one"],
        "findings": found,
    }
    lists = {
        "empty": [],
        "same": [same],
        "elsewhere": [{**same, "path": "lib/fuzz.so"}],
        "other": [{**same, "path": "lib/x.so", "name": "x.so"}],
        "gone": [{**same, "exports": ["__tvm_ffi_sub", 7, "TVMFFI\u202e\x1b[2J"]}],
        "older": [{**same, "glibc": "2.1", "api": {"floor": "0.1.0"}}],
        "none": [{**same, "glibc": None}],
        "unlisted": [{**same, "findings_not_listed": {"exports.unique": 3}}],
        "twice": [same, same],
    }
    texts = {
        name: json.dumps({"format": "tvmffi-conform-inspect/1", "files": files}, indent=1)
        for name, files in lists.items()
    }
    return {
        **texts,
        "format": '{"format": "tvmffi-conform-inspect/2"}',
        "cut": texts["same"][:60],
    }


def json_texts() -> dict[str, str]:
    """Texts in JSON for the reader of the reference."""
    ints = "0,-0,-17,9223372036854775807,-9223372036854775808,9223372036854775808"
    floats = "1e5,-7.89e-15,2.5E+10,0.1,1.7976931348623157e308,2.2250738585072014e-308,3.0,-0.0"
    halves = "9007199254740993.00000000000000000001,0.12345678901234567"
    escapes = r"\"\\\/\b\f\r\t\u0000\u00ff\u4e2d\ud83d\ude04"
    return {
        "words": " \t\r\n[null, true ,false]\n",
        "numbers": f"[{ints},{floats},{halves}]",
        "largest": "9223372036854775807",
        "half": "0.12345678901234567",
        "not-a-number": "NaN",
        "small-string": r'"a\u0000b"',
        "no-numbers": "[NaN,Infinity,-Infinity]",
        "strings": f'["","a","a string that lies elsewhere","{escapes}"]',
        "four": "[9223372036854775807,1,2,3]",
        "utf-8": '["\u00ff\u4e2d\U0001f604, and more"]',
        "objects": '{"c":{"z":1,"y":[]},"a":{},"a":null,"9":0,"8":1,"7":2}',
        "nested": "[" * 300 + "1" + "]" * 300,
        "cut": '{"a":[1,2',
        "comma": "[1,]",
        "bare": "{a:1}",
    }


def graph() -> dict[str, str]:
    """Graphs of objects as ffi.ToJSONGraphString writes them, and wrong ones."""

    def text(root: object, *nodes: tuple) -> str:
        listed = [{"type": node[0], "data": node[1]} for node in nodes]
        return json.dumps({"root_index": root, "nodes": listed})

    one, two = ("int", 1), ("ffi.String", "a string that lies elsewhere")
    step = {"kind": 1, "key": 0}
    return {
        "none": '{"root_index":0,"nodes":[{"type":"None"}]}',
        "no-bytes": text(0, ("ffi.Bytes", "")),
        "plain": text(3, ("bool", True), one, ("float", 2.5), ("ffi.Array", [0, 1, 2])),
        "texts": text(2, two, ("ffi.Bytes", "eHl6/w=="), ("ffi.Array", [0, 1, 0])),
        "shapes": text(
            3,
            ("ffi.Shape", [1, 2]),
            ("DataType", "float32x4"),
            ("Device", [2, 1]),
            ("ffi.List", [0, 1, 2]),
        ),
        "maps": text(2, one, two, ("ffi.Map", [0, 1, 1, 0]), ("ffi.Dict", [1, 2])),
        "dict": text(2, one, two, ("ffi.Dict", [1, 0, 0, 1])),
        "shared": text(3, one, ("ffi.Array", [0]), ("ffi.Map", [0, 1]), ("ffi.Array", [1, 2, 1])),
        "fields": text(1, one, ("ffi.reflection.AccessStep", step)),
        "interrupt": text(1, one, ("ffi.VisitInterrupt", {"value": 0})),
        "metadata": '{"root_index":0,"nodes":[{"type":"int","data":1}],"metadata":{"a":1}}',
        "itself": text(0, ("ffi.Array", [0])),
        "each-other": text(0, ("ffi.Array", [1]), ("ffi.List", [0])),
        "outside": text(0, ("ffi.Array", [1, -1])),
        "root": text(7, one),
        "odd": text(1, one, ("ffi.Map", [0])),
        "unknown": text(0, ("no.such", 1)),
        "deep": text(400, one, *(("ffi.Array", [i]) for i in range(400))),
    }


MAKERS = {
    "baseline": baseline,
    "graph": graph,
    "json": json_texts,
    "metadata": metadata,
    "policy": policy,
    "signatures": signatures,
    "waivers": waivers,
}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for name, text in MAKERS[sys.argv[2]]().items():
        (folder / f"{name}.json").write_text(text)
    found.write(folder, sys.argv[2])


if __name__ == "__main__":
    main()
