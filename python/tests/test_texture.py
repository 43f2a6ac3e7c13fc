"""Textures from arrays and back, views, samplers, lookups of every kind, files. The command is the reference of lookups;
numpy is that of texels."""
import math

import numpy as np
import pytest

import scheelite
from conftest import PHOTO

TYPES = [np.uint8, np.uint16, np.int8, np.int16, np.int32, np.uint32, np.float16, np.float32]


def numbers(shape, dtype, seed=3):
    made = np.random.default_rng(seed).integers(0, 200 if np.dtype(dtype).itemsize > 1 else 100, shape)
    return made.astype(dtype)


@pytest.mark.parametrize('dtype', TYPES)
@pytest.mark.parametrize('channels', [1, 2, 4])
def test_an_array_goes_in_and_out(dtype, channels):
    data = numbers((5, 7, channels), dtype)
    texture = scheelite.Texture(data)
    assert texture.size == (7, 5, 1) and texture.array().dtype == dtype
    assert np.array_equal(texture.array(), data)
    fetched = scheelite.fetch(texture, np.indices((7, 5)).T)
    plain = data.astype(np.float64)
    if np.dtype(dtype).kind == 'u' and np.dtype(dtype).itemsize < 4:
        plain /= np.iinfo(dtype).max
    assert np.allclose(fetched[..., :channels], plain, atol=1e-6)


@pytest.mark.parametrize('target, shape', [
    ('1D', (9,)), ('3D', (4, 5, 6)), ('1D_ARRAY', (3, 9)), ('2D_ARRAY', (3, 5, 7)), ('CUBE', (6, 4, 4)),
    ('CUBE_ARRAY', (12, 4, 4)), ('RECT', (5, 7)), ('BUFFER', (11,)), ('2D_MSAA', (4, 5, 7)),
    ('2D_ARRAY_MSAA', (3, 2, 5, 7))])
def test_every_target(target, shape):
    data = numbers((*shape, 4), np.float32)
    texture = scheelite.Texture(data, target=target)
    assert texture.target == target and texture.shape() == shape
    assert np.array_equal(texture.array(), data) and repr(texture).startswith(f'<Texture: {target} ')
    index = tuple(np.array(shape) - 1)
    texel = index[::-1] if 'MSAA' not in target else (index[-1], index[-2], *([index[0]] if len(shape) == 4 else []))
    sample = {'2D_MSAA': index[0], '2D_ARRAY_MSAA': index[1] if len(shape) == 4 else 0}.get(target, 0)
    assert np.array_equal(scheelite.fetch(texture, texel if len(texel) > 1 else texel[0], sample=sample), data[index])


def test_strided_arrays_are_read_where_they_are():
    whole = numbers((20, 30, 4), np.uint8)
    for part in (whole[3:9, 4:20], whole[::2], whole[::-1], whole[:, ::3], whole[..., :3], whole.transpose(1, 0, 2)):
        assert np.array_equal(scheelite.Texture(part).array(), part)
    block = numbers((6, 9, 8, 4), np.float32)
    for part in (block[1:5, 2:7, 3:8], block[::2, ::3], block[:, :, ::-1]):
        assert np.array_equal(scheelite.Texture(part, target='3D').array(), part)
    assert np.array_equal(scheelite.Texture(whole.astype('>u2')).array(), whole)


def test_grey_without_channels_and_srgb():
    assert scheelite.Texture(numbers((4, 4), np.uint8)).format.name == 'R8_UNORM'
    assert scheelite.Texture(numbers((4, 4, 4), np.uint8), srgb=True).format.name == 'R8G8B8A8_SRGB'
    assert scheelite.Texture(numbers((4, 4, 4), np.uint8), format='B8G8R8A8_UNORM').format.name == 'B8G8R8A8_UNORM'


