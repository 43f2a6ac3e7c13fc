"""What goes wrong: diagnostics of inputs, and exceptions for the library's results. Holds no call that may fail."""
from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from ._library import Handle, Words, ffi, lib, string, struct

__all__ = ['AbortedError', 'ArgumentError', 'BarrierError', 'BudgetError', 'CancelledError', 'DeadlineError', 'Diagnostic',
           'Error', 'InternalError', 'LimitError', 'OutOfMemoryError', 'RegisterName', 'ScheeliteWarning', 'ShaderError', 'Stop',
           'UnsupportedError', 'WorkError']

_severities = Words('severity', 'SCH_SEVERITY_')
_files = Words('file', 'SCH_FILE_')
_classes = Words('range_class', 'SCH_RANGE_')


@dataclass(frozen=True)
class RegisterName:
    """A register that a report is about, as the shader's own language names it: SAMP[2], CONST[1][3], t3."""

    file: str
    """"sampler", "constant", "buffer", ...; of Direct3D shaders what the register is lowered to."""
    number: int
    """Of constants that of the buffer."""
    vector: int
    """Of constants the first register that is meant; otherwise 0."""
    register_class: str | None
    """Of Direct3D shaders "constants" (cb#), "textures" (t#), "samplers" (s#) or "views" (u#)."""
    space: int | None
    """Of shader model 5.1."""


def _about(name: Any) -> RegisterName | None:
    if name.file == lib.SCH_FILE_NULL:
        return None
    return RegisterName(_files.word(name.file), name.number, name.vector, _classes.word(name.kind) if name.is_d3d else None,
                        name.space if name.has_space else None)


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning about an input, with its place."""

    severity: str
    """"error", "warning" or "pedantic"."""
    number: int
    """A stable number, which explain() takes."""
    line: int
    """Counted from 1; 0 for binary input."""
    column: int
    """Counted from 1, in bytes."""
    offset: int
    """Bytes from the start of the input."""
    source: str
    """The input's name."""
    message: str
    line_text: str
    """The line of the source, or a part of it; empty for binary input."""
    caret: int
    """The byte of line_text that the message is about."""
    about: RegisterName | None = None
    """What is not bound, in warnings of that."""

    @property
    def is_error(self) -> bool:
        return self.severity == 'error'

    @property
    def text(self) -> str:
        """Place, message, the line and a caret under it, as the command prints them."""
        place = ':'.join([self.source or 'shader', *(str(n) for n in (self.line, self.column) if n)])
        if not self.line and self.offset:
            place += f': byte {self.offset}'
        text = f'{place}: {"error" if self.is_error else "warning"} {self.number}: {self.message}'
        if self.line_text:
            shown = ''.join(' ' if c < ' ' or c == '\x7f' else c for c in self.line_text)
            column = len(self.line_text.encode()[:self.caret].decode('utf-8', 'replace'))
            text += f'\n    {shown}\n    {" " * column}^'
        return text

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Stop:
    """Where a run ended early."""

    stage: str
    invocation: int
    instruction: int
    line: int
    column: int
    instructions: int
    """How many were executed, counted once for 32 invocations."""
    contents_undefined: bool
    """What the run wrote is undefined, not only incomplete."""

    def __str__(self) -> str:
        place = f'line {self.line}, column {self.column}' if self.line else f'instruction {self.instruction}'
        return f'invocation {self.invocation} of the {self.stage} shader, at {place}'


class ScheeliteWarning(UserWarning):
    """What a run warns of, such as a texture that is read but not bound."""

    diagnostic: Diagnostic | None = None


class Error(Exception):
    """The base of all errors of the library."""

    diagnostics: list[Diagnostic]
    """What was reported, the first error first in the exception's text."""
    stop: Stop | None
    """Where a run ended early."""

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = (), stop: Stop | None = None) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)
        self.stop = stop


class ArgumentError(Error, ValueError):
    """A value that the library does not take."""


class OutOfMemoryError(Error, MemoryError):
    """There is no memory left."""


class ShaderError(Error):
    """The input is wrong. `diagnostics` says where."""


class UnsupportedError(Error):
    """The input is valid, but this version does not support it."""


class LimitError(Error):
    """The input exceeds a limit of its context."""


class BudgetError(Error):
    """An invocation made more loop iterations and calls than `budget`."""


