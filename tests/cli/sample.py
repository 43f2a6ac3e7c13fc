#!/usr/bin/env python3
"""sample, and what run has of the texture unit: options, batches, explanations, heat pictures, images. Answers are
computed here from the texels' bytes (splitmix64) and exact fractions."""
import json
import os
import re
import struct
import subprocess
import time
from fractions import Fraction

import command as c
import tap

MASK = (1 << 64) - 1


def splitmix(seed, count):
    """`count` bytes of the sequence."""
    out = b''
    while len(out) < count:
        seed = (seed + 0x9e3779b97f4a7c15) & MASK
        z = seed
        z = ((z ^ z >> 30) * 0xbf58476d1ce4e5b9) & MASK
        z = ((z ^ z >> 27) * 0x94d049bb133111eb) & MASK
        out += struct.pack('<Q', z ^ z >> 31)
    return out[:count]


def bits(number):
    return struct.unpack('<I', struct.pack('<f', number))[0]


def nearest_float(fraction):
    """The binary32 nearest to a fraction in [0, 1], ties to even."""
    if fraction == 0:
        return 0.0
    exponent = 0
    while fraction * 2 ** exponent < 2 ** 23:
        exponent += 1
    whole = round(fraction * 2 ** exponent)  # round() of a Fraction ties to even
    return whole / 2 ** exponent


def unorm8(numerators):
    """An answer from 8-bit codes as fractions."""
    return ','.join(f'0x{bits(nearest_float(Fraction(n) / 255)):08x}' for n in numerators)


def texel(data, x, y, width, base=0):
    at = base + (y * width + x) * 4
    return list(data[at:at + 4])


def answers(lines, *defaults):
    done = c.run('sample', '--batch', '-', *defaults, stdin='\n'.join(lines) + '\n')
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


RANDOM = 'random:R8G8B8A8_UNORM:8x4:levels=2:seed=7'
DATA = splitmix(7, 8 * 4 * 4 + 4 * 2 * 4)


def expect(pairs, *defaults):
    """Lines and their answers, at every width, and one by one."""
    findings = []
    for width in ('4', '8', '16'):
        code, have, err = answers([line for line, _ in pairs], *defaults, '--width', width)
        if code or have != [wanted for _, wanted in pairs]:
            findings += [f'width {width}, {line}: {h}, not {w} {err[:200]}'
                         for (line, w), h in zip(pairs, have + ['nothing'] * len(pairs)) if h != w][:4]
            findings.append(f'exit {code}: {err[:200]}')
    line, wanted = pairs[-1]
    return findings + c.exit_is(c.YES, 'sample', *defaults, *line.split(), out=wanted + '\n')


def nearest():
    pairs = []
    for y in range(4):
        for x in range(8):
            pairs.append((f'--at {(x + 0.5) / 8},{(y + 0.5) / 4}', unorm8(texel(DATA, x, y, 8))))
    pairs.append(('--at 1.0625,-0.125 --wrap clamp_to_edge', unorm8(texel(DATA, 7, 0, 8))))
    pairs.append(('--at 1.0625,-0.125', unorm8(texel(DATA, 0, 3, 8))))
    pairs.append(('--at=1.0625,-0.125 --wrap=mirror_repeat,clamp_to_edge', unorm8(texel(DATA, 7, 0, 8))))
    pairs.append(('--op sample_l --lod 1 --mip nearest --at 0.125,0.25', unorm8(texel(DATA, 0, 0, 4, 128))))
    pairs.append(('--at 0x3f700000,0x0p0', unorm8(texel(DATA, 7, 0, 8))))
    return expect(pairs, '--tex', RANDOM)


def linear():
    pairs = []
    for i in range(24):
        u, v = 2 * 256 + 17 * i, 1 * 256 + 5 * i  # in 1/256 of a texel, from the centres
        weights = [(u >> 8, 256 - (u & 255)), ((u >> 8) + 1, u & 255)], [(v >> 8, 256 - (v & 255)), ((v >> 8) + 1, v & 255)]
        sums = [sum(Fraction(texel(DATA, x % 8, y % 4, 8)[channel] * a * b, 65536)
                    for x, a in weights[0] for y, b in weights[1]) for channel in range(4)]
        at = f'{(u / 256 + 0.5) / 8!r},{(v / 256 + 0.5) / 4!r}'
        pairs.append((f'--at {at} --min linear --mag linear', unorm8(sums)))
    return expect(pairs, '--tex', RANDOM)


