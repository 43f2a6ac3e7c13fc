"""Texture lookups at arrays of coordinates, without a shader, and explanations of single ones. Holds no textures."""
from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._arrays import Array, address, broadcast, numbers, struct_type
from ._library import Handle, check_keywords, ffi, instead, lib, struct, whole
from ._texture import Sampler, Seen, Texture, TextureView, using

__all__ = ['Explained', 'Texel', 'explain_sample', 'fetch', 'gather', 'query_lod', 'query_size', 'sample']

Sampled = Union[Texture, TextureView, Array]

_LOOKUP = struct_type('lookup')
_CHUNK = 1 << 15  # lookups of one call: Ctrl-C works between calls, and the array of lookups stays in the cache

# Coordinates of a lookup, the layer included.
_COORDINATES = {'1D': 1, '2D': 2, 'RECT': 2, '3D': 3, 'CUBE': 3, '1D_ARRAY': 2, '2D_ARRAY': 3, 'CUBE_ARRAY': 4,
                '2D_MSAA': 2, '2D_ARRAY_MSAA': 3, 'BUFFER': 1}
# Texels are addressed by whole numbers: of a cube by x, y and the face.
_TEXELS = {**_COORDINATES, 'CUBE_ARRAY': 3}
_DERIVATIVES = {'1D': 1, '2D': 2, 'RECT': 2, '3D': 3, 'CUBE': 3, '1D_ARRAY': 1, '2D_ARRAY': 2, 'CUBE_ARRAY': 3}


def _seen(texture: Sampled) -> Seen:
    if isinstance(texture, np.ndarray):
        texture = Texture(texture)
    if not isinstance(texture, (Texture, TextureView)):
        raise TypeError(f'a lookup is in a Texture, a TextureView or an array, not {type(texture).__name__}'
                        f'{instead(texture, "scheelite.load({})")}')
    return texture._seen()


def _sampler(seen: Seen, given: Sampler | Mapping[str, Any] | None) -> Handle:
    if given is None:
        given = Sampler()
    elif isinstance(given, Mapping):
        check_keywords('a sampler', given, Sampler.__init__.__kwdefaults__ or {})
        given = Sampler(**given)
    elif not isinstance(given, Sampler):
        raise TypeError(f'a sampler is a Sampler or a dict, not {type(given).__name__}')
    return given._in(seen.context)


