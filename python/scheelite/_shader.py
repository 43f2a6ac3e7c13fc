"""Shaders: reading, checking, printing, assembling, translating and describing them. Holds nothing that runs."""
from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from types import MappingProxyType
from typing import Any, TypeVar, Union

import numpy as np

from . import _pieces, errors
from ._arrays import Array
from ._context import Context, context_of, engines
from ._library import Handle, Words, ffi, lib, names_file, nearest, string, struct

__all__ = ['Register', 'Shader', 'ShaderInfo', 'Source', 'asm', 'check', 'dis', 'shaders', 'translate']

Source = Union[str, bytes, PathLike[str], 'Shader']
"""A shader that was read, a text (str), the bytes of a file, or the path of a file (pathlib.Path)."""

_Piece = TypeVar('_Piece')

stages = Words('stage', 'SCH_STAGE_')
_kinds = Words('kind', 'SCH_KIND_')
_languages = Words('language', 'SCH_LANGUAGE_')
_dialects = Words('dialect', 'SCH_DIALECT_')
_floats = Words('float_text', 'SCH_FLOAT_TEXT_')
_listings = Words('listing_style', 'SCH_LISTING_')
_maxwell_styles = Words('maxwell_text_style', 'SCH_MAXWELL_TEXT_')


@dataclass(frozen=True)
class Register:
    """A declared register of a shader's inputs, outputs or system values."""

    index: int
    semantic: str
    """"POSITION", "GENERIC", or of Direct3D shaders the name in the signature; empty: none."""
    semantic_index: int
    per_vertex: bool

    def __str__(self) -> str:
        return self.semantic + (f'[{self.semantic_index}]' if self.semantic_index else '')


@dataclass(frozen=True)
class ShaderInfo:
    """What a shader contains; of registers the highest number + 1."""

    stage: str
    instructions: int
    declarations: int
    immediates: int
    properties: int
    inputs: int
    outputs: int
    system_values: int
    temporaries: int
    samplers: int
    sampler_views: int
    images: int
    buffers: int
    constant_buffers: int
    block: tuple[int, int, int]
    """Of compute shaders, as CS_FIXED_BLOCK_* say; 0: not fixed."""
    hash: int
    """Of the tokens, the same on every machine."""


def read_bytes(source: Any) -> tuple[bytes, str | None]:
    """The bytes of a source, and its name."""
    if isinstance(source, str):
        if names_file(source):
            raise ValueError(f'{source!r} is the name of a file, and a str is a text: give pathlib.Path({source!r})')
        return source.encode(), None
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), None
    if isinstance(source, np.ndarray):
        return np.ascontiguousarray(source).tobytes(), None
    if isinstance(source, PathLike):
        with open(source, 'rb') as file:
            return file.read(), os.fspath(source)
    raise TypeError(f'a shader is a text, bytes, a pathlib.Path or a Shader, not {type(source).__name__}')


def _hint(source: Any, error: errors.Error) -> errors.Error:
    """A str is a text; who gave the name of a file that is not there sees that."""
    is_name = isinstance(source, str) and re.fullmatch(r'\S{1,1024}', source)
    if is_name and (os.sep in source or os.path.splitext(source)[1]):
        error.add_note(f'{source!r} was read as a text. If it is the name of a file, give pathlib.Path({source!r}); '
                       'there is no such file')
    return error


def _text(context: Context, result: int, text: Any, reports: errors.Reports | None, what: str) -> str:
    """The text that a function made, which is freed."""
    try:
        if result and reports is not None:
            reports.check(result, what)
        elif result:
            errors.fail(result, what)
        return string(text[0])
    finally:
        with context._handle.pinned(closed=True) as pointer:
            lib.sch_free(pointer, text[0])


