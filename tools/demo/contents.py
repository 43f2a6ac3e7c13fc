"""What the demo shows: each picture with the command that draws it and a sentence. Holds no results and no layout."""
import collections
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# `words` is the command, without the option `to` that says the file.
Picture = collections.namedtuple('Picture', 'name words title text to', defaults=['-o'])


def scene(name, title, text):
    return Picture(name + '.scene', ['render', f'examples/scenes/{name}.scene'], title, text)


# The first six are 1280 x 720.
SCENES = [
    scene('shadows', 'Light and shadow', 'A shadow map, sixteen filtered comparisons a pixel, anisotropy, sRGB, four samples.'),
    scene('glass', 'Glass, not sorted', 'Lists of fragments by atomics, walked from behind; four samples.'),
    scene('fur', 'Fur', 'A geometry shader grows 30,000 hairs on a ball.'),
    scene('waves', 'Waves', 'Tessellation by distance, a displaced surface, its triangles on the left.'),
    scene('drawing', 'A drawing of lines', 'Wide lines with eight samples, smooth ones, four kinds of stipple.'),
    scene('languages', 'Three languages', 'TGSI, Direct3D and Maxwell texture code drew a third each, with the same bytes.'),
    scene('cube', 'Cube', 'An OBJ file, depth, mip levels, light, four samples.'),
    scene('fountain', 'Fountain', 'Stream output and geometry shaders: a tree of points that grows by itself.'),
    scene('triangle', 'Triangle', 'The least that draws.'),
    scene('blend', 'Blending', 'Instances into a target of floats.'),
    scene('lines', 'Samples', 'Lines with four samples and with one.'),
    scene('overlaps', 'Order', 'Triangles over each other.'),
]
LARGE = 6


def shader(name, text, *more, photo=True):
    bound = ['--tex', '0=examples/pictures/photo.png,filter=linear'] if photo else []
    return Picture('shaders/' + name, ['run', f'examples/shaders/{name}.tgsi', *bound, *more, '--size', '512x512'], name, text)


SHADERS = [
    shader('swirl', 'Sines, cosines, dependent lookups.'),
    shader('edges', 'A subroutine called eight times: the Sobel operator.'),
    shader('blur', 'Nested loops: a Gaussian of 81 lookups.'),
    shader('plasma', 'A constant as time.', '--const', '0:0=1.5,0,0,0'),
    shader('julia', 'A loop that each pixel leaves at another turn.', photo=False),
    shader('tiles', 'SWITCH with fall-through, integers, KILL_IF.', photo=False),
]

# The tilted plane, and one pixel of it.
WIDTH, HEIGHT = 1024, 512
PIXEL = (864, 36)  # even: the first of its quad
FLOOR = 'examples/textures/floor.dds'
FILTERS = {'trilinear': ('filter=linear,mip=linear', 'Trilinear',
                         'A pixel far away covers a long strip of the floor. Trilinear filtering takes a square that holds the strip: it blurs.'),
           'plane': ('filter=linear,mip=linear,aniso=16', 'Anisotropic, 16 : 1',
                     'Anisotropic filtering walks along the strip, here with up to sixteen lookups for one pixel: it stays sharp.')}
SAMPLED = ['--min', 'linear', '--mag', 'linear', '--mip', 'linear', '--aniso', '16']


def plane(name, *more, size=f'{WIDTH}x{HEIGHT}'):
    given, title, text = FILTERS[name]
    return Picture('lookup/' + name, ['run', 'examples/shaders/plane.tgsi', '--tex', f'0={FLOOR},{given}', '--size', size, *more], title, text)


PLANES = [plane('trilinear'), plane('plane')]
HEATS = [plane('trilinear', '--heat', 'lod', size='512x256')._replace(name='lookup/lod', title='Level of detail',
                                                      text='The floor, drawn by the level of detail of each trilinear lookup.'),
         plane('plane', '--heat', 'texels', size='512x256')._replace(name='lookup/texels', title='Texels read',
                                                     text='The floor, drawn by the number of texels that each anisotropic lookup read.')]


def footprint(at, ddx, ddy):
    return Picture('lookup/footprint', ['sample', '--tex', FLOOR, *SAMPLED, '--at', at, '--ddx', ddx, '--ddy', ddy, '--explain'],
                   'One pixel of it', 'What the lookup of the ringed pixel read: the texels of two levels, each framed in the colour of its weight.',
                   '--footprint')


# One lookup in three languages: what it is called, its texts, and how it is run.
BOUND = ['--tex', f'0={FLOOR},{FILTERS["plane"][0]}', '--quads', '--vectors']
LANGUAGES = [
    ('TGSI', ['examples/lookup/lookup.tgsi'], ['eval', 'examples/lookup/lookup.tgsi', *BOUND, 'examples/lookup/quad.tsv']),
    ('Direct3D, shader model 5', ['examples/lookup/lookup.asm'], ['eval', 'examples/lookup/lookup.dxbc', *BOUND, 'examples/lookup/quad.tsv']),
    ('NVIDIA Maxwell', ['examples/lookup/lookup.sass', 'examples/lookup/pool.txt'],
     ['eval', '-x', 'maxwell', 'examples/lookup/lookup.bin', '--headers', 'examples/lookup/pool.txt', '--samplers', 'examples/lookup/pool.txt',
      '--cbank', 'examples/lookup/bank.bin', '--memory', 'examples/lookup/memory.bin@100000', '--quads', '--vectors', 'examples/lookup/lanes.tsv']),
]

# What is timed: names of SHADERS and PLANES, drawn larger.
TIMED = ['shaders/blur', 'shaders/edges', 'shaders/swirl', 'shaders/plasma', 'shaders/julia', 'lookup/plane']
TIMED_SIZE = '1024x1024'
