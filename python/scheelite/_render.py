"""Drawing scenes, by the command's `render`, and shaders, by run. Holds nothing of how scenes are read."""
from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from . import errors
from ._command import Inputs, folder_for, run_command, warn
from ._context import RunOptions
from ._files import load
from ._run import run
from ._shader import Shader, Source, read_bytes

__all__ = ['render']

_OPTIONS = ('engine', 'lanes', 'threads', 'budget', 'work', 'deadline', 'cancel')
_DIRECT3D = re.compile(rb'(?:ps|vs|gs|hs|ds|cs|lib)_\d_\d\b')


def _is_scene(source: Source) -> bool:
    """Scenes begin with a word in small letters, shaders with FRAG, ps_5_0, a container's letters; a path says so."""
    if isinstance(source, Shader):
        return False
    if isinstance(source, PathLike) and os.fspath(source).endswith('.scene'):
        return True
    data, _ = read_bytes(source)
    lines = (line.strip() for line in data[:1 << 16].split(b'\n'))
    first = next((line for line in lines if line and not line.startswith(b'#')), b'')
    return bool(re.match(rb'[a-z]', first)) and not _DIRECT3D.match(first)


def _picture(path: str) -> Any:
    texture = load(path)
    return texture.picture() if texture.layers == 1 and texture.size[2] == 1 else texture.array()


def render(source: Source, size: tuple[int, int] | None = None, *, target: Any = None, check: bool = False,
           folder: str | PathLike[str] | None = None, arguments: Sequence[str] = (), **options: Any) -> Any:
    """The picture of a scene or of a fragment shader.

    A scene (docs/scenes.md) is a pathlib.Path of a file ``.scene``, or a text. The Picture is that of its output, or
    of the texture ``target``; a list of names returns a dict. It has the numbers of the texture: uint8, floats, depth.
    Of textures with layers or slices the array has one axis more. With ``check`` an expectation of the scene that does
    not hold is an Error. Files that a text names are looked for in ``folder``, or in the current one.

    The command draws scenes in a process of its own (command_path), where no Context has a say; of RunOptions it has
    engine, lanes, threads, budget, work, deadline and cancel. ``arguments`` are further options of ``scheelite
    render``, as on its command line.

    A shader is drawn by run, which has the other keywords: ``render(shader, size, textures=...)`` is
    ``run(shader, size, textures=...)``."""
    if not _is_scene(source):
        if check or folder is not None or arguments:
            raise TypeError('check, folder and arguments are of scenes, and this is a shader')
        return run(source, size or (256, 256), target=0 if target is None else target, **options)
    if size is not None:
        raise TypeError('a scene has its own size')
    unknown = [name for name in options if name not in RunOptions.__annotations__]
    if unknown:
        raise TypeError(f'scenes bind what they use themselves: there is no {unknown[0]!r}')
    return _draw(source, target, check, folder, arguments, options)


def _draw(source: Source, target: Any, check: bool, folder: str | PathLike[str] | None, arguments: Sequence[str],
          options: Mapping[str, Any]) -> Any:
    wanted: list[Any] = list(target) if isinstance(target, (list, tuple)) else [target]
    names = wanted if isinstance(target, (list, tuple)) or target is not None else []
    if not wanted or any(not isinstance(one, str) or not re.fullmatch(r'[^\s=,]+', one) for one in names):
        raise ValueError(f'a target is the name of a texture, or a list of names, not {target!r}')
    with folder_for(None) as place:
        inputs = Inputs(place)
        inputs.options('render', options, _OPTIONS)
        paths = [os.path.join(place, f'{index}.ktx2') for index in range(len(wanted))]
        for one, path in zip(wanted, paths):
            inputs.arguments += ['-o', path] if one is None else ['--target', f'{one}={path}']
        data, name = b'', '-'
        if isinstance(source, PathLike):
            name = os.path.abspath(os.fspath(source))
        else:
            data, _ = read_bytes(source)
        inputs.arguments += [*(['--check'] if check else []), *(str(one) for one in arguments), name]
        done = run_command('render', inputs.arguments, folder=place, options=options, data=data,
                           where=os.path.abspath(os.fspath(folder or os.curdir)), answers=(0, 1) if check else (0,))
        lines = done.output.decode('utf-8', 'replace').splitlines()
        if done.code:
            raise errors.Error('\n'.join(line for line in lines if 'failed' in line) or done.text, done.reports)
        warn(done)
        made = {one: _picture(path) for one, path in zip(wanted, paths)}
    return made if isinstance(target, (list, tuple)) else made[wanted[0]]
