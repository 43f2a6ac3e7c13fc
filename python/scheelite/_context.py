"""The context: limits, machine code and the options that runs have unless they are given others. Holds no shaders."""
from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, TypedDict, cast

from . import errors
from ._library import Handle, Words, check_keywords, ffi, lib, string, struct

__all__ = ['Cancel', 'Context', 'RunOptions', 'default_context', 'library_version', 'set_default_context']

engines = Words('engine', 'SCH_ENGINE_')


class Cancel:
    """Ends runs that were given it (cancel=...), from any thread."""

    def __init__(self) -> None:
        self._word = ffi.new('uint32_t *')

    def set(self) -> None:
        """Ends what runs, and what is started later. A word of 32 bits is written at once."""
        self._word[0] = 1

    def clear(self) -> None:
        self._word[0] = 0

    @property
    def is_set(self) -> bool:
        return bool(self._word[0])


class RunOptions(TypedDict, total=False):
    """How something runs. A context has defaults for all of them; each call may have others."""

    engine: str
    """"auto" (the default), "interpreter", "jit" or "maxwell". Results do not depend on it, but for "maxwell"."""
    lanes: int
    """Lanes of a vector: 4, 8, 16; 0: this processor's best. Results do not depend on it."""
    threads: int
    """At most 256. Results do not depend on it."""
    budget: int
    """Loop iterations and calls that one invocation may make; 0: 1048576."""
    work: int
    """Instructions that the whole run may execute, counted once for 32 invocations; 0: no limit."""
    deadline: float | None
    """Seconds that the run may take."""
    cancel: Cancel | None
    """Ends the run from another thread. Ctrl-C ends runs of the main thread in any case, and sets it, too."""
    unordered: bool
    """Work groups that write memory may run on all threads; results may then depend on their order."""
    shared_bytes: int
    """Of MEMORY, SHARED of a work group; 0: 65536."""
    private_bytes: int
    """Of MEMORY, PRIVATE of an invocation; 0: 16384."""
    check_races: bool
    """Of grids and kernels: warns of accesses that race (4400). They run in the interpreter then."""
    check_unwritten: bool
    """Likewise of reads of what was never written (4401, 4402)."""


def check_options(options: Mapping[str, Any]) -> None:
    check_keywords('a run', options, RunOptions.__annotations__)
    if 'engine' in options:
        engines.number(options['engine'])
    cancel = options.get('cancel')
    if cancel is not None and not isinstance(cancel, Cancel):
        raise TypeError(f'cancel is a scheelite.Cancel, not {type(cancel).__name__}')
    deadline = options.get('deadline')
    if deadline is not None and not (0 < deadline < 2**32 / 1000):
        raise ValueError(f'a deadline is a number of seconds above 0, not {deadline!r}')
    for name, most in (('threads', 256), ('budget', 2**64 - 1), ('work', 2**64 - 1), ('lanes', 16),
                       ('shared_bytes', 2**32 - 1), ('private_bytes', 2**32 - 1)):
        value = options.get(name, 0)
        if not isinstance(value, int) or not 0 <= value <= most:
            raise ValueError(f'{name} is a whole number from 0 to {most}, not {value!r}')


def milliseconds(deadline: float | None) -> int:
    return 0 if deadline is None else max(1, math.ceil(deadline * 1000))


def _limits(given: Mapping[str, int]) -> Any:
    made = struct('limit_options')
    info = struct('limit_info')
    names, index = [], 0
    while lib.sch_table_limit(index, info):
        names.append(string(info.name))
        index += 1
    for name, value in given.items():
        if name not in names:
            check_keywords('limits', [name], names)
        if not isinstance(value, int) or value < 1 or lib.sch_limit_set(made, name.encode(), value):
            raise ValueError(f'the limit {name} cannot be {value!r}')
    return made