class Shader:
    """A shader: TGSI as text or binary tokens, Direct3D as a DXBC container or as assembly, Maxwell code as text, raw
    code or a cubin. Immutable, so several threads
    may use it at once.

    ``source`` is the shader's text (str), the bytes of a file, or a pathlib.Path. Reading it checks the syntax only;
    check() applies the rules. ``kind`` is auto, tgsi, tgsi-bin, dxbc, d3d-asm, maxwell (text or raw
    code, which auto does not recognise) or cubin; of Maxwell code ``kernel`` is the one section that is read, by its
    name or number. ``dialect`` says what the words of
    TGSI mean: tgsi, virgl (as Mesa's virpipe writes texts), or auto, which recognises virpipe's. A wrong input is a ShaderError, whose
    ``diagnostics`` say where."""

    _context: Context
    _handle: Handle
    _source: bytes
    _read_with: list[errors.Diagnostic]
    _as_given: bool
    """The source says all of how it is read."""

    def __init__(self, source: Source, *, kind: str = 'auto', name: str | None = None, any_checksum: bool = False,
                 dialect: str = 'auto', kernel: str | None = None, context: Context | None = None,
                 _line: int = 0) -> None:
        context = context_of(context, source)
        if isinstance(source, Shader):
            in_context(source, context)
            self._source = source._source
            self._as_given = source._as_given
            self._take(context, source._handle, source.name)
            self._read_with = source._read_with
            return
        data, path = read_bytes(source)
        self._as_given = (kind, any_checksum, dialect, kernel, _line) == ('auto', False, 'auto', None, 0)
        name = name or path
        named = ffi.NULL if name is None else ffi.new('char[]', os.fsencode(name))
        chosen = ffi.NULL if kernel is None else ffi.new('char[]', kernel.encode())
        options = struct('read_options', kind=_kinds.number(kind), name=named, any_checksum=any_checksum, line=_line,
                         dialect=_dialects.number(dialect), kernel=chosen)
        self._source = data
        reports = errors.Reports(context._handle, data)
        made = ffi.new('struct sch_shader **')
        with context._handle.pinned() as pointer:
            result = lib.sch_shader_read(pointer, data, len(data), options, reports.pointer, made)
            try:
                reports.check(result, name or 'shader')
            except errors.Error as error:
                raise _hint(source, error) from None
            self._take(context, Handle('shader', made[0], lib.sch_shader_destroy, context._handle), name or '')
        self._read_with = reports.all()

    def _take(self, context: Context, handle: Handle, name: str) -> None:
        self._context = context
        self._handle = handle
        self.name = name
        """As it stands in diagnostics; empty: none was given."""
        self._programs: dict[tuple[int, int], Handle] = {}
        self._read_with = []
        self._tgsi: Shader | None = None
        info = struct('shader_info')
        result = lib.sch_shader_get_info(handle.pointer, info)
        if result:
            errors.fail(result, name or 'shader')
        self.info = ShaderInfo(stages.word(info.stage), **{
            field: getattr(info, field) for field in ShaderInfo.__annotations__ if field not in ('stage', 'block')},
            block=(info.block[0], info.block[1], info.block[2]))
        self.language = _languages.word(lib.sch_shader_language(handle.pointer))
        """"tgsi", "d3d" or "maxwell"."""

    @classmethod
    def _of(cls, context: Context, pointer: Any, name: str) -> Shader:
        made = cls.__new__(cls)
        made._source = b''
        made._as_given = False
        made._take(context, Handle('shader', pointer, lib.sch_shader_destroy, context._handle), name)
        return made

    @property
    def stage(self) -> str:
        """"vertex", "fragment", "compute", "geometry", "tess_ctrl" or "tess_eval"."""
        return self.info.stage

    def _registers(self, file: int) -> list[Register]:
        info = struct('register_info')
        found: list[Register] = []
        while lib.sch_shader_register(self._handle.pointer, file, len(found), info):
            found.append(Register(info.index, string(info.semantic_name), info.semantic_index, info.per_vertex))
        return found

    @property
    def inputs(self) -> list[Register]:
        return self._registers(lib.SCH_FILE_INPUT)

    @property
    def outputs(self) -> list[Register]:
        return self._registers(lib.SCH_FILE_OUTPUT)

    @property
    def system_values(self) -> list[Register]:
        return self._registers(lib.SCH_FILE_SYSTEM_VALUE)

    @property
    def registers(self) -> Mapping[str, list[Register]]:
        """All declared registers, by "inputs", "outputs" and "system_values"."""
        return MappingProxyType({'inputs': self.inputs, 'outputs': self.outputs, 'system_values': self.system_values})

    def _made_of(self, read: Callable[[Any], Iterator[_Piece]]) -> list[_Piece]:
        shader = self._lowered()
        return list(read(shader._handle.pointer))

    @property
    def instructions(self) -> list[_pieces.Instruction]:
        """The instructions; of Direct3D shaders those of lower(), with places in the Direct3D source."""
        return self._made_of(_pieces.instructions)

    @property
    def declarations(self) -> list[_pieces.Declaration]:
        """The declarations; of Direct3D shaders those of lower()."""
        return self._made_of(_pieces.declarations)

    @property
    def immediates(self) -> list[_pieces.Immediate]:
        """The immediates; of Direct3D shaders those of lower()."""
        return self._made_of(_pieces.immediates)

    @property
    def uses(self) -> list[_pieces.RegisterUse]:
        """What the declared registers are used for: whether they are read, and what their components hold."""
        return self._made_of(_pieces.uses)

    def property(self, name: str, fallback: int = 0) -> int:
        """The value of a property of a TGSI shader, such as "FS_COORD_ORIGIN"."""
        if not isinstance(name, str):
            raise TypeError(f'a property has a name, not {type(name).__name__}')
        return int(lib.sch_shader_property(self._handle.pointer, name.encode(), fallback))

    def _reports(self) -> errors.Reports:
        return errors.Reports(self._context._handle, self._source)

    def check(self) -> list[errors.Diagnostic]:
        """Errors and warnings by the rules of the shader's language, after those of reading it. Without errors it is
        valid."""
        reports = self._reports()
        result = lib.sch_shader_check(self._handle.pointer, reports.pointer)
        if result and result != lib.SCH_ERROR_INVALID:
            reports.check(result, self.name or 'check')
        return [*self._read_with, *reports.all()]

    def dis(self, *, floats: str = 'source', style: str | None = None) -> str:
        """The shader as text. ``floats`` (TGSI) is source, hex or decimal; ``style`` (Direct3D) fxc, vkd3d or
        fxc_dump, of Maxwell code nvdisasm or isa."""
        if self.language == 'maxwell':
            options = struct('print_options', style=_maxwell_styles.number(style or 'nvdisasm'))
        else:
            options = struct('print_options', floats=_floats.number(floats), listing=_listings.number(style or 'fxc'))
        text = ffi.new('char **')
        result = lib.sch_shader_print(self._handle.pointer, options, text, ffi.NULL)
        return _text(self._context, result, text, None, self.name or 'dis')

    def __str__(self) -> str:
        return self.dis()

    def tokens(self) -> Array:
        """The binary tokens, as uint32; of Maxwell code the words of raw code, low halves first."""
        reports = self._reports()
        words, count = ffi.new('uint32_t **'), ffi.new('size_t *')
        reports.check(lib.sch_shader_tokens(self._handle.pointer, reports.pointer, words, count), self.name or 'tokens')
        return np.frombuffer(self._freed(words[0], 4 * count[0]), np.uint32)

    def tobytes(self) -> bytes:
        """The bytes of a file: TGSI tokens in a container, a DXBC container, or raw Maxwell code."""
        reports = self._reports()
        data, count = ffi.new('void **'), ffi.new('size_t *')
        reports.check(lib.sch_shader_serialize(self._handle.pointer, reports.pointer, data, count), self.name or 'asm')
        return self._freed(data[0], count[0])

    def _freed(self, memory: Any, count: int) -> bytes:
        try:
            return bytes(ffi.buffer(memory, count))
        finally:
            with self._context._handle.pinned(closed=True) as pointer:
                lib.sch_free(pointer, memory)

    def _other(self, call: Any, what: str) -> Shader:
        reports = self._reports()
        made = ffi.new('struct sch_shader **')
        reports.check(call(self._handle.pointer, reports.pointer, made), self.name or what)
        other = Shader._of(self._context, made[0], self.name)
        other._source = self._source  # reports give places in it
        return other

    def lower(self) -> Shader:
        """A Direct3D shader as TGSI."""
        return self if self.language != 'd3d' else self._other(lib.sch_shader_lower, 'lower')

    def _lowered(self) -> Shader:
        """As lower(), made once: its registers have semantics by TGSI's names."""
        if self.language != 'd3d':
            return self
        if self._tgsi is None:
            self._tgsi = self.lower()
        return self._tgsi

    def raise_to_d3d(self) -> Shader:
        """A TGSI shader as Direct3D of shader model 5.0."""
        return self if self.language == 'd3d' else self._other(lib.sch_shader_raise, 'raise')

    def translate(self, to: str) -> str:
        """Another language as text: "tgsi", "d3d-asm", or "maxwell" (the texture lookups alone). For a DXBC container use
        raise_to_d3d().tobytes()."""
        if to == 'd3d-asm':
            return self.raise_to_d3d().dis()
        numbers = {'tgsi': lib.SCH_TRANSLATE_TGSI, 'maxwell': lib.SCH_TRANSLATE_MAXWELL}
        if to not in numbers:
            raise ValueError(f'shaders are translated to tgsi, d3d-asm or maxwell, not {to!r}{nearest(to, [*numbers, "d3d-asm"])}')
        options = struct('translate_options', to=numbers[to])
        reports = self._reports()
        text = ffi.new('char **')
        result = lib.sch_shader_translate(self._handle.pointer, options, reports.pointer, text, ffi.NULL)
        return _text(self._context, result, text, reports, self.name or 'translate')

    def _program(self, engine: str, lanes: int) -> Handle:
        """The program for an engine, made once."""
        key = engines.number(engine), lanes
        made = self._programs.get(key)
        if made is None:
            options = struct('program_options', engine=key[0], width=lanes)
            reports = self._reports()
            program = ffi.new('struct sch_program **')
            with self._context._handle.pinned() as pointer:
                result = lib.sch_program_create(pointer, self._handle.pointer, options, reports.pointer, program)
                reports.check(result, self.name or 'program')
                made = Handle('program', program[0], lib.sch_program_destroy, self._context._handle)
            made = self._programs.setdefault(key, made)
        return made

    def __repr__(self) -> str:
        return f'<Shader: {self.stage}, {self.language}, {self.info.instructions} instructions>'

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return f'<p>{html.escape(repr(self)[1:-1])}</p><pre>{html.escape(self.dis())}</pre>'


