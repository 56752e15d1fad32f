# SPDX-License-Identifier: Apache-2.0
"""What a Python function says comes of the calls of a kernel: its results, or that it refuses.

Arguments and results go into a signature file (conformance/SIGNATURES.md), arrays into .npy files.
"""

from __future__ import annotations

import contextlib
import copy
import dis
import inspect
import json
import math
import re
import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from . import HarnessError
from .annotation import dtype_name, plain_value, text_of_bytes
from .drawn import draw_calls, draw_seeded
from .examples import ELEMENTS_MAX, rest_name
from .kept import Kept, Unstated, in_place, with_kept, without_objects
from .listed import (
    LeftOut,
    entry_of,
    is_lacking,
    is_lacking_in,
    item_of,
    names_of_types,
    read_arguments,
    seeds_of,
)
from .size_expression import without_let
from .summary import plural

REFUSING = (ValueError, TypeError, IndexError, KeyError, RuntimeError, NotImplementedError)
LISTED_MAX = 128  # calls of a function in a signature file
REFUSED_MAX = 16  # calls that the function refuses, of them
ALIKE_MAX = 3  # of those with the same message
SECONDS_MAX = 20  # for one call of the Python function
SECONDS_OF_ALL = 180  # then no more calls are drawn
MEMORY_MAX = 3 << 30  # bytes that one call may take besides
LARGE = 1 << 20  # elements of a call
LARGE_MAX = 4  # calls of so many elements or more
TELL_AFTER = 3  # seconds
FORMULA_MAX = 4000  # characters
PARTS_MAX = 128  # values that are expected of a call
WRITTEN_MAX = 600  # elements of tensors that are written into the signature file
KEY_MAX = 63  # bytes of such a key
NAMED = r"[^.\[\]]+"  # a key of a map that a part of a result is named by

Say = Callable[[str], None]
Needed = Callable[[], Mapping[str, Any]]  # makes the objects that a call needs, by their names


def silent(text: str) -> None:
    """For those who need not know what takes long."""


# --- Values ---------------------------------------------------------------------------------------


class CallFiles:
    """A folder of .npy files, and the calls of a signature file that name them."""

    def __init__(self, folder: Path, function: str) -> None:
        self.folder, self.function = folder, function
        self.written = 0  # elements that stand in the signature file itself
        folder.mkdir(parents=True, exist_ok=True)

    def array(self, array: Any) -> dict[str, Any]:
        """An array, as it stands in a file; the same bytes are written once."""
        import numpy as np

        array = np.asarray(array)
        if (
            array.dtype.type.__module__ != "numpy"
        ):  # bytes without a meaning, whatever NumPy calls them
            # (A copy side by side has one dimension at least.)
            side_by_side = np.ascontiguousarray(array).reshape(array.shape)
            array = side_by_side.view(f"V{array.dtype.itemsize}")
        # (A checksum will not do: bytes that end with their own have all the same.)
        told = f"{array.dtype.name}{array.shape}".encode() + array.tobytes()
        path = self.folder / f"{self.function}-{sha256(told).hexdigest()[:16]}.npy"
        np.save(path, array, allow_pickle=False)
        return {"npy": f"{self.folder.name}/{path.name}"}

    def argument(self, value: Any, names: Sequence[str]) -> Any:
        """What the function reads, of one of these types. LeftOut: nothing would say of which.

        A file does not say which type that NumPy lacks an array has, if there are several.
        """
        import numpy as np

        if not isinstance(value, np.ndarray) or not is_lacking(value.dtype):
            return self.value(value)
        alike = [name for name in names if is_lacking_in(name, value.dtype.itemsize)]
        if len(alike) < 2 or value.size == 0:
            return self.value(value)
        self.written += value.size
        if self.written > WRITTEN_MAX:
            raise LeftOut(
                f"more than {WRITTEN_MAX} elements of {value.dtype.name} in all calls; "
                "use smaller arrays"
            )
        return {"elements": written(value.astype(float).tolist()), "dtype": value.dtype.name}

    def value(self, value: Any, inside: bool = False) -> Any:
        """A value of a call, as JSON. LeftOut: it can't be stated inside a container."""
        import numpy as np

        if isinstance(value, np.ndarray):
            return self.array(value)
        if isinstance(value, Kept):
            return {"kept": value.name}
        if isinstance(value, np.dtype):
            return value.name
        if isinstance(value, dict):
            return {str(key): self.value(some, True) for key, some in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(some, True) for some in value]
        value = plain_value(value)
        if not isinstance(value, float) or math.isfinite(value):
            return value
        if inside:
            raise LeftOut(f"a container that holds {value}")
        return repr(value)

    def expected(self, value: Any, place: str) -> dict[str, Any]:
        """What an output or a result is, by the part of it: an array, or a formula.

        LeftOut: no formula can state it. HarnessError: neither can anything else.
        """
        import numpy as np

        if isinstance(value, np.ndarray):
            return {place: self.array(value)}
        if isinstance(value, (np.dtype, Unstated)) or callable(value):
            return {}  # no formula states it
        if isinstance(value, (list, tuple)) and all(map(is_number, value)):
            whole = f"({''.join(formula_of(one) + ', ' for one in value).rstrip(' ')})"
            if len(whole) <= FORMULA_MAX:
                return {place: whole}
            if len({type(one) for one in value}) == 1:
                return {place: self.array(np.array(value))}
        if isinstance(value, (list, tuple)):
            parts = {f"[{i}]": some for i, some in enumerate(value)}
        elif isinstance(value, dict):
            named = {str(key): some for key, some in value.items()}
            parts = {f".{key}": some for key, some in named.items() if is_name_of_part(key)}
        else:
            return {place: formula_at(place, value)}
        found = {}
        for part, some in parts.items():
            found.update(self.expected(some, place + part))
        return found


