"""The command, for what the library has no functions for: where it is, how it is run, what its exit codes and messages
are in Python, and what its options say of Python's objects. Holds nothing of single verbs."""
from __future__ import annotations

import ctypes
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Union

import numpy as np

from . import _native, errors
from ._arrays import Array, word_rows
from ._bindings import Slot
from ._context import check_options, milliseconds
from ._files import save
from ._library import check_keywords
from ._shader import Shader, Source, read_bytes
from ._texture import Sampler, Texture

__all__ = ['Inputs', 'command_path', 'run_command']

_OUTPUT = 64 << 20  # bytes of a document: what Python makes of it is many times as large
_POLL = 0.02  # seconds between looks at Cancel and at how much was written

BoundTextures = Union[Mapping[Slot, Union[Texture, Array, str, PathLike[str]]], None]
"""What texture registers are bound to: Textures, arrays, or paths of files, by register."""


class _Symbol(ctypes.Structure):
    """Dl_info of dlfcn.h."""

    _fields_ = [('name', ctypes.c_char_p), ('base', ctypes.c_void_p), ('symbol', ctypes.c_char_p),
                ('address', ctypes.c_void_p)]


def _library_file() -> Path | None:
    """The file of the library that is loaded. cffi's own pointers lead into the extension module."""
    try:
        dladdr = ctypes.CDLL(None).dladdr
        version = ctypes.CDLL(_native.__file__).sch_version
    except (AttributeError, OSError, TypeError):
        return None
    found = _Symbol()
    dladdr.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Symbol)]
    if not dladdr(ctypes.cast(version, ctypes.c_void_p), ctypes.byref(found)) or not found.name:
        return None
    return Path(os.path.realpath(os.fsdecode(found.name)))


def _beside(library: Path) -> Iterator[Path]:
    """Where the command of a library is: lib and lib/x86_64-linux-gnu are beside bin, and a build has it in cli."""
    yield library.parent / 'cli' / 'scheelite'
    yield library.parent.parent / 'bin' / 'scheelite'
    yield library.parent.parent.parent / 'bin' / 'scheelite'


@functools.cache
def _found(named: str | None, folders: str | None) -> str:
    if named:
        path = shutil.which(named, path=folders)
        if not path:
            raise errors.UnsupportedError(f'SCHEELITE_COMMAND is {named!r}, which is no program')
        return path
    library = _library_file()
    for place in _beside(library) if library else ():
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    path = shutil.which('scheelite', path=folders)
    if path:
        return path
    raise errors.UnsupportedError(
        'render of scenes, compare and trace run the command scheelite, which is neither beside the library'
        f'{f" ({library.parent})" if library else ""} nor in PATH: install it (Debian: the package scheelite), or name '
        'it in SCHEELITE_COMMAND')


def command_path() -> str:
    """The command that render, compare and trace run: what the environment's SCHEELITE_COMMAND names, or what is
    installed with the library, or the one in PATH. UnsupportedError: there is none."""
    return _found(os.environ.get('SCHEELITE_COMMAND'), os.environ.get('PATH'))


class Done(NamedTuple):
    """What a command answered: yes (0) or no (1), where the verb has answers."""

    code: int
    output: bytes
    reports: list[errors.Diagnostic]
    text: str
    """What else it said on standard error."""


_REPORT = re.compile(r'(?P<source>.*?)(?::(?P<line>\d+)(?::(?P<column>\d+))?|: byte (?P<offset>\d+)): '
                     r'(?P<severity>error|warning) (?P<number>\d+): (?P<message>.*)')


def _read_reports(text: str) -> tuple[list[errors.Diagnostic], str]:
    """The diagnostics of standard error, and its other lines. A line of the source and a caret may follow a report."""
    reports: list[errors.Diagnostic] = []
    others: list[str] = []
    lines = [line for line in text.split('\n') if not line.startswith('see: scheelite ')]
    at = 0
    while at < len(lines):
        found = _REPORT.fullmatch(lines[at])
        at += 1
        if not found:
            others.append(lines[at - 1])
            continue
        shown, caret = '', 0
        if at + 1 < len(lines) and lines[at].startswith('    ') and re.fullmatch(r' {4} *\^', lines[at + 1]):
            shown = lines[at][4:]
            caret = len(shown[:len(lines[at + 1]) - 5].encode())
            at += 2
        number = {name: int(found[name] or 0) for name in ('line', 'column', 'offset', 'number')}
        reports.append(errors.Diagnostic(found['severity'], number['number'], number['line'], number['column'],
                                         number['offset'], found['source'], found['message'], shown, caret))
    return reports, '\n'.join(line for line in others if line)


