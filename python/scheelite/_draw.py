"""Draws: vertex arrays, shaders and state become pixels of a frame. Holds no lookups and no files."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Union, Unpack

import numpy as np
import numpy.typing as npt

from . import errors
from ._arrays import Array, address, format_of, format_of_array, four, native
from ._bindings import Bound
from ._context import Context, RunOptions, context_of
from ._files import Picture
from ._library import Handle, Words, check_keywords, ffi, lib, nearest, refuse_file, struct, whole
from ._run import Execution
from ._shader import Shader, Source, in_context, stages
from ._texture import Texture, using

__all__ = ['Attribute', 'Frame', 'draw']

_primitives = Words('primitive', 'SCH_PRIMITIVE_')
_compares = Words('compare', 'SCH_COMPARE_')
_stencils = Words('stencil_operation', 'SCH_STENCIL_')
_equations = Words('blend_equation', 'SCH_BLEND_')
_factors = Words('blend_factor', 'SCH_FACTOR_')
_fills = Words('fill', 'SCH_FILL_')
_faces = Words('face', 'SCH_FACE_')
_logic = Words('logic_operation', 'SCH_LOGIC_')
_advanced = Words('advanced_blend', 'SCH_ADVANCED_')
_sprites = Words('sprite_origin', 'SCH_SPRITE_')
_conservative = Words('conservative', 'SCH_CONSERVATIVE_')

# Which words the members of an enumeration's type take.
_WORDS = {'sch_compare': _compares, 'sch_stencil_operation': _stencils, 'sch_blend_equation': _equations,
          'sch_blend_factor': _factors, 'sch_fill': _fills, 'sch_logic_operation': _logic,
          'sch_advanced_blend': _advanced, 'sch_sprite_origin': _sprites, 'sch_conservative': _conservative}

_BLENDS: dict[str, dict[str, Any]] = {
    'alpha': dict(enabled=True, color_source='src_alpha', color_destination='inv_src_alpha', alpha_source='one',
                  alpha_destination='inv_src_alpha'),
    'premultiplied': dict(enabled=True, color_source='one', color_destination='inv_src_alpha', alpha_source='one',
                          alpha_destination='inv_src_alpha'),
    'add': dict(enabled=True, color_source='one', color_destination='one', alpha_source='one', alpha_destination='one')}

State = Union[Mapping[str, Any], None]


def _fill_struct(what: str, target: Any, given: Mapping[str, Any]) -> None:
    """Sets members of a struct by their names in the headers; words stand for enumerations, dicts for structs in it."""
    kind = ffi.typeof(target)
    if kind.kind == 'pointer':
        kind = kind.item
    fields = dict(kind.fields)
    for name, value in given.items():
        if name not in fields or name == 'size':
            raise TypeError(f'{what} has no {name!r}{nearest(name, fields)}')
        item = fields[name].type
        if item.kind == 'struct':
            _fill_struct(f'{what}.{name}', getattr(target, name), value)
        elif item.kind == 'array' and item.item.kind == 'struct':
            values = value if isinstance(value, (list, tuple)) else [value]
            if len(values) > item.length:
                raise ValueError(f'{what}.{name} has {item.length} elements, not {len(values)}')
            for index, one in enumerate(values):
                _fill_struct(f'{what}.{name}[{index}]', getattr(target, name)[index], one)
        elif name == 'cull_face' and isinstance(value, str):
            setattr(target, name, 0 if value == 'none' else 3 if value == 'both' else _faces.number(value))
        elif item.kind == 'enum' and isinstance(value, str):
            setattr(target, name, _WORDS[item.cname.removeprefix('enum ')].number(value))
        else:
            try:
                setattr(target, name, value)
            except (TypeError, OverflowError) as error:
                raise ValueError(f'{what}.{name}: {error}') from None


class _State:
    """A state object of the pipeline, made of the defaults and what is given."""

    def __init__(self, context: Context, name: str, given: Mapping[str, Any]) -> None:
        options = struct(f'{name}_options')
        getattr(lib, f'sch_{name}_options_default')(options)
        _fill_struct(name, options, given)
        reports = errors.Reports(context._handle)
        made = ffi.new(f'struct sch_{name} **')
        with context._handle.pinned() as pointer:
            result = getattr(lib, f'sch_{name}_create')(pointer, options, reports.pointer, made)
            reports.check(result, name.replace('_', ' '))
            self.handle = Handle(name, made[0], getattr(lib, f'sch_{name}_destroy'), context._handle)


class Attribute:
    """Where an input of a vertex shader comes from: an array of (vertices, components), and what is not said by it.

    ``format`` is that of the elements in memory; without it float32 arrays are floats, integers are integers of 32 bits
    or, with ``normalized``, fractions. ``divisor``: one element for so many instances instead of for each vertex."""

    def __init__(self, array: npt.ArrayLike, *, format: str | None = None, normalized: bool = False,
                 divisor: int = 0) -> None:
        refuse_file('an attribute', array, 'numpy.fromfile({}, dtype)')
        data = native(np.asarray(array))
        if data.ndim == 1:
            data = data[:, None]
        if data.ndim != 2:
            raise ValueError(f'an attribute has the shape (vertices, components), not {np.shape(array)}')
        if format is None:
            if data.dtype == np.float64:
                raise ValueError('an attribute of float64 has no format; convert it: .astype(numpy.float32)')
            name = format_of_array(data.dtype, data.shape[1]).name
            if data.dtype.kind in 'iu':
                kinds = {'u': ('UINT', 'UNORM'), 'i': ('SINT', 'SNORM')}[data.dtype.kind]
                name = re.sub('_[A-Z]+$', f'_{kinds[normalized]}', name)
            format = name
        self.format = format_of(format)
        if self.format.block_bytes and self.format.block_bytes != data.shape[1] * data.itemsize:
            raise ValueError(f'an element of {self.format.name} has {self.format.block_bytes} bytes, not '
                             f'{data.shape[1] * data.itemsize}')
        if data.strides[1] != data.itemsize or data.strides[0] < 0:
            data = np.ascontiguousarray(data)
        self.data = data
        self.divisor = whole('divisor', divisor)
        if not 0 <= self.divisor < 1 << 32:
            raise ValueError(f'divisor is 0 to {(1 << 32) - 1}, not {divisor!r}')

    def element(self, buffer: int) -> dict[str, Any]:
        # NumPy may leave any stride, a negative one too, where there is only one row.
        stride = self.data.strides[0] if len(self.data) > 1 else self.data.shape[1] * self.data.itemsize
        return {'format': self.format.number, 'buffer': buffer, 'offset': 0, 'stride': stride, 'divisor': self.divisor}

    def buffer(self) -> dict[str, Any]:
        size = (len(self.data) - 1) * self.data.strides[0] + self.data[0].nbytes if len(self.data) else 0
        return {'memory': address(self.data), 'memory_bytes': size}


def _surface(texture: Texture, level: int = 0) -> Handle:
    reports = errors.Reports(texture._context._handle)
    made = ffi.new('struct sch_surface **')
    options = struct('surface_options', level=level)
    reports.check(lib.sch_surface_create(texture._handle.pointer, options, reports.pointer, made), 'surface')
    return Handle('surface', made[0], lib.sch_surface_destroy, texture._handle)


def _for_stage(stage: str, given: Any) -> Any:
    """What a stage is bound: a mapping of stages' names has one for each, otherwise all stages have the same."""
    if isinstance(given, Mapping) and given and all(key in stages.numbers for key in given):
        return given.get(stage)
    return given


