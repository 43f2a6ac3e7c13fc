"""What the registers of a shader are bound to: textures, samplers, constants, memory, images, from Python's objects and
numpy arrays. Holds nothing that runs."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._arrays import Array, address, format_of, words, writable_memory
from ._context import Context
from ._library import Handle, check_keywords, ffi, instead, lib, struct
from ._shader import Shader
from ._texture import Sampler, Seen, Texture, TextureView, targets

__all__ = ['Image']

Slot = Union[int, str]
"""A register: its number, or as Direct3D names it: "t0", "s1", "cb2", "u3", with ",space1" of shader model 5.1."""

TexturesArgument = Union[Mapping[Slot, Union[Texture, TextureView, Array]], None]
SamplersArgument = Union[Sampler, Mapping[Slot, Union[Sampler, Mapping[str, Any]]], None]
ConstantsArgument = Union[Mapping[Slot, npt.ArrayLike], npt.ArrayLike, None]

_MOST = 16384  # units of a file (docs/d3d.md, "Register spaces")

_CLASSES = {'cb': ('SCH_RANGE_CONSTANTS', 'constants'), 't': ('SCH_RANGE_TEXTURES', 'textures'),
            's': ('SCH_RANGE_SAMPLERS', 'samplers'), 'u': ('SCH_RANGE_VIEWS', 'views')}
_ARRAYS = {'constants': lib.SCH_UNITS_CONSTANTS, 'textures': lib.SCH_UNITS_VIEWS, 'samplers': lib.SCH_UNITS_SAMPLERS,
           'buffers': lib.SCH_UNITS_BUFFERS, 'images': lib.SCH_UNITS_IMAGES,
           # The counter of a u# is the same entry of its array.
           'counters': lib.SCH_UNITS_BUFFERS}


class Image:
    """A level of a texture that shaders load and store (IMAGE registers). A Texture that is bound as an image is one of
    its level 0."""

    def __init__(self, texture: Texture, *, level: int = 0, layers: tuple[int, int] | None = None,
                 format: str | None = None, target: str | None = None, read_only: bool = False) -> None:
        self.texture = texture
        self._context = texture._context
        self.read_only = read_only
        reports = errors.Reports(texture._context._handle)
        made = struct('image_options', level=level, read_only=read_only, diagnostics=reports.pointer)
        if format is not None:
            made.format = format_of(format).number
        if target is not None:
            made.has_target = True
            made.target = targets.number(target)
        if layers is not None:
            made.first_layer, made.layer_count = layers[0], layers[1] - layers[0]
        image = ffi.new('struct sch_image **')
        reports.check(lib.sch_image_create(texture._handle.pointer, made, image), 'image')
        self._handle = Handle('image', image[0], lib.sch_image_destroy, texture._handle)


def _unit(shader: Shader, what: str, slot: Slot) -> int:
    """The entry of an array of bindings that a register is."""
    if isinstance(slot, (int, np.integer)) and not isinstance(slot, bool):
        number = int(slot)
        if not 0 <= number < _MOST:
            raise ValueError(f'{what}: registers have numbers from 0 to {_MOST - 1}, not {number}')
        return number
    named = re.fullmatch(r'(cb|[tsu])(\d+)(?:,\s*space(\d+))?', slot.lower()) if isinstance(slot, str) else None
    if not named or what not in _ARRAYS:
        raise ValueError(f'{what}: a register is a number, or of Direct3D shaders such as "t0" or "t0,space1", not {slot!r}')
    unit = struct('unit')
    kind = getattr(lib, _CLASSES[named.group(1)][0])
    if not lib.sch_shader_unit(shader._handle.pointer, kind, int(named.group(3) or 0), int(named.group(2)), unit):
        raise ValueError(f'{what}: the shader does not declare {slot}')
    if unit.array != _ARRAYS[what]:
        right = next((name for name, number in _ARRAYS.items() if number == unit.array), 'others')
        raise ValueError(f'{what}: {slot} of this shader belongs to {right}')
    return int(unit.number)


def _slots(shader: Shader, what: str, given: Any) -> dict[int, Any]:
    """What is given, by number; a value that is no mapping is that of register 0."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        given = {0: given}
    return {_unit(shader, what, slot): value for slot, value in given.items() if value is not None}


