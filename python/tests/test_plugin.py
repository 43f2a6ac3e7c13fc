"""The plugin, as another project uses it: its tests pass with the right hash, and fail with the hash that the picture
has."""
import re

import numpy as np

import scheelite
from conftest import PLUGIN, SHADERS

TEST = '''
import pathlib, scheelite
SHADER = pathlib.Path({shader!r})

def test_picture(assert_same_picture):
    assert_same_picture(scheelite.run(SHADER, (20, 10), dtype={dtype!r}), {sha256!r})
    assert_same_picture(scheelite.run(SHADER, (10, 20), dtype={dtype!r}), {other!r})
'''


def hashes(dtype):
    return [scheelite.run(SHADERS / 'julia.tgsi', size, dtype=dtype).sha256() for size in ((20, 10), (10, 20))]


def project(pytester, dtype, sha256, other):
    pytester.makepyfile(TEST.format(shader=str(SHADERS / 'julia.tgsi'), dtype=dtype, sha256=sha256, other=other))


def test_the_right_hash_passes(pytester):
    project(pytester, 'uint8', *hashes('uint8'))
    pytester.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=1)


def test_a_wrong_hash_fails_and_names_the_file(pytester):
    first, second = hashes('uint8')
    project(pytester, 'uint8', first, first)
    found = pytester.runpytest_subprocess(*PLUGIN, '--scheelite-pictures', 'pictures')
    found.assert_outcomes(failed=1)
    text = found.stdout.str()
    assert f'expected {first}' in text and f'actual   {second}' in text
    path = pytester.path / re.search(r'written to (\S+)', text).group(1)
    assert path == pytester.path / 'pictures' / 'test_picture-2.png'
    assert scheelite.Picture(scheelite.load(path).array()).sha256() == second


def test_floats_have_hashes_of_all_their_bits(pytester):
    first, second = hashes('float32')
    project(pytester, 'float32', first, second[:-1] + ('0' if second[-1] != '0' else '1'))
    found = pytester.runpytest_subprocess(*PLUGIN)
    found.assert_outcomes(failed=1)
    path = re.search(r'written to (\S+)', found.stdout.str()).group(1)
    assert path.endswith('.npy')
    assert scheelite.Picture(np.load(pytester.path / path)).sha256() == second


def test_it_is_a_function_too(tmp_path):
    from scheelite.pytest_plugin import assert_same_picture
    picture = scheelite.run(SHADERS / 'julia.tgsi', (20, 10), dtype='uint8')
    picture.save(tmp_path / 'a.png')
    for given in (picture, np.asarray(picture), tmp_path / 'a.png', scheelite.Texture(np.asarray(picture))):
        assert_same_picture(given, hashes('uint8')[0].upper())
