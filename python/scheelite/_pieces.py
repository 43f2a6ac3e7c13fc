"""What shaders are made of: instructions with their operands, declarations, immediates, and what registers are used for.
Holds nothing that runs, and no text."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from . import errors
from ._library import Words, ffi, lib, string, struct

__all__ = ['Declaration', 'Immediate', 'Index', 'Instruction', 'Operand', 'RegisterUse']

_files = Words('file', 'SCH_FILE_')
_targets = Words('target', 'SCH_TARGET_', upper=True)
_formats = Words('format', 'SCH_FORMAT_', upper=True)
_values = Words('value_type', 'SCH_VALUE_')
_kinds = Words('operand_kind', 'SCH_OPERAND_')
_flags = Words('instruction_flag', 'SCH_INSTRUCTION_')
_qualifiers = Words('qualifier', 'SCH_QUALIFIER_')
_semantics = Words('semantic', 'SCH_SEMANTIC_', upper=True)
_interpolations = Words('interpolation', 'SCH_INTERPOLATION_')
_locations = Words('location', 'SCH_LOCATION_')
_memories = Words('memory_kind', 'SCH_MEMORY_')
_returns = Words('return_type', 'SCH_RETURN_')
_immediates = Words('immediate_type', 'SCH_IMMEDIATE_')


@dataclass(frozen=True)
class Index:
    """A bracket of an operand: [3], or [ADDR[0].x+3]."""

    number: int
    """Of the register; added to what the index register holds, if there is one."""
    file: str | None = None
    """The index register's, such as "address"; None if there is no such register."""
    register: int = 0
    component: int = 0
    array_id: int = 0


@dataclass(frozen=True)
class Operand:
    """An operand: a register, which of its components, and modifiers."""

    kind: str
    """"destination", "source" or "texel_offset"."""
    file: str
    """"temporary", "input", "sampler_view", ..."""
    index: Index
    dimension: Index | None
    """The first of two brackets: a constant buffer or a vertex."""
    components: str
    """Of a destination those that are written ("xz"), of others those that are read as x, y, z and w ("xyxx")."""
    negate: bool
    absolute: bool
    type: str
    """What the instruction takes or makes: "float", "int", "uint", "float64", "int64", "uint64"; "unknown" for bits that
    it moves, and for registers that it names and does not read."""


@dataclass(frozen=True)
class Instruction:
    """An instruction, as TGSI has it."""

    name: str
    opcode: int
    flags: frozenset[str]
    """Of "saturate", "precise", "texture", "sample", "memory", "store", "atomic", "barrier", "derivative", "label",
    "target"."""
    operands: tuple[Operand, ...]
    target: str | None
    format: str | None
    qualifiers: frozenset[str]
    label: int | None
    line: int
    """In the source, of Direct3D shaders too; 0 for binary input, as column."""
    column: int
    offset: int


@dataclass(frozen=True)
class Declaration:
    """A declaration of registers ``first`` to ``last`` of a file. What its file has no use for is None, False or 0."""

    file: str
    first: int
    last: int
    dimension: int | None
    per_vertex: bool
    usage_mask: int
    array_id: int
    semantic: str | None
    semantic_index: int
    interpolation: str | None
    location: str | None
    streams: tuple[int, int, int, int]
    invariant: bool
    local: bool
    atomic: bool
    raw: bool
    writable: bool
    target: str | None
    format: str | None
    return_types: tuple[str, ...]
    memory_kind: str | None
    line: int
    column: int
    offset: int


@dataclass(frozen=True)
class Immediate:
    """IMM[n]: a type, and the values as numbers."""

    type: str
    values: tuple[Union[int, float], ...]
    words: tuple[int, int, int, int]
    line: int
    column: int
    offset: int


@dataclass(frozen=True)
class RegisterUse:
    """What registers ``first`` to ``last`` of a file are used for, the same for all."""

    file: str
    buffer: int
    """Of constants; otherwise 0."""
    first: int
    last: int
    is_read: bool
    types: tuple[str, str, str, str]
    """Of each component, as in Operand."""


def _bits(words: Words, number: int) -> frozenset[str]:
    return frozenset(word for bit, word in words.words.items() if number & bit)


def _index(given: Any) -> Index:
    if not given.is_indirect:
        return Index(given.number)
    return Index(given.number, _files.word(given.file), given.index, given.component, given.array_id)


