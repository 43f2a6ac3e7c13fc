"""Shaders on the CPU, with numpy: checks, translates and runs TGSI and Direct3D shaders, samples textures and draws, by
libscheelite. The same bits come out on every machine.

    import numpy, pathlib, scheelite

    picture = scheelite.load('photo.png')
    scheelite.run(pathlib.Path('swirl.tgsi'), (512, 512), textures={0: picture})

docs/python.md has examples of everything."""
from ._bindings import Image
from ._command import command_path
from ._context import Cancel, Context, RunOptions, default_context, library_version, set_default_context
from ._diff import Difference, Largest, Place, diff
from ._draw import Attribute, Frame, draw
from ._files import Picture, load, save
from ._inspect import Comparison, Output, Step, Trace, Values, Witness, Write, compare, trace
from ._kernel import Kernel, kernel
from ._pieces import Declaration, Immediate, Index, Instruction, Operand, RegisterUse
from ._render import render
from ._run import Outputs, dispatch, invoke, run
from ._sample import Explained, Texel, explain_sample, fetch, gather, query_lod, query_size, sample
from ._shader import Register, Shader, ShaderInfo, asm, check, dis, shaders, translate
from ._tables import Entry, explain
from ._texture import Sampler, Texture, TextureView
from .errors import (AbortedError, ArgumentError, BarrierError, BudgetError, CancelledError, DeadlineError, Diagnostic,
                     Error, InternalError, LimitError, OutOfMemoryError, RegisterName, ScheeliteWarning,
                     ShaderError, Stop, UnsupportedError, WorkError)

__version__ = library_version()

for _class in (*Error.__subclasses__(), Error, ScheeliteWarning):
    _class.__module__ = __name__  # as programs name it, and as tracebacks shall
del _class

__all__ = [
    'AbortedError', 'ArgumentError', 'Attribute', 'BarrierError', 'BudgetError', 'Cancel', 'CancelledError',
    'Comparison', 'Context', 'DeadlineError', 'Declaration', 'Diagnostic', 'Difference', 'Entry', 'Error',
    'Explained', 'Frame', 'Image', 'Immediate', 'Index', 'Instruction', 'InternalError', 'Kernel', 'Largest',
    'LimitError', 'Operand', 'OutOfMemoryError', 'Output', 'Outputs', 'Picture', 'Place', 'Register',
    'RegisterName', 'RegisterUse', 'RunOptions', 'Sampler', 'ScheeliteWarning', 'Shader', 'ShaderError',
    'ShaderInfo', 'Step', 'Stop', 'Texel', 'Texture', 'TextureView', 'Trace', 'UnsupportedError', 'Values',
    'Witness', 'WorkError', 'Write', 'asm', 'check', 'command_path', 'compare', 'default_context', 'diff', 'dis',
    'dispatch', 'draw', 'explain', 'explain_sample', 'fetch', 'gather', 'invoke', 'kernel', 'library_version',
    'load', 'query_lod', 'query_size', 'render', 'run', 'sample', 'save', 'set_default_context', 'shaders',
    'trace', 'translate']