class Context:
    """What everything is made from. Contexts share nothing; objects of different contexts do not go together.

    Several threads may use one context. Most programs need none: functions that are given no context use
    default_context(). A context cannot be used in the child after fork(), which gets a default context of its own.

    ``limits`` bounds what one input may be (``scheelite list limits``), for example ``{"memory": 1 << 32}``. ``cache`` is
    a folder for compiled code; ``compiler`` and ``process`` are the files libscheelite-jit.so and scheelite-jit, if they
    are not where they were installed. ``pedantic`` keeps pedantic warnings, ``ignore`` leaves out warnings by number.
    All other keywords are defaults of runs (RunOptions)."""

    def __init__(self, *, limits: Mapping[str, int] | None = None, cache: str | PathLike[str] | None = None,
                 compiler: str | PathLike[str] | None = None, process: str | PathLike[str] | None = None,
                 in_process: bool = False, pedantic: bool = False, ignore: Iterable[int] = (),
                 **options: Any) -> None:
        check_options(options)
        self._options = dict(options)
        paths = [ffi.NULL if path is None else ffi.new('char[]', os.fsencode(path)) for path in (cache, compiler, process)]
        code = struct('machine_code_options', cache=paths[0], compiler=paths[1], process=paths[2], inside=in_process)
        ignored = ffi.new('unsigned[]', list(ignore))
        kept = struct('warning_options', pedantic=pedantic, ignored=ignored, ignored_count=len(ignored))
        bounds = _limits(limits or {})
        wanted = struct('context_options', limits=bounds, machine_code=code, warnings=kept)
        made = ffi.new('struct sch_context **')
        result = lib.sch_context_create(wanted, made)
        if result:
            errors.fail(result, 'context: a path, a limit or the number of a warning')
        self._handle = Handle('context', made[0], lib.sch_context_destroy)

    @property
    def options(self) -> RunOptions:
        """The defaults of runs, a copy."""
        return cast(RunOptions, dict(self._options))

    @property
    def closed(self) -> bool:
        return self._handle.released

    def close(self) -> None:
        """The context and what was made from it are no longer used: calls raise ValueError. Calls that other threads are
        making go on. Memory is freed with the last object."""
        self._handle.release()

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def memory(self) -> tuple[int, int]:
        """Bytes that the context's objects hold now, and at most."""
        info = struct('context_memory')
        with self._handle.pinned() as pointer:
            result = lib.sch_context_get_memory(pointer, info)
        if result:
            errors.fail(result, 'memory')
        return info.held, info.limit

    @property
    def code_counts(self) -> dict[str, int]:
        """What machine code did so far: pieces of code made, taken from the cache, refused; groups that ran as it."""
        counts = struct('code_counts')
        with self._handle.pinned() as pointer:
            result = lib.sch_context_code_counts(pointer, counts)
        if result:
            errors.fail(result, 'code counts')
        return {name: getattr(counts, name) for name, _ in ffi.typeof('struct sch_code_counts').fields if name != 'size'}

    def __repr__(self) -> str:
        if self.closed:
            return '<Context: closed>'
        held, limit = self.memory
        return f'<Context: {held >> 10} KiB of {limit >> 10} KiB>'


_default: Context | None = None
_making = threading.Lock()


def default_context() -> Context:
    """The context of functions that are given none. It is made when it is first needed, once in each process."""
    global _default
    with _making:
        if _default is None or _default.closed:
            _default = Context()
        return _default


def set_default_context(context: Context | None) -> None:
    """Chooses another default context; None: a new one, when it is next needed."""
    global _default
    _default = None if context is None else _is_context(context)


def _is_context(given: Any) -> Context:
    if not isinstance(given, Context):
        raise TypeError(f'context is a Context, not {type(given).__name__}')
    return given


def _forget() -> None:
    """In the child after fork(): the lock may be held by a thread that the child does not have."""
    global _making
    _making = threading.Lock()
    set_default_context(None)


os.register_at_fork(after_in_child=_forget)


def context_of(context: Context | None, *others: Any) -> Context:
    """The context that was given, or that of the first object that has one, or the default one."""
    if context is not None:
        return _is_context(context)
    for other in others:
        found = getattr(other, '_context', None)
        if isinstance(found, Context):
            return found
    return default_context()


def library_version() -> str:
    """The version of the library that is loaded."""
    return string(lib.sch_version())
