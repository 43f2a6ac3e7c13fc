"""What the demo shows: each picture with the command that draws it and a sentence. Holds no results and no layout."""
import collections
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# `words` is the command, without the option `to` that says the file; `proves` says what the same bits everywhere show.
Picture = collections.namedtuple('Picture', 'name words title text proves to', defaults=['-o'])


def scene(name, title, text, proves):
    return Picture(name + '.scene', ['render', f'examples/scenes/{name}.scene'], title, text, proves)


# The first six are 1280 x 720.
SCENES = [
    scene('shadows', 'Light and shadow', 'A shadow map, sixteen filtered comparisons a pixel, anisotropy, sRGB, four samples.',
          'Filtered comparisons, anisotropy and the order of samples are exact.'),
    scene('glass', 'Glass, not sorted', 'Lists of fragments by atomics, walked from behind; four samples.',
          'Atomics and lists do not depend on which thread comes first.'),
    scene('fur', 'Fur', 'A geometry shader grows 30,000 hairs on a ball.',
          'Geometry shaders write primitives in one order, on any number of threads.'),
    scene('waves', 'Waves', 'Tessellation by distance, a displaced surface, its triangles on the left.',
          'The tessellator gives the points of the Direct3D specification; neighbours leave no crack.'),
    scene('drawing', 'A drawing of lines', 'Wide lines with eight samples, smooth ones, four kinds of stipple.',
          'Lines and stipple cover the same samples at every width of vectors.'),
    scene('languages', 'Three languages', 'TGSI, Direct3D and Maxwell texture code drew a third each, with the same bytes.',
          'The three front ends mean the same by the same lookup.'),
    scene('cube', 'Cube', 'An OBJ file, depth, mip levels, light, four samples.',
          'Interpolation, mip levels and depth agree between interpreter and machine code.'),
    scene('fountain', 'Fountain', 'Stream output and geometry shaders: a tree of points that grows by itself.',
          'What one frame streams out, the next reads, in order.'),
    scene('triangle', 'Triangle', 'The least that draws.',
          'The rules of coverage: a sample on an edge belongs to one side.'),
    scene('blend', 'Blending', 'Instances into a target of floats.',
          'Sums of floats are taken in the order of the instances.'),
    scene('lines', 'Samples', 'Lines with four samples and with one.',
          'Coverage of samples is counted, not estimated.'),
    scene('overlaps', 'Order', 'Triangles over each other.',
          'Later triangles win, whatever thread draws them.'),
]
LARGE = 6


def shader(name, text, proves, *more, photo=True):
    bound = ['--tex', '0=examples/pictures/photo.png,filter=linear'] if photo else []
    return Picture('shaders/' + name, ['run', f'examples/shaders/{name}.tgsi', *bound, *more, '--size', '512x512'], name, text, proves)


SHADERS = [
    shader('swirl', 'Sines, cosines, dependent lookups.', 'Sine and cosine have one result on every processor.'),
    shader('edges', 'A subroutine called eight times: the Sobel operator.', 'Calls and returns keep each pixel’s own lanes.'),
    shader('blur', 'Nested loops: a Gaussian of 81 lookups.', '81 rounded sums in one order.'),
    shader('plasma', 'A constant as time.', 'Constants reach every pixel unchanged.', '--const', '0:0=1.5,0,0,0'),
    shader('julia', 'A loop that each pixel leaves at another iteration.', 'Pixels that left a loop stay as they were.', photo=False),
    shader('tiles', 'SWITCH with fall-through, integers, KILL_IF.', 'Killed pixels write nothing; integers wrap.', photo=False),
]

# The tilted plane, and one pixel of it.
WIDTH, HEIGHT = 1024, 512
PIXEL = (864, 36)  # even: the first of its quad
FLOOR = 'examples/textures/floor.dds'
FILTERS = {'trilinear': ('filter=linear,mip=linear', 'Trilinear',
                         'A pixel far away covers a long strip of the floor. Trilinear filtering takes a square that holds the strip: it blurs.',
                         'The level of detail is computed by one formula, in one precision.'),
           'plane': ('filter=linear,mip=linear,aniso=16', 'Anisotropic, 16 : 1',
                     'Anisotropic filtering walks along the strip, here with up to sixteen lookups for one pixel: it stays sharp.',
                     'The number of lookups and their places are the same everywhere.')}
SAMPLED = ['--min', 'linear', '--mag', 'linear', '--mip', 'linear', '--aniso', '16']


def plane(name, *more, size=f'{WIDTH}x{HEIGHT}'):
    given, title, text, proves = FILTERS[name]
    return Picture('lookup/' + name, ['run', 'examples/shaders/plane.tgsi', '--tex', f'0={FLOOR},{given}', '--size', size, *more], title, text, proves)


PLANES = [plane('trilinear'), plane('plane')]
HEATS = [plane('trilinear', '--heat', 'lod', size='512x256')._replace(name='lookup/lod', title='Level of detail',
                                                      text='The floor, drawn by the level of detail of each trilinear lookup.',
                                                      proves='Each lookup can say its level.'),
         plane('plane', '--heat', 'texels', size='512x256')._replace(name='lookup/texels', title='Texels read',
                                                     text='The floor, drawn by the number of texels that each anisotropic lookup read.',
                                                     proves='Each lookup can say what it read.')]


def footprint(at, ddx, ddy):
    return Picture('lookup/footprint', ['sample', '--tex', FLOOR, *SAMPLED, '--at', at, '--ddx', ddx, '--ddy', ddy, '--explain'],
                   'One pixel of it', 'What the lookup of the ringed pixel read: the texels of two levels, each framed in the colour of its weight.',
                   'What is explained is what was computed.', '--footprint')


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