class _Lookups:
    """Many lookups of one operation: a column for each member of struct sch_lookup that is given."""

    def __init__(self, seen: Seen, sampler: Handle | None, operation: int, shape: tuple[int, ...]) -> None:
        self._seen = seen
        self._sampler = sampler
        self._operation = operation
        self.shape = shape
        self._columns: list[tuple[str, slice | None, Array]] = []

    def add(self, member: str, values: Any, what: str, dtype: Any, components: int | None = None) -> None:
        """A member for each lookup; with `components` so many of its array, and None: values may be left out."""
        if values is None:
            return
        if components is None:
            column: Array = broadcast(what, values, self.shape, dtype).reshape(-1)
            self._columns.append((member, None, column))
            return
        array = numbers(what, values, dtype)
        if array.ndim == 0 or array.shape[-1] != components:
            raise ValueError(f'{what} has {components} components in its last axis, not the shape {array.shape}')
        column = broadcast(what, array, (*self.shape, components), dtype).reshape(-1, components)
        self._columns.append((member, slice(0, components), column))

    def _part(self, begin: int, end: int, results: Array, lanes: int, requests: Array) -> int:
        """Runs lookups begin to end - 1, in an array that has room for them and is otherwise zeros."""
        for member, part, column in self._columns:
            if part is None:
                requests[member][:end - begin] = column[begin:end]
            else:
                requests[member][:end - begin, part] = column[begin:end]
        sampler = self._sampler.pointer if self._sampler else ffi.NULL
        return int(lib.sch_lookup_run(self._seen.view.pointer, sampler,
                                      ffi.cast('struct sch_lookup *', address(requests)), end - begin, lanes,
                                      ffi.cast('uint32_t (*)[4]', address(results[begin:end]))))

    def run(self, threads: int, lanes: int) -> Array:
        """The results as words: (*shape, 4)."""
        count = int(np.prod(self.shape, dtype=np.int64))
        results = np.empty((count, 4), np.uint32)
        threads = max(1, min(threads or int(self._seen.context.options.get('threads', 1)) or 1, -(-count // _CHUNK)))
        starts = range(0, count, _CHUNK)
        stop: list[bool] = []

        def run_some(first: int) -> int:
            requests = np.zeros(min(_CHUNK, count), _LOOKUP)
            requests['size'] = _LOOKUP.itemsize
            requests['operation'] = self._operation
            for begin in starts[first::threads]:
                if stop:
                    break
                result = self._part(begin, min(begin + _CHUNK, count), results, lanes, requests)
                if result:
                    return result
            return 0

        with using(read=[self._seen.texture]):
            if threads == 1:
                bad = [run_some(0)]
            else:
                with ThreadPoolExecutor(threads) as pool:
                    try:
                        bad = list(pool.map(run_some, range(threads)))
                    except BaseException:  # Ctrl-C
                        stop.append(True)
                        raise
        for result in bad:
            if result:
                errors.fail(result, f'a lookup that a texture of target {self._seen.target} does not have, or whose sampler '
                            'does not fit it')
        return results.reshape(*self.shape, 4)


def _coordinates(seen: Seen, at: npt.ArrayLike, counts: Mapping[str, int], dtype: Any) -> tuple[Array, int]:
    array = np.asarray(at)
    if array.dtype.kind not in 'fiu' or (np.dtype(dtype).kind == 'u' and array.dtype.kind == 'f'):
        raise ValueError(f'coordinates are {"whole numbers" if np.dtype(dtype).kind == "u" else "numbers"}, not {array.dtype}')
    if np.dtype(dtype).kind == 'u':
        array = array.astype(np.int64).astype(np.uint32)
    count = counts[seen.target]
    if count == 1 and (array.ndim == 0 or array.shape[-1] != 1):
        array = array[..., None]
    if array.ndim == 0 or array.shape[-1] != count:
        raise ValueError(f'coordinates of {seen.target} have {count} components in their last axis, not the shape '
                         f'{array.shape}')
    return array.astype(dtype, copy=False), count


def sample(texture: Sampled, at: npt.ArrayLike, sampler: Sampler | Mapping[str, Any] | None = None, *,
           lod: npt.ArrayLike | None = None, bias: npt.ArrayLike | None = None, ddx: npt.ArrayLike | None = None,
           ddy: npt.ArrayLike | None = None, offset: npt.ArrayLike | None = None,
           reference: npt.ArrayLike | None = None, threads: int = 0, lanes: int = 0) -> Array:
    """Filtered lookups at coordinates ``at`` (..., components): s, t, r as the target has them, then the layer. Returns
    (..., 4): floats, or integers of textures of integers.

    ``lod`` is the level of detail, or ``ddx`` and ``ddy`` are the derivatives that give it (otherwise 0), with ``bias``
    added. ``offset`` is in texels. ``reference`` compares with the sampler's function. All are broadcast over ``at``.
    ``sampler`` is a Sampler or a dict of its keywords."""
    if lod is not None and (bias is not None or ddx is not None or ddy is not None):
        raise ValueError('lod is given, so there is nothing for bias, ddx and ddy to do')
    if (ddx is None) != (ddy is None):
        raise ValueError('ddx and ddy go together')
    seen = _seen(texture)
    coordinates, count = _coordinates(seen, at, _COORDINATES, np.float32)
    operation = lib.SCH_LOOKUP_SAMPLE_L if lod is not None else lib.SCH_LOOKUP_SAMPLE_B if bias is not None else \
        lib.SCH_LOOKUP_SAMPLE_D if ddx is not None else lib.SCH_LOOKUP_SAMPLE
    lookups = _Lookups(seen, _sampler(seen, sampler), operation, coordinates.shape[:-1])
    lookups.add('at', coordinates, 'at', np.float32, count)
    lookups.add('lod', lod, 'lod', np.float32)
    lookups.add('bias', bias, 'bias', np.float32)
    axes = _DERIVATIVES.get(seen.target, 0)
    lookups.add('ddx', ddx, 'ddx', np.float32, axes)
    lookups.add('ddy', ddy, 'ddy', np.float32, axes)
    _add_offset(lookups, seen, offset)
    _add_reference(lookups, reference)
    result = _result(seen, reference)
    return lookups.run(threads, lanes).view(result)


def _result(seen: Seen, reference: Any) -> np.dtype[Any]:
    """The numbers that a lookup returns: of a comparison floats."""
    return np.dtype(np.float32) if reference is not None else seen.format.result


def _add_offset(lookups: _Lookups, seen: Seen, offset: npt.ArrayLike | None) -> None:
    axes = _DERIVATIVES.get(seen.target, 0)
    if offset is not None and axes == 1 and np.asarray(offset).ndim == 0:
        offset = np.asarray(offset)[None]
    lookups.add('offset', offset, 'offset', np.int32, axes)


def _add_reference(lookups: _Lookups, reference: npt.ArrayLike | None) -> None:
    lookups.add('reference', reference, 'reference', np.float32)
    if reference is not None:
        lookups.add('compare', 1, 'compare', np.uint8)


def gather(texture: Sampled, at: npt.ArrayLike, sampler: Sampler | Mapping[str, Any] | None = None, *,
           component: npt.ArrayLike = 0, offset: npt.ArrayLike | None = None, reference: npt.ArrayLike | None = None,
           threads: int = 0, lanes: int = 0) -> Array:
    """One component of the four texels that a linear filter would read: (..., 4)."""
    seen = _seen(texture)
    coordinates, count = _coordinates(seen, at, _COORDINATES, np.float32)
    lookups = _Lookups(seen, _sampler(seen, sampler), lib.SCH_LOOKUP_GATHER, coordinates.shape[:-1])
    lookups.add('at', coordinates, 'at', np.float32, count)
    lookups.add('component', component, 'component', np.uint32)
    _add_offset(lookups, seen, offset)
    _add_reference(lookups, reference)
    result = _result(seen, reference)
    return lookups.run(threads, lanes).view(result)


def fetch(texture: Sampled, texel: npt.ArrayLike, *, level: npt.ArrayLike = 0, sample: npt.ArrayLike = 0,
          offset: npt.ArrayLike | None = None, threads: int = 0, lanes: int = 0) -> Array:
    """Single texels, unfiltered, at whole numbers ``texel`` (..., components): x, y, z as the target has them, then the
    layer. Returns (..., 4)."""
    seen = _seen(texture)
    coordinates, count = _coordinates(seen, texel, _TEXELS, np.uint32)
    lookups = _Lookups(seen, None, lib.SCH_LOOKUP_FETCH, coordinates.shape[:-1])
    lookups.add('texel', coordinates, 'texel', np.uint32, count)
    lookups.add('level', level, 'level', np.uint32)
    lookups.add('sample', sample, 'sample', np.uint32)
    _add_offset(lookups, seen, offset)
    return lookups.run(threads, lanes).view(seen.format.result)


def query_size(texture: Sampled, level: npt.ArrayLike = 0) -> Array:
    """What a shader's query of the size returns: width, height, depth or layers, and the number of levels: (..., 4)."""
    seen = _seen(texture)
    levels = np.asarray(level)
    lookups = _Lookups(seen, None, lib.SCH_LOOKUP_SIZE, levels.shape)
    lookups.add('level', levels, 'level', np.uint32)
    return lookups.run(1, 0).view(np.int32)


def query_lod(texture: Sampled, at: npt.ArrayLike, ddx: npt.ArrayLike, ddy: npt.ArrayLike,
        sampler: Sampler | Mapping[str, Any] | None = None, *, threads: int = 0, lanes: int = 0) -> Array:
    """The level of detail that is accessed, and the same before the clamps: (..., 2)."""
    seen = _seen(texture)
    coordinates, count = _coordinates(seen, at, _COORDINATES, np.float32)
    lookups = _Lookups(seen, _sampler(seen, sampler), lib.SCH_LOOKUP_LOD, coordinates.shape[:-1])
    axes = _DERIVATIVES.get(seen.target, 0)
    lookups.add('at', coordinates, 'at', np.float32, count)
    lookups.add('ddx', ddx, 'ddx', np.float32, axes)
    lookups.add('ddy', ddy, 'ddy', np.float32, axes)
    return lookups.run(threads, lanes).view(np.float32)[..., :2]


# ---- explanations ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Texel:
    """A texel that contributed to a result."""

    level: int
    tap: int
    x: int
    y: int
    z: int
    """The slice of a 3-D level, otherwise the layer; of cubes 6 * cube + face."""
    sample: int
    border: bool
    """The border colour was read; x, y and z mean nothing."""
    weight: float
    value: Array


@dataclass(frozen=True)
class Explained:
    """How the result of a lookup comes about."""

    result: Array
    lod: float
    lod_computed: float
    lod_biased: float
    magnified: bool
    taps: int
    levels: tuple[int, int]
    level_weight: float
    """Of the second level; the first has the rest."""
    face: int
    layer: int
    texels: list[Texel]

    def __str__(self) -> str:
        lines = [f'result {self.result.tolist()}, level of detail {self.lod:g}, taps {self.taps}']
        lines += [f'  level {one.level} tap {one.tap} ' + ('border' if one.border else f'({one.x}, {one.y}, {one.z})') +
                  f' weight {one.weight:g}: {one.value.tolist()}' for one in self.texels]
        return '\n'.join(lines)


def explain_sample(texture: Sampled, at: npt.ArrayLike, sampler: Sampler | Mapping[str, Any] | None = None, *,
                   lod: float | None = None, bias: float | None = None, ddx: npt.ArrayLike | None = None,
                   ddy: npt.ArrayLike | None = None, offset: npt.ArrayLike | None = None,
                   reference: float | None = None) -> Explained:
    """One lookup of sample(), and how its result comes about: the level of detail and each texel with its weight."""
    seen = _seen(texture)
    coordinates, count = _coordinates(seen, at, _COORDINATES, np.float32)
    if coordinates.shape != (count,):
        raise ValueError(f'one lookup is explained: at has {count} components, not the shape {coordinates.shape}')
    operation = lib.SCH_LOOKUP_SAMPLE_L if lod is not None else lib.SCH_LOOKUP_SAMPLE_B if bias is not None else \
        lib.SCH_LOOKUP_SAMPLE_D if ddx is not None else lib.SCH_LOOKUP_SAMPLE
    request = struct('lookup', operation=operation, at=[float(one) for one in coordinates], lod=lod or 0, bias=bias or 0,
                     compare=reference is not None, reference=reference or 0)
    for member, values in (('ddx', ddx), ('ddy', ddy)):
        if values is not None:
            setattr(request, member, [float(one) for one in np.atleast_1d(np.asarray(values))])
    if offset is not None:
        offsets = [whole('an offset', one) for one in np.atleast_1d(np.asarray(offset))]
        if not all(-1 << 31 <= one < 1 << 31 for one in offsets):
            raise ValueError(f'offset {offsets} does not fit 32 bits')
        request.offset = offsets
    made = ffi.new('struct sch_explanation **')
    kept = _sampler(seen, sampler)  # a handle that only an expression holds is freed before the call
    with seen.context._handle.pinned() as pointer, using(read=[seen.texture]):
        result = lib.sch_lookup_explain(pointer, seen.view.pointer, kept.pointer, request, made)
        if result:
            errors.fail(result, 'explain_sample')
        handle = Handle('explanation', made[0], lib.sch_explanation_destroy, seen.context._handle)
    return _read_explanation(handle, _result(seen, reference))


def _read_explanation(handle: Handle, kind: np.dtype[Any]) -> Explained:
    info = struct('explanation_info')
    lib.sch_explanation_get_info(handle.pointer, info)
    texels: list[Texel] = []
    at = struct('footprint_texel')
    while lib.sch_explanation_texel(handle.pointer, len(texels), at):
        texels.append(Texel(at.level, at.tap, at.x, at.y, at.z, at.sample, at.border, at.weight,
                            np.array(list(at.value), np.uint32).view(kind)))
    return Explained(np.array(list(info.result), np.uint32).view(kind), info.lod, info.lod_computed, info.lod_biased,
                     info.magnified, info.taps, (info.level[0], info.level[1]), info.level_weight, info.face, info.layer,
                     texels)
