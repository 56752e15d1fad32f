# SPDX-License-Identifier: Apache-2.0
"""A call of a function that its signature describes: values that are chosen and drawn.

The signature is that of a signature file (conformance/SIGNATURES.md), with one form. Inputs are
drawn, the same in each run.
"""

from __future__ import annotations

import ast
import copy
import itertools
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from . import HarnessError
from .bounds import bounds_in, bounds_of, names_in_bound, sizes_of
from .kept import Kept, kept_name
from .size_expression import NoElement, NotHere, NoValue, evaluate, holds, names_in

SIZES = (3, 5, 7, 4, 6, 2, 8)  # one for each size, so that confused ones show
RANKS = ((3,), (2, 5), (2, 3, 4))  # for "..." and "*name"
NEAR = 16  # how far from the least limit, or from 0, most integers are drawn
LENGTH_MAX = 256  # of containers, as the program reads them
ELEMENTS_MAX = 1 << 23  # of the tensors of a call
EXTENTS = 8  # the most dimensions
RISING = re.compile(r"(\w+)\[1:\] >= \1\[:-1\]|(\w+)\[:-1\] <= \2\[1:\]")
END = re.compile(r"(\w+)\[(0|-1)\] == (.+)")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Unfit(Exception):
    """A draw that does not meet the conditions."""


