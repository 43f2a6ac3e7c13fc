"""Textures, views of them and samplers; who may read and write a texture at the same time. Holds no lookups."""
from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from . import errors
from ._arrays import Array, Format, address, format_of, format_of_array, four, native
from ._context import Context, context_of
from ._library import Handle, Words, check_keywords, ffi, lib, refuse_file, struct, whole

__all__ = ['Sampler', 'Texture', 'TextureView']

targets = Words('target', 'SCH_TARGET_', upper=True)

# What an array of a target has before its channels: the axes of Texture's documentation.
_AXES = {'BUFFER': ('x',), '1D': ('x',), '2D': ('y', 'x'), 'RECT': ('y', 'x'), '3D': ('z', 'y', 'x'),
         '1D_ARRAY': ('layer', 'x'), '2D_ARRAY': ('layer', 'y', 'x'), 'CUBE': ('layer', 'y', 'x'),
         'CUBE_ARRAY': ('layer', 'y', 'x'), '2D_MSAA': ('sample', 'y', 'x'), '2D_ARRAY_MSAA': ('layer', 'sample', 'y', 'x')}


class _Users:
    """Who uses textures: many readers, or one writer. A call takes all of its textures at once or waits, so that no two
    calls wait for each other."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._count: dict[int, int] = {}

    @contextmanager
    def __call__(self, read: Iterable[Handle] = (), write: Iterable[Handle] = ()) -> Iterator[None]:
        writers = {id(one) for one in write}
        readers = {id(one) for one in read} - writers
        with self._change:
            while any(self._count.get(one, 0) for one in writers) or any(self._count.get(one, 0) < 0 for one in readers):
                self._change.wait()
            for one in writers:
                self._count[one] = -1
            for one in readers:
                self._count[one] = self._count.get(one, 0) + 1
        try:
            yield
        finally:
            with self._change:
                for one in writers:
                    del self._count[one]
                for one in readers:
                    self._count[one] -= 1
                    if not self._count[one]:
                        del self._count[one]
                self._change.notify_all()


using = _Users()


class Seen(NamedTuple):
    """What a lookup needs to know of a texture or a view. It does not refer to the Texture, which keeps its own."""

    context: Context
    view: Handle
    texture: Handle
    format: Format
    target: str


class TextureView:
    """What lookups see of a texture: a range of levels and layers, in a format, a target and a swizzle."""

    def __init__(self, texture: Texture, **options: Any) -> None:
        self.texture = texture
        self._context = texture._context
        known = ('format', 'target', 'swizzle', 'levels', 'layers', 'elements', 'min_lod')
        check_keywords('a view', options, known)
        made = struct('view_options')
        self.format = texture.format
        self.target = texture.target
        if options.get('format') is not None:
            self.format = format_of(options['format'])
            made.format = self.format.number
        if options.get('target') is not None:
            made.has_target = True
            made.target = targets.number(options['target'])
            self.target = targets.word(made.target)
        if options.get('swizzle') is not None:
            _set_swizzle(made, options['swizzle'])
        for name, first, count in (('levels', 'first_level', 'level_count'), ('layers', 'first_layer', 'layer_count'),
                                   ('elements', 'first_element', 'element_count')):
            if options.get(name) is not None:
                low, high = _range(name, options[name])
                setattr(made, first, low)
                setattr(made, count, high - low)
        made.min_lod = options.get('min_lod') or 0
        reports = errors.Reports(texture._context._handle)
        made.diagnostics = reports.pointer
        view = ffi.new('struct sch_view **')
        reports.check(lib.sch_view_create(texture._handle.pointer, made, view), 'a view that the texture does not have')
        self._handle = Handle('view', view[0], lib.sch_view_destroy, texture._handle)

    def _seen(self) -> Seen:
        return Seen(self._context, self._handle, self.texture._handle, self.format, self.target)

    def __repr__(self) -> str:
        return f'<TextureView: {self.target} {self.format.name} of {self.texture!r}>'


def _set_swizzle(made: Any, swizzle: str) -> None:
    letters = 'xyzw01'
    if len(swizzle) != 4 or any(letter not in letters for letter in swizzle):
        raise ValueError(f'a swizzle is four of {letters}, not {swizzle!r}')
    made.swizzled = True
    made.swizzle = [letters.index(letter) for letter in swizzle]


def _range(name: str, value: Any) -> tuple[int, int]:
    """(first, end), or one number."""
    low, high = (value, value + 1) if isinstance(value, int) else value
    if not 0 <= low < high < 2**32:
        raise ValueError(f'{name} is (first, end) with first below end, not {value!r}')
    return whole(name, low), whole(name, high)


class Texture:
    """Texels in the library's memory.

    ``data`` is a numpy array, which is copied, or a list of arrays: the levels. Its axes are, by target:

    ==================  =======================================
    2D (the default)    (height, width[, channels])
    1D, BUFFER          (width[, channels])
    3D                  (depth, height, width[, channels])
    1D_ARRAY            (layers, width[, channels])
    2D_ARRAY            (layers, height, width[, channels])
    CUBE, CUBE_ARRAY    (faces, height, width[, channels])
    2D_MSAA             (samples, height, width[, channels])
    ==================  =======================================

    The type of the elements is the format: uint8 and uint16 are UNORM (with ``srgb`` uint8 is sRGB), float16 and float32
    are FLOAT, int8 to int32 and uint32 are integers. ``format`` names another one with texels as large. ``mips`` makes
    all levels by a box filter. For formats of compressed blocks make the texture with ``Texture.empty`` and
    ``write_bytes``, or read it from a file with ``load``."""

    def __init__(self, data: Array | Sequence[Array], *, format: str | None = None, target: str = '2D',
                 mips: bool = False, srgb: bool = False, context: Context | None = None) -> None:
        refuse_file('a texture', data, 'scheelite.load({})')
        levels = [np.asarray(one) for one in data] if isinstance(data, (list, tuple)) else [np.asarray(data)]
        if not levels:
            raise ValueError('a texture has at least one level')
        target = targets.word(targets.number(target))
        if target not in _AXES:
            raise ValueError(f'there are no textures of target {target}')
        found = format_of(format) if format else None
        shape, channels = _shape(levels[0], target, found)
        if found is None:
            found = format_of_array(levels[0].dtype, channels, srgb)
        self._make(context_of(context), target, found, shape, len(levels), mips)
        for index, level in enumerate(levels):
            self.write(level, level=index)
        if mips:
            self.make_mips(first=len(levels) - 1)

    @classmethod
    def empty(cls, size: int | Sequence[int], format: str = 'R8G8B8A8_UNORM', *, target: str = '2D', levels: int = 1,
              layers: int = 1, samples: int = 1, context: Context | None = None) -> Texture:
        """A texture of zeros; ``size`` is (width[, height[, depth]])."""
        made = cls.__new__(cls)
        sides = [*(whole('a side', side) for side in ((size,) if isinstance(size, int) else size)), 1, 1][:3]
        if any(not 0 < side < 2**32 for side in (*sides, levels, layers, samples)):
            raise ValueError(f'sizes are numbers from 1 on, not {size!r}, {levels}, {layers}, {samples}')
        shape = dict(width=sides[0], height=sides[1], depth=sides[2], layers=layers, samples=samples)
        made._make(context_of(context), targets.word(targets.number(target)), format_of(format), shape, levels, False)
        return made

    def _make(self, context: Context, target: str, format: Format, shape: dict[str, int], levels: int,
              mips: bool) -> None:
        self._context = context
        options = struct('resource_options', target=targets.number(target), format=format.number, **shape)
        options.levels = lib.sch_resource_full_levels(options) if mips else levels
        reports = errors.Reports(context._handle)
        made = ffi.new('struct sch_resource **')
        with context._handle.pinned() as pointer:
            reports.check(lib.sch_resource_create(pointer, options, reports.pointer, made), 'texture')
            self._handle = Handle('texture', made[0], lib.sch_resource_destroy, context._handle)
        self.format = format
        """Of the texels."""
        self.target = target
        """As TGSI writes it: "2D", "CUBE"."""
        self.levels: int = options.levels
        self._whole: Seen | None = None

    def _info(self, level: int = 0) -> Any:
        info = struct('resource_info')
        if not 0 <= level < self.levels or lib.sch_resource_get_info(self._handle.pointer, level, info):
            raise ValueError(f'the texture has no level {level}: it has {self.levels}')
        return info

    @property
    def size(self) -> tuple[int, int, int]:
        """Texels of level 0: width, height, depth."""
        info = self._info()
        return info.width, info.height, info.depth

    @property
    def layers(self) -> int:
        """Of arrays; faces of cubes."""
        return int(self._info().layers)

    @property
    def samples(self) -> int:
        return int(self._info().samples)

    @property
    def nbytes(self) -> int:
        """Of all texels."""
        return int(lib.sch_resource_bytes(self._handle.pointer))

    def shape(self, level: int = 0) -> tuple[int, ...]:
        """The shape of a level's array, without channels."""
        info = self._info(level)
        sides = {'x': info.width, 'y': info.height, 'z': info.depth, 'layer': info.layers, 'sample': info.samples}
        return tuple(sides[axis] for axis in _AXES[self.target])

    def _transfers(self, level: int) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """The transfers of a level, and the index of each in the level's array: one, or one for each sample."""
        if 'MSAA' not in self.target:
            yield struct('transfer', level=level), ()
            return
        info = self._info(level)
        for layer in range(info.layers):
            for sample in range(info.samples):
                index = (layer, sample) if self.target == '2D_ARRAY_MSAA' else (sample,)
                box = {'z': layer, 'width': info.width, 'height': info.height, 'depth': 1}
                yield struct('transfer', level=level, sample=sample, box=box), index

    def write(self, data: Array, *, level: int = 0) -> None:
        """Writes a level from an array of its shape and type."""
        plain = self.format.array
        data = native(np.asarray(data))
        if not plain:
            raise ValueError(f'no array has texels of {self.format.name}: use write_bytes')
        dtype, channels = plain
        shape = self.shape(level)
        if data.dtype != dtype:
            raise ValueError(f'texels of {self.format.name} are of type {dtype}, not {data.dtype}')
        if data.shape != (*shape, channels) and not (channels == 1 and data.shape == shape):
            raise ValueError(f'level {level} has the shape {(*shape, channels)}, not {data.shape}')
        data = data.reshape(*shape, channels)
        with using(write=[self._handle]):
            for transfer, index in self._transfers(level):
                part = _set_strides(transfer, data[index], self.target)
                _transfer(self, lib.sch_resource_write, transfer, part)

    def write_bytes(self, data: Any) -> None:
        """Writes all levels from memory in the library's order: levels, layers, rows of blocks, without gaps."""
        refuse_file('memory', data, 'pathlib.Path({}).read_bytes()')
        memory = ffi.from_buffer(data)
        if len(memory) != self.nbytes:
            raise ValueError(f'the texture has {self.nbytes} bytes, not {len(memory)}')
        with using(write=[self._handle]):
            lib.sch_resource_write_all(self._handle.pointer, memory, len(memory))

    def tobytes(self) -> bytes:
        """All levels, in the order of write_bytes."""
        data = bytearray(self.nbytes)
        with using(read=[self._handle]):
            lib.sch_resource_read_all(self._handle.pointer, ffi.from_buffer(data), len(data))
        return bytes(data)

    def array(self, level: int = 0) -> Array:
        """A level as an array of its shape with channels, and of the format's own numbers. Formats without such numbers
        (compressed blocks, packed channels, depth with stencil) are decoded to four channels of 32 bits, as a shader
        reads them."""
        plain = self.format.array
        if not plain:
            return self._decoded(level)
        dtype, channels = plain
        data = np.empty((*self.shape(level), channels), dtype)
        with using(read=[self._handle]):
            for transfer, index in self._transfers(level):
                _transfer(self, lib.sch_resource_read, transfer, data[index])
        return data

    def _decoded(self, level: int) -> Array:
        """By a blit, or where formats are not converted, by fetching each texel."""
        if not self.format.is_color or 'MSAA' in self.target:
            from ._sample import fetch
            grid = np.indices(self.shape(level)[::-1]).T.astype(np.uint32)
            return fetch(self, grid.reshape(*self.shape(level), -1), level=level)
        bits = self.format.result.kind
        name = {'f': 'R32G32B32A32_FLOAT', 'i': 'R32G32B32A32_SINT', 'u': 'R32G32B32A32_UINT'}[bits]
        info = self._info(level)
        other = Texture.empty((info.width, info.height, info.depth), name, target=self.target, layers=info.layers,
                              context=self._context)
        blit = struct('blit', source_level=level)
        reports = errors.Reports(self._context._handle)
        with using(read=[self._handle]):
            reports.check(lib.sch_resource_blit(other._handle.pointer, self._handle.pointer, blit, reports.pointer),
                          'decoding')
        return other.array()

    def make_mips(self, first: int = 0) -> None:
        """Makes the levels after ``first`` by a box filter."""
        mips = struct('mips', base_level=first)
        if first + 1 >= self.levels:
            return
        reports = errors.Reports(self._context._handle)
        with using(write=[self._handle]):
            reports.check(lib.sch_resource_make_mips(self._handle.pointer, mips, reports.pointer), 'make_mips')

    def clear(self, color: Sequence[float] = (0, 0, 0, 0), *, level: int = 0, depth: float = 0, stencil: int = 0) -> None:
        """Writes the same value to all texels of a level."""
        values, _ = four('a colour', color if self.format.integers else [float(one) for one in color])
        clear = struct('clear', level=level, depth=depth, stencil=stencil)
        clear.color.u = [int(one) for one in values]
        reports = errors.Reports(self._context._handle)
        with using(write=[self._handle]):
            reports.check(lib.sch_resource_clear(self._handle.pointer, clear, reports.pointer), 'clear')

    def view(self, *, format: str | None = None, target: str | None = None, swizzle: str | None = None,
             levels: int | tuple[int, int] | None = None, layers: int | tuple[int, int] | None = None,
             elements: tuple[int, int] | None = None, min_lod: float = 0) -> TextureView:
        """A view of a part, or in another format with texels as large. ``levels``, ``layers`` and ``elements`` are
        (first, end)."""
        return TextureView(self, format=format, target=target, swizzle=swizzle, levels=levels, layers=layers,
                           elements=elements, min_lod=min_lod)

    def _seen(self) -> Seen:
        """All of it. The view is made once."""
        if self._whole is None:
            self._whole = TextureView(self)._seen()
        return self._whole

    def picture(self, level: int = 0, layer: int = 0) -> Any:
        """One layer of a level as a Picture, decoded."""
        from ._files import Picture
        data = self.array(level)
        axes = _AXES[self.target]
        if 'y' not in axes:
            data = data[..., None, :, :]
        return Picture(data.reshape(-1, *data.shape[-3:])[layer])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.array() if dtype is None else self.array().astype(dtype)

    def _repr_png_(self) -> bytes | None:
        """What notebooks show."""
        return self.picture()._repr_png_()  # type: ignore[no-any-return]

    def save(self, path: Any, **options: Any) -> None:
        """Writes all levels and layers to a file; see scheelite.save."""
        from ._files import save
        save(path, self, **options)

    def __repr__(self) -> str:
        sides = 'x'.join(str(side) for side in self.size[:max(1, sum(axis in 'xyz' for axis in _AXES[self.target]))])
        more = f', {self.layers} layers' if 'layer' in _AXES[self.target] else ''
        more += f', {self.levels} levels' if self.levels > 1 else ''
        return f'<Texture: {self.target} {sides} {self.format.name}{more}>'


