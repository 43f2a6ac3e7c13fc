"""A plugin of pytest: `assert_same_picture` compares a picture with a golden one, which is a file, or with the SHA-256
that stands in the test.

    def test_swirl(assert_same_picture):
        picture = scheelite.run(SWIRL, (256, 256), dtype='uint8')
        assert_same_picture(picture, pathlib.Path('golden/swirl.png'))

Where they differ, the old picture, the new one and the difference are written to files, which the failure names. Holds
no shaders."""
from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

import numpy as np
import pytest

FOLDER = 'scheelite-pictures'

Expected = Union[str, os.PathLike[str]]
"""The file of a golden picture, or the SHA-256 of one as 64 digits (str)."""

_written = pytest.StashKey[list[Path]]()
"""Golden pictures that this run has written."""


@dataclass(frozen=True)
class _Place:
    """Where the pictures of a failure go: the folder, and how their names begin."""

    folder: Path
    name: str

    def write(self, picture: Any, kind: str = '') -> Path:
        """As a file that holds the picture: PNG of 8 bits, otherwise numpy's."""
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = self.name + (f'-{kind}' if kind else '')
        if picture.dtype == np.uint8:
            path = self.folder / f'{stem}.png'
            picture.save(path)
        else:
            path = self.folder / f'{stem}.npy'
            np.save(path, np.asarray(picture))
        return path


def _shown(picture: Any) -> Any:
    """What is compared, as a Picture."""
    import scheelite

    if isinstance(picture, (str, os.PathLike)):
        return _read(Path(picture))
    if isinstance(picture, scheelite.Texture):
        picture = picture.array()
    if isinstance(picture, scheelite.Frame):
        return picture.color
    return scheelite.Picture(picture)


def _read(path: Path) -> Any:
    import scheelite

    if path.suffix == '.npy':
        return scheelite.Picture(np.load(path, allow_pickle=False))
    return scheelite.Picture(scheelite.load(path).array())


def _write_golden(path: Path, picture: Any) -> None:
    """Writes the golden picture, at once: a run that is ended leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f'.{os.getpid()}-{path.name}')
    try:
        if path.suffix == '.npy':
            with open(part, 'wb') as file:
                np.save(file, np.asarray(picture))
        else:
            picture.save(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _is_hash(expected: Expected) -> bool:
    return isinstance(expected, str) and re.fullmatch('[0-9a-fA-F]{64}', expected) is not None


def _compare_hash(picture: Any, sha256: str, place: _Place, update: bool) -> str:
    """Why the picture is another one; empty: it is not."""
    actual = picture.sha256()
    if actual == sha256.lower():
        return ''
    path = place.write(picture)
    lines = [f'the picture is another one ({picture.shape[1]}x{picture.shape[0]}, {picture.dtype})',
             f'  expected {sha256}', f'  actual   {actual}', f'  written to {path}']
    if update:
        lines.append('  A hash stands in the test, where nothing is updated. The file of a golden picture is.')
    return '\n'.join(lines)


def _difference(old: Any, new: Any, tolerance: float) -> tuple[str, Any]:
    """What differs, and a picture of that, if there can be one."""
    import scheelite

    if old.dtype != new.dtype:
        return f'the golden picture is of {old.dtype}, and the new one of {new.dtype}', None
    if old.shape != new.shape:
        return f'the golden picture has the shape {old.shape}, and the new one {new.shape}', None
    if old.dtype == np.float64:
        raise ValueError('pictures of float64 are not compared: .astype(numpy.float32)')
    found = scheelite.diff(old, new, tolerance=tolerance)
    return ('', None) if found.equal else (str(found), found.scaled())


def _compare_file(picture: Any, path: Path, tolerance: float, place: _Place, update: bool) -> tuple[str, bool]:
    """Why the picture is another one, and whether the golden one was written instead."""
    if not path.exists():
        if update:
            _write_golden(path, picture)
            return '', True
        new = place.write(picture, 'new')
        return (f'there is no golden picture {path}\n  new        {new}\n'
                '  pytest --scheelite-update writes it'), False
    old = _read(path)
    new_picture = picture
    if old.dtype == np.uint8 and picture.dtype != np.uint8 and picture.dtype.kind == 'f' and path.suffix != '.npy':
        new_picture = picture.unorm8()  # as it would be written
    elif old.dtype == np.uint8 and picture.dtype == np.uint8 and path.suffix != '.npy':
        old, new_picture = old.unorm8(), picture.unorm8()  # files of pictures are read with four channels
    what, difference = _difference(old, new_picture, tolerance)
    if not what:
        return '', False
    if update:
        _write_golden(path, picture)
        return '', True
    old_path = place.folder / f'{place.name}-old{path.suffix}'
    place.folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, old_path)
    lines = [f'the picture is not {path}', *(f'  {line}' for line in what.split('\n')), f'  old        {old_path}',
             f'  new        {place.write(new_picture, "new")}']
    if difference is not None:
        lines.append(f'  difference {place.write(difference, "difference")}')
    return '\n'.join([*lines, '  pytest --scheelite-update makes the new one golden']), False


def _assert(picture: Any, expected: Expected, tolerance: float, place: _Place, update: bool) -> Path | None:
    """Fails, or returns the golden picture that was written."""
    __tracebackhide__ = True
    shown = _shown(picture)
    written = False
    if _is_hash(expected):
        if tolerance:
            raise ValueError('a hash has no tolerance: give the file of a golden picture')
        wrong = _compare_hash(shown, str(expected), place, update)
    elif not os.fspath(expected) or not os.path.splitext(os.fspath(expected))[1]:
        raise ValueError('a golden picture is the path of a file such as golden.png, or a SHA-256 of 64 digits, not '
                         f'{expected!r}')
    else:
        wrong, written = _compare_file(shown, Path(expected), tolerance, place, update)
    if wrong:
        pytest.fail(wrong, pytrace=False)
    return Path(expected) if written else None


def assert_same_picture(picture: Any, expected: Expected, *, tolerance: float = 0,
                        folder: str | os.PathLike[str] = FOLDER, name: str = 'picture', update: bool = False) -> None:
    """Fails if a picture is not the expected one. ``picture`` is an array of (height, width[, channels]), a Texture, a
    Frame or the path of a file.

    ``expected`` is the path of a golden picture, or a SHA-256 as 64 digits. A golden picture of 8 bits (PNG) is
    compared with what would be written to such a file: floats become 8 bits, too. Others are compared as they are;
    ``.npy`` takes all arrays. ``tolerance`` is what a channel may differ by (1/255 is one step of 8 bits). Pictures of
    uint8 with four channels have the hash that the command and the library give them; other arrays have one of their
    shape, type and elements.

    Where a picture differs, ``folder`` gets the old picture, the new one and the difference, whose names begin with
    ``name``; of a hash there is only the new one. With ``update`` the golden picture is written instead."""
    __tracebackhide__ = True
    _assert(picture, expected, tolerance, _Place(Path(folder), name), update)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin; see docs/python.md."""
    group = parser.getgroup('scheelite')
    group.addoption('--scheelite-pictures', metavar='DIR', default=None,
                    help=f'where the pictures of failures are written (default: {FOLDER} in the base of tmp_path)')
    group.addoption('--scheelite-update', action='store_true', default=False,
                    help='write golden pictures that differ or are not there, instead of failing')


