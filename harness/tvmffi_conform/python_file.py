# SPDX-License-Identifier: Apache-2.0
"""Python files of others as modules; also once more, in the state in which they are loaded."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from . import HarnessError
from .answers import Say, silent

# The names of the modules that were there before the first file was loaded.
before_loading: list[frozenset[str]] = []
# The files for which modules of other folders can't be loaded again.
loaded_alone: set[Path] = set()


def load_module(path: Path, prefix: str = "tvmffi_kernels_") -> Any:
    """A Python file as a module. HarnessError: it raises an error."""
    spec = importlib.util.spec_from_file_location(f"{prefix}{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise HarnessError(f"{path}: no such Python file")
    module = importlib.util.module_from_spec(spec)
    if not before_loading:
        before_loading.append(frozenset(sys.modules))
    sys.modules[spec.name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except HarnessError:
        raise
    except Exception as error:
        raise HarnessError(f"{path}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
    return module


def place_of(module: Any) -> Path | None:
    """The file of a module, or the folder of a package without one."""
    members = getattr(module, "__dict__", {})
    place = members.get("__file__")
    if place is None:
        with contextlib.suppress(KeyError, TypeError, AttributeError, StopIteration):
            place = next(iter(members["__path__"]))
    return Path(place).resolve() if isinstance(place, str) else None


def is_own(place: Path, below: Path | None = None) -> bool:
    """Whether a file is the author's: not of Python, nor of this package, nor installed."""
    others = {Path(sysconfig.get_path("stdlib")).resolve(), Path(__file__).resolve().parent}
    parts = place.relative_to(below).parts if below else place.parts
    installed = {"site-packages", "dist-packages"}.intersection(parts)
    return not installed and not others.intersection((place, *place.parents))


def modules_of(path: Path, alone: bool = False) -> dict[str, Any]:
    """The author's modules: all from this file's folder and, unless these are meant alone, those
    from other folders that were loaded for Python files."""
    folder = path.resolve().parent
    before = before_loading[0] if before_loading else frozenset(sys.modules)
    found = {}
    for name, module in list(sys.modules.items()):
        place = place_of(module)
        if name == "__main__" or place is None:
            continue
        if folder in place.parents:
            own = is_own(place, folder)
        else:  # what is compiled may be loaded once only
            own = name not in before and is_own(place) and place.suffix in ("", ".py")
            own = own and not alone
        if own:
            found[name] = module
    return found


# Where the name of a module in a package stands, and what the package has under it.
Place = tuple[dict[str, Any], str, Any]


def take_out(modules: Mapping[str, Any]) -> list[Place]:
    """Makes modules ones that are not loaded, for packages that still are, too."""
    for name in modules:
        del sys.modules[name]
    places = []
    for name, module in modules.items():
        package, _, last = name.rpartition(".")
        members = getattr(sys.modules.get(package), "__dict__", {})
        if last in members:
            places.append((members, last, members[last]))
            if members[last] is module:
                del members[last]
    return places


@contextlib.contextmanager
def loaded_once_more(path: Path, alone: bool) -> Iterator[Any]:
    """A Python file as a new module, with new ones of those of `modules_of`, while this lasts."""
    before = modules_of(path, alone)
    places = take_out(before)
    try:
        yield load_module(path, "tvmffi_kernels_again_")
    finally:
        take_out(modules_of(path, alone))
        sys.modules.update(before)
        for members, name, value in places:
            members[name] = value


def load_again(path: Path, say: Say, stack: contextlib.ExitStack) -> Any:
    """A Python file as a new module while `stack` lasts. HarnessError: it raises an error."""
    if path.resolve() in loaded_alone:
        return stack.enter_context(loaded_once_more(path, alone=True))
    try:
        return stack.enter_context(loaded_once_more(path, alone=False))
    except HarnessError as error:
        others = set(modules_of(path)).difference(modules_of(path, alone=True))
        if not others:
            raise
        try:
            module = stack.enter_context(loaded_once_more(path, alone=True))
        except HarnessError:
            raise error from None
        packages = ", ".join(sorted({name.partition(".")[0] for name in others}))
        say(
            f"modules of other folders ({packages}) are not loaded again for each sequence, since "
            f"that fails ({error}): all sequences share their state"
        )
        loaded_alone.add(path.resolve())
        return module


@contextlib.contextmanager
def loaded_again(path: Path, say: Say = silent) -> Iterator[Any]:
    """A Python file as a new module, with new ones of those that it uses, while this lasts.

    Modules of other folders stay as they are if they can't be loaded again, such as ones that
    register what may be registered once only; `say` is told so, once for a file.
    HarnessError: it raises an error.
    """
    with contextlib.ExitStack() as stack:
        yield load_again(path, say, stack)


@contextlib.contextmanager
def functions_again(
    path: Path,
    read: Callable[[Any], Mapping[str, Any]],
    names: Iterable[str],
    say: Say = silent,
) -> Iterator[Mapping[str, Any]]:
    """What `read` finds in the module, as `loaded_again`. HarnessError: one of the names lacks."""
    with loaded_again(path, say) as module:
        found = read(module)
        if lacking := set(names).difference(found):
            raise HarnessError(f"{path}: it does not define {min(lacking)} each time")
        yield found