def _shape(array: Array, target: str, format: Format | None) -> tuple[dict[str, int], int]:
    """The members of a resource's shape, and the channels, from an array's shape."""
    axes = _AXES[target]
    named = {'x': 'width', 'y': 'height', 'z': 'depth', 'layer': 'layers', 'sample': 'samples'}
    if array.ndim not in (len(axes), len(axes) + 1) or not array.size:
        wanted = ', '.join(named[axis] for axis in axes)
        raise ValueError(f'an array of target {target} has the shape ({wanted}[, channels]), not {array.shape}')
    channels = array.shape[-1] if array.ndim > len(axes) else 1
    if format is not None and format.array is None:
        raise ValueError(f'no array has texels of {format.name}: make the texture with Texture.empty and write_bytes')
    return {named[axis]: size for axis, size in zip(axes, array.shape)}, channels


def _set_strides(transfer: Any, data: Array, target: str) -> Array:
    """Says where the rows and slices of an array are, if texels of a row follow each other; else it is copied."""
    inner = data.strides[-1] == data.itemsize and (data.shape[-2] == 1 or
                                                   data.strides[-2] == data.itemsize * data.shape[-1])
    texel = data.itemsize * data.shape[-1]
    row = texel * data.shape[-2]
    rows = data.shape[-3] if data.ndim > 2 else 1
    simple = target in ('2D', 'RECT') or target in ('3D', '2D_ARRAY', 'CUBE', 'CUBE_ARRAY')
    if data.flags.c_contiguous or not simple or not inner or data.strides[-3] < row:
        return np.ascontiguousarray(data)
    if data.ndim > 3 and data.strides[-4] < data.strides[-3] * rows:
        return np.ascontiguousarray(data)
    transfer.row_bytes = data.strides[-3]
    transfer.slice_bytes = data.strides[-4] if data.ndim > 3 else 0
    return data


