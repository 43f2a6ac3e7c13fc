"""What two shaders give for the same inputs, and what an invocation does: the command's `compare` and `trace`, as
objects. Holds nothing of how the command is run."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Union, Unpack

import numpy as np
import numpy.typing as npt

from ._arrays import Array, words
from ._bindings import ConstantsArgument, SamplersArgument
from ._command import BoundTextures, Inputs, document, folder_for, run_command, warn
from ._context import RunOptions
from ._library import refuse_file
from ._shader import Source

__all__ = ['Comparison', 'Output', 'Step', 'Trace', 'Values', 'Witness', 'Write', 'compare', 'trace']

Number = Union[float, int]


def _text(value: Number) -> str:
    """A float as the shortest decimal that reads back as the same one."""
    return str(np.float32(value)) if isinstance(value, float) else str(value)


@dataclass(frozen=True, eq=False)
class Values:
    """What a register has in a lane: four words, and what they are taken for."""

    lane: int
    """Of the invocation's group, 0 to 31."""
    words: Array
    """The exact bits, uint32."""
    types: tuple[str, ...]
    """Of each component: "float", "int", "uint" or "unknown"."""

    @property
    def numbers(self) -> list[Number]:
        """The components as numbers of their types; unknown ones as floats."""
        kinds = {'int': np.int32, 'uint': np.uint32}
        return [self.words[at:at + 1].view(kinds.get(kind, np.float32))[0].item() for at, kind in enumerate(self.types)]

    def __str__(self) -> str:
        return ', '.join(_text(one) for one in self.numbers)


def _values(given: Mapping[str, Any]) -> Values:
    return Values(given.get('lane', 0), np.array([int(word, 16) for word in given['bits']], np.uint32),
                  tuple(given['types']))


@dataclass(frozen=True)
class Write:
    """A register that an instruction wrote."""

    register: str
    channels: str
    """Those that were written: "xyzw", "y"."""
    lanes: tuple[Values, ...]
    """The values in each lane that was asked for: all four components, of which ``channels`` were written."""

    @property
    def words(self) -> Array:
        """The bits of the channels that were written, in the first of the lanes."""
        return self.lanes[0].words[['xyzw'.index(one) for one in self.channels]]

    @property
    def numbers(self) -> list[Number]:
        """The channels that were written as numbers, in the first of the lanes."""
        return [self.lanes[0].numbers['xyzw'.index(one)] for one in self.channels]

    def __str__(self) -> str:
        return f'{self.register}.{self.channels} = {", ".join(_text(one) for one in self.numbers)}'


def _writes(given: Sequence[Mapping[str, Any]]) -> tuple[Write, ...]:
    """Of traces, whose lanes are a list, and of comparisons, which have one."""
    return tuple(Write(one['register'], one['channels'], tuple(_values(lane) for lane in one.get('lanes', [one])))
                 for one in given)


@dataclass(frozen=True)
class Step:
    """An instruction that was executed."""

    time: int
    """How many instructions the invocation's group had executed before."""
    line: int
    """Counted from 1 in the source's text; 0: it has no line."""
    text: str
    writes: tuple[Write, ...]
    sources: tuple[tuple[Values, ...], ...] = ()
    """The values of each operand, in each lane that was asked for. Steps of a Comparison have none."""
    lookups: tuple[Mapping[str, Any], ...] = ()
    """Of a texture lookup the level of detail and the texels of each lane, as docs/json.md has them."""

    def __str__(self) -> str:
        return f'{self.time:6}  {f"line {self.line}" if self.line else "":<10} {self.text:<46} ' + \
            '; '.join(str(one) for one in self.writes)


def _step(given: Mapping[str, Any]) -> Step:
    sources = tuple(tuple(_values(lane) for lane in one['lanes']) for one in given.get('sources', ()))
    return Step(given['time'], given['line'], given['text'], _writes(given['writes']), sources,
                tuple(given.get('lookups', ())))


@dataclass(frozen=True, repr=False)
class Trace:
    """What an invocation did. Printed, it is a line for each instruction."""

    stage: str
    """As Shader.stage."""
    invocation: str
    """Which one it is, in words."""
    lane: int
    """Its lane in its group."""
    steps: tuple[Step, ...]
    error: str
    """Why the run failed, at the last step; empty: it did not."""

    def __str__(self) -> str:
        first = f'{self.invocation}: {self.stage}, lane {self.lane} of its group'
        return '\n'.join([first, *(str(one).rstrip() for one in self.steps), *([self.error] if self.error else [])])

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class Output:
    """An output of both shaders."""

    name: str
    """What it means: "COLOR[0]"."""
    a: Values
    b: Values


