"""numpy arrays and what the library calls formats: which array is which format, where its rows are, words of registers.
Holds no call that runs anything."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._library import ffi, instead, lib, nearest, refuse_file, string, struct

Array = npt.NDArray[Any]

# Format names of plain channels: bits of a channel and kind of number, by numpy's type.
_KINDS = {'u1': (8, 'UNORM'), 'u2': (16, 'UNORM'), 'u4': (32, 'UINT'), 'i1': (8, 'SINT'), 'i2': (16, 'SINT'),
          'i4': (32, 'SINT'), 'f2': (16, 'FLOAT'), 'f4': (32, 'FLOAT')}
_TYPES = {'UNORM': 'u', 'SRGB': 'u', 'USCALED': 'u', 'UINT': 'u', 'SNORM': 'i', 'SSCALED': 'i', 'SINT': 'i', 'FIXED': 'i',
          'FLOAT': 'f'}
_names: dict[str, int] | None = None


def format_names() -> dict[str, int]:
    """All formats by gallium's names, with their numbers."""
    global _names
    if _names is None:
        numbers = ffi.typeof('enum sch_format').relements
        _names = {name[len('SCH_FORMAT_'):]: number for name, number in numbers.items()}
    return _names


@dataclass(frozen=True)
class Format:
    """A texel format by gallium's name, such as "R8G8B8A8_UNORM"."""

    name: str
    number: int
    block: tuple[int, int, int]
    """Texels of a block: width, height, depth. (1, 1, 1) for formats that are not compressed."""
    block_bytes: int
    integers: bool
    signed: bool
    srgb: bool
    uses: int
    parts: int

    @property
    def is_color(self) -> bool:
        return not self.parts & (lib.SCH_PART_DEPTH | lib.SCH_PART_STENCIL)

    @property
    def result(self) -> np.dtype[Any]:
        """The numbers that lookups return."""
        return np.dtype(np.int32 if self.signed else np.uint32) if self.integers else np.dtype(np.float32)

    @property
    def array(self) -> tuple[np.dtype[Any], int] | None:
        """The type and number of channels of an array that holds texels as they are in memory; None: there is no such
        array (compressed blocks, channels of different sizes)."""
        channels = re.fullmatch(r'((?:[A-Z]\d+)+)_([A-Z]+)', self.name)
        if not channels or channels.group(2) not in _TYPES or self.block != (1, 1, 1):
            return None
        bits = {int(number) for number in re.findall(r'\d+', channels.group(1))}
        count = len(re.findall(r'[A-Z]', channels.group(1)))
        if len(bits) != 1 or next(iter(bits)) not in (8, 16, 32, 64):
            return None
        size = next(iter(bits)) // 8
        if size * count != self.block_bytes or (_TYPES[channels.group(2)] == 'f' and size == 1):
            return None
        return np.dtype(f'{_TYPES[channels.group(2)]}{size}'), count


def format_of(name: str | int | Format) -> Format:
    """A format by its name; ValueError names the nearest one."""
    if isinstance(name, Format):
        return name
    info = struct('format_info')
    number = name if isinstance(name, int) else lib.sch_format_by_name(str(name).encode())
    if number <= 0 or lib.sch_format_get_info(number, info):
        raise ValueError(f'there is no format {name!r}{nearest(str(name), format_names())}')
    return Format(string(info.name), number, (info.block_width, info.block_height, info.block_depth), info.block_bytes,
                  info.integers, info.is_signed, info.srgb, info.uses, info.parts)


def format_of_array(dtype: np.dtype[Any], channels: int, srgb: bool = False) -> Format:
    """The format of an array's texels: unsigned bytes and 16-bit numbers are UNORM, other integers are integers."""
    key = dtype.newbyteorder('=').str[1:]
    if key not in _KINDS:
        hint = '; convert it: .astype(numpy.float32)' if dtype.kind == 'f' else ''
        raise ValueError(f'texels of type {dtype} have no format{hint}')
    if not 1 <= channels <= 4:
        raise ValueError(f'texels have 1 to 4 channels, not {channels}')
    bits, kind = _KINDS[key]
    if srgb:
        if key != 'u1':
            raise ValueError(f'only texels of type uint8 are sRGB, not {dtype}')
        kind = 'SRGB'
    return format_of(''.join(f'{letter}{bits}' for letter in 'RGBA'[:channels]) + '_' + kind)


def native(array: Array) -> Array:
    """The array in this machine's order of bytes."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder('='))


def address(array: Array) -> Any:
    """A pointer to an array's first element; the caller keeps the array."""
    return ffi.cast('void *', array.ctypes.data)