def test_levels_and_mips():
    photo = scheelite.load(PHOTO).array()
    texture = scheelite.Texture(photo, mips=True)
    assert texture.levels == 9 and texture.array(8).shape == (1, 1, 4)
    two = scheelite.Texture([photo, photo[::2, ::2]])
    assert two.levels == 2 and np.array_equal(two.array(1), photo[::2, ::2])
    with pytest.raises(ValueError, match='no level 2'):
        two.array(2)


@pytest.mark.parametrize('data, options, words', [
    (np.zeros((4, 4)), {}, r'astype\(numpy.float32\)'), (np.zeros((4, 4, 5), np.uint8), {}, '1 to 4 channels'),
    (np.zeros((4,), np.uint8), {}, 'the shape'), (np.zeros((0, 4), np.uint8), {}, 'the shape'),
    (np.zeros((4, 4, 4), np.uint8), {'format': 'R8G8B8A8_UNROM'}, "is it 'R8G8B8A8_UNORM'"),
    (np.zeros((4, 4, 4), np.uint8), {'format': 'R32_FLOAT'}, 'float32'),
    (np.zeros((4, 4, 4), np.uint8), {'format': 'DXT1_RGB'}, 'write_bytes'),
    (np.zeros((4, 4, 4), np.float32), {'srgb': True}, 'uint8'), (np.zeros((4, 4), bool), {}, 'no format'),
    (np.zeros((4, 4, 4), np.uint8), {'target': '2C'}, 'no target'),
    (np.zeros((5, 4, 4, 4), np.uint8), {'target': 'CUBE'}, ''), ([], {}, 'at least one level')])
def test_arrays_that_are_no_textures(data, options, words):
    with pytest.raises((ValueError, scheelite.Error), match=words):
        scheelite.Texture(data, **options)


def test_compressed_blocks_are_decoded():
    texture = scheelite.Texture.empty((8, 8), 'DXT1_RGB')
    texture.write_bytes(np.frombuffer(bytes.fromhex('00f81f0000000000') * 4, np.uint8))
    assert texture.array().shape == (8, 8, 4) and texture.array()[3, 3].tolist() == [1, 0, 0, 1]
    with pytest.raises(ValueError, match='32 bytes, not 5'):
        texture.write_bytes(b'12345')
    assert texture.tobytes().hex() == '00f81f0000000000' * 4


def test_packed_and_depth_formats_are_decoded():
    texture = scheelite.Texture.empty((4, 4), 'R10G10B10A2_UNORM')
    texture.clear((1, 0, 0.5, 1))
    assert np.allclose(texture.array()[2, 2], [1, 0, 0.5, 1], atol=1e-3)
    depth = scheelite.Texture.empty((4, 4), 'Z24_UNORM_S8_UINT')
    depth.clear(depth=0.25)
    assert np.allclose(depth.array()[1, 1, 0], 0.25, atol=1e-6)


def test_views(command):
    data = numbers((3, 8, 8, 4), np.uint8)
    texture = scheelite.Texture(data, target='2D_ARRAY', mips=True)
    view = texture.view(target='2D', layers=1, swizzle='wzy1', levels=(0, 1))
    assert np.allclose(scheelite.fetch(view, (2, 5)), [*data[1, 5, 2, [3, 2, 1]] / 255, 1])
    assert scheelite.query_size(texture, level=[0, 1]).tolist() == [[8, 8, 3, 4], [4, 4, 3, 4]]
    with pytest.raises(ValueError, match='swizzle'):
        texture.view(swizzle='rgba')
    with pytest.raises(ValueError, match='first below end'):
        texture.view(levels=(2, 2))
    with pytest.raises(scheelite.ArgumentError):
        texture.view(layers=7)


def batch(command, lines, *options):
    """What `scheelite sample --batch` answers."""
    printed = command('sample', *options, '--batch', '-', input='\n'.join(lines).encode() + b'\n')
    return [[int(word, 16) for word in line.split(b',')] for line in printed.split()]


