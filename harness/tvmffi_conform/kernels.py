# SPDX-License-Identifier: Apache-2.0
"""Signature and expected result of a kernel in one place: a typed Python function.

    import numpy as np
    from typing import TypeVar
    from tvmffi_conform.kernels import Out, Tensor, kernel

    T = TypeVar("T", np.float32, np.float64)

    @kernel(sizes={"n": [5, 1000]})
    def axpy(alpha: float, x: Tensor[T, "n"], y: Tensor[T, "n"], out: Out[Tensor[T, "n"]]) -> None:
        out[...] = alpha * x + y

Its annotations are the signature, its body is what comes out: it fills the outputs and returns the
result. Where it raises ValueError, TypeError or IndexError the kernel has to refuse the call.
`tvmffi-harness kernels FILE.py LIB.so` judges a library by it, and so does pytest with the option
`--tvmffi-conform-kernels FILE.py`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from . import HarnessError
from .annotation import (
    DTYPE,
    Device,
    DType,
    Examples,
    InOut,
    Object,
    Out,
    Range,
    Retained,
    Shape,
    Tensor,
    Values,
    plain_value,
    signature_of,
)
from .answers import Say, silent
from .python_file import functions_again, load_module
from .steps import Bodies

__all__ = [
    "DType",
    "Device",
    "Examples",
    "InOut",
    "Object",
    "Out",
    "Range",
    "Retained",
    "Shape",
    "Tensor",
    "Values",
    "kernel",
]

MARK = "__tvmffi_kernel__"
ARRAYS = "arrays"
# What a signature file says of a function that no annotation does.
MEMBERS = (
    "let",
    "where",
    "sizes",
    "refuses",
    "checks",
    "tolerance",
    "promises",
    "calls",
    "needs",
    "sequences",
    "launches",
    "text",
)


def put_members(told: dict[str, Any], members: Mapping[str, Any]) -> None:
    """Puts members of a type on top of those that are told; entries of a map one by one."""
    for member, value in members.items():
        known = told.get(member)
        if member != "entries" or not isinstance(known, dict) or not isinstance(value, Mapping):
            told[member] = value
            continue
        for key, entry in value.items():
            if not isinstance(entry, Mapping):
                raise HarnessError(f"entries: {key!r} is {entry!r}, and no type")
            of = known.setdefault(key, {})
            if entry.get("kind", of.get("kind")) != of.get("kind"):
                of.clear()
            put_members(of, entry)


def check_dtypes(name: str, signature: Mapping[str, Any], types: Sequence[Any]) -> None:
    """HarnessError: the data type of a tensor is none, nor the name of one."""
    known = {told["name"] for told in types if told.get("kind") == "dtype"}
    known |= set(signature.get("dtypes", {}))
    places = [(told["name"], told) for told in types]
    for place, told in [*places, ("result", signature.get("result", {}))]:
        dtype = told.get("dtype")
        if isinstance(dtype, str) and not DTYPE.fullmatch(dtype) and dtype not in known:
            raise HarnessError(
                f'{name}: {place}: "{dtype}" is neither a data type nor a parameter of kind dtype; '
                "tensors of the same type share a TypeVar"
            )


@dataclass(frozen=True)
class Described:
    """A function that describes the kernel `name`."""

    name: str
    function: Callable[..., Any]
    more: Mapping[str, Any]
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def signature(self) -> dict[str, Any]:
        """Its entry in a signature file, without calls that are drawn."""
        signature = signature_of(self.function, self.name)
        types = [*signature["parameters"], *([signature["rest"]] if "rest" in signature else [])]
        for name, members in self.parameters.items():
            told = [one for one in types if one["name"] == name]
            if not told:
                raise HarnessError(f"{self.name}: it has no parameter {name!r}")
            put_members(told[0], members)
        check_dtypes(self.name, signature, types)
        return {**signature, **self.more}


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> Any:
    """Marks a function as the description of a kernel; it stays what it is.

    name: of the kernel, if it isn't the function's.
    parameters: members that go into the signature file for a parameter, such as
        {"function": {"does": "2*x + 1"}}.
    let, where, sizes, refuses, checks, tolerance, promises, calls, needs, sequences, launches,
    text: as in a signature file.
    """
    unknown = set(more) - set(MEMBERS)
    if unknown:
        known = ", ".join(("name", "parameters", *MEMBERS))
        raise HarnessError(f"kernel: unknown argument {min(unknown)!r}; known are {known}")

    def mark(marked: Callable[..., Any]) -> Callable[..., Any]:
        described = Described(name or marked.__name__, marked, more, parameters or {})
        setattr(marked, MARK, described)
        return marked

    return mark if function is None else mark(function)


# --- Reading --------------------------------------------------------------------------------


def described_of(module: Any) -> list[Described]:
    """The kernels that a module describes, in its order."""
    values = vars(module).values()
    found = {id(value): getattr(value, MARK) for value in values if hasattr(value, MARK)}
    return list(found.values())


def described_functions(module: Any) -> dict[str, Callable[..., Any]]:
    """The functions of a module by the kernels that they describe."""
    return {described.name: described.function for described in described_of(module)}


def described_in(path: Path) -> list[Described]:
    """The kernels that a Python file describes, in its order. HarnessError: none."""
    found = described_of(load_module(path))
    if not found:
        raise HarnessError(f"{path}: no function is marked with @kernel")
    return found


def file_of_oracle(named: str) -> Path | None:
    """The file of `FILE.py:FUNCTION`; None of a name that is imported."""
    place = named.partition(":")[0]
    return Path(place) if place.endswith(".py") else None


def find_oracle(named: str, functions: list[str]) -> dict[str, Callable[..., Any]]:
    """The Python functions of `MODULE:FUNCTION`, or of `MODULE`, by the kernels that they are for.

    MODULE is a name that can be imported, or a file.
    """
    if file := file_of_oracle(named):
        return oracles_of(named, functions, load_module(file))
    sys.path.insert(0, "")
    try:
        module = importlib.import_module(named.partition(":")[0])
    except ImportError as error:
        raise HarnessError(f"--oracle {named}: {error}") from error
    finally:
        sys.path.remove("")
    return oracles_of(named, functions, module)


def oracles_of(named: str, functions: list[str], module: Any) -> dict[str, Callable[..., Any]]:
    """The same of the module, which was loaded."""
    place, _, name = named.partition(":")
    names = {name: name} if name else {function: function for function in functions}
    if name and len(functions) == 1:
        names = {functions[0]: name}
    found = {function: getattr(module, told, None) for function, told in names.items()}
    usable = {function: told for function, told in found.items() if callable(told)}
    if not usable:
        told = name or " or ".join(functions[:4])
        raise HarnessError(f"--oracle {named}: {place} has no function {told}")
    unknown = set(usable) - set(functions)
    if unknown:
        raise HarnessError(f"--oracle {named}: the signature file has no function {min(unknown)!r}")
    return usable


# --- Writing --------------------------------------------------------------------------------


def require_numpy() -> None:
    """HarnessError: NumPy is not installed."""
    if importlib.util.find_spec("numpy") is None:
        raise HarnessError("this needs NumPy: pip install 'tvmffi-conform[kernels]'")


def write_signatures(functions: Mapping[str, Any], folder: Path) -> Path:
    path = folder / "signatures.json"
    try:
        text = json.dumps({"functions": functions}, indent=2, allow_nan=False, default=plain_value)
    except (TypeError, ValueError) as error:
        told = "a value that JSON lacks (write NaN and infinities as strings)"
        raise HarnessError(f"{', '.join(functions)}: {told}: {error}") from error
    path.write_text(text + "\n", encoding="utf-8")
    return path


def write_described(source: Path, folder: Path, say: Say = silent) -> Path:
    """Writes a signature file with calls for the kernels of a Python file; returns its path.

    say: is told what takes long, and what was left out.
    """
    require_numpy()
    folder.mkdir(parents=True, exist_ok=True)
    functions: dict[str, Callable[..., Any]] = {}
    signatures = {}
    for described in described_in(source):
        if described.name in functions:
            raise HarnessError(f"{source}: two functions describe {described.name!r}")
        functions[described.name] = described.function
        signatures[described.name] = described.signature()
    again = partial(functions_again, source, described_functions, functions, say)
    bodies = Bodies(signatures, functions, folder / ARRAYS, again)
    return write_signatures({name: bodies.add_calls(name, say) for name in functions}, folder)


def write_judged_by(source: Path, named: str, folder: Path, say: Say = silent) -> Path:
    """Writes the signature file `source` with calls that Python functions say the results of."""
    require_numpy()
    try:
        document = json.loads(source.read_text(encoding="utf-8"))
        functions = dict(document["functions"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HarnessError(f"{source}: not a signature file: {error}") from error
    folder.mkdir(parents=True, exist_ok=True)
    names = list(functions)
    oracles = find_oracle(named, names)
    again = None
    if file := file_of_oracle(named):
        again = partial(functions_again, file, partial(oracles_of, named, names), oracles, say)
    bodies = Bodies(functions, oracles, folder / ARRAYS, again)
    return write_signatures(
        {**functions, **{name: bodies.add_calls(name, say) for name in oracles}}, folder
    )