def writable_memory(what: str, array: Any) -> Array:
    """An array whose memory the library may write in place: nothing is copied, so it must be as it is wanted."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f'{what} is written in place: it is a numpy array, not {type(array).__name__}'
                        f'{instead(array, "numpy.fromfile({}, dtype)")}')
    if not array.flags.c_contiguous:
        raise ValueError(f'{what} is written in place, and its elements do not follow each other (strides '
                         f'{array.strides}): give numpy.ascontiguousarray(...)')
    if not array.flags.writeable:
        raise ValueError(f'{what} is written in place, and is read-only')
    if not array.dtype.isnative or array.dtype.hasobject:
        raise ValueError(f'{what} has elements of type {array.dtype}, which are no numbers of this machine')
    if array.ctypes.data % 4:
        raise ValueError(f'{what} does not begin at a multiple of 4 bytes')
    return array


def numbers(what: str, values: Any, dtype: Any) -> Array:
    """Values as an array of a type; ValueError says what does not fit, such as an infinity among whole numbers."""
    try:
        return np.asarray(values, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f'{what}: {error}') from error


def words(what: str, values: Any) -> Array:
    """Constants: arrays of 32-bit numbers as they are; lists of numbers are floats."""
    refuse_file(what, values, 'numpy.fromfile({}, dtype)')
    if not isinstance(values, np.ndarray):
        values = numbers(what, values, np.float32)
    if values.dtype.itemsize != 4 or values.dtype.kind not in 'fiu':
        raise ValueError(f'{what} has elements of type {values.dtype}; registers are 32-bit words: float32, int32 or '
                         'uint32 (doubles: .view(numpy.uint32))')
    return np.ascontiguousarray(native(values))


def word_rows(what: str, values: Any) -> Array:
    """As `words`, in registers of four: (n, 4). The last register is filled up with zeros."""
    flat = words(what, values).reshape(-1)
    if len(flat) % 4:
        flat = np.concatenate([flat, np.zeros(-len(flat) % 4, flat.dtype)])
    return flat.reshape(-1, 4)


def registers(what: str, values: Any, rows: int) -> Array:
    """Registers of many invocations, (invocations, registers, 4), as 32-bit words. (invocations, 4) is one register."""
    array = words(what, values)
    if array.ndim == 2:
        array = array[:, None, :]
    if array.ndim != 3 or array.shape[2] != 4:
        raise ValueError(f'{what} has the shape (invocations, registers, 4), not {array.shape}')
    if array.shape[1] > rows:
        raise ValueError(f'{what} has {array.shape[1]} registers, and the shader {rows}')
    return array.view(np.uint32)


def four(what: str, values: Any) -> tuple[Array, bool]:
    """A colour of four components as words, and whether they are integers."""
    array = np.asarray(values)
    if array.shape != (4,) or array.dtype.kind not in 'fiu':
        raise ValueError(f'{what} has four numbers, not {values!r}')
    if array.dtype.kind == 'f':
        return array.astype(np.float32).view(np.uint32), False
    if np.any(array < -2**31) or np.any(array >= 2**32):
        raise ValueError(f'{what}: {values!r} is more than 32 bits')
    return array.astype(np.int64).astype(np.uint32), True


def struct_type(name: str) -> np.dtype[Any]:
    """The numpy type of a struct of the headers, so that arrays of it are filled column by column."""
    kind = ffi.typeof(f'struct sch_{name}')
    names, formats, offsets = [], [], []
    for field, about in kind.fields:
        item: Any = about.type
        shape: tuple[int, ...] = ()
        if item.kind == 'array':
            item, shape = item.item, (item.length,)
        size = ffi.sizeof(item)
        letter = {'float': 'f', 'double': 'f'}.get(item.cname, 'u')
        if letter == 'u' and item.cname.startswith('int'):
            letter = 'i'
        names.append(field)
        formats.append((f'{letter}{size}', shape))
        offsets.append(about.offset)
    return np.dtype({'names': names, 'formats': formats, 'offsets': offsets,
                     'itemsize': ffi.sizeof(kind)})


def broadcast(what: str, values: Any, shape: Sequence[int], dtype: Any) -> Array:
    """Values for each element of `shape`; ValueError says what does not fit."""
    array = numbers(what, values, dtype)
    try:
        return np.broadcast_to(array, tuple(shape))
    except ValueError:
        raise ValueError(f'{what} has the shape {array.shape}, which does not fit {tuple(shape)}') from None