def bits(*values):
    return ','.join(f'{np.float32(value).view(np.uint32):#010x}' for value in values)


def test_every_member_of_a_lookup_as_the_command(command):
    photo = scheelite.load(PHOTO, mips=True)
    random = np.random.default_rng(5)
    at, ddx, ddy = (random.uniform(-1, 2, (60, 2)).astype(np.float32) for _ in range(3))
    ddx, ddy = ddx / 16, ddy / 16
    lod, bias = random.uniform(-1, 9, 60).astype(np.float32), random.uniform(-2, 2, 60).astype(np.float32)
    offset = random.integers(-8, 8, (60, 2))
    sampler = scheelite.Sampler(filter='linear', mip='linear', wrap=('clamp_to_edge', 'mirror_repeat', 'repeat'), anisotropy=8)
    common = ['--tex', PHOTO, '--mips', 'make', '--min', 'linear', '--mag', 'linear', '--mip', 'linear', '--wrap',
              'clamp_to_edge,mirror_repeat,repeat', '--aniso', '8']
    places = [f'--at {bits(*one)}' for one in at]
    move = [f' --offset {x},{y}' for x, y in offset]
    slope = [f' --ddx {bits(*x)} --ddy {bits(*y)}' for x, y in zip(ddx, ddy)]

    def same(found, lines):
        assert found.view(np.uint32).tolist() == batch(command, lines, *common)

    same(scheelite.sample(photo, at, sampler, lod=lod, offset=offset),
         [f'--op sample_l {a} --lod {bits(x)}{o}' for a, x, o in zip(places, lod, move)])
    same(scheelite.sample(photo, at, sampler, ddx=ddx, ddy=ddy),
         [f'--op sample_d {a}{s}' for a, s in zip(places, slope)])
    same(scheelite.sample(photo, at, sampler, bias=bias, ddx=ddx, ddy=ddy),
         [f'--op sample_b {a} --bias {bits(b)}{s}' for a, b, s in zip(places, bias, slope)])
    same(scheelite.gather(photo, at, sampler, component=2, offset=offset),
         [f'--op gather {a} --component 2{o}' for a, o in zip(places, move)])
    lods = scheelite.query_lod(photo, at, ddx, ddy, sampler)
    expected = batch(command, [f'--op lod {a}{s}' for a, s in zip(places, slope)], *common)
    assert lods.view(np.uint32).tolist() == [row[:2] for row in expected]


@pytest.mark.parametrize('sampler, options', [
    ({'lod_bias': 1.5}, ['--lod-bias', '1.5']), ({'min_lod': 2.25}, ['--min-lod', '2.25', '--max-lod', '1000']),
    ({'max_lod': 0}, ['--max-lod', '0']), ({'max_lod': 1.5, 'min_lod': 0.5}, ['--max-lod', '1.5', '--min-lod', '0.5']),
    ({'seamless': False}, ['--seamless', '0']), ({'reduction': 'maximum'}, ['--reduction', 'maximum']),
    ({'rules': 'd3d', 'anisotropy': 4}, ['--rules', 'd3d', '--aniso', '4']), ({'filter': ('nearest', 'linear')}, ['--min', 'nearest'])])
def test_every_member_of_a_sampler_as_the_command(command, tmp_path, sampler, options):
    cube = scheelite.Texture(numbers((6, 16, 16, 4), np.uint8), target='CUBE', mips=True)
    cube.save(tmp_path / 'cube.dds')
    random = np.random.default_rng(11)
    at, ddx, ddy = (random.uniform(-1, 1, (80, 3)).astype(np.float32) for _ in range(3))
    ddx, ddy = ddx / 8, ddy / 8
    found = scheelite.sample(cube, at, {'filter': 'linear', 'mip': 'linear', **sampler}, ddx=ddx, ddy=ddy)
    lines = [f'--op sample_d --at {bits(*a)} --ddx {bits(*x)} --ddy {bits(*y)}' for a, x, y in zip(at, ddx, ddy)]
    least = [] if '--min' in options else ['--min', 'linear']
    expected = batch(command, lines, '--tex', tmp_path / 'cube.dds', '--target', 'CUBE', *least, '--mag', 'linear', '--mip', 'linear',
                     *options)
    assert found.view(np.uint32).tolist() == expected


