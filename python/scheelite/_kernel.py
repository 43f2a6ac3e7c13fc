"""Launching kernels of Maxwell code on numpy arrays. Holds no rule of what a launch needs: the library puts it
together."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from ._arrays import Array, address, writable_memory
from ._context import Context, RunOptions, context_of
from ._library import ffi, lib, struct, whole
from ._run import Execution, _three
from ._shader import Shader, Source

__all__ = ['Kernel', 'kernel']

_GREATEST = 2**32 - 1


class Kernel:
    """A kernel of Maxwell code. Call it to launch it: ``kernel(grid, block, *arguments)``."""

    def __init__(self, code: Source, name: str | None = None, *, context: Context | None = None) -> None:
        context = context_of(context, code)
        if isinstance(code, Shader):
            if name is not None:
                raise ValueError(f'the kernel of a Shader is chosen as it is read: Shader(..., kernel={name!r})')
            self.shader = code
        else:
            self.shader = Shader(code, kernel=name, context=context)
        if self.shader.language != 'maxwell':
            raise ValueError(f'kernel takes Maxwell code, not {self.shader.language}')
        self._context = context

    def __call__(self, grid: int | Sequence[int], block: int | Sequence[int], *arguments: Any, shared: int = 0,
                 local: int = 0, **options: Unpack[RunOptions]) -> int:
        """Launches the kernel with ``grid`` blocks of ``block`` lanes. An array is memory that the kernel reads and
        writes in place; one that is read-only is not written. Numbers are passed as numpy's types say, such as
        ``numpy.float32(2)``; an int is 32 bits, and a float a float of 32 bits. ``shared`` are bytes of shared memory
        beside those that the kernel declares, ``local`` those of a lane. Returns how many instructions were executed,
        counted once for 32 lanes."""
        execution = Execution(self._context, options, self.shader._source)
        program = self.shader._program(execution.engine, execution.lanes)
        made = ffi.new('struct sch_launch_argument[]', max(1, len(arguments)))
        kept = [_put(made[i], i, argument) for i, argument in enumerate(arguments)]
        launch = struct('launch', grid=_three('grid', grid), block=_three('block', block), arguments=made,
                        argument_count=len(arguments), shared_bytes=_size('shared', shared),
                        local_bytes=_size('local', local))
        execution.kept.append(kept)
        handle = self.shader._handle
        return execution.call(lambda: lib.sch_launch_kernel(program.pointer, handle.pointer, launch, execution.options,
                                                            execution.report), [], self.shader.name or 'kernel')

    def __repr__(self) -> str:
        return f'<Kernel: {self.shader.info.instructions} instructions>'


def _size(what: str, value: Any) -> int:
    number = whole(what, value)
    if not 0 <= number <= _GREATEST:
        raise ValueError(f'{what} is a number of bytes, not {value!r}')
    return number


def _put(made: Any, number: int, argument: Any) -> Any:
    """Fills in an argument; what must stay until the call has returned."""
    if isinstance(argument, np.ndarray):
        array = argument
        made.read_only = not array.flags.writeable
        if array.flags.writeable:
            array = writable_memory(f'argument {number}', array)
        elif not array.flags.c_contiguous or array.ctypes.data % 4:
            raise ValueError(f'argument {number}: elements of a read-only array follow each other from a word on; give '
                             'numpy.ascontiguousarray(...)')
        made.memory = address(array)
        made.bytes = array.nbytes
        return array
    value = _number(number, argument)
    made.value = address(value)
    made.bytes = value.nbytes
    return value


def _number(number: int, argument: Any) -> Array:
    if isinstance(argument, np.generic):
        return np.array([argument])
    if isinstance(argument, bool) or not isinstance(argument, (int, float)):
        raise TypeError(f'argument {number} is an array or a number, not {type(argument).__name__}')
    if isinstance(argument, float):
        return np.array([argument], np.float32)
    if not -2**31 <= argument < 2**32:
        raise ValueError(f'argument {number}: {argument} has more than 32 bits; give numpy.int64 or numpy.uint64')
    return np.array([argument % 2**32], np.uint32)


def kernel(code: Source, name: str | None = None, *, context: Context | None = None) -> Kernel:
    """A kernel of a cubin, or of Maxwell code as text: ``code`` is a path, bytes or text, ``name`` the kernel's name,
    which a file of one kernel does not need."""
    return Kernel(code, name, context=context)