def other_operations():
    one, half = '0x3f800000', '0x3f000000'
    size = '0x00000008,0x00000004,0x00000000,0x00000002'
    pairs = [('--op fetch --at 3,2', unorm8(texel(DATA, 3, 2, 8))),
             ('--op fetch --at 3,1 --lod 1', unorm8(texel(DATA, 3, 1, 4, 128))),
             ('--op fetch --at 2,1 --level 1 --offset 1,0', unorm8(texel(DATA, 3, 1, 4, 128))),
             ('--op fetch --at -1,0', unorm8([0, 0, 0, 0])),
             ('--op size', size), ('--op size --lod 1', '0x00000004,0x00000002,0x00000000,0x00000002'),
             ('--op size --lod 7', '0x00000000,0x00000000,0x00000000,0x00000002'),
             ('--op samples', '0x00000001,0x00000000,0x00000000,0x00000000'),
             ('--op lod --ddx 0.5,0 --ddy 0,0.5 --mip linear', f'{one},0x40000000,0x00000000,0x00000000'),
             ('--at 0.0625,0.125 --swizzle wz01',
              ','.join(unorm8(reversed(texel(DATA, 0, 0, 8))).split(',')[:2] + ['0x00000000', one])),
             ('--at 0.0625,0.125 --swizzle xxxx', unorm8(texel(DATA, 0, 0, 8)[:1] * 4)),
             ('--at 2,2 --wrap clamp_to_border --border 0.5,1,0,0.5', f'{half},{one},0x00000000,{half}'),
             ('--at 3.5,2.5 --unnormalized --wrap clamp_to_edge', unorm8(texel(DATA, 3, 2, 8))),
             ('--op gather --component 1 --at 0.25,0.5',
              unorm8([texel(DATA, x, y, 8)[1] for x, y in ((1, 2), (2, 2), (2, 1), (1, 1))]))]
    return expect(pairs, '--tex', RANDOM) + expect([('--at 0.5,0.5', ','.join(['0x00000000'] * 4))], '--tex', 'none')


def kinds_of_textures():
    """Targets, samples, layers, integers, depth, sRGB, buffers."""
    layers = splitmix(3, 2 * 2 * 4 * 3)
    words = struct.unpack('<4I', splitmix(9, 16))
    pairs = [(f'--tex random:R8G8B8A8_UNORM:2x2:layers=3:seed=3 --target 2D_ARRAY --at 0.75,0.25,{layer}',
              unorm8(texel(layers, 1, 0, 2, 16 * layer))) for layer in range(3)]
    pairs += [(f'--tex random:R8G8B8A8_UNORM:2x2x3:seed=3 --target 3D --at 0.75,0.25,{(layer + 0.5) / 3}',
               unorm8(texel(layers, 1, 0, 2, 16 * layer))) for layer in range(3)]
    pairs += [(f'--tex random:R32_UINT:4:seed=9 --target BUFFER --op fetch --at {i}',
               f'0x{words[i]:08x},0x00000000,0x00000000,0x00000001') for i in range(4)]
    pairs += [(f'--tex random:R32_UINT:1x1:samples=4:seed=9 --target 2D_MSAA --op fetch --at 0,0 --index {i}',
               f'0x{words[i]:08x},0x00000000,0x00000000,0x00000001') for i in range(4)]
    pairs += [('--tex zero:R32_UINT:1x1 --at 4,4 --wrap clamp_to_border --border 7,0xffffffff,1,9',
               '0x00000007,0x00000000,0x00000000,0x00000001'),
              ('--tex zero:Z32_FLOAT:2x2 --op sample_c --ref 0.5 --compare greater --at 0.5,0.5',
               ','.join(['0x3f800000'] * 4)),
              ('--tex zero:Z32_FLOAT:2x2 --target SHADOW2D --ref 0.5 --at 0.5,0.5', ','.join(['0x00000000'] * 4)),
              ('--tex zero:Z32_FLOAT:2x2 --op gather --ref 0.5 --compare notequal --at 0.5,0.5',
               ','.join(['0x3f800000'] * 4))]
    findings = expect(pairs)
    face = splitmix(5, 6 * 16)
    cubes = [(f'--tex random:R8G8B8A8_UNORM:2x2:seed=5 --target CUBE --at {at}', unorm8(texel(face, 0, 0, 2, 16 * n)))
             for n, at in enumerate(('1,0.5,0.5', '-1,0.5,-0.5', '-0.5,1,-0.5', '-0.5,-1,0.5', '-0.5,0.5,1', '0.5,0.5,-1'))]
    findings += expect(cubes)
    code, have, err = answers(['--at 0.0625,0.125', '--at 0.0625,0.125 --srgb 1', '--at 0.0625,0.125 --view-format R8G8B8A8_SRGB'],
                              '--tex', RANDOM)
    if code or have[1] != have[2] or have[0] == have[1] or have[0].split(',')[3] != have[1].split(',')[3]:
        findings.append(f'--srgb: {have} {err}')
    return findings