def numpy_type(name: str) -> Any:
    """The NumPy type of this name; those that NumPy lacks are from ml_dtypes."""
    import numpy as np

    try:
        return np.dtype(name)
    except TypeError:
        pass
    try:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    except ImportError as error:
        raise HarnessError(f"{name}: install ml_dtypes, since NumPy lacks this type") from error
    except AttributeError as error:
        raise HarnessError(f"{name}: neither NumPy nor ml_dtypes has such a type") from error


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class Draw:
    """One call: the values that were chosen and drawn for it."""

    def __init__(
        self,
        signature: Mapping[str, Any],
        row: Mapping[str, int],
        seed: str,
        few: bool = False,
        fixed: Mapping[str, Any] | None = None,
    ) -> None:
        self.signature, self.row, self.few = signature, row, few
        self.fixed = fixed or {}
        self.random = random.Random(seed)
        self.sizes: dict[str, int] = {}
        self.turn: int | None = None  # the place in the outermost array
        self.ranks: dict[str, tuple[int, ...]] = {}
        self.values: dict[str, Any] = {}
        self.picked: dict[str, int] = {}

    def pick(self, place: str, values: list[Any]) -> Any:
        self.picked[place] = self.row.get(place, 0) % len(values)
        return values[self.picked[place]]

    # --- Sizes -----------------------------------------------------------------------------------

    def size(self, name: str) -> int:
        """What a size stands for in this call."""
        if name not in self.sizes:
            told = self.signature.get("sizes", {}).get(name)
            free = SIZES[len(self.sizes) % len(SIZES)]
            some = listed(told) if told is not None else [free, free + 9, 1]
            self.sizes[name] = self.pick(f"size {name}", some)
        return self.sizes[name]

    def known(self) -> dict[str, Any]:
        types = {told["name"]: told for told in self.signature["parameters"]}
        values = {
            name: Entries(types[name], value) if isinstance(value, dict) else value
            for name, value in self.values.items()
        }
        return {**self.sizes, **values}

    def number(self, text: Any) -> int | float:
        """The value of an extent or of a limit."""
        if isinstance(text, str):
            for name in names_in(text):
                if name not in self.values:
                    self.size(name)
        try:
            value = evaluate(text, self.known())
            return float(value) if isinstance(value, float) else int(value)
        except (NoElement, NoValue) as error:
            raise Unfit from error
        except (TypeError, ValueError) as error:
            raise HarnessError(f"{text}: comes to {value!r}, which is not a number") from error

    def whole(self, text: Any) -> int:
        """The value of an extent or of a length."""
        value = self.number(text)
        if not math.isfinite(value):
            raise Unfit
        return int(value)

    def extents(self, shape: Any) -> tuple[int, ...]:
        """The extents of a shape such as "*batch 2*d" or ["n", 4]."""
        words = shape.split() if isinstance(shape, str) else shape
        extents: list[int] = []
        for word in words:
            extents += self.extent(word)
        if len(extents) > EXTENTS or any(extent < 0 for extent in extents):
            raise Unfit
        return tuple(extents)

    def extent(self, word: Any) -> tuple[int, ...]:
        if not isinstance(word, str):
            return (int(word),)
        word = word.split("=")[-1] if re.fullmatch(r"\w+=\d+", word) else word
        if word == "..." or word.startswith("*"):
            return self.ranks.setdefault(word, self.pick(f"rank {word}", list(RANKS)))
        if word == "_":
            return (self.random.choice((2, 3, 5)),)
        if word.startswith("?"):
            return (self.size_of_element(word),)
        if word.startswith("#"):
            return (self.pick(f"broadcast {word}", [self.whole(word[1:]), 1]),)
        return (self.whole(word),)

    def size_of_element(self, word: str) -> int:
        """What "?n" is at this place of arrays: each listed size in turn, or some others."""
        turn = self.turn or 0
        known = f"{word}[{turn}]"
        if known not in self.sizes:
            some = listed(self.signature.get("sizes", {}).get(word[1:], []))
            size = self.size(word[1:])
            if size in some:
                size = some[(some.index(size) + turn) % len(some)]
            self.sizes[known] = size if some else size + turn % 3
        return self.sizes[known]

    def turns(self, things: Iterable[Any]) -> Iterator[Any]:
        """What stands in an array, one after the other."""
        inner = self.turn is not None
        try:
            for i, one in enumerate(things):
                self.turn = self.turn if inner else i
                yield one
        finally:
            self.turn = self.turn if inner else None

    # --- Values ----------------------------------------------------------------------------------

    def value(self, place: str, told: Mapping[str, Any]) -> Any:
        """A value of a type of the signature."""
        if told.get("optional") and self.pick(f"None {place}", [False, True]):
            return None
        kind = told.get("kind", "any")
        make = getattr(self, f"make_{kind}", None)
        if make is None:
            if told.get("optional"):
                return None
            raise HarnessError(f"{place}: no example of kind {kind!r} can be made")
        return make(place, told)

    def make_any(self, place: str, told: Mapping[str, Any]) -> Any:
        return self.plain(place, told, [1])

    def make_none(self, place: str, told: Mapping[str, Any]) -> None:
        return None

    def plain(self, place: str, told: Mapping[str, Any], otherwise: list[Any]) -> Any:
        """One of the values that are listed, or another where none are."""
        for listed in ("values", "examples"):
            if listed in told:
                return self.pick(f"value {place}", told[listed])
        if "value" in told:
            return told["value"]
        return self.pick(f"value {place}", otherwise)

    def limits(self, told: Mapping[str, Any], least: float, most: float) -> tuple[Any, Any]:
        low = self.number(told["min"]) if "min" in told else -math.inf
        high = self.number(told["max"]) if "max" in told else math.inf
        if low > high:
            raise Unfit
        if low == -math.inf:
            low = least if high >= least else high - 8
        if high == math.inf:
            high = most if most >= low else low + 8
        return low, high

    def numeric(self, place: str, told: Mapping[str, Any], drawn: list[Any]) -> Any:
        """A number: one that is listed or drawn, or an end of what is allowed."""
        if "values" in told:
            return self.pick(f"value {place}", told["values"])
        low = self.number(told["min"]) if "min" in told else -math.inf
        high = self.number(told["max"]) if "max" in told else math.inf
        named = [*told.get("examples", []), *([told["value"]] if "value" in told else [])]
        fit = [one for one in dict.fromkeys(named) if low <= one <= high]
        ends = [end for end in (low, high) if math.isfinite(end)]
        return self.pick(f"value {place}", [*fit, *drawn, *ends] if ends or not fit else fit)

    def make_int(self, place: str, told: Mapping[str, Any]) -> int:
        if "min" not in told and "max" not in told:
            return int(self.numeric(place, told, [self.random.randint(1, 4)]))
        low, high = self.limits(told, -6, 9)
        low, high = math.ceil(low), math.floor(high)
        if low > high:
            raise Unfit
        near = max(low, min(0, high - NEAR))
        drawn = [self.random.randint(near, min(high, near + NEAR))]
        if high - low > NEAR and "examples" not in told:
            drawn.append(self.random.randint(low, high))
        return int(self.numeric(place, told, drawn))

    def make_bool(self, place: str, told: Mapping[str, Any]) -> bool:
        return bool(self.plain(place, told, [True, False]))

    def make_float(self, place: str, told: Mapping[str, Any]) -> float:
        low, high = near_zero(*self.limits(told, -2, 2), 4)
        drawn = self.random.randint(1, 7) / 8 * (high - low) + low
        return float(self.numeric(place, told, [drawn]))

    def word(self) -> str:
        return "".join(self.random.choice(LETTERS) for _ in range(self.random.randint(1, 12)))

    def make_string(self, place: str, told: Mapping[str, Any]) -> str:
        return str(self.plain(place, told, ["text", self.word()]))

    def make_bytes(self, place: str, told: Mapping[str, Any]) -> bytes:
        return str(self.plain(place, told, ["bytes", self.word()])).encode()

    def make_dtype(self, place: str, told: Mapping[str, Any]) -> Any:
        return numpy_type(self.plain(place, told, ["float32"]))

    def make_device(self, place: str, told: Mapping[str, Any]) -> str:
        return str(self.plain(place, told, ["cpu"]))

    def make_object(self, place: str, told: Mapping[str, Any]) -> Kept | None:
        """What a step of `needs` keeps (with_kept in kept.py); None if no step keeps it."""
        name = kept_name(told.get("value"))
        return None if name is None else Kept(name)

    def make_shape(self, place: str, told: Mapping[str, Any]) -> tuple[int, ...]:
        if "extents" in told:
            return self.extents(told["extents"])
        low, high = self.limits(told, 1, 6)
        ranks = [len(told["value"])] if "value" in told else [2, 1]
        rank = self.pick(f"rank {place}", ranks)
        drawn = tuple(self.random.randint(int(low), int(high)) for _ in range(rank))
        return self.pick(
            f"value {place}", [tuple(told["value"]), drawn] if "value" in told else [drawn]
        )

    def contents(self, place: str, told: Mapping[str, Any], draw: Callable[[], Any]) -> Any:
        """What a container holds: the stated value, or what is drawn."""
        if "value" not in told or self.pick(f"contents {place}", [False, True]):
            return draw()
        return copy.deepcopy(told["value"])

    def make_array(self, place: str, told: Mapping[str, Any]) -> list[Any]:
        return self.contents(
            place,
            told,
            lambda: [
                self.value(f"{place}[{i}]", told["element"])
                for i in self.turns(range(self.length(place, told)))
            ],
        )

    def length(self, place: str, told: Mapping[str, Any]) -> int:
        some = listed(told["length"]) if "length" in told else [2, 1, 3]
        length = self.whole(self.pick(f"length {place}", some))
        if not 0 <= length <= LENGTH_MAX:
            raise Unfit
        return length

    def make_tuple(self, place: str, told: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(self.value(f"{place}[{i}]", some) for i, some in enumerate(told["elements"]))

    def make_map(self, place: str, told: Mapping[str, Any]) -> dict[Any, Any]:
        if "entries" not in told:
            return self.contents(place, told, lambda: self.pairs(place, told))
        entries = {}
        for name, some in told["entries"].items():
            if some.get("optional") and self.pick(f"missing {place}.{name}", [False, True]):
                continue
            always = {**some, "optional": False}
            entries[name] = self.value(f"{place}.{name}", always)
        return entries

    def pairs(self, place: str, told: Mapping[str, Any]) -> dict[Any, Any]:
        """Keys and elements of a map without entries."""
        key, element = told.get("key", {}), told.get("element", {"kind": "int"})
        return {
            i if key.get("kind") == "int" else f"key{i}": self.value(f"{place}[{i}]", element)
            for i in range(self.length(place, told))
        }

    def make_variant(self, place: str, told: Mapping[str, Any]) -> Any:
        return self.value(place, self.pick(f"alternative {place}", told["any_of"]))

    def make_function(self, place: str, told: Mapping[str, Any]) -> Callable[..., Any]:
        names = [taken.get("name", f"x{i}") for i, taken in enumerate(told.get("parameters", []))]
        does = told.get("does")
        if does is None:
            raise HarnessError(f'{place}: say what the function does: "does": "2*x + 1"')
        return lambda *given: evaluate(does, dict(zip(names, given)))

    # --- Tensors ---------------------------------------------------------------------------------

    def dtype_of(self, place: str, told: Mapping[str, Any]) -> Any:
        names = told.get("dtype", "float32")
        variables = self.signature.get("dtypes", {})
        if isinstance(names, str) and names in variables:
            return numpy_type(self.pick(f"dtype {names}", variables[names]))
        return numpy_type(self.pick(f"dtype {place}", listed(names)))

    def make_tensor(self, place: str, told: Mapping[str, Any]) -> Any:
        if "dtype" not in told or "shape" not in told:
            raise HarnessError(f'{place}: a call needs the "dtype" and "shape" of a tensor')
        dtype, shape = self.dtype_of(place, told), self.extents(told["shape"])
        if math.prod(shape) > ELEMENTS_MAX:
            raise Unfit
        if told.get("role") == "out":
            return never_written(shape, dtype)
        if math.prod(shape) == 0:
            # Limits may leave nothing then.
            import numpy as np

            return np.zeros(shape, dtype)
        return self.elements(place, told, dtype, math.prod(shape)).astype(dtype).reshape(shape)

    def elements(self, place: str, told: Mapping[str, Any], dtype: Any, count: int) -> Any:
        import numpy as np

        source = np.random.default_rng(self.random.getrandbits(32))
        if "values" in told:
            return np.array(told["values"])[source.integers(0, len(told["values"]), count)]
        if dtype.kind == "b":
            return source.integers(0, 2, count).astype(bool)
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            low, high = self.limits(told, max(-9, info.min), 9)
            low, high = max(math.ceil(low), info.min), min(math.floor(high), info.max)
            if low > high:
                raise Unfit
            if "value" in told and self.pick(f"contents {place}", [False, True]):
                return np.clip(int(told["value"]) + np.arange(count), low, high)
            return source.integers(low, high, count, dtype=dtype, endpoint=True)
        low, high = near_zero(*self.limits(told, -4, 4), 1e6)
        if self.few:
            return np.linspace(low, high, 5)[source.integers(0, 5, count)]
        return source.uniform(low, high, count)

    # --- All -------------------------------------------------------------------------------------

    def arguments(self) -> dict[str, Any]:
        """By name, those behind the last parameter as a list under the name of `rest`."""
        parameters, rest = self.signature["parameters"], self.signature.get("rest")
        self.values.update(copy.deepcopy(dict(self.fixed)))
        for told in parameters:
            if told["name"] in self.fixed:
                self.bind(told, self.values[told["name"]])
        for told in parameters:
            if told["name"] not in self.values and not self.needs_later(told):
                self.values[told["name"]] = self.value(told["name"], told)
        for told in parameters:
            if told["name"] not in self.values:
                self.values[told["name"]] = self.value(told["name"], told)
        if rest:
            count = self.pick("count", rest.get("counts", [1, 0, 3]))
            self.values[rest_name(rest)] = [self.value(f"rest[{i}]", rest) for i in range(count)]
        self.arrange()
        self.repair()
        self.check_shapes()
        for condition in self.signature.get("where", []):
            if not self.meets(condition):
                raise Unfit
        order = [told["name"] for told in parameters]
        return {name: self.values[name] for name in (*order, *([rest_name(rest)] if rest else []))}

    # --- Conditions ------------------------------------------------------------------------------

    def meets(self, condition: str) -> bool:
        """Whether a condition of `where` holds. HarnessError: it can't be evaluated."""
        try:
            return holds(evaluate(condition, self.names_for(condition)))
        except (NoElement, NoValue):
            return False
        except NotHere as error:
            raise HarnessError(f'where "{condition}": what is {error}?') from error

    def names_for(self, condition: str) -> dict[str, Any]:
        """What the names in a condition stand for."""
        sizes = sizes_of(self.signature)
        for name in names_in(condition):
            if name in sizes and name not in self.values:
                self.size(name)
        return self.known()

    def repair(self) -> None:
        """Elements that break a condition such as "x < n" become the nearest that meet it."""
        for condition in self.signature.get("where", []):
            for name, symbol, limit in bounds_in(condition):
                array = self.values.get(name)
                if name in self.fixed or not is_numbers(array):
                    continue
                try:
                    end = evaluate(limit, self.names_for(condition))
                    self.values[name] = self.within_limits(name, nearest(array, symbol, end))
                except (NoElement, NoValue, NotHere, ValueError, TypeError):
                    continue  # `where` is checked afterwards

    def within_limits(self, name: str, array: Any) -> Any:
        (told,) = [one for one in self.signature["parameters"] if one["name"] == name]
        if "min" not in told and "max" not in told:
            return array
        low = self.number(told["min"]) if "min" in told else None
        high = self.number(told["max"]) if "max" in told else None
        return array.clip(low, high).astype(array.dtype)

    # --- Listed calls ----------------------------------------------------------------------------

    def bind_held(self, told: Mapping[str, Any], value: Any) -> None:
        """The same of what is in a container."""
        length = told.get("length")
        if told["kind"] == "array" and isinstance(value, (list, tuple)):
            if isinstance(length, str) and length in self.signature.get("sizes", {}):
                self.sizes.setdefault(length, len(value))
            for one in self.turns(value):
                self.bind(told["element"], one)
        elif told["kind"] == "tuple" and isinstance(value, (list, tuple)):
            for some, one in zip(told["elements"], value):
                self.bind(some, one)
        elif told["kind"] == "map" and isinstance(value, dict):
            for key, one in value.items():
                self.bind(told.get("entries", {}).get(key) or told.get("element", {}), one)

    def bind(self, told: Mapping[str, Any], value: Any) -> None:
        """Sizes and data types are those of a tensor that is given."""
        if told.get("kind") in ("array", "tuple", "map"):
            self.bind_held(told, value)
        if told.get("kind") != "tensor" or not hasattr(value, "shape"):
            return
        names = told.get("dtype")
        kinds = self.signature.get("dtypes", {}).get(names) if isinstance(names, str) else None
        if kinds and value.dtype.name in kinds:
            self.row = {**self.row, f"dtype {names}": kinds.index(value.dtype.name)}
        shape = told.get("shape", "")
        words = shape.split() if isinstance(shape, str) else shape
        if len(words) == len(value.shape):
            for word, extent in zip(words, value.shape):
                if isinstance(word, str) and word.isidentifier() and word != "_":
                    self.sizes.setdefault(word, extent)
                if isinstance(word, str) and word.startswith("?"):
                    self.sizes.setdefault(f"{word}[{self.turn or 0}]", extent)

    def check_shapes(self) -> None:
        """Unfit: tensors of a listed call have other sizes than what was drawn."""
        for told in self.signature["parameters"]:
            value = self.values[told["name"]]
            if not self.fixed or told.get("kind") != "tensor" or value is None:
                continue
            if len(value.shape) != len(self.extents(told["shape"])):
                raise Unfit
            words = told["shape"].split() if isinstance(told["shape"], str) else told["shape"]
            for word, extent in zip(words, value.shape) if len(words) == value.ndim else ():
                free = isinstance(word, str) and re.match(r"[_*#?.]", word)
                if not free and self.extent(word) != (extent,):
                    raise Unfit

    # --- Order -----------------------------------------------------------------------------------

    def arrange(self) -> None:
        """What `where` says of the order and of the ends of integers, such as offsets, is met."""
        import numpy as np

        conditions = self.signature.get("where", [])
        for rising in filter(None, map(RISING.fullmatch, conditions)):
            array = self.values.get(rising[1] or rising[2])
            if hasattr(array, "sort"):
                array.sort()
        for end in filter(None, map(END.fullmatch, conditions)):
            array = self.values.get(end[1])
            if is_numbers(array) and array.size and array.dtype.kind in "iu":
                array[int(end[2])] = self.number(end[3])
            elif is_integers(array):
                array[int(end[2])] = self.whole(end[3])
        for rising in filter(None, map(RISING.fullmatch, conditions)):
            array = self.values.get(rising[1] or rising[2])
            if is_numbers(array) and array.size and array[0] <= array[-1]:
                array[:] = (
                    # Parts of one length, or nearly.
                    np.linspace(array[0], array[-1], array.size).astype(array.dtype)
                    if self.few
                    else array.clip(array[0], array[-1])
                )
            elif is_integers(array) and array[0] <= array[-1]:
                array[:] = [min(max(one, array[0]), array[-1]) for one in array]

    def needs_later(self, told: Mapping[str, Any]) -> bool:
        """Whether limits or extents use a parameter that stands behind it, or sizes that do."""
        names = {other["name"] for other in self.signature["parameters"]} - {told["name"]}
        used = itertools.chain.from_iterable(map(names_in_bound, bounds_of(told)))
        return any(name in names - set(self.values) for name in used)


def nearest(array: Any, symbol: type, limit: Any) -> Any:
    """The elements, or the nearest that are less (and so on) than a limit."""
    import numpy as np

    limit = np.asarray(limit)
    if symbol in (ast.Lt, ast.Gt):
        away = -1 if symbol is ast.Lt else 1
        if array.dtype.kind in "iu":
            limit = np.ceil(limit) - 1 if away < 0 else np.floor(limit) + 1
        else:
            limit = np.nextafter(limit.astype(array.dtype), array.dtype.type(away * np.inf))
    bound = np.minimum if symbol in (ast.Lt, ast.LtE) else np.maximum
    return np.broadcast_to(bound(array, limit), array.shape).astype(array.dtype)


def is_numbers(value: Any) -> bool:
    return hasattr(value, "dtype") and value.dtype.kind in "iuf"


def is_integers(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, int) for one in value)


def near_zero(low: float, high: float, span: float) -> tuple[float, float]:
    """Limits of what is drawn: these, or the part of so wide a range that is next to 0."""
    if high - low <= span:
        return low, high
    start = max(low, min(-span / 2, high - span))
    return start, start + span


class Entries(dict):
    """A map in a formula: an entry that is left out is None."""

    def __init__(self, told: Mapping[str, Any], value: Mapping[Any, Any]) -> None:
        super().__init__(value)
        self.known = told.get("entries", {})

    def __missing__(self, key: Any) -> None:
        if key not in self.known:
            raise KeyError(key)


def never_written(shape: tuple[int, ...], dtype: Any) -> Any:
    """What an output holds before the function fills it: NaN, or a value that is rarely right."""
    import numpy as np

    fill = np.array(np.nan if dtype.kind in "fc" else 0x5A if dtype.kind in "iu" else 0)
    if dtype.kind == "V" or dtype.name.startswith(("bfloat", "float")):
        fill = np.array(np.nan)
    return np.full(shape, fill, dtype=np.float64).astype(dtype)


def rest_name(rest: Mapping[str, Any]) -> str:
    return rest.get("name") or "rest"
