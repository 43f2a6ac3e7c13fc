"""Launching kernels of Maxwell code on arrays."""
from pathlib import Path

import numpy as np
import pytest

import scheelite

KERNELS = Path(__file__).resolve().parents[2] / 'tests' / 'corpus' / 'kernels'


def test_saxpy() -> None:
    x = np.arange(100, dtype=np.float32)
    y = np.ones(128, np.float32)
    saxpy = scheelite.kernel(KERNELS / 'saxpy.maxwell', 'saxpy')
    assert saxpy(2, 64, x, y, 100, 2.5) > 0
    assert np.array_equal(y[:100], 2.5 * x + 1) and np.array_equal(y[100:], np.ones(28))


def test_engines_and_widths() -> None:
    numbers = np.arange(3 * 128, dtype=np.uint32) * np.uint32(2654435761)
    reduction = scheelite.Kernel(KERNELS / 'reduction.maxwell')
    for options in ({}, {'lanes': 4}, {'lanes': 8, 'engine': 'interpreter'}, {'lanes': 16, 'threads': 3}):
        sums = np.zeros(3, np.uint32)
        reduction(3, 128, numbers, sums, **options)
        assert np.array_equal(sums, numbers.reshape(3, 128).sum(1, dtype=np.uint32))


def test_read_only_memory_is_not_written() -> None:
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    y.flags.writeable = False
    saxpy = scheelite.kernel(KERNELS / 'saxpy.maxwell')
    with pytest.raises(scheelite.Error):
        saxpy(1, 64, x, y, 64, 2.0)


def test_checks_warn_of_what_they_find() -> None:
    bugs = KERNELS.parents[2] / 'examples' / 'bugs'
    count = np.zeros(1, np.uint32)
    kernel = scheelite.kernel(bugs / 'count.maxwell')
    with pytest.warns(scheelite.ScheeliteWarning) as found:
        kernel(2, 64, count, check_races=True)
    assert {one.message.diagnostic.number for one in found} == {4400} and count[0] == 4
    with pytest.warns(scheelite.ScheeliteWarning) as found:
        scheelite.kernel(bugs / 'unwritten.maxwell')(1, 64, np.zeros(64, np.uint32), check_unwritten=True)
    assert {one.message.diagnostic.number for one in found} == {4401, 4402}
    kernel(2, 64, count)


def test_wrong_arguments() -> None:
    saxpy = scheelite.kernel(KERNELS / 'saxpy.maxwell')
    x = np.ones(64, np.float32)
    with pytest.raises(TypeError, match='argument 2 is an array or a number, not str'):
        saxpy(1, 64, x, x, 'n', 1.0)
    with pytest.raises(ValueError, match='more than 32 bits'):
        saxpy(1, 64, x, x, 2**40, 1.0)
    with pytest.raises(ValueError, match='follow each other'):
        saxpy(1, 64, x[::2], x, 1, 1.0)
    with pytest.raises(ValueError, match='grid is one to three numbers'):
        saxpy(0, 64, x, x, 1, 1.0)
    with pytest.raises(ValueError, match='kernel takes Maxwell code'):
        scheelite.kernel('FRAG\nDCL OUT[0], COLOR\nEND\n')