def is_name_of_part(key: str) -> bool:
    """Whether a part of a result can be named by this key of a map."""
    return re.fullmatch(NAMED, key) is not None and len(key.encode()) <= KEY_MAX


def written(elements: Any) -> Any:
    """Elements of an array, in lists within each other, as JSON."""
    if isinstance(elements, list):
        return [written(one) for one in elements]
    return elements if math.isfinite(elements) else repr(elements)


def is_number(value: Any) -> bool:
    import numpy as np

    return isinstance(value, (bool, int, float, np.number, np.bool_))


def formula_at(place: str, value: Any) -> str:
    try:
        return formula_of(value)
    except HarnessError as error:
        raise HarnessError(f"{place}: {error}") from error


def formula_of(value: Any) -> str:
    """A number, a string or None as a formula.

    LeftOut: no formula can state it. HarnessError: it is something else.
    """
    import numpy as np

    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int) and value == -(1 << 63):
        return f"{value + 1} - 1"
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise LeftOut(f"{value}: no formula can state this result")
    if isinstance(value, (bytes, str)):
        text = text_of_bytes(value) if isinstance(value, bytes) else value
        quote = "'" if '"' in text else '"'
        if quote in text or "\\" in text or any(letter < " " for letter in text):
            raise LeftOut(f"{text!r}: no formula can state this result")
        return f"{quote}{text}{quote}"
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    told = f"{value!r}: no signature file can state this result"
    raise HarnessError(f"{told}; the annotation of an object is Object, or Any")


