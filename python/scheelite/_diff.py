"""Where and by how much two pictures or textures differ, by the rules of the command's `diff`. Holds no files' formats
and no hashes."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple, Union

import numpy as np

from . import errors
from ._arrays import Array, Format, format_names
from ._draw import Frame
from ._files import Picture, load
from ._library import lib, struct
from ._texture import Texture, using

__all__ = ['Difference', 'Largest', 'Place', 'diff']

Pictured = Union[Array, Texture, Frame, str, PathLike[str]]
"""A picture or texture: an array of (height, width[, channels]), a Texture, a Frame, or the path of a file."""

_BAND = 1 << 20  # texels that are compared at once: some arrays of so many doubles are made meanwhile
_CHANNELS = ('red', 'green', 'blue', 'alpha')


class Place(NamedTuple):
    """Where a texel is."""

    x: int
    y: int
    z: int
    """The slice of a 3-D texture, otherwise the layer."""
    level: int


@dataclass(frozen=True)
class Largest:
    """The largest difference of a channel."""

    difference: float
    """Infinite where a number and a NaN differ."""
    place: Place
    a: float
    b: float


@dataclass(frozen=True, repr=False)
class Difference:
    """What diff() returns. Printed, it is what ``scheelite diff`` prints."""

    texels: int
    """How many there are, of all levels and layers."""
    different: int
    """How many differ in a channel by more than the tolerance."""
    first: Place | None
    """The first texel that differs by more than the tolerance; None: none does."""
    largest: tuple[Largest | None, ...]
    """The largest difference of red, green, blue and alpha, within the tolerance, too; None: there is none."""
    picture: Picture
    """The differences of level 0, layer 0, as floats of (height, width, 4): of red, green and blue, or that of alpha
    where it is larger; alpha is 1."""
    _integers: bool
    _shape: tuple[int, int, int]

    @property
    def equal(self) -> bool:
        """Whether no texel differs by more than the tolerance."""
        return not self.different

    def __bool__(self) -> bool:
        raise TypeError('a Difference is neither true nor false: use .equal')

    def scaled(self) -> Picture:
        """The picture so that its largest difference is white, as uint8."""
        data = np.asarray(self.picture)
        colors = data[..., :3]
        most = float(colors[np.isfinite(colors)].max(initial=0))
        shown = data.copy()
        if most > 0:
            shown[..., :3] = np.minimum(colors / np.float32(most), 1)
        return Picture(shown).unorm8()

    def _at(self, place: Place) -> str:
        levels, depth, layers = self._shape
        text = f'{place.x},{place.y}'
        text += f' of level {place.level}' if levels > 1 else ''
        return text + (f' of {"slice" if depth > 1 else "layer"} {place.z}' if layers > 1 or depth > 1 else '')

    def __str__(self) -> str:
        form = '.0f' if self._integers else '.9g'
        lines = [f'{self.different} of {self.texels} texels differ']
        lines[0] += f', the first at {self._at(self.first)}' if self.first else ''
        lines += [f'{name}\t{one.difference:{form}} at {self._at(one.place)}: {one.a:{form}} and {one.b:{form}}'
                  for name, one in zip(_CHANNELS, self.largest) if one]
        return '\n'.join(lines)

    __repr__ = __str__


def _texture(what: str, given: Pictured) -> Texture:
    if isinstance(given, (str, PathLike)):
        return load(given)
    if isinstance(given, Frame):
        given = given.color
    if isinstance(given, np.ndarray):
        Picture(given)
        if given.dtype == np.float64 or given.dtype == np.bool_:
            raise ValueError(f'{what} is of {given.dtype}, which is no format of texels: .astype(numpy.float32)')
        given = Texture(given)
    if not isinstance(given, Texture):
        raise TypeError(f'{what} is an array, a Texture, a Frame or the path of a file, not {type(given).__name__}')
    if given.samples > 1 or 'MSAA' in given.target:
        raise ValueError(f'{what} is multisampled: compare what it is resolved to')
    return given


def _codes(format: Format) -> int:
    """The format that reads codes of an sRGB format as they are; 0: the format itself."""
    return format_names().get(format.name.replace('SRGB', 'UNORM'), 0) if format.srgb else 0


def _level(texture: Texture, level: int, codes: bool) -> Array:
    """The texels of a level as numbers, four channels of 32 bits: (layers or slices, height, width, 4)."""
    info = texture._info(level)
    slices = max(info.depth, info.layers)
    if not texture.format.is_color:
        data = texture._decoded(level).reshape(slices, info.height, info.width, 4)
        data[..., 1:] = 0, 0, 1  # a shader reads depth in all four channels; it is one number
        return data
    name = {'f': 'R32G32B32A32_FLOAT', 'i': 'R32G32B32A32_SINT', 'u': 'R32G32B32A32_UINT'}[texture.format.result.kind]
    other = Texture.empty((info.width, info.height, info.depth), name, target=texture.target, layers=info.layers,
                          context=texture._context)
    blit = struct('blit', source_level=level, source_format=_codes(texture.format) if codes else 0)
    reports = errors.Reports(texture._context._handle)
    with using(read=[texture._handle]):
        reports.check(lib.sch_resource_blit(other._handle.pointer, texture._handle.pointer, blit, reports.pointer),
                      'texels')
    return other.array().reshape(slices, info.height, info.width, 4)


def _check_shapes(a: Texture, b: Texture) -> None:
    for what, one, other in (('texels in a row', a.size[0], b.size[0]), ('rows', a.size[1], b.size[1]),
                             ('slices', a.size[2], b.size[2]), ('layers', a.layers, b.layers),
                             ('levels', a.levels, b.levels)):
        if one != other:
            raise ValueError(f'a has {one} {what}, and b has {other}: they are not compared')
    if a.format.result != b.format.result:
        raise ValueError(f'a has texels of {a.format.name}, and b of {b.format.name}: integers are compared with their '
                         'like only')


def _bands(a: Texture, b: Texture) -> Iterator[tuple[int, int, int, Array, Array]]:
    """Some rows of both: level, slice, the first row, and the rows as doubles, which hold all numbers of 32 bits."""
    codes = 'FLOAT' not in a.format.name and 'FLOAT' not in b.format.name
    for level in range(a.levels):
        both = _level(a, level, codes), _level(b, level, codes)
        slices, height, width = both[0].shape[:3]
        rows = max(1, _BAND // width)
        for z in range(slices):
            for y in range(0, height, rows):
                yield level, z, y, both[0][z, y:y + rows].astype(np.float64), both[1][z, y:y + rows].astype(np.float64)


def diff(a: Pictured, b: Pictured, *, tolerance: float = 0) -> Difference:
    """Where two pictures or textures differ, and by how much: in all levels and layers, in a channel, by more than
    ``tolerance`` (1/255 is one step of 8 bits). Each is an array, a Texture, a Frame or the path of a file.

    Formats may differ: texels are compared as the numbers that shaders read, so that bytes are fractions of 255;
    channels that are not there are 0, and alpha 1. Codes of sRGB are compared with other codes as they are, and with
    floats as colours. A NaN is equal to every NaN. Sizes that differ are a ValueError, and so are integers with
    others."""
    if not 0 <= float(tolerance) < float('inf'):
        raise ValueError(f'tolerance is a number from 0 on, not {tolerance!r}')
    one, other = _texture('a', a), _texture('b', b)
    _check_shapes(one, other)
    width, height, depth = one.size
    picture = np.zeros((height, width, 4), np.float32)
    picture[..., 3] = 1
    texels = different = 0
    first: Place | None = None
    largest: list[Largest | None] = [None] * 4
    for level, z, row, left, right in _bands(one, other):
        with np.errstate(invalid='ignore', over='ignore'):
            differences = np.abs(left - right)
        differences[np.isnan(differences)] = np.inf
        differences[(left == right) | (np.isnan(left) & np.isnan(right))] = 0
        if level == 0 and z == 0:
            picture[row:row + len(left), :, :3] = np.maximum(differences[..., :3], differences[..., 3:])
        bad = np.flatnonzero((differences > tolerance).any(axis=-1))
        texels += left.shape[0] * left.shape[1]
        different += len(bad)

        def place(index: int) -> Place:
            return Place(index % left.shape[1], row + index // left.shape[1], z, level)

        if len(bad) and first is None:
            first = place(int(bad[0]))
        for channel in range(4):
            values = differences[..., channel].reshape(-1)
            index = int(values.argmax())
            known = largest[channel]
            if values[index] > (known.difference if known else 0):
                largest[channel] = Largest(float(values[index]), place(index),
                                           *(float(side[..., channel].reshape(-1)[index]) for side in (left, right)))
    return Difference(texels, different, first, tuple(largest), Picture(picture), one.format.integers,
                      (one.levels, depth, one.layers))