def _wait(process: subprocess.Popen[bytes], output: Any, verb: str, options: Mapping[str, Any]) -> None:
    """Waits for the end of the command, and ends it where Python is to go on."""
    cancel = options.get('cancel')
    try:
        while True:
            try:
                process.wait(_POLL)
                return
            except subprocess.TimeoutExpired:
                pass
            if cancel is not None and cancel.is_set:
                raise errors.CancelledError(f'{verb}: cancelled')
            if os.fstat(output.fileno()).st_size > _OUTPUT:
                raise errors.LimitError(f'{verb}: more than {_OUTPUT >> 20} MiB are printed: ask for a part of it')
    except BaseException:  # Ctrl-C, too
        process.kill()
        process.wait()
        raise


_CLASSES: dict[int, type[errors.Error]] = {1: errors.ShaderError, 2: errors.ArgumentError, 4: errors.UnsupportedError,
                                           5: errors.LimitError}


def fail(verb: str, done: Done) -> NoReturn:
    """Raises what an exit code means."""
    wrong = [one for one in done.reports if one.is_error] or done.reports
    text = wrong[0].text if wrong else done.text.removeprefix('scheelite: ') or f'{verb}: exit code {done.code}'
    if len(wrong) > 1:
        text += f'\n... and {len(wrong) - 1} more (see .diagnostics)'
    if done.code == 3:  # it cannot read or write
        raise OSError(text)
    if done.code < 0:
        text = f'{verb}: the command was ended by {signal.Signals(-done.code).name}'
    raise _CLASSES.get(done.code, errors.InternalError)(text, done.reports)


def run_command(verb: str, arguments: Sequence[str], *, folder: str, options: Mapping[str, Any],
                answers: Sequence[int] = (0,), data: bytes = b'', where: str | None = None) -> Done:
    """Runs a verb in the folder ``where``; ``folder`` takes what it prints. Raises what its exit code means if it is
    not among ``answers``, or is not 0 and nothing was printed. ``data`` is what the verb reads as "-"."""
    cancel = options.get('cancel')
    if cancel is not None and cancel.is_set:
        raise errors.CancelledError(f'{verb}: cancelled')
    files = [tempfile.TemporaryFile(dir=folder) for _ in range(3)]  # nobody has to read them meanwhile
    try:
        files[0].write(data)
        files[0].seek(0)
        with subprocess.Popen([command_path(), verb, *arguments], stdin=files[0], stdout=files[1], stderr=files[2],
                              cwd=where or folder) as process:
            _wait(process, files[1], verb, options)
        for one in files[1:]:
            one.seek(0)
        output, said = files[1].read(_OUTPUT + 1), files[2].read(_OUTPUT)
    finally:
        for one in files:
            one.close()
    reports, text = _read_reports(said.decode('utf-8', 'replace').replace('<stdin>:', f'{verb}:'))
    done = Done(process.returncode, output, reports, text)
    if done.code not in answers or (done.code and not output):
        fail(verb, done)
    if len(output) > _OUTPUT:
        raise errors.LimitError(f'{verb}: more than {_OUTPUT >> 20} MiB are printed: ask for a part of it')
    return done


def warn(done: Done) -> None:
    """Has Python warn of what a command said beside its answer."""
    errors.warn_of([*(one for one in done.reports if not one.is_error), *([done.text] if done.text else [])])


def document(verb: str, done: Done) -> dict[str, Any]:
    """The JSON that a verb printed. Members may be added to a form, and another number is another form
    (docs/json.md)."""
    try:
        made: dict[str, Any] = json.loads(done.output)
    except ValueError:
        fail(verb, done)
    if made.get('schema') != f'scheelite-{verb}/1':
        raise errors.UnsupportedError(f'{command_path()} prints {made.get("schema")!r}, and this package reads '
                                      f'scheelite-{verb}/1: they are not of one version')
    return made


_SAMPLER = {'anisotropy': 'aniso', 'lod_bias': 'lod-bias', 'min_lod': 'min-lod', 'max_lod': 'max-lod'}


def _sampler_keys(sampler: Sampler) -> str:
    """A sampler as --sampler has it."""
    given = dict(sampler._given)
    plain = Sampler.__init__.__kwdefaults__ or {}
    least, most = (given['filter'],) * 2 if isinstance(given['filter'], str) else given['filter']
    keys = [f'min={least}', f'mag={most}', f'mip={given["mip"]}', f'seamless={int(given["seamless"])}']
    keys += ['unnormalized=1'] if given['unnormalized'] else []
    keys += [f'{_SAMPLER.get(name, name)}={given[name]}'
             for name in ('anisotropy', 'lod_bias', 'min_lod', 'max_lod', 'compare', 'reduction', 'rules')
             if given[name] != plain[name]]
    wrap = given['wrap']
    keys.append(f'wrap={wrap if isinstance(wrap, str) else ",".join(wrap)}')
    if given['border'] is not None:
        keys.append('border=' + ','.join(str(one) for one in given['border']))
    return ','.join(keys)