def batches():
    """Bad lines are named and answered with ?; comments and blank lines are no lookups."""
    good = unorm8(texel(DATA, 0, 0, 8))
    lines = ['# a comment', '', '--at 0.01,0.01', '--at x', '   ', '--frob 1', '--op fetch --at 0.5,0', '--op gather --component 4',
             '--wrap round', '--tex random:NONE_SUCH:1x1', '--at', '--op "sample" --at \'0.01,0.01\'']
    code, have, err = answers(lines, '--tex', RANDOM)
    findings = [] if (code, have) == (c.USAGE, [good] + ['?'] * 7 + [good]) else [f'{code} {have}']
    findings += [f'{number} is not named: {err}' for number in (4, 6, 7, 8, 9, 10, 11) if f'<stdin>:{number}: error' not in err]
    code, have, err = answers(['--at 0.01,0.01', '--tex ' + c.path('absent.png'), '--tex ' + c.path('absent.png')], '--tex', RANDOM)
    if (code, have) != (c.IO, [good, '?', '?']):
        findings.append(f'an absent file: {code} {have}')
    path = c.write('lines.txt', '--at 0.01,0.01\r\n--at 0.01,0.01')
    findings += c.exit_is(c.YES, 'sample', '--tex', RANDOM, '--batch', path, out=good + '\n' + good + '\n')
    return findings + c.exit_is(c.IO, 'sample', '--batch', c.path('absent.txt')) + \
        c.exit_is(c.YES, 'sample', '--batch', '-', out='')


def report_order():
    """Reports come in the order of the lines, whatever lookups run together and wherever in memory they stand."""
    wrong = ('--frob 1', '--op gather --at 0,0 --component 4', '--target SHADOW2D --op sample_c --at 0,0 --offset 1', '--at x')
    lines = [f'--tex random:R8_UNORM:2x1:seed={i * 7 % 10} --lod-bias {i * 5 % 9} {wrong[i % 4]}' for i in range(90)]
    code, have, err = answers(lines)
    named = [int(number) for number in re.findall(r'<stdin>:(\d+): error', err)]
    return [] if (code, have, named) == (c.USAGE, ['?'] * 90, list(range(1, 91))) else [f'{code} {have} {named}']


