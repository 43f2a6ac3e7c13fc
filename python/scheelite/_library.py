"""The C library from Python's side: handles that are freed in the right order, structs with their sizes, words for
enumerations. Holds nothing of what shaders and textures are."""
from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable

try:
    from ._native import ffi, lib
except ModuleNotFoundError:
    raise
except ImportError as error:
    raise ImportError(f'{error}. This package was built for libscheelite of the same version: install both of one '
                      'version (Debian packages python3-scheelite and libscheelite1)') from error

__all__ = ['NULL', 'Handle', 'Words', 'check_keywords', 'ffi', 'instead', 'lib', 'names_file', 'nearest', 'refuse_file',
           'string', 'struct', 'whole']

NULL: Any = ffi.NULL


class Handle:
    """A pointer of the library, freed once, after everything that was made from it.

    Python may finalise objects of a cycle in any order, and a context may be closed while it is in use. So a handle that
    is released while others need it is freed with the last of these. Only operations that Python's lock makes atomic
    touch the set of those that need it.

    A child after fork() must not use contexts of its parent (draw_context.h), and does not free them either."""

    __slots__ = ('_pointer', '_destroy', '_owners', '_needed', '_once', '_process', '_released', '_root', '_what',
                 '__weakref__')

    def __init__(self, what: str, pointer: Any, destroy: Callable[[Any], None], *owners: Handle) -> None:
        self._what = what
        self._pointer = pointer
        self._destroy = destroy
        self._owners = owners
        self._root: Handle = owners[0]._root if owners else self
        self._needed: set[int] = set()
        self._once = [True]
        self._process = os.getpid()
        self._released = False
        for owner in owners:
            owner._needed.add(id(self))

    @property
    def pointer(self) -> Any:
        self._check()
        return self._pointer

    def _check(self) -> None:
        if self._root._released or self._released:
            raise ValueError(f'the {self._root._what} is closed')
        if os.getpid() != self._process:
            raise ValueError(f'the {self._what} belongs to the parent process: make another one after fork()')

    @contextmanager
    def pinned(self, closed: bool = False) -> Iterator[Any]:
        """The pointer, which stays valid in the block even if another thread releases the handle. With `closed` it may
        have been released before, if the caller holds another handle that needs it."""
        token = object()
        self._needed.add(id(token))
        try:
            if not closed:
                self._check()
            yield self._pointer
        finally:
            self._unneeded(id(token))

    def _unneeded(self, token: int) -> None:
        self._needed.discard(token)
        if self._released and not self._needed:
            self._free()

    def release(self) -> None:
        """Frees the pointer now, or with the last handle that needs it. May be called again."""
        self._released = True
        if not self._needed:
            self._free()

    def _free(self, getpid: Callable[[], int] = os.getpid) -> None:
        try:
            self._once.pop()
        except IndexError:
            return
        if getpid() == self._process:
            self._destroy(self._pointer)
        for owner in self._owners:
            owner._unneeded(id(self))

    @property
    def released(self) -> bool:
        return self._released

    def __del__(self) -> None:
        self.release()


def struct(name: str, /, **members: Any) -> Any:
    """A new `struct sch_NAME` with its size set. Memory that members point to is the caller's to keep. ValueError for a
    number that a member does not hold."""
    try:
        made = ffi.new(f'struct sch_{name} *', members)
    except OverflowError as error:
        raise ValueError(_misfit(name, members)) from error
    made.size = ffi.sizeof(made[0])
    return made


def _misfit(name: str, members: Any) -> str:
    """Which member does not hold its number."""
    for member, value in members.items():
        try:
            ffi.new(f'struct sch_{name} *', {member: value})
        except OverflowError:
            return f'{member.replace("_", " ")} cannot be {value!r}'
    return f'a number of {name} is too large'


def whole(what: str, number: Any) -> int:
    """A whole number; ValueError for what is none."""
    try:
        return int(number)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f'{what} is a whole number, not {number!r}') from None


def string(pointer: Any) -> str:
    """A text of the library; NULL is empty."""
    return str(ffi.string(pointer).decode('utf-8', 'replace')) if pointer else ''


def nearest(word: str, words: Any) -> str:
    """What to add to an error about an unknown word."""
    found = difflib.get_close_matches(word, [str(one) for one in words], 1)
    return f'; is it {found[0]!r}?' if found else ''


def names_file(given: Any) -> bool:
    """Whether a str or a path names a file that is there. Texts of several lines name none."""
    if isinstance(given, str) and ('\n' in given or len(given) > 4096):
        return False
    return isinstance(given, (str, os.PathLike)) and os.path.exists(given) and not os.path.isdir(given)


def instead(given: Any, call: str) -> str:
    """What to add to an error about a value that names a file: the call that reads it."""
    if not names_file(given):
        return ''
    name = repr(os.fspath(given))
    return f'; {name} is the name of a file: give {call.format(name)}'


def refuse_file(what: str, given: Any, call: str) -> None:
    """TypeError for the name of a file where its contents are wanted."""
    if names_file(given):
        raise TypeError(f'{what} is not read from a file{instead(given, call)}')


class Words:
    """The words of an enumeration of the headers: SCH_WRAP_CLAMP is "clamp". They come from the headers."""

    def __init__(self, enum: str, prefix: str, *, upper: bool = False) -> None:
        self.what = enum.replace('_', ' ')
        self._upper = upper
        numbers = ffi.typeof(f'enum sch_{enum}').relements
        names: dict[str, int] = {key[len(prefix):]: value for key, value in numbers.items() if key.startswith(prefix)}
        self.numbers: dict[str, int] = {key if upper else key.lower(): value
                                        for key, value in sorted(names.items(), key=lambda item: item[1])}
        self.words: dict[int, str] = {value: key for key, value in self.numbers.items()}

    def number(self, word: str) -> int:
        """The number of a word; ValueError names the nearest word."""
        if not isinstance(word, str):
            raise TypeError(f'a {self.what} is a word such as {next(iter(self.numbers))!r}, not {word!r}')
        wanted = (word.upper() if self._upper else word.lower()).replace('-', '_')
        if wanted not in self.numbers:
            raise ValueError(f'there is no {self.what} {word!r}{nearest(wanted, self.numbers)}')
        return self.numbers[wanted]

    def word(self, number: int) -> str:
        return self.words.get(number, str(number))


def check_keywords(what: str, given: Any, known: Any) -> None:
    """TypeError for a keyword that is not known."""
    for name in given:
        if name not in known:
            raise TypeError(f'{what} has no {name!r}{nearest(name, known)}')