class Frame:
    """Colour buffers with depth and stencil that draws write, one draw after the other.

    ``size`` is (width, height). ``colors`` are formats, or Textures to draw into; ``depth`` is a format
    (``"Z32_FLOAT"``, ``"Z24_UNORM_S8_UINT"``), a Texture, or None. With ``samples`` colours are multisampled, and
    ``color`` resolves them. Colours begin as zeros and depth as 1."""

    def __init__(self, size: tuple[int, int] | None = None, *, colors: Sequence[str | Texture] = ('R32G32B32A32_FLOAT',),
                 depth: str | Texture | None = 'Z32_FLOAT', samples: int = 1, context: Context | None = None) -> None:
        given = [one for one in (*colors, depth) if isinstance(one, Texture)]
        self._context = context_of(context, *given)
        if size is None:
            if not given:
                raise ValueError('a frame has a size, or textures that have one')
            size = given[0].size[:2]
        if len(colors) > lib.SCH_COLOR_BUFFERS:
            raise ValueError(f'a frame has at most {lib.SCH_COLOR_BUFFERS} colours, not {len(colors)}')
        self.size = whole('a width', size[0]), whole('a height', size[1])

        def buffer(what: str | Texture) -> Texture:
            if isinstance(what, Texture):
                return what
            return Texture.empty(self.size, what, target='2D_MSAA' if samples > 1 else '2D', samples=samples,
                                 context=self._context)

        self.colors = [buffer(one) for one in colors]
        """The colour buffers, as Textures."""
        self.depth_stencil = None if depth is None else buffer(depth)
        """The buffer of depth and stencil, as a Texture."""
        self._surfaces = [_surface(one) for one in self.colors]
        self._depth = _surface(self.depth_stencil) if self.depth_stencil else None
        options = struct('framebuffer_options', width=self.size[0], height=self.size[1], samples=samples)
        for index, one in enumerate(self._surfaces):
            options.colors[index] = one.pointer
        if self._depth:
            options.depth_stencil = self._depth.pointer
        reports = errors.Reports(self._context._handle)
        made = ffi.new('struct sch_framebuffer **')
        with self._context._handle.pinned() as pointer:
            reports.check(lib.sch_framebuffer_create(pointer, options, reports.pointer, made), 'frame')
            self._handle = Handle('frame', made[0], lib.sch_framebuffer_destroy, self._context._handle)
        self._drawn: list[Texture] = [*self.colors, *([self.depth_stencil] if self.depth_stencil else [])]
        self.instructions = 0
        """That the last draw executed, counted once for 32 invocations."""
        if isinstance(depth, str):
            self.clear(color=None)

    def _renderer(self) -> Handle:
        """A renderer is one thread's, so each call makes its own."""
        made = ffi.new('struct sch_renderer **')
        with self._context._handle.pinned() as pointer:
            result = lib.sch_renderer_create(pointer, made)
            if result:
                errors.fail(result, 'renderer')
            return Handle('renderer', made[0], lib.sch_renderer_destroy, self._context._handle)

    def clear(self, color: Sequence[float] | None = (0, 0, 0, 0), depth: float | None = 1,
              stencil: int | None = 0) -> None:
        """Clears all buffers; None leaves colours, depth or stencil as they are. Colours of integer buffers are
        integers."""
        parts = (lib.SCH_PART_COLOR if color is not None else 0) | (lib.SCH_PART_DEPTH if depth is not None else 0) | \
            (lib.SCH_PART_STENCIL if stencil is not None else 0)
        clear = struct('framebuffer_clear', parts=parts, depth=depth or 0, stencil=stencil or 0)
        if color is not None:
            integers = bool(self.colors) and self.colors[0].format.integers
            values, _ = four('a colour', color if integers else [float(one) for one in color])
            clear.color.u = [int(one) for one in values]
        reports = errors.Reports(self._context._handle)
        renderer = self._renderer()
        with using(write=[one._handle for one in self._drawn]):
            reports.check(lib.sch_renderer_clear(renderer.pointer, self._handle.pointer, clear, reports.pointer), 'clear')
            lib.sch_renderer_flush(renderer.pointer, ffi.NULL)

    def draw(self, vertex: Source, fragment: Source | None, attributes: Sequence[Any] = (), *,
             primitive: str = 'triangles', count: int | None = None, start: int = 0, indices: npt.ArrayLike | None = None,
             instances: int = 1, geometry: Source | None = None, tess_ctrl: Source | None = None,
             tess_eval: Source | None = None, patch_vertices: int = 3, textures: Any = None, samplers: Any = None,
             constants: Any = None, buffers: Any = None, images: Any = None, depth_test: str | None = 'less',
             depth_writes: bool = True, cull: str = 'none', blend: str | State = None, rasterizer: State = None,
             depth_stencil_alpha: State = None, viewport: tuple[float, float, float, float] | None = None,
             scissor: tuple[int, int, int, int] | None = None, blend_color: Sequence[float] | None = None,
             stencil_reference: int = 0, **options: Unpack[RunOptions]) -> Frame:
        """Draws, and returns the frame.

        ``attributes`` feed IN[0], IN[1], ... of the vertex shader: arrays of (vertices, components), or Attributes. Without
        ``indices`` and ``count`` all vertices are drawn. ``textures`` and so on are as of run; a dict whose keys are
        stages ("vertex", "fragment") binds them by stage, otherwise all stages have the same.

        ``depth_test`` is the comparison, or None for no depth test (nor is depth written then); ``cull`` is none, front,
        back or both; ``blend`` alpha, premultiplied, add, or members of struct sch_blend_options. ``rasterizer`` and
        ``depth_stencil_alpha`` are members of their structs (state.h), with words for enumerations:
        ``rasterizer={"fill_front": "line", "line_width": 3}``. ``viewport`` is (x, y, width, height) and ``scissor`` (left,
        top, right, bottom), in pixels from the upper left corner. A vertex with y = w is at the top of the picture, and z
        goes from -w to w, or with ``rasterizer={"clip_halfz": True}`` from 0 to w: depth is then from 0 to 1."""
        context = self._context
        programs = {'vertex': vertex, 'fragment': fragment, 'geometry': geometry, 'tess_ctrl': tess_ctrl,
                    'tess_eval': tess_eval}
        shaders = {stage: in_context(one, context) for stage, one in programs.items() if one is not None}
        execution = Execution(context, options)
        made = struct('pipeline_options')
        for stage, shader in shaders.items():
            if shader.stage != stage:
                raise ValueError(f'{stage} is a {shader.stage} shader')
            handle = shader._program(execution.engine, execution.lanes)
            execution.kept.append(handle)
            setattr(made, stage, handle.pointer)
        pipeline = self._pipeline(made, execution)
        state = struct('draw_state', pipeline=pipeline.pointer, framebuffer=self._handle.pointer)
        drawn = self._vertices(state, execution, attributes)
        bound = self._bind(state, shaders, textures=textures, samplers=samplers, constants=constants, buffers=buffers,
                           images=images)
        test = self._tests(depth_test, depth_writes, depth_stencil_alpha)
        raster: dict[str, Any] = {'cull_face': cull, **({'scissor': True} if scissor else {}), **(rasterizer or {})}
        for name, given in (('rasterizer', raster), ('depth_stencil_alpha', test), ('blend', _blend(blend))):
            handle = _State(context, name, given).handle
            execution.kept.append(handle)
            setattr(state, name, handle.pointer)
        state.dynamic = dynamic = self._dynamic(bool(raster.get('clip_halfz')), viewport, scissor, blend_color, stencil_reference, patch_vertices)
        work = struct('draw', primitive=_primitives.number(primitive), start=start, instance_count=instances)
        self._indices(work, execution, indices)
        found = (len(indices) if indices is not None else drawn - start)  # type: ignore[arg-type]
        work.count = max(0, found) if count is None else count
        renderer = self._renderer()
        execution.kept += [dynamic, renderer]

        def call() -> int:
            result = lib.sch_renderer_draw(renderer.pointer, state, work, execution.options, execution.report)
            return int(result or lib.sch_renderer_flush(renderer.pointer, ffi.NULL))

        try:
            self.instructions = execution.call(call, bound, 'draw', [one._handle for one in self._drawn])
        finally:
            renderer.release()
        return self

    def _pipeline(self, options: Any, execution: Execution) -> Handle:
        made = ffi.new('struct sch_pipeline **')
        with self._context._handle.pinned() as pointer:
            execution.reports.check(lib.sch_pipeline_create(pointer, options, execution.reports.pointer, made), 'pipeline')
            handle = Handle('pipeline', made[0], lib.sch_pipeline_destroy, self._context._handle)
        execution.kept.append(handle)
        return handle

    def _vertices(self, state: Any, execution: Execution, attributes: Sequence[Any]) -> int:
        """Feeds the vertex shader. Returns the number of vertices that there are."""
        if isinstance(attributes, np.ndarray):
            attributes = [attributes]
        fed = [one if isinstance(one, Attribute) else Attribute(one) for one in attributes]
        if not fed:
            return 0
        buffers = ffi.new('struct sch_vertex_buffer[]', [one.buffer() for one in fed])
        elements = ffi.new('struct sch_vertex_element[]', [one.element(index) for index, one in enumerate(fed)])
        reports = execution.reports
        made = ffi.new('struct sch_vertex_elements **')
        with self._context._handle.pinned() as pointer:
            result = lib.sch_vertex_elements_create(pointer, elements, len(fed), ffi.sizeof('struct sch_vertex_element'),
                                                    reports.pointer, made)
            reports.check(result, 'attributes')
            handle = Handle('vertex elements', made[0], lib.sch_vertex_elements_destroy, self._context._handle)
        state.vertex_elements = handle.pointer
        state.vertex_buffers, state.vertex_buffer_count = buffers, len(fed)
        state.vertex_buffer_stride = ffi.sizeof('struct sch_vertex_buffer')
        execution.kept += [buffers, handle, fed]
        return min((len(one.data) for one in fed if not one.divisor), default=0)

    def _bind(self, state: Any, shaders: Mapping[str, Shader], **given: Any) -> list[Bound]:
        made = []
        for stage, shader in shaders.items():
            bound = Bound(self._context, shader, **{name: _for_stage(stage, one) for name, one in given.items()})
            state.bindings[stages.number(stage)] = bound.struct
            made.append(bound)
        return made

    def _tests(self, depth_test: str | None, depth_writes: bool, given: State) -> dict[str, Any]:
        test: dict[str, Any] = {}
        if depth_test is not None and self.depth_stencil is not None:
            test = {'depth_enabled': True, 'depth_writes': depth_writes, 'depth_function': depth_test}
        return {**test, **(given or {})}

    def _dynamic(self, halfz: bool, viewport: Any, scissor: Any, blend_color: Any, stencil_reference: int,
                 patch_vertices: int) -> Any:
        """As scenes have it: y of clip space goes up, and the first row of a picture is its top."""
        dynamic = struct('dynamic_state')
        lib.sch_dynamic_state_default(dynamic)
        x, y, width, height = viewport or (0, 0, *self.size)
        dynamic.viewports[0].scale = [width / 2, -height / 2, 1 if halfz else 0.5]
        dynamic.viewports[0].translate = [x + width / 2, y + height / 2, 0 if halfz else 0.5]
        box = scissor or (0, 0, *self.size)
        dynamic.scissors[0] = dict(zip(('left', 'top', 'right', 'bottom'), (whole('a scissor', one) for one in box)))
        dynamic.stencil_reference = [stencil_reference, stencil_reference]
        dynamic.patch_vertices = patch_vertices
        if blend_color is not None:
            dynamic.blend_color = [float(one) for one in blend_color]
        return dynamic

    def _indices(self, work: Any, execution: Execution, indices: npt.ArrayLike | None) -> None:
        if indices is None:
            return
        data = np.asarray(indices)
        if data.dtype.kind not in 'iu' or data.ndim != 1:
            raise ValueError(f'indices are whole numbers in one row, not {data.dtype} of the shape {data.shape}')
        if data.dtype.kind == 'i' or data.dtype.itemsize > 4:
            if len(data) and (data.min() < 0 or data.max() >= 2**32):
                raise ValueError('indices are numbers from 0 to 2^32 - 1')
            data = data.astype(np.uint32)
        data = np.ascontiguousarray(native(data))
        work.index_bytes = data.itemsize
        work.indices = {'memory': address(data), 'memory_bytes': data.nbytes}
        execution.kept.append(data)

    def picture(self, index: int = 0) -> Picture:
        """A colour buffer as an array of (height, width, channels); multisampled ones are resolved."""
        texture = self.colors[index]
        if 'MSAA' in texture.target:
            resolved = Texture.empty(self.size, texture.format.name, context=self._context)
            blit = struct('blit')
            reports = errors.Reports(self._context._handle)
            with using(read=[texture._handle]):
                reports.check(lib.sch_resource_blit(resolved._handle.pointer, texture._handle.pointer, blit,
                                                    reports.pointer), 'resolving')
            texture = resolved
        return Picture(texture.array())

    @property
    def color(self) -> Picture:
        """The first colour buffer, as an array."""
        return self.picture(0)

    @property
    def depth(self) -> Array:
        """Depth as floats, (height, width); of the first sample."""
        if self.depth_stencil is None:
            raise ValueError('the frame has no depth')
        data = self.depth_stencil.array()
        if 'MSAA' in self.depth_stencil.target:
            data = data[0]
        if data.dtype.kind == 'u':
            data = (data.astype(np.float64) / np.iinfo(data.dtype).max).astype(np.float32)
        return data[..., 0]

    def _repr_png_(self) -> bytes | None:
        """What notebooks show."""
        return self.color._repr_png_() if self.colors else None

    def __repr__(self) -> str:
        formats = ', '.join(one.format.name for one in self._drawn)
        return f'<Frame: {self.size[0]}x{self.size[1]}, {formats}>'