class Inputs:
    """What a verb reads, as its arguments: files are named where they are, all else is written into a folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.arguments: list[str] = []

    def shader(self, name: str, source: Source) -> str:
        """The file of a shader. Texts and bytes are written to ``name``."""
        if isinstance(source, PathLike):
            path = os.path.abspath(os.fspath(source))
            os.stat(path)
            return path
        if isinstance(source, Shader):
            data = source._source if source._as_given and source._source else source.tobytes()
        else:
            data, _ = read_bytes(source)
        return self.file(name, data)

    def file(self, name: str, data: bytes) -> str:
        with open(os.path.join(self.folder, name), 'wb') as file:
            file.write(data)
        return name

    def _slot(self, what: str, slot: Any) -> str:
        named = re.fullmatch(r'(?:cb|[tsu])?(\d{1,5})(?:,\s*space(\d{1,9}))?', str(slot).lower())
        if isinstance(slot, bool) or not named:
            raise ValueError(f'{what}: a register is a number, or of Direct3D shaders such as "t0" or "t0,space1", not '
                             f'{slot!r}')
        return f'{named[2]}:{named[1]}' if named[2] else named[1]

    def _texture(self, number: int, texture: Any) -> str:
        """The name of a file with a texture. Names of the caller's may have commas, which options take apart."""
        if isinstance(texture, (str, PathLike)):
            path = os.path.abspath(os.fspath(texture))
            os.stat(path)
            name = f'texture{number}{os.path.splitext(path)[1].lower()}'
            os.symlink(path, os.path.join(self.folder, name))
            return name
        if isinstance(texture, np.ndarray):
            texture = Texture(texture)
        if not isinstance(texture, Texture):
            raise TypeError(f'textures are Textures, arrays or paths of files, not {type(texture).__name__}')
        name = f'texture{number}.ktx2'
        save(os.path.join(self.folder, name), texture)
        return name

    def bind(self, textures: BoundTextures, samplers: Any, constants: Any) -> None:
        """What registers are bound to, as run has it."""
        numbers: list[str] = []
        for number, (slot, texture) in enumerate((textures or {}).items()):
            if texture is not None:
                numbers.append(self._slot('textures', slot))
                self.arguments += ['--tex', f'{numbers[-1]}={self._texture(number, texture)}']
        made = dict.fromkeys(numbers, samplers) if isinstance(samplers, Sampler) else {}
        for slot, sampler in ({} if isinstance(samplers, Sampler) else samplers or {}).items():
            if isinstance(sampler, Mapping):
                check_keywords('a sampler', sampler, Sampler.__init__.__kwdefaults__ or {})
                sampler = Sampler(**sampler)
            if not isinstance(sampler, Sampler):
                raise TypeError(f'samplers[{slot}] is a Sampler or a dict, not {type(sampler).__name__}')
            made[self._slot('samplers', slot)] = sampler
        self.arguments += [word for register, sampler in made.items()
                           for word in ('--sampler', f'{register}={_sampler_keys(sampler)}')]
        self._constants(constants)

    def _constants(self, constants: Any) -> None:
        if constants is None:
            return
        for slot, values in (constants if isinstance(constants, Mapping) else {0: constants}).items():
            rows: Any = word_rows(f'constants[{slot}]', values).view(np.uint32)  # a number has no parts, for numpy 2's types
            if len(rows) > 4096:
                raise ValueError(f'constants[{slot}] has {len(rows)} registers: at most 4096 are given to the command')
            number = self._slot('constants', slot)
            for index, row in enumerate(rows):
                self.arguments += ['--const', f'{number}:{index}=' + ','.join(f'{int(word):#x}' for word in row)]

    def options(self, verb: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
        """Options of runs that the verb has."""
        check_options(given)
        for name, value in given.items():
            if name == 'cancel' or value is None:
                continue
            if name not in known:
                raise TypeError(f'{verb} has no {name!r}: it has {", ".join(known)}')
            if name == 'engine':
                self.arguments += ['--engine', {'interpreter': 'interp'}.get(str(value), str(value))]
            elif name == 'deadline':
                self.arguments += ['--deadline', str(milliseconds(value))]
            elif value:
                self.arguments += [{'lanes': '--width'}.get(name, f'--{name}'), str(value)]


@contextmanager
def folder_for(given: str | PathLike[str] | None) -> Iterator[str]:
    """A folder for files of a call: one that the caller keeps, or one that is deleted."""
    if given is not None:
        os.makedirs(given, exist_ok=True)
        yield os.path.abspath(os.fspath(given))
        return
    with tempfile.TemporaryDirectory(prefix='scheelite-') as made:
        yield os.path.realpath(made)
