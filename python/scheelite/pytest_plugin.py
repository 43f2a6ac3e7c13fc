"""A plugin of pytest: `assert_same_picture` compares a picture with its SHA-256, which stands in the test.

    def test_swirl(assert_same_picture):
        picture = scheelite.run(SWIRL, (256, 256), dtype='uint8')
        assert_same_picture(picture, '5f1c...')

A picture that differs is written to a file, and the failure names the file and the hash that it has. Holds no shaders."""
from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FOLDER = 'scheelite-pictures'


def _write(picture: Any, stem: Path) -> Path:
    """As a file that holds the picture: PNG of 8 bits, otherwise numpy's."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    if picture.dtype == np.uint8:
        path = stem.with_suffix('.png')
        picture.save(path)
    else:
        path = stem.with_suffix('.npy')
        np.save(path, np.asarray(picture))
    return path


def assert_same_picture(picture: Any, sha256: str, *, folder: str | os.PathLike[str] = FOLDER,
                        name: str = 'picture') -> None:
    """Fails if the SHA-256 of a picture is another one. ``picture`` is an array of (height, width[, channels]), a Texture,
    a Frame or the path of a file. Pictures of uint8 with four channels have the hash that the command and the library
    give them; other arrays have one of their shape, type and elements. A picture that differs is written to
    ``folder``/``name``."""
    import scheelite

    __tracebackhide__ = True
    if isinstance(picture, (str, os.PathLike)):
        picture = scheelite.load(picture)
    if isinstance(picture, scheelite.Texture):
        picture = picture.array()
    elif isinstance(picture, scheelite.Frame):
        picture = picture.color
    shown = scheelite.Picture(picture)
    actual = shown.sha256()
    if actual == sha256.lower():
        return
    path = _write(shown, Path(folder) / name)
    pytest.fail(f'the picture is another one ({shown.shape[1]}x{shown.shape[0]}, {shown.dtype})\n  expected {sha256}\n'
                f'  actual   {actual}\n  written to {path}', pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup('scheelite')
    group.addoption('--scheelite-pictures', metavar='DIR', default=None,
                    help=f'where pictures that differ are written (default: {FOLDER} in the folder of pytest\'s cache)')


@pytest.fixture(name='assert_same_picture')
def same_picture_fixture(request: pytest.FixtureRequest) -> Callable[..., None]:
    """assert_same_picture(picture, sha256): the picture of a failure is named after the test."""
    chosen = request.config.getoption('--scheelite-pictures')
    if chosen:
        folder = Path(chosen)
    elif hasattr(request.config, 'cache') and request.config.cache:
        folder = Path(request.config.cache.mkdir(FOLDER))
    else:
        folder = Path(FOLDER)
    stem = re.sub(r'[^\w.-]+', '_', request.node.name)
    numbers = iter(range(1, 1 << 30))

    def check(picture: Any, sha256: str) -> None:
        __tracebackhide__ = True
        number = next(numbers)
        assert_same_picture(picture, sha256, folder=folder, name=stem if number == 1 else f'{stem}-{number}')

    return check
