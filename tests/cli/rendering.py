"""Rendering scenes that say themselves what they expect, for the tests of scenes, and parts of their texts. Holds no
check."""
import itertools

import command as c

WHITE = '1 1 1 1'
# D3D 19.2.4: offsets from the centre, in sixteenths of a pixel.
PATTERNS = {2: ((4, 4), (-4, -4)), 4: ((-2, -6), (6, -2), (-6, 2), (2, 6)), 8: ((1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)),
            16: ((1, 1), (-1, -3), (-3, 2), (4, -1), (-5, -2), (2, 5), (5, 3), (3, -5), (-2, 6), (0, -7), (-4, -6), (-6, 4), (-8, 0), (7, -4), (6, 7), (-7, -8))}


def mesh(vertices, name='m'):
    """(x, y, z, w) and (r, g, b, a) of each vertex."""
    rows = ''.join(f'  {" ".join(map(repr, place))}  {" ".join(map(repr, color))}\n' for place, color in vertices)
    return f'mesh {name} {{ position float4; color float4; vertices {{\n{rows}}} }}\n'


def at(x, y, size=16, z=0.0, w=1.0):
    """Clip coordinates of a point of the picture, in pixels from its upper left corner."""
    return ((2 * x / size - 1) * w, (1 - 2 * y / size) * w, z * w, w)


def rows_of(lit, size):
    """Expectations of a whole picture: white where `lit`, else black."""
    expect = []
    for y in range(size):
        x = 0
        for key, group in itertools.groupby(bool(lit(x, y)) for x in range(size)):
            count = len(list(group))
            expect.append(f'rect t {x} {y} {count} 1 = ' + (WHITE if key else '0 0 0 0'))
            x += count
    return expect


def holds(text, name='', *options):
    """Findings: all that the scene expects holds, nothing is said beside, and it expects something."""
    done = c.run('render', '-', '--check', '--threads', '2', '-Wno-6520', *options, stdin=text)
    count = text.count('\nexpect ')
    if count and (done.returncode, done.stderr, done.stdout.decode()) == (c.YES, b'', f'{count} passed, 0 failed\n'):
        return []
    return [f'{name or text[-400:]}: {done.returncode} {done.stdout.decode()[:300]} {done.stderr.decode()[:300]}']


def refuses(text, *words):
    """Findings: the scene is refused with these words."""
    done = c.run('render', '-', '--check', stdin=text)
    err = done.stderr.decode()
    return [] if done.returncode > c.YES and all(word in err for word in words) else [f'{done.returncode} {err[:300]}, not {words}']