def _blend(given: str | State) -> Mapping[str, Any]:
    if given is None:
        return {}
    if isinstance(given, str):
        if given not in _BLENDS:
            raise ValueError(f'blend is {", ".join(_BLENDS)}, or a dict, not {given!r}{nearest(given, _BLENDS)}')
        return {'targets': [_BLENDS[given]]}
    return given


def draw(vertex: Source, fragment: Source | None, attributes: Sequence[Any] = (), size: tuple[int, int] = (256, 256), *,
         colors: Sequence[str | Texture] = ('R32G32B32A32_FLOAT',), depth: str | Texture | None = 'Z32_FLOAT',
         samples: int = 1, clear: Sequence[float] = (0, 0, 0, 0), context: Context | None = None, **options: Any) -> Frame:
    """Makes a Frame of ``size``, clears it and draws once: ``draw(...).color`` is the picture. For what Frame's
    constructor and Frame.draw take, see there."""
    check_keywords('draw', options, {*_draw_keywords, *RunOptions.__annotations__})
    frame = Frame(size, colors=colors, depth=depth, samples=samples,
                  context=context_of(context, vertex, fragment))
    frame.clear(clear)
    return frame.draw(vertex, fragment, attributes, **options)


_draw_keywords = set(Frame.draw.__kwdefaults__ or ())