def outputs(told: Mapping[str, Any], value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """The tensors of an argument that the function writes to, with their places."""
    kind = told.get("kind")
    if kind == "variant" and hasattr(value, "dtype"):
        tensors = [one for one in told["any_of"] if one.get("kind") == "tensor"]
        told, kind = (tensors or [{}])[0], "tensor"
    if value is None:
        return
    if kind == "tensor":
        if told.get("role") in ("out", "inout"):
            yield place, value
    elif kind in ("array", "tuple"):
        for i, some in enumerate(value):
            yield from outputs(item_of(told, i), some, f"{place}[{i}]")
    elif kind == "map":
        for key, some in value.items():
            yield from outputs(entry_of(told, key), some, f"{place}.{key}")


def elements_in(value: Any) -> int:
    """How many elements the tensors in a value have."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return sum(map(elements_in, value))
    return int(getattr(value, "size", 0))


def was_not_filled(array: Any) -> bool:
    """Whether an output holds what it held before (never_written in examples.py)."""
    import numpy as np

    if array.size == 0:
        return False
    if array.dtype.kind in "iu":
        return bool((array == 0x5A).all())
    return array.dtype.kind in "fcV" and bool(np.isnan(array.astype(float)).all())


# --- Calling the Python function ------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """The arguments as a function leaves them, its result, or the error by which it refuses."""

    after: Mapping[str, Any]
    result: Any = None
    error: BaseException | None = None


class TookLong(Exception):
    """A call of a Python function that was ended."""


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Bounds the time and memory of a call: TookLong, MemoryError. In the main thread of Linux."""

    def end(*_: Any) -> None:
        raise TookLong

    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, SECONDS_MAX)
    try:
        with limited_memory():
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def limited_memory() -> Iterator[None]:
    try:
        import resource

        words = Path("/proc/self/statm").read_text(encoding="ascii").split()
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = int(words[0]) * resource.getpagesize() + MEMORY_MAX
    except (ImportError, OSError):
        yield
        return
    unlimited = resource.RLIM_INFINITY
    if (soft != unlimited and soft < wanted) or (hard != unlimited and hard < wanted):
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def own_frames(oracle: Callable[..., Any], error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of an error that are in the folder of the function."""
    code = getattr(inspect.unwrap(oracle), "__code__", None)
    folder = Path(code.co_filename).parent if code else None
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if Path(frame.filename).parent == folder]


def was_raised(oracle: Callable[..., Any], error: BaseException) -> bool:
    """Whether a statement of the function raised an error, rather than something that it called."""
    frames, own = traceback.extract_tb(error.__traceback__), own_frames(oracle, error)
    last = list(traceback.walk_tb(error.__traceback__))[-1][0]
    operation = last.f_code.co_code[last.f_lasti]
    return bool(own) and frames[-1] == own[-1] and operation == dis.opmap["RAISE_VARARGS"]


def mistake(name: str, oracle: Callable[..., Any], error: BaseException) -> HarnessError:
    """An error that is no refusal."""
    own = own_frames(oracle, error)
    where = f" ({Path(own[-1].filename).name}:{own[-1].lineno}: {own[-1].line})" if own else ""
    kinds = "ValueError, TypeError, IndexError, KeyError or RuntimeError"
    return HarnessError(
        f"{name}: the Python function ended with {type(error).__name__}: {error}{where}; "
        f"where the kernel refuses, raise {kinds}"
    )


def ask(
    name: str,
    oracle: Callable[..., Any],
    signature: Mapping[str, Any],
    given: Mapping[str, Any],
    kept: Mapping[str, Any],
) -> Answer:
    """What the Python function says of a call. LeftOut: it took too long, or too much memory.

    kept: the objects that the arguments name, which the function may change.
    """
    import numpy as np

    after = {
        key: value if callable(value) else in_place(copy.deepcopy(value), kept)
        for key, value in given.items()
    }
    rest = signature.get("rest")
    more = after.pop(rest_name(rest)) if rest else []
    try:
        with limited(), np.errstate(all="ignore"):
            result = oracle(*after.values(), *more)
    except REFUSING as error:
        if isinstance(error, TypeError) and not was_raised(oracle, error):
            raise mistake(name, oracle, error) from error
        return Answer(after, error=error)
    except (MemoryError, TookLong) as error:
        limit = "3 GiB" if isinstance(error, MemoryError) else f"{SECONDS_MAX} s"
        raise LeftOut(f"the Python function took more than {limit}") from error
    except Exception as error:
        raise mistake(name, oracle, error) from error
    if isinstance(result, dict) and "result" not in signature and set(result) <= set(after):
        after.update(result)
        result = None
    return Answer({**after, **({rest_name(rest): more} if rest else {})}, result)


def refuted(name: str, place: str, what: str, error: BaseException) -> HarnessError:
    """A call or step that its author lists as served, and the Python function refuses."""
    return HarnessError(
        f"{name}: {place} is listed as served, but the Python function raises "
        f'{type(error).__name__}: {error}; mark the {what} as "refused", or correct one of the two'
    )


def types_of(signature: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The types of the arguments, those behind the parameters as an array."""
    types = {told["name"]: told for told in signature["parameters"]}
    if rest := signature.get("rest"):
        types[rest_name(rest)] = {"kind": "array", "element": rest}
    return types


def outputs_after(
    name: str, signature: Mapping[str, Any], answer: Answer
) -> Iterator[tuple[str, Any]]:
    """The arrays that a call has written to, with their places. HarnessError: one is none."""
    types = types_of(signature)
    for key, value in answer.after.items():
        for place, array in outputs(types[key], value, key):
            if not hasattr(array, "dtype"):
                raise HarnessError(f"{name}: {place} is {array!r}, which is not an array")
            yield place, array


def stated_result(where: str, files: CallFiles, result: Any) -> dict[str, Any]:
    """The result of the call `where` by its parts, as a call states it. LeftOut: as `expected`."""
    try:
        parts = files.expected(result, "result")
    except HarnessError as error:
        raise HarnessError(f"{where}: {error}") from error
    if len(parts) > PARTS_MAX:
        raise LeftOut(f"it comes to {len(parts)} parts, more than {PARTS_MAX}")
    return parts


# --- Calls ----------------------------------------------------------------------------------------


class Judged:
    """The calls of a function that a Python function judges."""

    def __init__(
        self,
        name: str,
        signature: Mapping[str, Any],
        oracle: Callable[..., Any],
        files: CallFiles,
        say: Say,
        needed: Needed,
    ) -> None:
        self.name, self.signature, self.oracle = name, signature, oracle
        self.files, self.say, self.needed = files, say, needed
        self.served: list[dict[str, Any]] = []
        self.refused: list[dict[str, Any]] = []
        self.messages: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self.filled: dict[str, bool] = {}  # by the place of an output
        self.large = self.refusals = 0
        self.result_types: list[tuple[str, dict[str, str]]] = []  # and those that were asked for
        self.first_error = ""
        self.begin = self.told = time.monotonic()
        self.types = types_of(signature)

    def ask(self, given: Mapping[str, Any]) -> Answer:
        """What the function says of a call, with new objects if it takes some."""
        takes = any(isinstance(value, Kept) for value in given.values())
        kept = self.needed() if takes else {}
        answer = ask(self.name, self.oracle, self.signature, given, kept)
        told = self.signature.get("result", {})
        return replace(answer, result=without_objects(told, answer.result))

    def serve(self, given: dict[str, Any]) -> bool:
        """Lists a call with what the function says of it; whether it is served."""
        self.tell()
        if self.is_late():
            return False
        try:
            answer = self.ask(given)
            if answer.error:
                self.refuse(given, answer.error)
                return False
            self.take(given, answer)
            return True
        except LeftOut as reason:
            self.left_out[str(reason)] += 1
            return False

    def answered(self, call: dict[str, Any], number: int, folder: Path) -> dict[str, Any]:
        """A listed call with what the function says of it, where its author says nothing."""
        if "expected" in call or "refused" in call:
            return call
        where = f"{self.name}: calls[{number}]"
        try:
            answer = self.ask(read_arguments(self.signature, call, folder))
            if answer.error:
                raise refuted(self.name, f"calls[{number}]", "call", answer.error)
            expected = self.expected(answer, where)
        except LeftOut as reason:
            self.say(f"{where} is not worked out ({reason}); only whether it is served is judged")
            return call
        return {**call, "expected": expected} if expected else call

    def is_late(self) -> bool:
        return time.monotonic() - self.begin > SECONDS_OF_ALL and bool(self.served)

    def tell(self) -> None:
        """What has been done, every few seconds."""
        now = time.monotonic()
        if now - self.told > TELL_AFTER:
            self.told = now
            done = f"{plural(len(self.served), 'call')} in {now - self.begin:.0f} s"
            self.say(f"{self.name}: {done}")

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        stated = {}
        for key, value in given.items():
            is_read = self.types[key].get("role", "in") in ("in", "inout")
            if not callable(value):
                names = names_of_types(self.signature, self.types[key]) if is_read else []
                stated[key] = self.files.argument(value, names)
        return stated

    def refuse(self, given: Mapping[str, Any], error: BaseException) -> None:
        raised = was_raised(self.oracle, error)
        told = f"{type(error).__name__}: {error}"
        self.first_error = self.first_error or told
        self.refusals += 1
        if self.messages[told] >= ALIKE_MAX or len(self.refused) >= REFUSED_MAX:
            return
        if elements_in(given) >= LARGE:
            return
        self.messages[told] += 1
        # What something else raised, such as an index that is too large, is refused in some way.
        refused = {"kind": type(error).__name__} if raised else True
        self.refused.append({"arguments": self.arguments(given), "refused": refused})

    def take(self, given: Mapping[str, Any], answer: Answer) -> None:
        count = elements_in(given) + elements_in(answer.result)
        if count > ELEMENTS_MAX or (count > LARGE and self.large >= LARGE_MAX):
            raise LeftOut(f"it has {count:,} elements")
        expected = self.expected(answer, self.name)
        call = {"arguments": self.arguments(given)}
        if hasattr(answer.result, "dtype"):
            asked = {key: dtype_name(given[key]) for key in self.dtype_parameters()}
            self.result_types.append((answer.result.dtype.name, asked))
        self.large += count > LARGE
        self.served.append({**call, "expected": expected} if expected else call)

    def dtype_parameters(self) -> list[str]:
        return [
            name
            for name, told in self.types.items()
            if told.get("kind") == "dtype" and not told.get("optional")
        ]

    def result_dtype(self) -> str | None:
        """The parameter that says of which of its types the result is: it did so in each call."""
        listed = self.signature.get("result", {}).get("dtype")
        if not isinstance(listed, list) or len({told for told, _ in self.result_types}) < 2:
            return None
        for name in self.dtype_parameters():
            if all(asked[name] == told for told, asked in self.result_types):
                return name
        return None

    def expected(self, answer: Answer, where: str) -> dict[str, Any]:
        expected = {}
        for place, array in outputs_after(self.name, self.signature, answer):
            self.filled[place] = self.filled.get(place, False) or not was_not_filled(array)
            expected[place] = self.files.array(array)
        told = self.signature.get("result", {})
        if told.get("kind", "none") != "none" or answer.result is not None:
            expected.update(stated_result(where, self.files, answer.result))
        return expected

    def check(self) -> None:
        """HarnessError: an output is never filled, or there is no call to judge by."""
        for place, filled in self.filled.items():
            if not filled:
                raise HarnessError(
                    f"{self.name}: {place} is all NaN, or what it was before: the Python function "
                    f"has to fill it ({place}[...] = ...)"
                )
        listed = [call for call in self.signature.get("calls", []) if "refused" not in call]
        if self.served or listed:
            return
        if self.left_out:
            raise HarnessError(f"{self.name}: each call was left out: {min(self.left_out)}")
        raise HarnessError(
            f"{self.name}: the Python function raises an error for each of its calls, such as "
            f'{self.first_error}; list a right one with "calls", or say more with "where"'
        )

    def calls(self) -> list[dict[str, Any]]:
        return each_once([*self.served, *self.refused])

    def notes(self) -> Iterator[str]:
        for reason, times in self.left_out.items():
            yield f"{self.name}: {plural(times, 'call')} left out: {reason}"
        if self.is_late():
            yield f"{self.name}: no more calls were drawn after {SECONDS_OF_ALL} s"


def add_calls(
    name: str,
    signature: Mapping[str, Any],
    oracle: Callable[..., Any],
    folder: Path,
    say: Say,
    needed: Needed,
) -> dict[str, Any]:
    """The signature with calls, whose arrays lie in `folder`.

    say: is told what takes long, and what was left out.
    needed: makes new objects for a call, by the names under which steps of `needs` keep them.
    """
    check_parameters(name, signature, oracle)
    signature = with_kept(name, signature)
    files = CallFiles(folder, name)
    stated = []
    for number, call in enumerate(signature.get("calls", [])):
        try:
            stated.append(listed_call(files, signature, call))
        except LeftOut as reason:
            raise HarnessError(f"{name}: calls[{number}]: {reason}") from reason
    signature = {**signature, "calls": stated} if stated else signature
    judged = Judged(name, signature, oracle, files, say, needed)
    stated = [judged.answered(call, i, folder.parent) for i, call in enumerate(stated)]
    drawn = without_let(signature)
    for _ in draw_calls(name, drawn, judged.serve):
        pass
    refuses = len(judged.served) <= judged.refusals
    if refuses:
        seeds = list(seeds_of(signature, folder.parent))
        for _ in draw_seeded(name, drawn, seeds, judged.serve):
            pass
    judged.check()
    for note in judged.notes():
        say(note)
    calls = [*stated, *judged.calls()[: LISTED_MAX - len(stated)]]
    made = {"combinations": "calls", "calls": calls}
    # A call that is made of the rest may be one that the Python function refuses, too.
    if refuses and any("refused" not in call for call in calls):
        made["example"] = "calls"
    dtype = judged.result_dtype()
    if dtype:
        made["result"] = {**signature["result"], "dtype": dtype}
    return {**signature, **made}


def each_once(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({json.dumps(call, sort_keys=True): call for call in calls}.values())


def listed_call(
    files: CallFiles, signature: Mapping[str, Any], call: Mapping[str, Any]
) -> dict[str, Any]:
    """A call that its author wrote: arrays of NumPy in it go into files."""
    names = {told["name"]: names_of_types(signature, told) for told in signature["parameters"]}
    return {
        member: {
            name: files.argument(value, names.get(name, []) if member == "arguments" else [])
            for name, value in told.items()
        }
        if member in ("arguments", "expected") and isinstance(told, Mapping)
        else told
        for member, told in call.items()
    }


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