def in_context(source: Source, context: Context) -> Shader:
    """A shader of this context: the one that is given, or one that is read."""
    if not isinstance(source, Shader):
        return Shader(source, context=context)
    if source._context is not context:
        raise ValueError('the shader belongs to another context')
    return source


def shaders(source: str | bytes | PathLike[str], *, context: Context | None = None) -> list[Shader]:
    """All TGSI shaders of a text, which may be a log with other lines between them."""
    context = context_of(context)
    data, name = read_bytes(source)
    count = ffi.new('size_t *')
    size = ffi.sizeof('struct sch_text_shader')
    with context._handle.pinned() as pointer:
        result = lib.sch_text_shaders(pointer, data, len(data), ffi.NULL, size, 0, count)
        parts = ffi.new('struct sch_text_shader[]', max(1, count[0]))
        if not result:
            result = lib.sch_text_shaders(pointer, data, len(data), parts, size, count[0], count)
    if result:
        errors.fail(result, name or 'shaders')
    return [Shader(data[part.offset:part.offset + part.bytes], name=name, context=context, _line=part.line)
            for part in list(parts)[:count[0]]]


def check(source: Source, *, kind: str = 'auto', name: str | None = None,
          context: Context | None = None) -> list[errors.Diagnostic]:
    """Errors and warnings of a shader; an empty list if there are none. Also of one that cannot be read."""
    try:
        return Shader(source, kind=kind, name=name, context=context).check()
    except errors.ShaderError as error:
        if not error.diagnostics:
            raise
        return error.diagnostics


def dis(source: Source, *, kind: str = 'auto', floats: str = 'source', style: str | None = None,
        context: Context | None = None) -> str:
    """The text of a shader. Raw Maxwell code has the ``kind`` "maxwell". See Shader.dis."""
    return Shader(source, kind=kind, context=context).dis(floats=floats, style=style)


def asm(source: Source, *, kind: str = 'auto', context: Context | None = None) -> bytes:
    """The bytes of the file that a text assembles to: TGSI tokens, DXBC, or raw Maxwell code."""
    return Shader(source, kind=kind, context=context).tobytes()


def translate(source: Source, to: str, *, kind: str = 'auto', context: Context | None = None) -> str:
    """A shader in another language: "tgsi", "d3d-asm" or "maxwell". See Shader.translate."""
    return Shader(source, kind=kind, context=context).translate(to)