@dataclass(frozen=True, repr=False)
class Witness:
    """An input on which two shaders differ, made as small as possible."""

    kind: str
    """What differs: "output", "kill", "events", "memory", "end", or "register" of Maxwell code."""
    name: str
    """Of the output, event, memory or register."""
    component: str
    """"x", "y", "z", "w", or empty."""
    words: tuple[int, int]
    """What A and B have there; of kills 0 or 1, of ends results of the library."""
    inputs: tuple[str, str]
    """The values in the registers of A and B: lines as ``scheelite eval --vectors`` reads them."""
    quads: bool
    """The lines are a quad of pixels."""
    outputs: tuple[Output, ...]
    """What both have in all outputs."""
    commands: tuple[str, str]
    """That run each of them again, in the folder of the call."""
    steps: tuple[tuple[bool, Step | None, Step | None], ...]
    """The traces side by side around the first step that is not the same: whether it is, and what A and B did."""

    def __str__(self) -> str:
        place = f'{self.name}.{self.component}' if self.component else self.name
        lines = [f'they differ in {place or self.kind}: {self.words[0]:#010x} in A, {self.words[1]:#010x} in B']
        for one in self.outputs:
            lines += [f'  {side} {one.name:<14} {value}' for side, value in (('A', one.a), ('B', one.b))]
        lines += ['the input:', *(f'    {line}' for line in self.inputs[0].splitlines() if line)]
        for same, left, right in self.steps:
            for side, step in (('A', left), ('B', right)):
                if step and not same:
                    lines.append(f'> {side} {step}'.rstrip())
        return '\n'.join(lines)

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class Comparison:
    """Whether two shaders do the same."""

    equal: bool
    """They gave the same on all inputs that were tried, which is no proof; False also where all inputs ended early."""
    inputs: int
    """How many invocations were compared, with those that are undecided."""
    undecided: int
    """Of how many both ended early, by a budget for example."""
    reason: str
    """In what they differ before anything runs: "stage", "invocations" or "outputs"; otherwise empty."""
    witness: Witness | None
    """The inputs on which they differ."""

    def __bool__(self) -> bool:
        raise TypeError('a Comparison is neither true nor false: use .equal')

    def __str__(self) -> str:
        if self.equal:
            undecided = f', {self.undecided} of them undecided' if self.undecided else ''
            return f'equal on {self.inputs} inputs{undecided}'
        if self.witness:
            return f'different, on input {self.inputs}\n{self.witness}'
        return f'different in {self.reason}' if self.reason else f'undecided: all {self.undecided} inputs end early'

    __repr__ = __str__


def _witness(given: Mapping[str, Any]) -> Witness:
    at = given['difference']
    rows = (given['traces'] or {'rows': ()})['rows']
    return Witness(at['kind'], at['name'] or '', at['component'] or '', (int(at['a'], 16), int(at['b'], 16)),
                   (given['lines_a'], given['lines_b']), given['quads'],
                   tuple(Output(one['name'], _values(one['a']), _values(one['b'])) for one in given['outputs']),
                   (given['commands'][0], given['commands'][1]),
                   tuple((row['same'], _step(row['a']) if row['a'] else None, _step(row['b']) if row['b'] else None)
                         for row in rows))


_COMPARE_OPTIONS = ('engine', 'lanes', 'threads', 'budget', 'work', 'deadline', 'cancel')


def compare(a: Source, b: Source, *, count: int = 1024, seed: int = 1, values: str = 'all', tolerance: float = 0,
            nan: str = 'any', vectors: str = '', textures: BoundTextures = None, samplers: SamplersArgument = None,
            constants: ConstantsArgument = None, folder: str | PathLike[str] | None = None,
            arguments: Sequence[str] = (), **options: Unpack[RunOptions]) -> Comparison:
    """Whether two shaders do the same, of any two languages: on ``count`` invocations with inputs that are made by
    ``seed``, after those of ``vectors`` (lines as ``scheelite eval`` reads them). A shader is as of run; a
    pathlib.Path may name HLSL (.hlsl) or Maxwell code, too.

    ``values`` is "all" (with zeros of both signs, denormals, infinities, NaN) or "normal" (floats of ordinary
    magnitude), ``tolerance`` what floats may differ by, absolutely or of the larger one, ``nan`` "any" or "bits".
    Registers that are read and not bound get made textures, constants and so on, the same for both. ``textures`` are
    Textures, arrays or paths of files.

    The command runs them in a process of its own (command_path), where no Context has a say; of RunOptions it has
    engine, lanes, threads, budget, work, deadline and cancel. ``arguments`` are further options of ``scheelite
    compare``, as on its command line. Files are written to ``folder``, which the witness's commands need; otherwise
    they are deleted."""
    with folder_for(folder) as place:
        inputs = Inputs(place)
        inputs.bind(textures, samplers, constants)
        inputs.options('compare', options, _COMPARE_OPTIONS)
        inputs.arguments += ['--count', str(int(count)), '--seed', str(int(seed)), '--values', str(values),
                             '--tolerance', repr(float(tolerance)), '--nan', str(nan)]
        if vectors:
            refuse_file('vectors', vectors, 'pathlib.Path({}).read_text()')
            inputs.arguments += ['--vectors', inputs.file('vectors.tsv', vectors.encode())]
        done = run_command('compare', ['--json', *inputs.arguments, *(str(one) for one in arguments),
                                       inputs.shader('a', a), inputs.shader('b', b)], folder=place, options=options,
                           answers=(0, 1, 5))
    warn(done)
    found = document('compare', done)
    return Comparison(found['equal'], found['inputs'], found['undecided'], found['reason'] or '',
                      _witness(found['witness']) if found['witness'] else None)


