"""Running shaders: a picture, a grid, single invocations. Holds how a call is made so that Ctrl-C ends it; draws are in
_draw.py."""
from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union, Unpack

import numpy as np
import numpy.typing as npt

from . import errors
from ._arrays import Array, address, numbers, registers, words
from ._bindings import Bound, ConstantsArgument, SamplersArgument, Slot, TexturesArgument
from ._context import Context, RunOptions, check_options, context_of, milliseconds
from ._files import Picture
from ._library import ffi, lib, refuse_file, struct, whole
from ._shader import Shader, Source, in_context, stages
from ._texture import using

__all__ = ['Outputs', 'dispatch', 'invoke', 'run']

Target = Union[int, str]
"""A colour output of a fragment shader by the index of COLOR, or "depth"."""


def interruptible(call: Callable[[], Any], word: Any) -> int:
    """Makes a long call of the library. Python runs its handlers of signals in the main thread, between instructions:
    so there the call is made by another thread, and a KeyboardInterrupt, or whatever a handler raises, cancels it."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        return int(call())
    done = threading.Event()
    results: list[int] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            results.append(int(call()))
        except BaseException as error:  # noqa: B902 # whatever it is belongs to the caller
            failures.append(error)
        finally:
            done.set()

    try:
        threading.Thread(target=work, name='scheelite', daemon=True).start()
    except RuntimeError:  # Python is ending, or the system has no thread left
        return int(call())
    interrupt: BaseException | None = None
    while not done.is_set():
        try:
            done.wait()
        except BaseException as error:  # noqa: B902 # the arrays must stay until the call has returned
            interrupt = interrupt or error
            word[0] = 1
    if interrupt:
        raise interrupt
    if failures:
        raise failures[0]
    return results[0]


def _checks(options: Mapping[str, Any]) -> int:
    races, unwritten = options.get('check_races', False), options.get('check_unwritten', False)
    return int((lib.SCH_CHECK_RACES if races else 0) | (lib.SCH_CHECK_UNWRITTEN if unwritten else 0))


class Execution:
    """The options of one run, its report and what it reports."""

    def __init__(self, context: Context, options: Mapping[str, Any], source: bytes = b'') -> None:
        check_options(options)
        merged: dict[str, Any] = {**context.options, **options}
        self.engine: str = merged.get('engine', 'auto')
        self.lanes: int = merged.get('lanes', 0)
        self.reports = errors.Reports(context._handle, source)
        cancel = merged.get('cancel')
        self._word = cancel._word if cancel else ffi.new('uint32_t *')
        self.options = struct('dispatch_options', threads=merged.get('threads', 0), budget=merged.get('budget', 0),
                              work=merged.get('work', 0), deadline_ms=milliseconds(merged.get('deadline')),
                              unordered=merged.get('unordered', False), shared_bytes=merged.get('shared_bytes', 0),
                              private_bytes=merged.get('private_bytes', 0), diagnostics=self.reports.pointer,
                              cancel=self._word, checks=_checks(merged))
        self.report = struct('dispatch_report')
        self.kept: list[Any] = []
        """What must stay until the call has returned, beside what it names itself."""

    def call(self, call: Callable[[], Any], bound: Iterable[Bound], what: str, write: Iterable[Any] = ()) -> int:
        """Makes the call, which uses `options` and `report`. Warns, or raises what went wrong. Returns the number of
        instructions."""
        bound = list(bound)
        read = [texture for one in bound for texture in one.read]
        written = [*write, *(texture for one in bound for texture in one.write)]
        with using(read, written):
            result = interruptible(call, self._word)
        at = self.report
        if result:
            stop = errors.Stop(stages.word(at.stage), at.invocation, at.instruction, at.line, at.column, at.instructions,
                               at.contents_undefined)
            errors.fail(result, what, self.reports.all(), stop)
        self.reports.warn()
        return int(at.instructions)


# ---- pictures --------------------------------------------------------------------------------------------------------

_ONE = 0x3f800000

# What the inputs of a pixel are, as the command's `run` has them: "st" is (s, t, 0, 1), "position" the pixel's centre,
# others the words of all pixels. Semantics without a row are zero. tests/test_run.py compares all with the command.
_INPUTS: dict[str, Any] = {
    'GENERIC': 'st', 'TEXCOORD': 'st', 'COLOR': 'st', 'BCOLOR': 'st', 'PCOORD': 'st', 'POSITION': 'position',
    'FACE': (_ONE, 0, 0, _ONE), 'FOG': (0, 0, 0, _ONE), 'NORMAL': (0, 0, _ONE, 0), 'SAMPLEMASK': (1, 0, 0, 0)}
_SYSTEM_VALUES: dict[str, Any] = {
    'POSITION': 'position', 'FACE': (0xffffffff, 0, 0, 1), 'SAMPLEMASK': (1, 0, 0, 0),
    'SAMPLEPOS': (0x3f000000, 0x3f000000, 0, 0), 'SUBGROUP_SIZE': (32, 0, 0, 0)}
_COMPUTED = ('HELPER_INVOCATION', 'SUBGROUP_INVOCATION', 'SUBGROUP_EQ_MASK', 'SUBGROUP_GE_MASK', 'SUBGROUP_GT_MASK',
             'SUBGROUP_LE_MASK', 'SUBGROUP_LT_MASK')


class _Painter:
    """The rectangle of a picture: what its registers are given, and where its outputs go."""

    def __init__(self, shader: Shader, width: int, height: int, inputs: Mapping[int, npt.ArrayLike]) -> None:
        self._shader = shader
        self._width, self._height = width, height
        self._lower_left = shader.property('FS_COORD_ORIGIN') == 1
        self._center = 0.0 if shader.property('FS_COORD_PIXEL_CENTER') == 1 else 0.5
        self._targets: list[dict[str, Any]] = []
        self._kept: list[Any] = []
        plans = [self._plan(False, one.index, _INPUTS.get(one.semantic, (0, 0, 0, 0)) if one.semantic else 'st')
                 for one in shader.inputs]
        plans += [self._plan(True, one.index, _SYSTEM_VALUES.get(one.semantic, (0, 0, 0, 0)))
                  for one in shader.system_values if one.semantic not in _COMPUTED]
        for index, value in inputs.items():
            row = words(f'inputs[{index}]', value)
            if row.shape != (4,):
                raise ValueError(f'inputs[{index}] has four numbers, not {row.shape}')
            plans.append(self._plan(False, int(index), tuple(int(word) for word in row.view(np.uint32))))
        self._registers = ffi.new('struct sch_rectangle_register[]', plans)

    def _plan(self, system_value: bool, index: int, source: Any) -> dict[str, Any]:
        plan: dict[str, Any] = {'system_value': system_value, 'index': index}
        if not isinstance(source, str):
            return {**plan, 'words': source}
        plan.update(planar=3, words=(0, 0, 0, _ONE))
        if source == 'st':
            planes = ([0.5, 1, 0], [self._width, 0, 0]), ([0.5, 0, 1], [self._height, 0, 0])
        else:
            # Rows of the picture count from above; LOWER_LEFT counts them from below.
            first = self._height - 1 + self._center if self._lower_left else self._center
            planes = (([self._center, 1, 0], [1, 0, 0]), ([first, 0, -1 if self._lower_left else 1], [1, 0, 0]))
        plan['planes'] = [{'value': value, 'divisor': divisor} for value, divisor in planes]
        return plan

    def output(self, target: Target) -> int:
        """The register of a target."""
        if target == 'depth':
            found = [one.index for one in self._shader.outputs if one.semantic == 'POSITION']
        elif isinstance(target, (int, np.integer)) and not isinstance(target, bool):
            found = [one.index for one in self._shader.outputs if (one.semantic, one.semantic_index) == ('COLOR', target)]
            if not found and target and self._shader.property('FS_COLOR0_WRITES_ALL_CBUFS'):
                return self.output(0)
        else:
            raise ValueError(f'a target is the number of a colour or "depth", not {target!r}')
        if not found:
            raise ValueError(f'the shader writes no {"depth" if target == "depth" else f"COLOR {target}"}')
        return found[0]

    def add(self, output: int, pixels: Array) -> None:
        kind = lib.SCH_RENDER_TARGET_UNORM8 if pixels.dtype == np.uint8 else lib.SCH_RENDER_TARGET_WORDS
        rows, row = pixels.shape[0], pixels.strides[0]
        self._kept.append(pixels)
        self._targets.append({'pixels': address(pixels), 'bytes': row * (rows - 1) + pixels[0].nbytes,
                              'row_bytes': row, 'output': output, 'format': kind})

    def rectangle(self) -> Any:
        targets = ffi.new('struct sch_render_target[]', self._targets)
        self._kept.append(targets)
        return struct('rectangle', width=self._width, height=self._height, registers=self._registers,
                      register_count=len(self._registers), render_targets=targets, render_target_count=len(targets),
                      register_stride=ffi.sizeof('struct sch_rectangle_register'),
                      render_target_stride=ffi.sizeof('struct sch_render_target'))


_PICTURE_TYPES = ('float32', 'uint8', 'int32', 'uint32')


def _pixels(out: Any, height: int, width: int, dtype: np.dtype[Any]) -> Array:
    """The array of a target: rows may be apart, texels of a row follow each other."""
    if out is None:
        return np.zeros((height, width, 4), dtype)
    if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != (height, width, 4):
        have = f'{out.dtype} {out.shape}' if isinstance(out, np.ndarray) else type(out).__name__
        raise ValueError(f'out is an array of {dtype} with the shape {(height, width, 4)}, not {have}')
    if not out.flags.writeable:
        raise ValueError('out is read-only')
    texel = 4 * dtype.itemsize
    if out.strides[1:] != (texel, dtype.itemsize) or out.strides[0] < texel * width:
        raise ValueError(f'out has strides of {out.strides}: texels of a row follow each other, and rows go down')
    return out


def _size(size: Any) -> tuple[int, int]:
    try:
        width, height = (int(side) for side in size)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f'size is (width, height), not {size!r}') from None
    if not 1 <= width <= lib.SCH_RECTANGLE_SIDE or not 1 <= height <= lib.SCH_RECTANGLE_SIDE:
        raise ValueError(f'sides are 1 to {lib.SCH_RECTANGLE_SIDE}, not {width} and {height}')
    return width, height


def run(shader: Source, size: tuple[int, int] = (256, 256), *, textures: TexturesArgument = None,
        samplers: SamplersArgument = None, constants: ConstantsArgument = None,
        buffers: Mapping[Slot, Array] | None = None, images: Mapping[Slot, Any] | None = None,
        inputs: Mapping[int, npt.ArrayLike] | None = None, target: Target | Sequence[Target] = 0,
        dtype: npt.DTypeLike = np.float32, out: Array | None = None, context: Context | None = None,
        **options: Unpack[RunOptions]) -> Any:
    """Runs a fragment shader over a picture of ``size`` (width, height), and returns the Picture: an array of (height,
    width, 4). Each pixel gets what ``scheelite run`` gives it: GENERIC, TEXCOORD and COLOR are (s, t, 0, 1).

    ``textures`` are arrays, Textures or views by their register, ``samplers`` Samplers or dicts of their keywords (one
    Sampler: for all textures), ``constants`` arrays of 32-bit words by constant buffer (without a dict: buffer 0).
    ``buffers`` are arrays and ``images`` Textures that the shader reads and writes in place. ``inputs`` gives IN
    registers four floats, the same in all pixels.

    ``target`` is the index of a COLOR, or "depth"; a list of them returns a dict. ``dtype`` is float32; uint8, as render
    targets of 8 bits are written; or int32 or uint32 for shaders that write integers. ``out`` is an array to write into.
    Killed pixels stay as they were: 0, or what ``out`` had. For the other keywords see RunOptions."""
    context = context_of(context, shader)
    made = in_context(shader, context)
    if made.stage != 'fragment':
        raise ValueError(f'run takes fragment shaders, not {made.stage} ones: dispatch runs compute shaders, draw draws '
                         'with vertex shaders, and invoke runs single invocations')
    width, height = _size(size)
    kind = np.dtype(dtype)
    if kind.name not in _PICTURE_TYPES:
        raise ValueError(f'pictures are of {", ".join(_PICTURE_TYPES)}, not {kind}')
    execution = Execution(context, options, made._source)
    painter = _Painter(made._lowered(), width, height, inputs or {})
    execution.kept.append(painter)
    wanted = list(target) if isinstance(target, (list, tuple)) else [target]
    if out is not None and len(wanted) > 1:
        raise ValueError('out is for one target')
    results: dict[Target, Array] = {}
    for one in wanted:
        if one == 'depth' and kind == np.uint8:
            raise ValueError('depth is not of uint8')
        results[one] = _pixels(out, height, width, kind)
        painter.add(painter.output(one), results[one])
    program = made._program(execution.engine, execution.lanes)
    bound = Bound(context, made, textures=textures, samplers=samplers, constants=constants, buffers=buffers,
                  images=images)
    rectangle = painter.rectangle()
    execution.call(lambda: lib.sch_dispatch_rectangle(program.pointer, bound.struct, rectangle, execution.options,
                                                      execution.report), [bound], made.name or 'run')
    pictures = {one: Picture(pixels[..., 2] if one == 'depth' else pixels) for one, pixels in results.items()}
    return pictures if isinstance(target, (list, tuple)) else pictures[wanted[0]]


# ---- grids -----------------------------------------------------------------------------------------------------------


def _three(what: str, values: Any) -> tuple[int, int, int]:
    numbers = [values] if isinstance(values, (int, np.integer)) else list(values)
    if not 1 <= len(numbers) <= 3 or any(not 1 <= whole(what, number) < 2**32 for number in numbers):
        raise ValueError(f'{what} is one to three numbers from 1 on, not {values!r}')
    x, y, z = [*(int(number) for number in numbers), 1, 1][:3]
    return x, y, z


def dispatch(shader: Source, grid: int | Sequence[int], block: int | Sequence[int] | None = None, *,
             buffers: Mapping[Slot, Array] | None = None, textures: TexturesArgument = None,
             samplers: SamplersArgument = None, constants: ConstantsArgument = None,
             images: Mapping[Slot, Any] | None = None, counters: Mapping[int, Array] | None = None,
             memory: Array | None = None, input_memory: npt.ArrayLike | None = None, context: Context | None = None,
             **options: Unpack[RunOptions]) -> int:
    """Runs a compute shader over a grid of work groups; ``block`` is the size of a work group if the shader does not fix
    it. Returns how many instructions were executed, counted once for 32 invocations.

    ``buffers`` are numpy arrays by BUFFER register, which the shader reads and writes in place: nothing is copied, so
    they must be contiguous and writable. ``images`` are Textures, ``counters`` the arrays of HWATOMIC registers,
    ``memory`` MEMORY, GLOBAL and ``input_memory`` MEMORY, INPUT. Others are as of run."""
    context = context_of(context, shader)
    made = in_context(shader, context)
    if made.stage != 'compute':
        raise ValueError(f'dispatch takes compute shaders, not {made.stage} ones')
    groups, size = _three('grid', grid), made.info.block
    if block is not None:
        size = _three('block', block)
        fixed = made.info.block
        if any(fixed) and size != tuple(side or 1 for side in fixed):
            raise ValueError(f'the shader fixes its block to {fixed}; it cannot be {size}')
    execution = Execution(context, options, made._source)
    program = made._program(execution.engine, execution.lanes)
    bound = Bound(context, made, textures=textures, samplers=samplers, constants=constants, buffers=buffers,
                  images=images, counters=counters, memory=memory, input_memory=input_memory)
    return execution.call(lambda: lib.sch_dispatch_grid(program.pointer, bound.struct, groups, size, execution.options,
                                                        execution.report), [bound], made.name or 'dispatch')


# ---- invocations -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outputs:
    """The OUT registers of invocations: (invocations, registers, 4). The three views share their memory."""

    uint: Array
    killed: Array
    """Whether each invocation was killed or demoted."""

    @property
    def float(self) -> Array:
        return self.uint.view(np.float32)

    @property
    def int(self) -> Array:
        return self.uint.view(np.int32)

    def __len__(self) -> Any:
        return len(self.uint)


def invoke(shader: Source, inputs: npt.ArrayLike | None = None, *, count: int | None = None,
           system_values: npt.ArrayLike | None = None, quads: bool = False, textures: TexturesArgument = None,
           samplers: SamplersArgument = None, constants: ConstantsArgument = None,
           buffers: Mapping[Slot, Array] | None = None, images: Mapping[Slot, Any] | None = None,
           counters: Mapping[int, Array] | None = None, memory: Array | None = None,
           input_memory: npt.ArrayLike | None = None, context: Context | None = None,
           **options: Unpack[RunOptions]) -> Outputs:
    """Runs a shader once for each row of ``inputs``, with exact bits in and out, as ``scheelite eval``.

    ``inputs`` are the IN registers, 32-bit words of (invocations, registers, 4), or (invocations, 4) for one register;
    of shaders whose inputs have a vertex dimension (invocations, vertices, registers, 4). ``system_values`` are the SV
    registers likewise. ``quads``: each four invocations are a quad of pixels, and have derivatives. Others are as of run
    and dispatch. Geometry shaders are not run (draw does)."""
    context = context_of(context, shader)
    made = in_context(shader, context)
    if made.stage == 'geometry':
        raise ValueError('invoke does not collect what geometry shaders emit: draw with them')
    work = struct('invocations', quads=quads)
    vertices = 0
    given: Array | None = None
    if inputs is not None:
        refuse_file('inputs', inputs, 'numpy.fromfile({}, numpy.float32)')
        array = inputs if isinstance(inputs, np.ndarray) else numbers('inputs', inputs, np.float32)
        if array.ndim == 4:
            vertices = array.shape[1]
            array = array.reshape(array.shape[0] * vertices, *array.shape[2:])
        given = registers('inputs', array, made.info.inputs)
        found = given.shape[0] // max(1, vertices)
        if count is not None and count != found:
            raise ValueError(f'inputs are of {found} invocations, not of {count}')
        count = found
        work.inputs, work.input_bytes = ffi.cast('uint32_t *', address(given)), given.nbytes
        work.input_registers, work.input_vertices = given.shape[1], vertices
    count = 1 if count is None else whole('count', count)
    system: Array | None = None
    if system_values is not None:
        system = registers('system_values', system_values, made.info.system_values)
        if len(system) != count:
            raise ValueError(f'system_values are of {len(system)} invocations, and inputs of {count}')
        work.system_values, work.system_value_bytes = ffi.cast('uint32_t *', address(system)), system.nbytes
        work.system_value_registers = system.shape[1]
    results = np.zeros((count, made.info.outputs, 4), np.uint32)
    killed = np.zeros(count, np.uint8)
    work.count = count
    if results.size:
        work.outputs, work.output_bytes = ffi.cast('uint32_t *', address(results)), results.nbytes
        work.output_registers = made.info.outputs
    if count:
        work.killed, work.killed_bytes = ffi.cast('uint8_t *', address(killed)), killed.nbytes
    execution = Execution(context, options, made._source)
    program = made._program(execution.engine, execution.lanes)
    bound = Bound(context, made, textures=textures, samplers=samplers, constants=constants, buffers=buffers,
                  images=images, counters=counters, memory=memory, input_memory=input_memory)
    execution.call(lambda: lib.sch_dispatch(program.pointer, bound.struct, work, execution.options, execution.report),
                   [bound], made.name or 'invoke')
    return Outputs(results, killed.astype(bool))
