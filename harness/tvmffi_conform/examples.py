# SPDX-License-Identifier: Apache-2.0
"""Calls of a function that its signature describes, and what a Python function says comes of them.

The signature is that of a signature file (conformance/SIGNATURES.md), with one form. Every value of
every choice that it lists - types, sizes, None or a value, alternatives - stands in one call at
least; inputs are drawn, the same in each run. Arrays go into .npy files.
"""

from __future__ import annotations

import copy
import inspect
import itertools
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import HarnessError
from .size_expression import NoElement, NotHere, evaluate, holds

CALLS_MAX = 48
PAIRS_MAX = 24  # calls, where each two choices are to stand in one
CANDIDATES = 8  # rows for such a call: the one with most pairs that are left is taken
ATTEMPTS = 120  # to draw values that meet `where`
PATIENCE = 20  # of them with all that a row chooses; the others with one choice of it
SIZES = (3, 5, 7, 4, 6, 2, 8)  # one for each size, so that confused ones show
RANKS = ((3,), (2, 5), (2, 3, 4))  # for "..." and "*name"
FEW = 3  # in each such call elements are some of five, so that equal ones are among them
EXTENTS = 8  # the most dimensions
RISING = re.compile(r"(\w+)\[1:\] >= \1\[:-1\]|(\w+)\[:-1\] <= \2\[1:\]")
END = re.compile(r"(\w+)\[(0|-1)\] == (.+)")
WORDS = re.compile(r"[A-Za-z_]\w*")
REFUSING = (ValueError, TypeError, IndexError, KeyError, RuntimeError, NotImplementedError)


Pair = tuple  # of two places, each with the number of its value


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


@dataclass
class Choices:
    """What a call may be chosen from: for each place of the signature how many values there are."""

    counts: dict[str, int] = field(default_factory=dict)

    def offer(self, place: str, count: int) -> None:
        if count > 1:
            self.counts[place] = count

    def loosened(self, row: dict[str, int], attempt: int) -> dict[str, int]:
        """One choice of a row, another with each attempt, and anything for the others."""
        places = list(self.counts)
        kept = places[attempt % len(places)] if places else ""
        source = random.Random(f"{row} {attempt}")
        return {
            place: row.get(place, 0) if place == kept else source.randrange(count)
            for place, count in self.counts.items()
        }

    def rows(self) -> Iterator[dict[str, int]]:
        """Each value of each place once at least: all first ones, then each other one by itself
        while the others move on, too."""
        yield {}
        most = max(self.counts.values(), default=1)
        for row in range(1, min(most * 2, CALLS_MAX)):
            yield {
                place: (row + shift * (row >= most)) % count
                for shift, (place, count) in enumerate(self.counts.items())
            }

    def pairs(self) -> Iterator[Pair]:
        for (one, count), (other, others) in itertools.combinations(self.counts.items(), 2):
            for values in itertools.product(range(count), range(others)):
                yield (one, values[0]), (other, values[1])

    def around(self, pair: Pair, number: int) -> dict[str, int]:
        """A row with this pair: number 0 has the first of all others, each further one any."""
        source = random.Random(f"{pair} {number}")
        return {
            place: dict(pair).get(place, source.randrange(count) if number else 0)
            for place, count in self.counts.items()
        }

    def in_order(self, row: Mapping[str, int]) -> dict[str, int]:
        return {place: row[place] for place in self.counts if place in row}


def pairs_of(row: Mapping[str, int]) -> set[Pair]:
    return set(itertools.combinations(row.items(), 2))