def _is_free(parser: pytest.Parser, name: str) -> bool:
    """Whether no one has an option of a name. Those of other groups are known to the parser alone."""
    try:
        return name in parser.parse_known_and_unknown_args([name])[1]
    except (pytest.UsageError, SystemExit):  # it has one, with a value
        return False


def _add_update(parser: pytest.Parser) -> Generator[None, None, None]:
    """--update is a common name: it is ours only if, after each conftest.py was read, no one else has it."""
    yield
    if _is_free(parser, '--update'):
        parser.getgroup('scheelite').addoption('--update', action='store_true', dest='scheelite_update', default=False,
                                               help='the same as --scheelite-update, if no other plugin has --update')


pytest_load_initial_conftests = pytest.hookimpl(hookwrapper=True)(_add_update)


def pytest_configure(config: pytest.Config) -> None:
    """Makes room for what the run writes."""
    written: list[Path] = []
    config.stash[_written] = written


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Names the golden pictures that were written."""
    for path in config.stash.get(_written, []):
        terminalreporter.write_line(f'golden picture written: {path}')


@pytest.fixture(name='assert_same_picture')
def same_picture_fixture(request: pytest.FixtureRequest,
                         tmp_path_factory: pytest.TempPathFactory) -> Callable[..., None]:
    """assert_same_picture(picture, expected, tolerance=0): as the function of that name. The paths of golden pictures
    begin in the folder of the test's file, and the pictures of a failure are named after the test."""
    chosen = request.config.getoption('--scheelite-pictures')
    update = bool(request.config.getoption('scheelite_update'))
    stem = re.sub(r'[^\w.-]+', '_', request.node.name)
    numbers = iter(range(1, 1 << 30))
    folder = Path(chosen) if chosen else tmp_path_factory.getbasetemp() / FOLDER

    def check(picture: Any, expected: Expected, *, tolerance: float = 0) -> None:
        __tracebackhide__ = True
        number = next(numbers)
        place = _Place(folder, stem if number == 1 else f'{stem}-{number}')
        where = expected if _is_hash(expected) else request.path.parent / expected
        written = _assert(picture, where, tolerance, place, update)
        if written:
            request.config.stash[_written].append(written)

    return check
