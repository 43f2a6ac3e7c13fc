"""diff: what it says is what the command says, word for word; what is refused."""
import os
import shutil
import subprocess

import numpy as np
import pytest

import scheelite
from conftest import FRAGMENT, PHOTO, VERTEX


def noise(*shape, seed=1, dtype=np.uint8):
    numbers = np.random.default_rng(seed)
    whole = np.dtype(dtype).kind in 'iu'
    return numbers.integers(0, 256, shape, dtype) if whole else numbers.normal(size=shape).astype(dtype)


def both(tmp_path, left, right, kind, monkeypatch, *options, **keywords):
    """What Python and the command say of two textures, and of the files that hold them."""
    monkeypatch.chdir(tmp_path)
    names = [f'a.{kind}', f'b.{kind}']
    for name, data in zip(names, (left, right)):
        scheelite.save(name, data)
    path = os.environ.get('SCHEELITE_COMMAND') or shutil.which('scheelite')
    if not path:
        pytest.skip('no scheelite command (SCHEELITE_COMMAND)')
    done = subprocess.run([path, 'diff', *names, *options, '-o', 'd.pfm'], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode in (0, 1), done.stderr
    found = scheelite.diff(*names, **keywords)
    assert f'{found}\n' == done.stdout and found.equal == (done.returncode == 0)
    if kind != 'png':
        assert str(scheelite.diff(left, right, **keywords)) == str(found)
    picture = scheelite.load('d.pfm').array()
    assert np.array_equal(picture[..., :3], np.asarray(found.picture)[..., :3])
    return found


def changed(data, *places):
    made = data.copy()
    for place in places:
        made[place] = made[place] + np.asarray(1, made.dtype)
    return made


@pytest.mark.parametrize('channels', [1, 3, 4])
def test_pictures_of_bytes(tmp_path, monkeypatch, channels):
    left = noise(9, 13, channels) // 2
    assert both(tmp_path, left, left, 'png', monkeypatch).equal
    found = both(tmp_path, left, changed(left, (2, 3, 0), (5, 6, channels - 1)), 'png', monkeypatch)
    assert found.different == 2 and found.first == (3, 2, 0, 0) and abs(found.picture[2, 3, 0] - 1 / 255) < 1e-7
    right = changed(left, (2, 3, 0))
    assert both(tmp_path, left, right, 'png', monkeypatch, '--tolerance', '1/255', tolerance=1 / 255).equal


def test_floats_with_nan_and_infinities(tmp_path, monkeypatch):
    left = noise(8, 8, 4, dtype=np.float32)
    left[1, 1] = np.nan
    right = left.copy()
    right[3, 4] = np.nan, np.inf, 0, 0
    right[5, 6, 3] += 7
    found = both(tmp_path, left, right, 'ktx2', monkeypatch)
    assert found.different == 2 and found.largest[0].difference == np.inf and np.isnan(found.largest[0].b)
    assert found.largest[3].place[:2] == (6, 5) and (found.picture[5, 6, :3] > 6.9).all()
    assert found.scaled().dtype == np.uint8 and found.scaled()[5, 6].tolist() == [255] * 4


def test_integers(tmp_path, monkeypatch):
    left = noise(4, 4, 4, dtype=np.uint32)
    left[0, 0] = 2**32 - 1
    right = left.copy()
    right[0, 0, 1] = 0
    assert both(tmp_path, left, right, 'ktx2', monkeypatch).largest[1].difference == 2**32 - 1
    with pytest.raises(ValueError, match='integers are compared with their like only'):
        scheelite.diff(left, left.astype(np.int32))


def test_levels_and_layers(tmp_path, monkeypatch):
    data = noise(3, 8, 8, 4)
    left, right = (scheelite.Texture(one, target='2D_ARRAY', mips=True) for one in (data, changed(data, (2, 7, 7, 1))))
    found = both(tmp_path, left, right, 'ktx2', monkeypatch)
    assert found.texels == 3 * (64 + 16 + 4 + 1) and found.first == (7, 7, 2, 0) and (found.picture[..., :3] == 0).all()
    cubes = [scheelite.Texture(noise(4, 5, 6, 1, seed=seed), target='3D') for seed in (1, 2)]
    assert not both(tmp_path, *cubes, 'ktx2', monkeypatch).equal


def test_srgb_codes_and_colours(tmp_path, monkeypatch):
    data = noise(8, 8, 4)
    srgb = scheelite.Texture(data, srgb=True)
    assert both(tmp_path, srgb, scheelite.Texture(data), 'ktx2', monkeypatch).equal
    rows, columns = np.indices((8, 8), np.uint32)
    floats = scheelite.Texture(scheelite.fetch(srgb, np.stack([columns, rows], axis=-1)))
    assert scheelite.diff(srgb, floats).equal and not scheelite.diff(scheelite.Texture(data), floats).equal


def test_depth_and_blocks(tmp_path, monkeypatch):
    depth = [scheelite.Texture.empty((4, 4), 'Z32_FLOAT') for _ in range(2)]
    depth[1].clear(depth=0.5)
    assert both(tmp_path, *depth, 'ktx2', monkeypatch).different == 16
    blocks = [scheelite.Texture.empty((8, 8), 'DXT1_RGB') for _ in range(2)]
    blocks[1].write_bytes(noise(blocks[1].nbytes).tobytes())
    assert not both(tmp_path, *blocks, 'ktx2', monkeypatch).equal


def test_many_rows_are_compared_in_bands(monkeypatch):
    monkeypatch.setattr('scheelite._diff._BAND', 20)
    left = noise(50, 7, 4) // 2
    found = scheelite.diff(left, changed(left, (33, 2, 2), (48, 6, 2)))
    assert found.texels == 350 and found.first == (2, 33, 0, 0) and found.picture[48, 6, 2] > 0.0039


def test_frames_and_what_is_refused():
    frame = scheelite.draw(VERTEX, FRAGMENT, [np.eye(3, dtype=np.float32)] * 2, (8, 8), samples=4)
    assert scheelite.diff(frame, frame.color).equal
    photo = scheelite.load(PHOTO)
    for a, b, options, error, words in ((photo, photo.array()[:5], {}, ValueError, 'a has 256 rows, and b has 5'),
                                        (photo, frame.colors[0], {}, ValueError, 'b is multisampled'),
                                        (photo, 5, {}, TypeError, 'not int'),
                                        (np.zeros((2, 2)), photo, {}, ValueError, 'float64'),
                                        (photo, photo, {'tolerance': -1}, ValueError, 'from 0 on')):
        with pytest.raises(error, match=words):
            scheelite.diff(a, b, **options)
    with pytest.raises(FileNotFoundError):
        scheelite.diff('there-is-none.png', photo)
    with pytest.raises(TypeError, match='use .equal'):
        bool(scheelite.diff(photo, photo))