class InternalError(Error):
    """A bug of Scheelite."""


class BarrierError(Error):
    """Not every invocation of a work group reached a BARRIER."""


class AbortedError(Error):
    """An invocation executed ABORT."""


class WorkError(Error):
    """The run executed as many instructions as `work`."""


class DeadlineError(Error, TimeoutError):
    """The run took longer than `deadline`."""


class CancelledError(Error):
    """Somebody called Cancel.set()."""


_exceptions: dict[int, type[Error]] = {
    lib.SCH_ERROR_ARGUMENT: ArgumentError, lib.SCH_ERROR_MEMORY: OutOfMemoryError, lib.SCH_ERROR_INVALID: ShaderError,
    lib.SCH_ERROR_UNSUPPORTED: UnsupportedError, lib.SCH_ERROR_LIMIT: LimitError, lib.SCH_ERROR_BUDGET: BudgetError,
    lib.SCH_ERROR_INTERNAL: InternalError, lib.SCH_ERROR_BARRIER: BarrierError, lib.SCH_ERROR_ABORTED: AbortedError,
    lib.SCH_ERROR_WORK: WorkError, lib.SCH_ERROR_DEADLINE: DeadlineError, lib.SCH_ERROR_CANCELLED: CancelledError}


def fail(result: int, what: str, diagnostics: Iterable[Diagnostic] = (), stop: Stop | None = None) -> NoReturn:
    """Raises the exception of a result."""
    reports = list(diagnostics)
    errors = [one for one in reports if one.is_error] or reports
    text = f'{what}: {string(lib.sch_result_text(result))}' if not errors else errors[0].text
    if len(errors) > 1:
        text += f'\n... and {len(errors) - 1} more (see .diagnostics)'
    if stop and stop.instructions:
        text += f' ({stop})'
    raise _exceptions.get(result, Error)(text, reports, stop)


def warn_of(reports: Iterable[Diagnostic | str]) -> None:
    """Has Python warn of reports, or of other words, at the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get('__package__') == __package__:
        level, frame = level + 1, frame.f_back
    for one in reports:
        warning = ScheeliteWarning(str(one))
        warning.diagnostic = one if isinstance(one, Diagnostic) else None
        warnings.warn(warning, stacklevel=level)


_SHOWN = 160  # bytes of a line: enough to see, little of a line that is a megabyte long


def _line_at(source: bytes, at: int) -> tuple[str, int]:
    """The line around a byte of a text, or a part of it, and where the byte is in it."""
    if at > len(source):
        return '', 0
    begin = max(source.rfind(b'\n', 0, at) + 1, at - _SHOWN // 2)
    end = source.find(b'\n', at)
    line = source[begin:min(end if end >= 0 else len(source), begin + _SHOWN)]
    return line.decode('utf-8', 'replace'), at - begin


class Reports:
    """A diagnostics list of one call. A list is one thread's, so each call makes its own. ``source`` is the text that it
    is about, for lines that the library does not keep."""

    def __init__(self, context: Handle, source: bytes = b'') -> None:
        self._source = source
        made = ffi.new('struct sch_diagnostics_list **')
        with context.pinned() as pointer:
            result = lib.sch_diagnostics_create(pointer, made)
            if result:
                fail(result, 'diagnostics')
            self._handle = Handle('list of diagnostics', made[0], lib.sch_diagnostics_destroy, context)

    @property
    def pointer(self) -> Any:
        return self._handle.pointer

    def all(self) -> list[Diagnostic]:
        """The reports, each once."""
        info = struct('diagnostic_info')
        found: dict[Diagnostic, None] = {}
        index = 0
        while lib.sch_diagnostics_get(self.pointer, index, info):
            line, caret = string(info.line_text), info.caret
            if info.line and not line:
                line, caret = _line_at(self._source, info.offset)
            found[Diagnostic(_severities.word(info.severity), info.code, info.line, info.column, info.offset,
                             string(info.source), string(info.message), line, caret, _about(info.about))] = None
            index += 1
        return list(found)

    def check(self, result: int, what: str) -> None:
        """Raises the exception of a result that is not OK."""
        if result:
            fail(result, what, self.all())

    def warn(self) -> None:
        """Has Python warn of what the list holds."""
        if lib.sch_diagnostics_count(self.pointer):
            warn_of(self.all())