def taken():
    """An option that the operation does not look at is an error, and so are missing coordinates, derivatives and
    offsets."""
    takes = {'sample': 'ddx ddy offset', 'sample_l': 'lod level offset', 'sample_b': 'bias ddx ddy offset', 'sample_d': 'ddx ddy offset',
             'sample_c': 'lod level bias ddx ddy ref offset', 'gather': 'ref offset component', 'fetch': 'lod level offset index',
             'size': 'lod level', 'samples': '', 'lod': 'ddx ddy'}
    values = {'lod': '1', 'level': '1', 'bias': '1', 'ddx': '0.5,0', 'ddy': '0,0.5', 'ref': '0.5', 'offset': '1,1', 'component': '1', 'index': '0'}
    findings = []
    for op, options in takes.items():
        at = () if op in ('size', 'samples') else ('--at', '0,0')
        findings += c.exit_is(c.YES, 'sample', '--tex', RANDOM, '--op', op, *at)
        for option, value in values.items():
            good = option in options.split()
            findings += c.exit_is(c.YES if good else c.USAGE, 'sample', '--tex', RANDOM, '--op', op, *at, '--' + option, value,
                                  err=None if good else f'--op {op} does not take --{option}' + (
                                      ' on a target without SHADOW\n' if option == 'ref' and op[:6] == 'sample' and op != 'samples' else '\n'))
    findings += c.exit_is(c.USAGE, 'sample', '--tex', RANDOM, '--op', 'size', '--at', '0,0', err='--op size does not take --at')
    findings += c.exit_is(c.USAGE, 'sample', '--tex', RANDOM, '--op', 'sample_c', '--at', '0,0', '--lod', '1', '--bias', '1',
                          err='does not take --bias beside --lod')
    findings += c.exit_is(c.YES, 'sample', '--tex', 'zero:Z32_FLOAT:2x2', '--target', 'SHADOW2D', '--at', '0,0', '--ref', '0.5')
    needs = {'1D': 1, '2D': 2, 'RECT': 2, '3D': 3, 'CUBE': 3, '1D_ARRAY': 2, '2D_ARRAY': 3, 'CUBE_ARRAY': 4}
    for target, count in needs.items():
        for given in range(1, 5):
            at = ','.join(['0'] * given)
            findings += c.exit_is(c.YES if given >= count else c.USAGE, 'sample', '--tex', 'none', '--target', target, '--at', at,
                                  err=None if given >= count else f'{given} of {count} coordinates')
    axes = {'1D': 1, '2D': 2, 'RECT': 2, '3D': 3, 'CUBE': 3, '1D_ARRAY': 1, '2D_ARRAY': 2, 'CUBE_ARRAY': 3}
    for target, count in axes.items():
        for given in range(1, 4):
            numbers = ','.join(['0'] * given)
            for op, option in (('sample_d', 'ddx'), ('lod', 'ddy')) + (() if 'CUBE' in target else (('sample', 'offset'),)):
                findings += c.exit_is(c.YES if given >= count else c.USAGE, 'sample', '--tex', 'none', '--target', target, '--op', op,
                                      '--at', '0,0,0,0', '--' + option, numbers,
                                      err=None if given >= count else f'--{option}: {given} of {count} numbers')
    findings += c.exit_is(c.USAGE, 'sample', '--tex', RANDOM, err='0 of 2 coordinates')
    findings += c.exit_is(c.YES, 'sample', '--tex', 'none', '--target', 'CUBE_ARRAY', '--op', 'fetch', '--at', '0,0,0')
    # What a batch is given for all of its lines goes with those that take it.
    code, have, err = answers(['--op size', '--op sample_l --at 0,0', '--op size --at 0,0'], '--tex', RANDOM, '--at', '0,0', '--lod', '1')
    if code != c.USAGE or have[2:] != ['?'] or '?' in have[:2]:
        findings.append(f'a batch: {code} {have} {err}')
    return findings