# Stages as Shader.stage has them, by the command's options and in its documents.
_STAGES = {'tess_ctrl': ('tess-control', 'tessellation control'),
           'tess_eval': ('tess-evaluation', 'tessellation evaluation')}
_TRACE_OPTIONS = ('engine', 'lanes', 'budget', 'work', 'cancel')


def _vector(what: str, inputs: npt.ArrayLike | None, letters: str) -> list[str]:
    """Registers of one invocation, as fields of a table of values."""
    if inputs is None:
        return []
    array = words(what, inputs)
    if array.ndim not in (1, 2) or array.shape[-1] != 4:
        raise ValueError(f'{what} of one invocation has the shape (registers, 4), not {array.shape}')
    rows: Any = array.reshape(-1, 4).view(np.uint32)  # a number has no parts, for numpy 2's types
    return [f'{letters}[{index}]=' + ','.join(f'{int(word):#010x}' for word in row) for index, row in enumerate(rows)]


def _places(**given: Any) -> list[str]:
    """Options whose values are numbers, with commas between them."""
    made: list[str] = []
    for name, value in given.items():
        if value is not None:
            numbers = [value] if isinstance(value, (int, np.integer)) else list(value)
            made += [f'--{name.replace("_", "-")}', ','.join(str(int(one)) for one in numbers)]
    return made


def trace(source: Source, *, pixel: tuple[int, int] | None = None, size: tuple[int, int] | None = None,
          inputs: npt.ArrayLike | None = None, system_values: npt.ArrayLike | None = None,
          grid: Sequence[int] | None = None, block: Sequence[int] | None = None,
          work_group: Sequence[int] | None = None, thread: Sequence[int] | None = None, draw: int | None = None,
          stage: str | None = None, vertex: int | None = None, first: int | None = None, last: int | None = None,
          lowered: bool = False, textures: BoundTextures = None, samplers: SamplersArgument = None,
          constants: ConstantsArgument = None, arguments: Sequence[str] = (), **options: Unpack[RunOptions]) -> Trace:
    """What one invocation of a shader does, instruction by instruction, with the values that each one makes.

    The invocation is a ``pixel`` (x, y) of a picture of ``size``, as run shades it; or the ``inputs`` and
    ``system_values`` of one invocation, (registers, 4), as of invoke; or a ``thread`` of a ``work_group`` of a
    ``grid`` of work groups with three sides, as of dispatch. Of the path of a scene (.scene) it is the pixel of its
    picture, or ``draw`` (counted from 1), ``stage`` and ``vertex``. ``first`` and ``last`` are moments (Step.time). A
    Direct3D shader is shown in its own text, or as TGSI if ``lowered``. ``textures`` are Textures, arrays or paths of
    files.

    The command runs it in a process of its own (command_path), where no Context has a say; of RunOptions it has engine,
    lanes, budget, work and cancel. ``arguments`` are further options of ``scheelite trace``, as on its command line. A
    trace of more than 64 MiB of JSON, some 50,000 steps, is a LimitError."""
    with folder_for(None) as place:
        given = Inputs(place)
        given.bind(textures, samplers, constants)
        given.options('trace', options, _TRACE_OPTIONS)
        given.arguments += _places(pixel=pixel, grid=grid, block=block, work_group=work_group, thread=thread, draw=draw,
                                   vertex=vertex, **{'from': first, 'to': last})
        if size is not None:
            given.arguments += ['--size', f'{int(size[0])}x{int(size[1])}']
        if stage is not None:
            given.arguments += ['--stage', _STAGES.get(stage, (stage,))[0]]
        fields = [*_vector('inputs', inputs, 'IN'), *_vector('system_values', system_values, 'SV')]
        if fields or (pixel is None and grid is None and draw is None):
            given.arguments += ['--vectors', given.file('vectors.tsv', ('\t'.join(fields) + '\n').encode())]
        given.arguments += ['--lowered'] if lowered else []
        done = run_command('trace', ['--json', *given.arguments, *(str(one) for one in arguments),
                                     given.shader('shader', source)], folder=place, options=options, answers=range(256))
    found = document('trace', done)
    error = '' if found['complete'] else '\n'.join(
        [*(one.text for one in done.reports if one.is_error), done.text]).strip() or f'exit code {done.code}'
    warn(done._replace(text='' if error else done.text))
    named = next((word for word, others in _STAGES.items() if found['stage'] in others), found['stage'])
    return Trace(named, found['invocation'], found['lane'], tuple(_step(one) for one in found['steps']), error)