class Draw:
    """One call: the values that were chosen and drawn for it."""

    def __init__(
        self, signature: Mapping[str, Any], row: Mapping[str, int], seed: str, few: bool = False
    ) -> None:
        self.signature, self.row, self.few = signature, row, few
        self.random = random.Random(seed)
        self.sizes: dict[str, int] = {}
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
        return {**self.sizes, **self.values}

    def number(self, text: Any) -> int:
        """The value of an extent or of a limit."""
        if isinstance(text, str):
            for name in WORDS.findall(text):
                if name not in self.values and name not in ("len", "abs", "min", "max"):
                    self.size(name)
        value = evaluate(text, self.known())
        return value if isinstance(value, float) else int(value)

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
        if word.startswith("#"):
            return (self.pick(f"broadcast {word}", [self.number(word[1:]), 1]),)
        return (int(self.number(word)),)

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

    def make_none(self, place: str, told: Mapping[str, Any]) -> None:
        return None

    def plain(self, place: str, told: Mapping[str, Any], otherwise: list[Any]) -> Any:
        for listed in ("values", "examples"):
            if listed in told:
                return self.pick(f"value {place}", told[listed])
        if "value" in told:
            return told["value"]
        return self.pick(f"value {place}", otherwise)

    def limits(self, told: Mapping[str, Any], least: float, most: float) -> tuple[Any, Any]:
        low = self.number(told["min"]) if "min" in told else None
        high = self.number(told["max"]) if "max" in told else None
        if low is None:
            low = least if high is None or high >= least else high - 8
        if high is None:
            high = most if most >= low else low + 8
        if low > high:
            raise Unfit
        return low, high

    def make_int(self, place: str, told: Mapping[str, Any]) -> int:
        if "min" in told or "max" in told:
            low, high = self.limits(told, -6, 9)
            some = [self.random.randint(int(low), int(high)), int(low), int(high)]
            return self.pick(f"value {place}", some)
        return self.plain(place, told, [self.random.randint(1, 4)])

    def make_bool(self, place: str, told: Mapping[str, Any]) -> bool:
        return bool(self.plain(place, told, [True, False]))

    def make_float(self, place: str, told: Mapping[str, Any]) -> float:
        low, high = self.limits(told, -2, 2)
        return float(self.plain(place, told, [self.random.randint(1, 7) / 8 * (high - low) + low]))

    def make_string(self, place: str, told: Mapping[str, Any]) -> str:
        return str(self.plain(place, told, ["text"]))

    def make_bytes(self, place: str, told: Mapping[str, Any]) -> bytes:
        return str(self.plain(place, told, ["bytes"])).encode()

    def make_dtype(self, place: str, told: Mapping[str, Any]) -> Any:
        return numpy_type(self.plain(place, told, ["float32"]))

    def make_device(self, place: str, told: Mapping[str, Any]) -> str:
        return str(self.plain(place, told, ["cpu"]))

    def make_shape(self, place: str, told: Mapping[str, Any]) -> tuple[int, ...]:
        if "extents" in told:
            return self.extents(told["extents"])
        return tuple(told.get("value", (2, 3)))

    def make_array(self, place: str, told: Mapping[str, Any]) -> list[Any]:
        length = self.length(place, told)
        return [self.value(f"{place}[{i}]", told["element"]) for i in range(length)]

    def length(self, place: str, told: Mapping[str, Any]) -> int:
        some = listed(told["length"]) if "length" in told else [2, 1, 3]
        return int(self.number(self.pick(f"length {place}", some)))

    def make_tuple(self, place: str, told: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(self.value(f"{place}[{i}]", some) for i, some in enumerate(told["elements"]))

    def make_map(self, place: str, told: Mapping[str, Any]) -> dict[Any, Any]:
        if "entries" not in told:
            count = self.length(place, told)
            return {
                self.key(place, i, told.get("key", {})): self.value(
                    f"{place}[{i}]", told.get("element", {"kind": "int"})
                )
                for i in range(count)
            }
        entries = {}
        for name, some in told["entries"].items():
            if some.get("optional") and self.pick(f"missing {place}.{name}", [False, True]):
                continue
            always = {**some, "optional": False}
            entries[name] = self.value(f"{place}.{name}", always)
        return entries

    def key(self, place: str, number: int, told: Mapping[str, Any]) -> Any:
        return number if told.get("kind") == "int" else f"key{number}"

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
        import numpy as np

        if "dtype" not in told or "shape" not in told:
            raise HarnessError(f'{place}: a call needs the "dtype" and "shape" of a tensor')
        dtype, shape = self.dtype_of(place, told), self.extents(told["shape"])
        if told.get("role") == "out":
            return never_written(shape, dtype)
        count = int(np.prod(shape, dtype=np.int64))
        return self.elements(told, dtype, count).astype(dtype).reshape(shape)

    def elements(self, told: Mapping[str, Any], dtype: Any, count: int) -> Any:
        import numpy as np

        source = np.random.default_rng(self.random.getrandbits(32))
        if "values" in told:
            return np.array(told["values"])[source.integers(0, len(told["values"]), count)]
        if dtype.kind == "b":
            return source.integers(0, 2, count).astype(bool)
        if dtype.kind in "iu":
            least = 0 if dtype.kind == "u" else -9
            low, high = self.limits(told, least, 9)
            return source.integers(int(low), int(high), count, endpoint=True)
        low, high = self.limits(told, -4, 4)
        if self.few:
            return np.linspace(low, high, 5)[source.integers(0, 5, count)]
        return source.uniform(low, high, count)

    # --- All -------------------------------------------------------------------------------------

    def arguments(self) -> dict[str, Any]:
        """By name, those behind the last parameter as a list under the name of `rest`."""
        for told in self.signature["parameters"]:
            if self.needs_later(told):
                continue
            self.values[told["name"]] = self.value(told["name"], told)
        for told in self.signature["parameters"]:
            if told["name"] not in self.values:
                self.values[told["name"]] = self.value(told["name"], told)
        rest = self.signature.get("rest")
        if rest:
            count = self.pick("count", rest.get("counts", [1, 0, 3]))
            self.values[rest_name(rest)] = [self.value(f"rest[{i}]", rest) for i in range(count)]
        self.arrange()
        names = self.known()
        for condition in self.signature.get("where", []):
            try:
                if not holds(evaluate(condition, names)):
                    raise Unfit
            except NotHere:
                continue
            except NoElement as error:
                raise Unfit from error
            except TypeError:  # None stands in it
                continue
        order = [told["name"] for told in self.signature["parameters"]]
        return {name: self.values[name] for name in (*order, *([rest_name(rest)] if rest else []))}

    def arrange(self) -> None:
        """What `where` says of the order and of the ends of integers, such as offsets, is met."""
        conditions = self.signature.get("where", [])
        for rising in filter(None, map(RISING.fullmatch, conditions)):
            array = self.values.get(rising[1] or rising[2])
            if array is not None:
                array.sort()
        for end in filter(None, map(END.fullmatch, conditions)):
            array = self.values.get(end[1])
            if array is not None and array.size and array.dtype.kind in "iu":
                array[int(end[2])] = self.number(end[3])
        for rising in filter(None, map(RISING.fullmatch, conditions)):
            array = self.values.get(rising[1] or rising[2])
            if array is not None and array.size and array[0] <= array[-1]:
                array.clip(array[0], array[-1], out=array)

    def needs_later(self, told: Mapping[str, Any]) -> bool:
        """Whether limits or extents use a parameter that stands behind it, or sizes that do."""
        used = json.dumps(list(bounds_of(told)))
        names = {other["name"] for other in self.signature["parameters"]} - {told["name"]}
        return any(name in names - set(self.values) for name in WORDS.findall(used))


def bounds_of(told: Mapping[str, Any]) -> Iterator[Any]:
    """The limits, extents and lengths of a type and of those within it."""
    yield from (told[name] for name in ("shape", "min", "max", "length") if name in told)
    inner = [*told.get("elements", []), *told.get("any_of", []), *told.get("entries", {}).values()]
    for some in (*inner, *(told[name] for name in ("element", "key") if name in told)):
        yield from bounds_of(some)


def never_written(shape: tuple[int, ...], dtype: Any) -> Any:
    """What an output holds before the function fills it: NaN, or a value that is rarely right."""
    import numpy as np

    fill = np.array(np.nan if dtype.kind in "fc" else 0x5A if dtype.kind in "iu" else 0)
    if dtype.kind == "V" or dtype.name.startswith(("bfloat", "float")):
        fill = np.array(np.nan)
    return np.full(shape, fill, dtype=np.float64).astype(dtype)


def rest_name(rest: Mapping[str, Any]) -> str:
    return rest.get("name") or "rest"


def choices_of(signature: Mapping[str, Any]) -> Choices:
    """What its calls are chosen from: a draw that offers, and takes the first of each."""

    class Offer(Draw):
        def __init__(self) -> None:
            super().__init__(signature, {}, "offer")
            self.choices = Choices()

        def pick(self, place: str, values: list[Any]) -> Any:
            self.choices.offer(place, len(values))
            return values[0]

        def value(self, place: str, told: Mapping[str, Any]) -> Any:
            super().value(place, {**told, "optional": False}) if told.get("optional") else None
            for other in told.get("any_of", [])[1:]:
                super().value(place, other)
            return super().value(place, told)

    offer = Offer()
    for _ in range(ATTEMPTS):
        try:
            offer.arguments()
            break
        except Unfit:
            offer.sizes.clear()
            offer.ranks.clear()
            offer.values.clear()
    return offer.choices


def draw_call(
    name: str,
    signature: Mapping[str, Any],
    choices: Choices,
    row: dict[str, int],
    number: int,
    attempts: int = ATTEMPTS,
) -> tuple[dict[str, Any], dict[str, int]] | None:
    """The arguments of a call with what a row chooses, and what was chosen in the end; None if
    nothing that was drawn meets the conditions."""
    for attempt in range(attempts):
        chosen = row if attempt < PATIENCE else choices.loosened(row, attempt)
        try:
            few = number % FEW == FEW - 1
            draw = Draw(signature, chosen, f"{name} {number} {attempt}", few)
            return draw.arguments(), choices.in_order(draw.picked)
        except Unfit:
            continue
        except NotHere as error:
            raise HarnessError(f"{name}: what is {error} in its signature?") from error
    return None


def draw_calls(name: str, signature: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The arguments of each call: rows of choices, then each two values that did not stand in one
    call. HarnessError: nothing that was drawn meets the conditions."""
    choices = choices_of(signature)
    met: set[Pair] = set()
    calls = 0
    for number, row in enumerate(choices.rows()):
        drawn = draw_call(name, signature, choices, row, number)
        if drawn:
            calls += 1
            met |= pairs_of(drawn[1])
            yield drawn[0]
    if not calls:
        raise HarnessError(
            f'{name}: no call that was drawn meets "where"; '
            'give "value", "min" and "max", or "sizes"'
        )
    left = [pair for pair in choices.pairs() if pair not in met]
    while left and calls < PAIRS_MAX:
        rows = (choices.around(left[0], number) for number in range(CANDIDATES))
        drawn = [draw_call(name, signature, choices, row, calls, PATIENCE) for row in rows]
        fit = [(arguments, pairs_of(picked)) for arguments, picked in filter(None, drawn)]
        arguments, met = max(
            fit, key=lambda call: len(call[1].intersection(left)), default=(None, set())
        )
        if met.intersection(left):
            calls += 1
            yield arguments
        left = [pair for pair in left[1:] if pair not in met]


# --- What comes of a call -----------------------------------------------------------------


class CallFiles:
    """A folder of .npy files, and the calls of a signature file that name them."""

    def __init__(self, folder: Path, function: str) -> None:
        self.folder, self.function, self.count = folder, function, 0
        folder.mkdir(parents=True, exist_ok=True)

    def array(self, array: Any) -> dict[str, Any]:
        """An array, as it stands in a file; the same bytes are written once."""
        import numpy as np

        array = np.asarray(array)
        digest = zlib.crc32(f"{array.dtype.name}{array.shape}".encode() + array.tobytes())
        path = self.folder / f"{self.function}-{digest:08x}.npy"
        np.save(path, array, allow_pickle=False)
        return {"npy": f"{self.folder.name}/{path.name}"}

    def argument(self, value: Any, told: Mapping[str, Any]) -> Any:
        """A value of a call, as JSON."""
        import numpy as np

        if isinstance(value, np.ndarray):
            return self.array(value)
        if isinstance(value, np.dtype):
            return value.name
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, bytes):
            return value.decode("latin-1")
        if isinstance(value, dict):
            return {
                str(key): self.argument(some, entry_of(told, key)) for key, some in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self.argument(some, item_of(told, i)) for i, some in enumerate(value)]
        return value

    def expected(self, value: Any) -> dict[str, Any]:
        """What an output or a result is, by the part of it: an array, or a formula."""
        import numpy as np

        if isinstance(value, (list, tuple)):
            parts = {f"[{i}]": some for i, some in enumerate(value)}
        elif isinstance(value, dict):
            parts = {f".{key}": some for key, some in value.items()}
        elif isinstance(value, np.ndarray):
            return {"": self.array(value)}
        else:
            return {"": formula_of(value)}
        found = {}
        for place, some in parts.items():
            found.update({place + inner: told for inner, told in self.expected(some).items()})
        return found


def formula_of(value: Any) -> str:
    """A number, a string or None as a formula."""
    import numpy as np

    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int) and value == -(1 << 63):
        return f"{value + 1} - 1"
    if isinstance(value, (bytes, str)):
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        quote = "'" if '"' in text else '"'
        if quote in text or "\\" in text or any(letter < " " for letter in text):
            raise HarnessError(f"{text!r}: no formula can state this result")
        return f"{quote}{text}{quote}"
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    raise HarnessError(f"{value!r}: no formula can state this result")


def item_of(told: Mapping[str, Any], index: int) -> Mapping[str, Any]:
    """The type of an element of an array or tuple."""
    if told.get("kind") == "tuple":
        return told["elements"][index]
    return told.get("element", {})


def entry_of(told: Mapping[str, Any], key: Any) -> Mapping[str, Any]:
    return told.get("entries", {}).get(key) or told.get("element", {})


def outputs(told: Mapping[str, Any], value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """The tensors of an argument that the function writes to, with their places."""
    if value is None:
        return
    if told.get("kind") == "tensor":
        if told.get("role") in ("out", "inout"):
            yield place, value
    elif told.get("kind") in ("array", "tuple"):
        for i, some in enumerate(value):
            yield from outputs(item_of(told, i), some, f"{place}[{i}]")


def has_nothing(array: Any) -> bool:
    import numpy as np

    return array.size > 0 and array.dtype.kind in "fc" and bool(np.isnan(array).all())


def answer(
    name: str, oracle: Callable[..., Any], signature: Mapping[str, Any], given: dict[str, Any]
) -> tuple[dict[str, Any], Any, BaseException | None]:
    """The arguments as the Python function leaves them, its result, and the error it raised."""
    after = copy.deepcopy({key: value for key, value in given.items() if not callable(value)})
    after = {key: after.get(key, given[key]) for key in given}
    rest = signature.get("rest")
    more = after.pop(rest_name(rest)) if rest else []
    try:
        result = oracle(*after.values(), *more)
    except REFUSING as error:
        return after, None, error
    if isinstance(result, dict) and "result" not in signature and set(result) <= set(after):
        after.update(result)
        result = None
    return after, result, None


def call_with(
    name: str,
    oracle: Callable[..., Any],
    signature: Mapping[str, Any],
    files: CallFiles,
    given: dict,
) -> dict[str, Any]:
    """One call of a signature file, with what the Python function says comes of it."""
    types = {told["name"]: told for told in signature["parameters"]}
    if signature.get("rest"):
        types[rest_name(signature["rest"])] = {"kind": "array", "element": signature["rest"]}
    call: dict[str, Any] = {
        "arguments": {
            key: files.argument(value, types[key])
            for key, value in given.items()
            if not callable(value)
        }
    }
    after, result, error = answer(name, oracle, signature, given)
    if error:
        return {**call, "refused": {"kind": type(error).__name__}}
    expected = {}
    for key, value in after.items():
        for place, array in outputs(types[key], value, key):
            if has_nothing(array):
                raise HarnessError(
                    f"{name}: {place} is all NaN: the Python function has to fill it "
                    f"({place}[...] = ...)"
                )
            expected[place] = files.array(array)
    if signature.get("result", {}).get("kind", "none") != "none" or result is not None:
        told = files.expected(result)
        expected.update({f"result{place}": some for place, some in told.items()})
    return {**call, "expected": expected} if expected else call


def add_calls(
    name: str, signature: Mapping[str, Any], oracle: Callable[..., Any], folder: Path
) -> dict[str, Any]:
    """The signature with calls, whose arrays lie in `folder`."""
    check_parameters(name, signature, oracle)
    files = CallFiles(folder, name)
    calls = [
        call_with(name, oracle, signature, files, given) for given in draw_calls(name, signature)
    ]
    refused = sum("refused" in call for call in calls)
    if refused == len(calls):
        raise HarnessError(f"{name}: the Python function raises an error for each of its calls")
    return {**signature, "calls": [*signature.get("calls", []), *calls]}


def check_parameters(name: str, signature: Mapping[str, Any], oracle: Callable[..., Any]) -> None:
    """HarnessError: the Python function does not take as many arguments as the kernel."""
    if "signatures" in signature:
        raise HarnessError(f"{name}: a function with several signatures needs one oracle for each")
    if "parameters" not in signature:
        raise HarnessError(f'{name}: the signature has no "parameters"')
    for position, told in enumerate(signature["parameters"]):
        if "name" not in told:
            raise HarnessError(f"{name}: parameter {position} has no name")
    try:
        inspect.signature(oracle).bind(*[None] * len(signature["parameters"]))
    except TypeError as error:
        count = len(signature["parameters"])
        raise HarnessError(
            f"{name}: the Python function is called with {count} arguments: {error}"
        ) from error
