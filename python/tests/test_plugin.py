"""The plugin, as another project uses it: its tests pass with the right hash or golden picture; a failure names files
with the old picture, the new one and the difference; golden pictures are updated."""
import re

import numpy as np
import pytest

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


# ---- golden pictures -------------------------------------------------------------------------------------------------

GOLDEN = """
import pathlib, scheelite
SHADER = pathlib.Path({shader!r})

def test_picture(assert_same_picture):
    assert_same_picture(scheelite.run(SHADER, (20, 10), dtype={dtype!r}), {golden!r}, tolerance={tolerance})
"""


def picture(dtype='uint8'):
    return scheelite.run(SHADERS / 'julia.tgsi', (20, 10), dtype=dtype)


def golden(pytester, made, name='golden.png', dtype='uint8', tolerance=0.0):
    """A project whose golden picture is ``made``; None: it has none. Returns the path."""
    (pytester.path / 'tests').mkdir(exist_ok=True)
    (pytester.path / 'tests' / 'test_it.py').write_text(
        GOLDEN.format(shader=str(SHADERS / 'julia.tgsi'), dtype=dtype, golden=name, tolerance=tolerance))
    path = pytester.path / 'tests' / name
    if made is not None:
        np.save(path, made) if path.suffix == '.npy' else scheelite.save(path, made)
    return path


def named(text, what):
    return re.search(rf'^  {what} +(\S+)$', text, re.MULTILINE).group(1)


def test_a_golden_picture(pytester):
    golden(pytester, picture())
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)
    golden(pytester, picture(), dtype='float32')  # compared as it would be written
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)
    assert not list(pytester.path.rglob('*-new.*'))


def test_a_picture_that_differs_is_shown(pytester):
    old = picture()
    old[3, 5] = (old[3, 5].astype(int) + [7, 0, 0, 0]) % 256
    path = golden(pytester, old)
    before = path.read_bytes()
    found = pytester.runpytest_inprocess(*PLUGIN, '--basetemp', 'temporary')
    found.assert_outcomes(failed=1)
    text = found.stdout.str()
    assert '1 of 200 texels differ, the first at 5,3' in text and f'the picture is not {path}' in text
    shown = {what: scheelite.load(named(text, what)).array() for what in ('old', 'new', 'difference')}
    assert np.array_equal(shown['old'], old) and np.array_equal(shown['new'], picture())
    assert shown['difference'][3, 5].tolist() == [255, 0, 0, 255]
    assert (np.delete(shown['difference'].reshape(-1, 4), 3 * 20 + 5, axis=0) == [0, 0, 0, 255]).all()
    assert named(text, 'new') == str(pytester.path / 'temporary' / 'scheelite-pictures' / 'test_picture-new.png')
    assert path.read_bytes() == before
    golden(pytester, old, tolerance=7.1 / 255)
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)


def test_floats_are_compared_exactly(pytester):
    old = picture('float32')
    golden(pytester, old, 'golden.npy', 'float32')
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)
    old[0, 0, 0] = np.nextafter(old[0, 0, 0], np.float32(2))
    golden(pytester, old, 'golden.ktx2', 'float32')
    found = pytester.runpytest_inprocess(*PLUGIN, '--scheelite-pictures', 'here')
    found.assert_outcomes(failed=1)
    assert named(found.stdout.str(), 'old') == 'here/test_picture-old.ktx2'
    assert named(found.stdout.str(), 'new').endswith('.npy')
    for made, words in ((picture(), 'the golden picture is of uint8, and the new one of float32'),
                        (picture('float32')[:5], r'has the shape \(5, 20, 4\), and the new one \(10, 20, 4\)')):
        golden(pytester, made, 'golden.npy', 'float32')
        found = pytester.runpytest_inprocess(*PLUGIN)
        found.assert_outcomes(failed=1)
        assert re.search(words, found.stdout.str()) and '  difference' not in found.stdout.str()


def test_updating(pytester):
    path = golden(pytester, None)
    found = pytester.runpytest_inprocess(*PLUGIN)
    found.assert_outcomes(failed=1)
    assert f'there is no golden picture {path}' in found.stdout.str() and not path.exists()
    for option in ('--scheelite-update', '--update'):
        found = pytester.runpytest_inprocess(*PLUGIN, option)
        found.assert_outcomes(passed=1)
        assert f'golden picture written: {path}' in found.stdout.str()
        assert np.array_equal(scheelite.load(path).array(), picture())
        assert [one.name for one in path.parent.iterdir() if 'golden' in one.name] == ['golden.png']
        pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)
        scheelite.save(path, np.zeros((3, 3, 4), np.uint8))
    golden(pytester, picture())
    found = pytester.runpytest_inprocess(*PLUGIN, '--scheelite-update')
    assert 'golden picture written' not in found.stdout.str()


@pytest.mark.parametrize('option', ["'--update', action='store_true'", "'--update', metavar='X'"])
def test_another_ones_update_stays_its_own(pytester, option):
    pytester.makeconftest(f"""
def pytest_addoption(parser):
    parser.getgroup('other').addoption({option}, dest='other')
""")
    path = golden(pytester, np.zeros((3, 3, 4), np.uint8))
    value = ['x'] if 'metavar' in option else []
    pytester.runpytest_inprocess(*PLUGIN, '--update', *value).assert_outcomes(failed=1)
    assert scheelite.load(path).array().shape == (3, 3, 4)
    pytester.runpytest_inprocess(*PLUGIN, '--scheelite-update').assert_outcomes(passed=1)


def test_a_hash_is_not_updated(pytester):
    first, second = hashes('uint8')
    project(pytester, 'uint8', first, first)
    found = pytester.runpytest_inprocess(*PLUGIN, '--scheelite-update')
    found.assert_outcomes(failed=1)
    assert 'A hash stands in the test' in found.stdout.str() and second in found.stdout.str()


def test_golden_pictures_by_the_function(tmp_path, monkeypatch):
    from scheelite.pytest_plugin import assert_same_picture
    grey = np.asarray(picture())[..., 0]
    for name, made in (('a.png', grey), ('b.npy', grey), ('c.png', picture())):
        assert_same_picture(made, tmp_path / name, folder=tmp_path, update=True)
        assert_same_picture(made, tmp_path / name, folder=tmp_path)
        assert_same_picture(tmp_path / name, str(tmp_path / name), folder=tmp_path)
        with pytest.raises(pytest.fail.Exception, match='texels differ'):
            assert_same_picture(255 - np.asarray(made), tmp_path / name, folder=tmp_path)
    monkeypatch.setattr('os.replace', lambda *_: (_ for _ in ()).throw(OSError('no')))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match='^no$'):
        assert_same_picture(picture(), tmp_path / 'd.png', folder=tmp_path, update=True)
    assert sorted(tmp_path.iterdir()) == before  # nothing is left of what could not be written
    with pytest.raises(ValueError, match='is the path of a file such as golden.png, or a SHA-256'):
        assert_same_picture(grey, '1234', folder=tmp_path)
    with pytest.raises(ValueError, match='a hash has no tolerance'):
        assert_same_picture(grey, hashes('uint8')[0], tolerance=1, folder=tmp_path)