def conversations():
    """Whoever waits for an answer before the next lookup gets it."""
    with subprocess.Popen([c.COMMAND, 'sample', '--tex', RANDOM, '--batch', '-'], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as talk:
        for x in range(3):
            talk.stdin.write(f'--op fetch --at {x},0\n'.encode())
            talk.stdin.flush()
            if talk.stdout.readline().decode().strip() != unorm8(texel(DATA, x, 0, 8)):
                return [f'lookup {x}']
        talk.stdin.close()
        return [] if talk.wait(20) == 0 and talk.stdout.read() == b'' else ['the end']


def many():
    """More lines, states and textures than are kept at once: the same answers as one by one, in order."""
    lines, wanted = [], []
    for i in range(9000):
        seed, x = i % 70, i % 2
        lines.append(f'--tex random:R8_UNORM:2x1:seed={seed} --lod-bias {i * 0.0001:.4f} --at {0.25 + x / 2},0.5')
        code = splitmix(seed, 2)[x]
        wanted.append(unorm8([code, 0, 0, 255]))
    begin = time.monotonic()
    code, have, err = answers(lines)
    findings = [] if code == 0 and have == wanted else [f'{code} {len(have)} {err[:200]}']
    return findings + ([f'{time.monotonic() - begin:.0f} s'] if time.monotonic() - begin > 60 else [])


def usage():
    tex = ('sample', '--tex', RANDOM)
    findings = c.exit_is(c.USAGE, 'sample') + c.exit_is(c.IO, 'sample', '--tex', c.path('absent.png'), '--at', '0') + \
        c.exit_is(c.USAGE, *tex, '--batch', '-', '--explain') + c.exit_is(c.NO, 'sample', '--tex', c.write('no.png', 'no')) + \
        c.exit_is(c.USAGE, *tex, 'word') + c.exit_is(c.YES, 'sample', '--help', out='usage: scheelite sample')
    for option, value in (('--target', '4D'), ('--op', 'peek'), ('--at', '1,2,3,4,5'), ('--at', ''), ('--lod', 'x'), ('--bias', '1,2'),
                          ('--offset', '0.5'), ('--component', '0.5'), ('--component', '4'), ('--wrap', 'repeat,round'), ('--min', 'cubic'),
                          ('--mip', 'half'), ('--aniso', '17'), ('--border', '1,2,3'), ('--compare', 'like'), ('--seamless', '2'),
                          ('--srgb', 'yes'), ('--swizzle', 'xyz'), ('--swizzle', 'xyzq'), ('--rules', 'gl'), ('--reduction', 'most'),
                          ('--view-format', 'NONE_SUCH'), ('--levels', '1-0'), ('--levels', '5'), ('--width', '5'), ('--ref', 'x'),
                          ('--index', 'x'), ('--footprint', c.path('no/folder.png'))):
        wanted = c.IO if option == '--footprint' else c.USAGE
        rest = ('--at', '0,0') if option == '--footprint' else ()
        if option == '--component' and value == '4':
            findings += c.exit_is(wanted, *tex, '--op', 'gather', '--at', '0,0', option, value)
        else:
            findings += c.exit_is(wanted, *tex, option, value, *rest)
    for text in ('random:', 'random:R8_UNORM', 'random:R8_UNORM:', 'random:R8_UNORM:0', 'random:R8_UNORM:4x4x4x4', 'random:R8_UNORM:4:depth=2',
                 'random:R8_UNORM:4:levels=0', 'random:R8_UNORM:4:seed=-1', 'random:R8_UNORM:4:seed=1x'):
        findings += c.exit_is(c.USAGE, 'sample', '--tex', text)
    return findings + c.exit_is(c.USAGE, *tex, '--unnormalized=1')


def explanations():
    done = c.run('sample', '--tex', RANDOM, '--explain', '--at', '0.25,0.5', '--min', 'linear', '--mag', 'linear', '--footprint',
                 c.path('footprint.png'))
    lines = done.stdout.decode().splitlines()
    findings = [] if done.returncode == 0 else [done.stderr.decode()]
    texels = [line for line in lines if line.startswith('texel')]
    places = {(1, 1), (2, 1), (1, 2), (2, 2)}
    for x, y in places:
        wanted = ', '.join(f'{nearest_float(Fraction(v, 255)):.9g}' for v in texel(DATA, x, y, 8))
        if not any(f'level 0, x {x}, y {y}, layer 0, weight 0.25: {wanted}' in line for line in texels):
            findings.append(f'texel {x},{y} ({wanted}) is not in {lines}')
    for word in ('derivatives', 'LOD', 'magnified', '2D of R8G8B8A8_UNORM, 8 x 4', 'result', 'taps'):
        if not any(word in line for line in lines):
            findings.append(f'{word} is not in {lines}')
    sums = [sum(Fraction(texel(DATA, x, y, 8)[channel], 4) for x, y in places) for channel in range(4)]
    if lines[-1:] != [unorm8(sums)]:
        findings.append(f'the answer: {lines[-1:]}')
    width, height, dots = c.picture(c.path('footprint.png'))
    # 8 by 4 texels of 40 dots: the middle of a texel that is not used is half its colour.
    left, top = 8, 18
    at = ((top + 20) * width + left + 20) * 4
    dim = tuple((v * 2 + 64 * 2) // 4 if i < 2 else (v * 2 + 68 * 2) // 4 for i, v in enumerate(texel(DATA, 0, 0, 8)[:3]))
    if (width, height) != (336, 186) or tuple(dots[at:at + 3]) != dim:
        findings.append(f'footprint: {width}x{height} {tuple(dots[at:at + 3])}, not {dim}')
    used = ((top + 40 + 10) * width + left + 40 + 10) * 4
    if tuple(dots[used:used + 3]) != tuple(texel(DATA, 1, 1, 8)[:3]):
        findings.append(f'footprint: a used texel is {tuple(dots[used:used + 3])}')
    return findings


def explained_json():
    """The same as JSON: levels with their weights, texels with what they are and where; the border has no place."""
    def explained(*arguments):
        done = c.run('sample', *arguments, '--explain', '--json')
        return json.loads(done.stdout)['results'][0] if done.returncode == c.YES else {'explanation': done.stderr}

    one = explained('--tex', RANDOM, '--at', '0.25,0.5', '--min', 'linear', '--mag', 'linear')
    why, findings = one['explanation'], []
    places = {(t['x'], t['y']): (t['weight'], t['values']) for t in why['texels']}
    numbers = {(x, y): [float(f'{nearest_float(Fraction(v, 255)):.9g}') for v in texel(DATA, x, y, 8)] for x in (1, 2) for y in (1, 2)}
    if why['texture'] != {'target': '2D', 'format': 'R8G8B8A8_UNORM', 'size': [8, 4], 'levels': 2} or set(places) != set(numbers):
        findings.append(f'{why}')
    for at, (weight, values) in places.items():
        if weight != 0.25 or any(abs(a - b) > 1e-6 for a, b in zip(values, numbers[at])):
            findings.append(f'{at}: {weight} {values}, not {numbers[at]}')
    levels = explained('--tex', 'random:R8_UNORM:8x8:levels=4', '--at', '0.5,0.5', '--lod', '1.25', '--op', 'sample_l', '--mip', 'linear')
    lod = levels['explanation']['lod']
    if lod['levels'] != [{'level': 1, 'weight': 0.75}, {'level': 2, 'weight': 0.25}] or (lod['clamped'], lod['taps'], lod['magnified']) != (1.25, 1, False):
        findings.append(f'{lod}')
    border = explained('--tex', 'random:R8_UNORM:4x4', '--at', '-1,0', '--wrap', 'clamp_to_border', '--border', '0.5,1,2,3')['explanation']['texels']
    if len(border) != 1 or not border[0]['border'] or 'x' in border[0] or border[0]['values'] != [0.5, 0.0, 0.0, 1.0]:
        findings.append(f'{border}')
    integers = explained('--tex', 'random:R32_UINT:1x1:seed=3', '--at', '0,0', '--op', 'fetch')
    word = int.from_bytes(splitmix(3, 4), 'little')
    if integers['values'] != [word, 0, 0, 1] or integers['explanation']['texels'][0]['values'] != [word, 0, 0, 1] or 'lod' in integers['explanation']:
        findings.append(f'{integers}')
    face = explained('--tex', 'random:R8_UNORM:4x4:layers=6', '--target', 'CUBE', '--at', '0,0,-1')['explanation']
    if face['face'] != 5 or len(face['lod']['ddx']) != 2 or explained('--tex', 'none', '--at', '0,0')['explanation'] != {'texture': None, 'texels': []}:
        findings.append(f'{face}')
    text = c.run('sample', '--tex', 'random:R32_UINT:1x1:seed=1', '--at', '0,0', '--op', 'fetch', '--explain').stdout.decode()
    word = int.from_bytes(splitmix(1, 4), 'little')
    return findings + ([] if f'result       {word}, 0, 0, 1\n' in text and word >= 1 << 31 else [f'{word}: {text}'])


TEX = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n'
       'TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n')


def heat():
    """Bilinear lookups read four texels, or the LOD is that of 16 texels a pixel; the legend is below."""
    path, made, findings = c.write('heat.tgsi', TEX), c.path('heat.png'), []
    for kind, setting in (('texels', 'filter=linear'), ('lod', 'mip=nearest')):
        findings += c.exit_is(c.YES, 'run', path, '--tex', '0=random:R8G8B8A8_UNORM:256x256:levels=9,' + setting, '-o', made,
                              '--size', '16x16', '--heat', kind, out='')
        width, height, dots = c.picture(made)
        inside = {dots[(y * width + x) * 4:(y * width + x) * 4 + 3] for y in range(16) for x in range(16)}
        below = {dots[(y * width + x) * 4:(y * width + x) * 4 + 3] for y in range(16, height) for x in range(width)}
        if (width, height) != (96, 46) or len(inside) != 1 or len(below) < 50 or bytes(3) in inside:
            findings.append(f'{kind}: {width}x{height}, {len(inside)} colours inside, {len(below)} below')
    c.run('run', c.example('gradient'), '-o', made, '--size', '16x16', '--heat', 'lod')
    if any(c.picture(made)[2][i] for i in range(3)):
        findings.append('pixels without lookups are not black')
    return findings + c.exit_is(c.USAGE, 'run', path, '-o', made, '--heat', 'cold')


def textures_of_run():
    """--tex of run takes random textures, targets and the options of sample."""
    body = TEX.replace('2D', '2D_ARRAY')
    path, made = c.write('array.tgsi', body.replace('SVIEW[0], 2D_ARRAY', 'SVIEW[0], 2D_ARRAY')), c.path('array.png')
    findings = c.exit_is(c.YES, 'run', path, '--tex', '0=random:R8G8B8A8_UNORM:8x4:layers=2:seed=7,target=2D_ARRAY,swizzle=zyxw', '-o',
                         made, '--size', '8x4')
    data = splitmix(7, 128)
    wanted = b''.join(bytes((data[i + 2], data[i + 1], data[i], data[i + 3])) for i in range(0, 128, 4))
    if not findings and c.picture(made)[2] != wanted:
        findings.append('2D_ARRAY: the picture is not layer 0')
    return findings + c.exit_is(c.USAGE, 'run', path, '--tex', '0=x,target=4D', '-o', made) + \
        c.exit_is(c.USAGE, 'run', path, '--tex', '0=x,border=1,2', '-o', made)


INVERT = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 8
PROPERTY CS_FIXED_BLOCK_HEIGHT 4
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR
DCL TEMP[0]
IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}
LOAD TEMP[0], IMAGE[0], SV[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM
ADD TEMP[0], IMM[0].xxxx, -TEMP[0]
STORE IMAGE[0], SV[0], TEMP[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM
END
'''


def images():
    shader, data = c.write('invert.tgsi', INVERT), splitmix(4, 128)
    wanted, findings = bytes(255 - v for v in data), []
    for name in ('image.png', 'image.bin'):
        made = c.path(name)
        findings += c.exit_is(c.YES, 'run', shader, '--grid', '1,1,1', '--image', '0=random:R8G8B8A8_UNORM:8x4:seed=4',
                              '--image-out', '0=' + made, out='')
        if findings or (c.picture(made)[2] if name.endswith('png') else c.read(made)) != wanted:
            findings.append(f'{name}: the image is wrong')
    findings += c.exit_is(c.YES, 'run', shader, '--grid', '1,1,1', '--image', '0=' + c.path('image.png'), '--image-out',
                          '0=' + c.path('again.png'))
    if not findings and c.picture(c.path('again.png'))[2] != data:
        findings.append('a picture as image')
    return findings + c.exit_is(c.USAGE, 'run', shader, '--grid', '1,1,1', '--image-out', '0=x') + \
        c.exit_is(c.USAGE, 'run', shader, '--grid', '1,1,1', '--image', '99=x') + \
        c.exit_is(c.USAGE, 'run', shader, '--grid', '1,1,1', '--image', '0=x,target=4D') + \
        c.exit_is(c.IO, 'run', shader, '--grid', '1,1,1', '--image', '0=' + c.path('absent.png'))


def outputs_of_images():
    """What has one level and sample goes to a name that ends in .png as a picture, layers one below the other; what PNG does not
    hold is refused. To names without such an ending all goes as its bytes."""
    shader, findings = c.write('nothing.tgsi', 'COMP\nDCL IMAGE[0], 2D, WR\nEND\n'), []
    os.makedirs(c.path('a.b'), exist_ok=True)
    for shape, target, size, picture in (
            ('R8G8B8A8_UNORM:3x2', '2D', 24, (3, 2)), ('R8G8B8A8_UNORM:3x2x2', '3D', 48, (3, 4)), ('R8G8B8A8_UNORM:3:layers=4', '1D_ARRAY', 48, (3, 4)), ('R8G8B8A8_UNORM:2x2', 'CUBE', 96, (2, 12)),
            ('R8G8B8A8_UNORM:5', 'BUFFER', 20, (5, 1)), ('R8G8B8A8_UNORM:4x4:levels=2', '2D', 80, None), ('R8G8B8A8_UNORM:2x2:samples=2', '2D_MSAA', 32, None), ('R8G8B8A8_UINT:3x2', '2D', 24, None),
            ('R32_UINT:3x2', '2D', 24, None)):
        data = splitmix(9, size)
        for name, ends in (('a.png', True), ('.png', True), ('xpng', False), ('a.b/x', False), ('a.png.x', False), ('x', False)):
            done = c.run('run', shader, '--grid', '1,1,1', '--image', '0=zero:R32_UINT:1x1', '--image', f'0=random:{shape}:seed=9,target={target}', '--image-out', f'0={name}', cwd=c.FOLDER.name)
            made = c.path(name)
            if ends and not picture:
                findings += [] if done.returncode == c.UNSUPPORTED and done.stderr else [f'{shape} {name}: {done}']
                continue
            have = (*c.picture(made)[:2], c.picture(made)[2]) if picture and ends else c.read(made)
            if done.returncode or have != ((*picture, data) if picture and ends else data):
                findings.append(f'{shape} {name}: {done} {have}')
    return findings


def heat_of_odd_sizes():
    """Rows of LOWER_LEFT count from below, in pictures whose last row and column have helpers beside them. Texels are
    read where POSITION's row is the lowest, or the column is the third."""
    findings = []
    for origin, lowest in (('UPPER_LEFT', 0), ('LOWER_LEFT', 4)):
        text = (f'FRAG\nPROPERTY FS_COORD_ORIGIN {origin}\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n'
                'DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..1]\nIMM[0] FLT32 {0.5, 2.5, 0.0, 0.0}\n'
                'SEQ TEMP[0].xy, IN[0].yxxx, IMM[0]\nMAX TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nIF TEMP[0].xxxx\n'
                'TXL TEMP[1], IMM[0].zzzz, SAMP[0], 2D\nENDIF\nMOV OUT[0], TEMP[1]\nEND\n')
        made = c.path('odd.png')
        done = c.run('run', c.write('odd.tgsi', text), '-o', made, '--tex', '0=' + c.PHOTO, '--size', '7x5',
                     '--heat', 'texels')
        if done.returncode:
            return [done.stderr.decode()]
        width, _, dots = c.picture(made)
        colours = {}
        for x, y in ((i % 7, i // 7) for i in range(35)):
            hot = y == lowest or x == 2
            colours.setdefault(hot, set()).add(dots[(y * width + x) * 4:(y * width + x) * 4 + 3])
        if len(colours[True]) != 1 or len(colours[False]) != 1 or colours[True] == colours[False]:
            findings.append(f'{origin}: {colours}')
    return findings


tap.run([('nearest lookups', nearest), ('linear lookups', linear), ('other operations', other_operations),
         ('kinds of textures', kinds_of_textures), ('batches', batches), ('the order of reports', report_order),
         ('options and coordinates that operations take', taken), ('conversations', conversations),
         ('more than is kept at once', many), ('usage', usage), ('explanations and footprints', explanations), ('explanations as JSON', explained_json),
         ('heat pictures', heat), ('heat pictures of odd sizes', heat_of_odd_sizes), ('textures of run', textures_of_run), ('images', images), ('outputs of images', outputs_of_images)])