def _components(given: Any, kind: str) -> str:
    if kind == 'destination':
        return ''.join(letter for bit, letter in enumerate('xyzw') if given.write_mask >> bit & 1)
    return ''.join('xyzw'[given.swizzle[at]] for at in range(3 if kind == 'texel_offset' else 4))


def _operands(shader: Any, instruction: int) -> Iterator[Operand]:
    given = struct('operand_info')
    number = 0
    while lib.sch_shader_operand(shader, instruction, number, given):
        kind = _kinds.word(given.kind)
        yield Operand(kind, _files.word(given.file), _index(given.index),
                      _index(given.dimension) if given.has_dimension else None, _components(given, kind), given.negate,
                      given.absolute, _values.word(given.type))
        number += 1


def instructions(shader: Any) -> Iterator[Instruction]:
    """Those of a pointer to a TGSI shader."""
    given = struct('instruction_info')
    number = 0
    while lib.sch_shader_instruction(shader, number, given):
        flags = _bits(_flags, given.flags)
        yield Instruction(string(given.name), given.opcode, flags, tuple(_operands(shader, number)),
                          _targets.word(given.target) if 'target' in flags else None,
                          _formats.word(given.format) if given.format else None, _bits(_qualifiers, given.qualifiers),
                          given.label if 'label' in flags else None, given.line, given.column, given.offset)
        number += 1


def declarations(shader: Any) -> Iterator[Declaration]:
    """Those of a pointer to a TGSI shader."""
    given = struct('declaration_info')
    number = 0
    while lib.sch_shader_declaration(shader, number, given):
        file = _files.word(given.file)
        interpolated = given.has_interpolation
        yield Declaration(
            file, given.first, given.last, given.dimension if given.has_dimension else None, given.per_vertex,
            given.usage_mask, given.array_id,
            None if given.semantic == lib.SCH_SEMANTIC_NONE else _semantics.word(given.semantic), given.semantic_index,
            _interpolations.word(given.interpolation) if interpolated else None,
            _locations.word(given.location) if interpolated else None,
            (given.streams[0], given.streams[1], given.streams[2], given.streams[3]), given.invariant, given.local,
            given.atomic, given.raw, given.writable,
            None if given.target == lib.SCH_TARGET_UNKNOWN else _targets.word(given.target),
            _formats.word(given.format) if given.format else None,
            tuple(_returns.word(one) for one in given.return_types) if file == 'sampler_view' else (),
            _memories.word(given.memory_kind) if file == 'memory' else None, given.line, given.column, given.offset)
        number += 1


_numpy = {'flt32': np.float32, 'uint32': np.uint32, 'int32': np.int32, 'flt64': np.float64, 'uint64': np.uint64,
          'int64': np.int64}


def immediates(shader: Any) -> Iterator[Immediate]:
    """Those of a pointer to a TGSI shader."""
    given = struct('immediate_info')
    number = 0
    while lib.sch_shader_immediate(shader, number, given):
        words = np.array([given.words[at] for at in range(4)], np.uint32)
        kind = _immediates.word(given.type)
        pairs = words.astype(np.uint64)[::2] | words.astype(np.uint64)[1::2] << np.uint64(32)
        values = (pairs if kind.endswith('64') else words).view(_numpy[kind])
        yield Immediate(kind, tuple(values.tolist()), (int(words[0]), int(words[1]), int(words[2]), int(words[3])),
                        given.line, given.column, given.offset)
        number += 1


def uses(shader: Any) -> Iterator[RegisterUse]:
    """Those of a pointer to a TGSI shader."""
    count = ffi.new('size_t *')
    size = ffi.sizeof('struct sch_register_use')
    result = lib.sch_shader_register_uses(shader, ffi.NULL, size, 0, count)
    found = ffi.new('struct sch_register_use[]', max(1, count[0]))
    if not result:
        result = lib.sch_shader_register_uses(shader, found, size, count[0], count)
    if result:
        errors.fail(result, 'register uses')
    for one in list(found)[:count[0]]:
        types = [_values.word(type) for type in one.types]
        yield RegisterUse(_files.word(one.file), one.buffer, one.first, one.last, one.is_read,
                          (types[0], types[1], types[2], types[3]))