def test_comparison(command):
    depth = scheelite.Texture(np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8, 1))
    at = np.random.default_rng(9).uniform(0, 1, (50, 2)).astype(np.float32)
    found = scheelite.sample(depth, at, {'compare': 'less', 'filter': 'linear'}, reference=0.5)
    assert found.dtype == np.float32 and 0 < found[:, 0].mean() < 1
    nearest = scheelite.sample(depth, at, {'compare': 'less'}, reference=0.5)[:, 0]
    texels = scheelite.sample(depth, at)[:, 0]
    assert np.array_equal(nearest, (0.5 < texels).astype(np.float32))


def test_samplers_of_integers_and_borders():
    data = np.arange(16, dtype=np.int32).reshape(4, 4, 1) - 8
    texture = scheelite.Texture(data)
    found = scheelite.sample(texture, [[0.1, 0.1], [-1, 0]], {'wrap': 'clamp_to_border', 'border': (-7, 0, 0, 0)})
    assert found.dtype == np.int32 and found[0, 0] == -8 and found[1, 0] == -7
    floats = scheelite.sample(scheelite.load(PHOTO), (-1, 0), {'wrap': 'clamp_to_border', 'border': (0.5, 0, 1, 1)})
    assert floats.tolist() == [0.5, 0, 1, 1]


def test_shapes_of_lookups():
    photo = scheelite.load(PHOTO)
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 7), np.linspace(0, 1, 5)), axis=-1)
    assert scheelite.sample(photo, grid).shape == (5, 7, 4)
    assert scheelite.sample(photo, grid, lod=np.zeros((5, 1))).shape == (5, 7, 4)
    assert scheelite.sample(photo, np.zeros((0, 2))).shape == (0, 4)
    line = scheelite.Texture(np.arange(4, dtype=np.float32), target='1D')
    assert scheelite.sample(line, [0.1, 0.4, 0.6]).shape == (3, 4)
    for wrong, words in ((np.zeros((5, 3)), '2 components'), (np.zeros((5, 2), complex), 'numbers'), (5, '2 components')):
        with pytest.raises(ValueError, match=words):
            scheelite.sample(photo, wrong)
    with pytest.raises(ValueError, match='does not fit'):
        scheelite.sample(photo, grid, lod=np.zeros(3))
    with pytest.raises(ValueError, match='go together'):
        scheelite.sample(photo, grid, ddx=(0, 0))
    with pytest.raises(ValueError, match='nothing for bias'):
        scheelite.sample(photo, grid, lod=1, bias=1)
    with pytest.raises(ValueError, match='whole numbers'):
        scheelite.fetch(photo, grid)
    with pytest.raises(scheelite.ArgumentError, match='target 2D_MSAA'):
        scheelite.sample(scheelite.Texture.empty((4, 4), target='2D_MSAA', samples=4), grid)