class Bound:
    """The bindings of one call, and what they keep."""

    def __init__(self, context: Context, shader: Shader, *, textures: Any = None, samplers: Any = None,
                 constants: Any = None, buffers: Any = None, images: Any = None, counters: Any = None, memory: Any = None,
                 input_memory: Any = None, color_buffers: Any = None) -> None:
        self._context = context
        self._shader = shader
        self._kept: list[Any] = []
        self.read: list[Handle] = []
        """Textures that are read."""
        self.write: list[Handle] = []
        self.struct = struct('bindings')
        self._bind_textures(_slots(shader, 'textures', textures), samplers)
        self._bind_constants(_slots(shader, 'constants', constants))
        self._bind_memory('buffers', 'buffer_count', _slots(shader, 'buffers', buffers))
        self._bind_memory('hw_atomics', 'hw_atomic_count', _slots(shader, 'counters', counters))
        self._bind_images('images', 'image_count', _slots(shader, 'images', images), False)
        self._bind_images('color_buffers', 'color_buffer_count', _slots(shader, 'color_buffers', color_buffers), True)
        if memory is not None:
            array = writable_memory('memory', memory)
            self._kept.append(array)
            self.struct.global_memory = {'data': address(array), 'bytes': array.nbytes}
        if input_memory is not None:
            array = words('input_memory', input_memory)
            self._kept.append(array)
            self.struct.input_memory = {'data': address(array), 'bytes': array.nbytes}

    def _mine(self, what: str, context: Context) -> None:
        if context is not self._context:
            raise ValueError(f'{what} belong to another context than the shader')

    def _array(self, member: str, count: str, kind: str, slots: dict[int, Any]) -> Any:
        """An array of the bindings with room for the highest slot."""
        if not slots:
            return None
        array = ffi.new(f'{kind}[]', max(slots) + 1)
        self._kept.append(array)
        setattr(self.struct, member, array)
        setattr(self.struct, count, len(array))
        return array

    def _bind_textures(self, textures: dict[int, Any], samplers: Any) -> None:
        seen: dict[int, Seen] = {}
        for slot, texture in textures.items():
            if isinstance(texture, np.ndarray):
                texture = Texture(texture, context=self._context)
            if not isinstance(texture, (Texture, TextureView)):
                raise TypeError(f'textures[{slot}] is a Texture, a TextureView or an array, not '
                                f'{type(texture).__name__}{instead(texture, "scheelite.load({})")}')
            seen[slot] = texture._seen()
            self._mine('textures', seen[slot].context)
        array = self._array('views', 'view_count', 'struct sch_view *', seen)
        for slot, one in seen.items():
            array[slot] = one.view.pointer
            self._kept.append(one)
            self.read.append(one.texture)
        self._bind_samplers(seen, samplers)

    def _bind_samplers(self, textures: dict[int, Seen], samplers: Any) -> None:
        """A texture without a sampler has the plain one; one Sampler is that of all textures."""
        plain = samplers if isinstance(samplers, Sampler) else _plain
        given = {} if isinstance(samplers, Sampler) else _slots(self._shader, 'samplers', samplers)
        made = {slot: plain for slot in textures}
        for slot, sampler in given.items():
            if isinstance(sampler, Mapping):
                check_keywords('a sampler', sampler, Sampler.__init__.__kwdefaults__ or {})
                sampler = Sampler(**sampler)
            if not isinstance(sampler, Sampler):
                raise TypeError(f'samplers[{slot}] is a Sampler or a dict, not {type(sampler).__name__}')
            made[slot] = sampler
        array = self._array('samplers', 'sampler_count', 'struct sch_sampler *', made)
        for slot, sampler in made.items():
            handle = sampler._in(self._context)
            array[slot] = handle.pointer
            self._kept.append(handle)

    def _bind_constants(self, constants: dict[int, Any]) -> None:
        array = self._array('constants', 'constant_count', 'struct sch_constant_buffer', constants)
        for slot, values in constants.items():
            data = words(f'constants[{slot}]', values)
            array[slot].data, array[slot].bytes = address(data), data.nbytes
            self._kept.append(data)

    def _bind_memory(self, member: str, count: str, given: dict[int, Any]) -> None:
        array = self._array(member, count, 'struct sch_storage_buffer', given)
        for slot, values in given.items():
            data = writable_memory(f'{member}[{slot}]', values)
            array[slot].data, array[slot].bytes = address(data), data.nbytes
            self._kept.append(data)

    def _bind_images(self, member: str, count: str, given: dict[int, Any], read_only: bool) -> None:
        array = self._array(member, count, 'struct sch_image *', given)
        for slot, image in given.items():
            if isinstance(image, Texture):
                image = Image(image, read_only=read_only)
            if not isinstance(image, Image):
                raise TypeError(f'{member}[{slot}] is a Texture or an Image, not {type(image).__name__}: arrays are '
                                'copied into textures, and what shaders store would be lost'
                                f'{instead(image, "scheelite.load({})")}')
            self._mine(member, image._context)
            array[slot] = image._handle.pointer
            self._kept.append(image)
            (self.read if image.read_only else self.write).append(image.texture._handle)


_plain = Sampler()