def _transfer(texture: Texture, call: Any, transfer: Any, data: Array) -> None:
    spanned = lib.sch_transfer_bytes(texture._handle.pointer, transfer)
    reports = errors.Reports(texture._context._handle)
    reports.check(call(texture._handle.pointer, transfer, address(data), spanned, reports.pointer), 'texels')


_wraps = Words('wrap', 'SCH_WRAP_')
_filters = Words('filter', 'SCH_FILTER_')
_mips = Words('mip_filter', 'SCH_MIP_')
_compares = Words('compare', 'SCH_COMPARE_')
_reductions = Words('reduction', 'SCH_REDUCTION_')
_rules = Words('rules', 'SCH_RULES_')


class Sampler:
    """How lookups filter, wrap and compare. Without keywords it is nearest and repeats, as the command's ``--tex``.

    ``wrap`` is a word for all axes, or three of them (s, t, r): repeat, clamp, clamp_to_edge, clamp_to_border,
    mirror_repeat, mirror_clamp, mirror_clamp_to_edge, mirror_clamp_to_border. ``filter`` is nearest or linear, or both
    (minification, magnification); ``mip`` is none, nearest or linear. ``border`` has four floats, or four integers for
    textures of integers. ``compare`` is never, less, equal, lequal, greater, notequal, gequal or always; ``rules`` tgsi,
    d3d or maxwell."""

    def __init__(self, *, wrap: str | Sequence[str] = 'repeat', filter: str | tuple[str, str] = 'nearest',
                 mip: str = 'none', anisotropy: int = 1, lod_bias: float = 0, min_lod: float = 0,
                 max_lod: float | None = None, border: Sequence[float] | None = None, unnormalized: bool = False,
                 compare: str = 'none', reduction: str = 'average', seamless: bool = True, rules: str = 'tgsi') -> None:
        self._given = {key: value for key, value in locals().items() if key != 'self'}
        axes = (wrap,) * 3 if isinstance(wrap, str) else tuple(wrap)
        least, most = (filter, filter) if isinstance(filter, str) else filter
        if len(axes) != 3:
            raise ValueError(f'wrap is one word or three, not {wrap!r}')
        if not isinstance(anisotropy, int) or not 0 <= anisotropy <= 16:
            raise ValueError(f'anisotropy is 1 to 16, not {anisotropy!r}')
        self._options = struct(
            'sampler_options', wrap_s=_wraps.number(axes[0]), wrap_t=_wraps.number(axes[1]), wrap_r=_wraps.number(axes[2]),
            min_filter=_filters.number(least), mag_filter=_filters.number(most), mip_filter=_mips.number(mip),
            max_anisotropy=anisotropy, lod_bias=lod_bias, min_lod=min_lod, unnormalized=unnormalized,
            compare=_compares.number(compare), reduction=_reductions.number(reduction),
            non_seamless_cube_map=not seamless, rules=_rules.number(rules))
        # The library takes 0 and 0 for no limit; below level 0 every limit is the same.
        self._options.max_lod = (1000 if min_lod else 0) if max_lod is None else \
            -1 if max_lod == 0 and min_lod == 0 else max_lod
        if border is not None:
            color, _ = four('a border colour', border)
            self._options.border_is_words = True
            self._options.border_words = [int(one) for one in color]
        self._made: WeakKeyDictionary[Context, Handle] = WeakKeyDictionary()

    def _in(self, context: Context) -> Handle:
        """The library's sampler, made once in each context."""
        made = self._made.get(context)
        if made is None:
            reports = errors.Reports(context._handle)
            sampler = ffi.new('struct sch_sampler **')
            with context._handle.pinned() as pointer:
                reports.check(lib.sch_sampler_create(pointer, self._options, reports.pointer, sampler), 'sampler')
                made = Handle('sampler', sampler[0], lib.sch_sampler_destroy, context._handle)
            self._made[context] = made
        return made

    def __repr__(self) -> str:
        plain = Sampler.__init__.__kwdefaults__
        given = ', '.join(f'{key}={value!r}' for key, value in self._given.items() if value != plain[key])
        return f'Sampler({given})'