def test_many_lookups_on_threads_are_the_same():
    photo = scheelite.load(PHOTO)
    at = np.random.default_rng(2).uniform(0, 1, (100_000, 2)).astype(np.float32)
    one = scheelite.sample(photo, at, {'filter': 'linear'})
    assert np.array_equal(one, scheelite.sample(photo, at, {'filter': 'linear'}, threads=3, lanes=4))
    assert np.array_equal(one[70_000:70_010], scheelite.sample(photo, at[70_000:70_010], {'filter': 'linear'}))
    levels = scheelite.Texture(np.arange(64 * 64, dtype=np.uint32).reshape(64, 64), mips=False)
    texels = np.random.default_rng(3).integers(0, 64, (100_000, 2))
    moved = np.arange(100_000) % 5
    found = scheelite.fetch(levels, texels, offset=np.stack([moved, moved], axis=-1), level=moved // 4)
    x, y = texels.T + moved
    right = np.where((x < 64) & (y < 64) & (moved < 4), y * 64 + x, 0)
    assert np.array_equal(found[:, 0], right)


def test_ctrl_c_ends_many_lookups():
    import os
    import signal
    import threading
    import time
    photo, at = scheelite.load(PHOTO), np.zeros((1 << 22, 2), np.float32)
    for threads in (1, 2):
        begin = time.process_time()
        scheelite.sample(photo, at[:1 << 18], {'filter': 'linear', 'anisotropy': 16}, ddx=(0.5, 0), ddy=(0, 0.01))
        whole = 16 * (time.process_time() - begin)
        begin = time.process_time()
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            scheelite.sample(photo, at, {'filter': 'linear', 'anisotropy': 16}, ddx=(0.5, 0), ddy=(0, 0.01), threads=threads)
            time.sleep(60)
        assert time.process_time() - begin < whole * 0.9


def test_wrong_samplers():
    for options, words in (({'filter': 'liner'}, "is it 'linear'"), ({'wrap': ('repeat', 'clamp')}, 'one word or three'),
                           ({'anisotropy': 17}, '1 to 16'), ({'border': (1, 2)}, 'four numbers')):
        with pytest.raises(ValueError, match=words):
            scheelite.Sampler(**options)
    with pytest.raises(TypeError, match="is it 'filter'"):
        scheelite.sample(scheelite.load(PHOTO), (0, 0), {'fliter': 'linear'})
    with pytest.raises(scheelite.ShaderError):
        scheelite.sample(scheelite.load(PHOTO), (0, 0), {'unnormalized': True, 'mip': 'linear'})
    assert repr(scheelite.Sampler(filter='linear')) == "Sampler(filter='linear')"


def test_a_lookup_is_explained():
    photo = scheelite.load(PHOTO)
    found = scheelite.explain_sample(photo, (0.3, 0.7), {'filter': 'linear'})
    assert np.array_equal(found.result, scheelite.sample(photo, (0.3, 0.7), {'filter': 'linear'}))
    assert len(found.texels) == 4 and abs(sum(one.weight for one in found.texels) - 1) < 1e-6
    assert np.array_equal(found.texels[0].value, scheelite.fetch(photo, (found.texels[0].x, found.texels[0].y)))
    assert 'weight' in str(found)


@pytest.mark.parametrize('name, dtype', [('a.png', np.uint8), ('a.png', np.uint16), ('a.exr', np.float32), ('a.pfm', np.float32),
                                         ('a.dds', np.float32), ('a.ktx2', np.uint8), ('a.ktx', np.int32)])
def test_files_keep_what_they_hold(tmp_path, name, dtype):
    channels = 3 if name == 'a.pfm' else 4
    data = numbers((9, 5, channels), dtype)
    scheelite.save(tmp_path / name, data)
    assert np.array_equal(scheelite.load(tmp_path / name, as_colors=False).array(), data)
    assert np.array_equal(scheelite.load((tmp_path / name).read_bytes(), as_colors=False).array(), data)


def test_options_of_files(tmp_path):
    data = np.tile(numbers((32, 1, 4), np.uint8), (1, 64, 1))
    sizes = []
    for compression in (0, 9):
        scheelite.save(tmp_path / 'a.png', data, compression=compression)
        sizes.append((tmp_path / 'a.png').stat().st_size)
    assert sizes[0] > data.nbytes > sizes[1]
    found = []
    for options in ({}, {'supercompression': 'zlib'}, {'premultiplied': True}, {'transfer': 'srgb'}):
        scheelite.save(tmp_path / 'a.ktx2', data, **options)
        found.append((tmp_path / 'a.ktx2').read_bytes())
        assert np.array_equal(scheelite.load(tmp_path / 'a.ktx2').array(), data)
    assert len(set(found)) == 4
    scheelite.save(tmp_path / 'a.dds', data, format='B8G8R8A8_UNORM')
    assert scheelite.load(tmp_path / 'a.dds').format.name == 'B8G8R8A8_UNORM'
    with pytest.raises(ValueError, match='has no texels of 4 channels of uint8'):
        scheelite.save(tmp_path / 'a.dds', data, format='R32_FLOAT')


def test_textures_are_saved_whole(tmp_path):
    cube = scheelite.Texture(numbers((6, 8, 8, 4), np.uint8), target='CUBE', mips=True)
    cube.save(tmp_path / 'cube.dds')
    again = scheelite.load(tmp_path / 'cube.dds')
    assert again.target == 'CUBE' and again.levels == 4 and again.tobytes() == cube.tobytes()


def test_files_that_cannot_be_read_or_written(tmp_path):
    (tmp_path / 'broken.png').write_bytes(PHOTO.read_bytes()[:100])
    with pytest.raises(scheelite.Error, match='broken.png') as caught:
        scheelite.load(tmp_path / 'broken.png')
    assert caught.value.diagnostics[0].number
    with pytest.raises(ValueError, match='no kind of file'):
        scheelite.save(tmp_path / 'a.txt', np.zeros((4, 4, 4), np.uint8))
    with pytest.raises(scheelite.UnsupportedError):
        scheelite.save(tmp_path / 'a.jpg', np.zeros((4, 4, 4), np.uint8))
    with pytest.raises(scheelite.UnsupportedError):
        scheelite.save(tmp_path / 'a.png', np.zeros((4, 4, 4), np.int32))
    with pytest.raises(FileNotFoundError):
        scheelite.load(tmp_path / 'none.png')


def test_pictures_in_notebooks():
    picture = scheelite.Picture(np.linspace(-1, 2, 48, dtype=np.float32).reshape(4, 4, 3))
    png = picture._repr_png_()
    shown = scheelite.load(png).array()
    assert np.array_equal(shown[..., :3], np.rint(np.clip(np.asarray(picture, np.float64), 0, 1) * 255))
    assert (shown[..., 3] == 255).all()
    assert scheelite.Picture(np.array([[np.nan, np.inf, -np.inf]], np.float32)).unorm8()[0, :, 0].tolist() == [0, 255, 0]
    assert scheelite.load(PHOTO)._repr_png_()[:4] == b'\x89PNG'
    assert picture[0, 0]._repr_png_() is None and scheelite.Picture(np.zeros((2, 2), np.int32))._repr_png_() is None
    with pytest.raises(ValueError, match='a picture has the shape'):
        scheelite.Picture(np.zeros((2, 2, 9)))


def test_the_hash_of_a_picture_is_the_repository_s():
    """examples/scenes/pictures.sha256 has it for every machine."""
    import hashlib
    photo = scheelite.Picture(scheelite.load(PHOTO).array())
    other = photo.copy()
    other[3, 4, 1] ^= 1
    assert len(photo.sha256()) == 64 and other.sha256() != photo.sha256()
    grey = scheelite.Picture(np.zeros((2, 3), np.float32))
    assert grey.sha256() == hashlib.sha256(b"(2, 3) <f4\n" + bytes(24)).hexdigest()


def test_numbers_that_do_not_fit_are_named():
    texture = scheelite.Texture(np.zeros((2, 2, 4), np.uint8))
    for given in ({'level': math.inf}, {'level': math.nan}, {'sample': 1 << 70}):
        with pytest.raises(ValueError, match=next(iter(given))):
            scheelite.fetch(texture, [0, 0], **given)
    with pytest.raises(ValueError, match='offset'):
        scheelite.explain_sample(texture, [0.5, 0.5], offset=[1 << 40, 0])
