#!/usr/bin/env python3
"""sample: numbers of options as Python reads them, every word that is said of options and lines, made textures at their
limits."""
import re
import struct
import zlib

import command as c
import tap
from options import usage

PLAIN = ('sample', '--tex', 'random:R8_UNORM:8x8')


def number(text):
    """(bits, integer or None) of the text of a number; None: it is none."""
    if re.fullmatch(r'0[xX][0-9a-fA-F]{8}(?![0-9a-fA-F.pP]).*', text):
        value = int(text, 16)
        return value, value
    try:
        value = float.fromhex(text) if 'x' in text.lower() else float(text)
    except ValueError:
        return None
    try:
        bits = struct.unpack('<I', struct.pack('<f', value))[0]
    except OverflowError:
        bits = 0x7f800000 | (0x80000000 if value < 0 else 0)
    single = struct.unpack('<f', struct.pack('<I', bits))[0]
    if re.fullmatch(r'[+-]?\d{1,10}', text) and -(1 << 31) <= int(text) < 1 << 32 and len(text.lstrip('+-')) <= 10:
        return bits, int(text) & 0xffffffff
    if single == single and abs(single) < 1e30 and single == int(single) and -(1 << 31) <= single < 1 << 32:
        return bits, int(single) & 0xffffffff
    return bits, None


NUMBERS = ('0', '1', '-1', '+1', '+7', '-0', '007', '4294967295', '4294967296', '-2147483648', '-2147483649', '16777217', '-16777217', '2147483647', '2147483649', '9999999999', '00000000017',
           '0000000017', '-0000000017', '0.5', '1.5', '1.0', '-2.0', '1e3', '1e9', '4294967040.0', '4294967296.0', '-2147483648.0', '-2147483904.0', '.5', '5.', '1e-3', '0x00000000', '0xffffffff',
           '0XABCDEF01', '0x12345678', '0x9abcdef0', '0xabcdef9A', '0x1', '0x10', '0x123456789', '0x12345678.', '0x12345678p1', '0x12345678P1', '0x12345678.8', '0x1234567P1', '0x1.8p1', '0x1.8', '1E2', '0xg', '', 'x', '-', '+', ' 1', '\t1', '\n1', '\v1', '\r1', '1 ',
           '1,', '--1', '1e', '0x', '1x', '0x1234567g', '0x1234567:', '0x1234567@', '0x1234567`', '0x1234567/', '0x1234567G', '12a', '+-1')


def borders():
    """The colour of what lies outside, of floats and of integers."""
    findings = []
    outside = ('--wrap', 'clamp_to_border', '--at', '9,9')
    for text in NUMBERS:
        read = number(text) if text == text.strip(' \t\n\v\r,') else None  # float() takes blanks
        for form, integers in (('R32G32B32A32_FLOAT', False), ('R32G32B32A32_UINT', True), ('R32G32B32A32_SINT', True)):
            call = ('sample', '--tex', f'zero:{form}:1x1', *outside, '--border', f'2,{text},3,{text}')
            words = [1 << 30 if not integers else 2, None, 0x40400000 if not integers else 3, None]
            if read is None:
                findings += usage(f'--border: a border colour is r,g,b,a, not 2,{text},3,{text}'.translate({9: '?', 10: '?', 11: '?', 13: '?'}), *call)
            elif integers and read[1] is None:
                findings += c.says(c.USAGE, '', f'scheelite: sample: the border colour of {form} is four integers\n', *call)
            else:
                words[1] = words[3] = read[1] if integers else read[0]
                findings += c.says(c.YES, ','.join(f'0x{w:08x}' for w in words) + '\n', '', *call)
    return findings


def least_and_greatest_levels():
    """--min-lod and --max-lod keep the level between them; 0 is a limit, too."""
    findings, texture = [], ('--tex', 'random:R8G8B8A8_UNORM:8x8:levels=4')
    levels = [c.run('sample', *texture, '--op', 'fetch', '--at', '0,0', '--lod', str(level)).stdout.decode() for level in range(4)]
    for least, greatest, wanted in ((None, None, 3), (None, '0', 0), ('0', '0', 0), ('-1', '0', 0), (None, '1', 1), ('0', '2', 2), ('1', '2', 2), ('1', '1', 1), ('-1', '1', 1), ('3', None, 3)):
        limits = (('--min-lod', least) if least else ()) + (('--max-lod', greatest) if greatest else ())
        findings += c.says(c.YES, levels[wanted], '', 'sample', *texture, '--op', 'sample_l', '--at', '0.01,0.01', '--lod', '3', '--mip', 'nearest', *limits)
    findings += c.says(c.YES, levels[2], '', 'sample', *texture, '--op', 'sample_l', '--at', '0.01,0.01', '--lod', '0', '--mip', 'nearest', '--min-lod', '2')
    return findings + ([] if len(set(levels)) == 4 else [f'{levels}'])


def borders_of_samplers():
    """--sampler knows no texture: its border is the words of the numbers, whatever the format means by them."""
    findings = []
    for kind in ('FLOAT', 'UINT', 'SINT'):
        shader = c.write('bordered.tgsi', f'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, {kind}\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n')
        for text in ('0x00000005,0xffffffff,1.0,2', '-1,0,0.25,0x40490fdb', '4,3,2,1'):
            words = ','.join(f'0x{number(part)[0]:08x}' for part in text.split(','))
            for settings, wanted in ((f'wrap=clamp_to_border,border={text}', words), (f'border={text},wrap=clamp_to_border', words), ('wrap=clamp_to_border', ','.join(['0x00000000'] * 4))):
                findings += c.says(c.YES, f'OUT[0]={wanted}\n', '', 'eval', shader, '--vectors', '-', '--tex', f'0=random:R32G32B32A32_{kind}:2x2', '--sampler', f'0={settings}',
                                   stdin='IN[0]=41100000,41100000\n')
    return findings


WRAPS = 'repeat, clamp, clamp_to_edge, clamp_to_border, mirror_repeat, mirror_clamp, mirror_clamp_to_edge or mirror_clamp_to_border'


def reports():
    """What is said of each option that is wrong."""
    findings = []
    for option, value, text in (
            ('swizzle', 'xyz', 'a swizzle is four of xyzw01, not xyz'), ('swizzle', 'xyzwx', 'a swizzle is four of xyzw01, not xyzwx'), ('swizzle', 'xyz2', 'a swizzle is four of xyzw01, not xyz2'),
            ('swizzle', 'XYZW', 'a swizzle is four of xyzw01, not XYZW'), ('aniso', '17', 'anisotropy is 1 to 16, not 17'), ('aniso', 'x', 'anisotropy is 1 to 16, not x'),
            ('wrap', 'a', f'wrap is {WRAPS}, not a'), ('wrap', 'repeat,b', f'wrap is {WRAPS}, not b'), ('wrap', 'repeat,clamp,c', f'wrap is {WRAPS}, not c'), ('wrap', 'repeat,', f'wrap is {WRAPS}, not '),
            ('wrap', 'repeat,repeat,repeat,repeat', 'wrap modes are for three axes'), ('wrap', 'repeat,repeat,repeat,', 'wrap modes are for three axes'), ('border', '1,2,3', 'a border colour is r,g,b,a, not 1,2,3'),
            ('border', '1,2,3,4,5', 'a border colour is r,g,b,a, not 1,2,3,4,5'), ('target', '4D', 'there is no target 4D'),
            ('view-format', 'X', 'there is no format X'), ('view-format', 'NONE', 'there is no format NONE'),
            ('min-lod', 'x', 'x is not a number'), ('max-lod', '1,2', '1,2 is not a number'), ('lod-bias', '', ' is not a number'), ('view-min-lod', '1x', '1x is not a number'),
            ('at', '', 'it takes up to 4 numbers with commas between them, not '), ('at', '1,2,3,4,5', 'it takes up to 4 numbers with commas between them, not 1,2,3,4,5'),
            ('lod', '1,2', 'it takes up to 1 numbers with commas between them, not 1,2'), ('level', 'x', 'it takes up to 1 numbers with commas between them, not x'),
            ('bias', 'x', 'it takes up to 1 numbers with commas between them, not x'), ('ref', '1,2', 'it takes up to 1 numbers with commas between them, not 1,2'),
            ('ddx', '1,2,3,4', 'it takes up to 3 numbers with commas between them, not 1,2,3,4'), ('ddy', '1,', 'it takes up to 3 numbers with commas between them, not 1,'),
            ('offset', '1,2,3,4', 'it takes up to 3 numbers with commas between them, not 1,2,3,4'), ('offset', '0.5', 'it takes integers, not 0.5'), ('offset', '1,0.5', 'it takes integers, not 1,0.5'),
            ('component', '1.5', 'it takes integers, not 1.5'), ('component', '1,2', 'it takes up to 1 numbers with commas between them, not 1,2'), ('index', '0.5', 'it takes integers, not 0.5')):
        for arguments in (('--' + option, value), (f'--{option}={value}',)):
            findings += usage(f'--{option}: {text}', *PLAIN, *arguments)
    for option, values, words in (
            ('min', ('cubic',), 'nearest or linear'), ('mag', ('x',), 'nearest or linear'), ('filter', ('linea', 'linears'), 'nearest or linear'), ('mip', ('half',), 'none, nearest or linear'),
            ('compare', ('like',), 'never, less, equal, lequal, greater, notequal, gequal or always'), ('reduction', ('most',), 'average, minimum or maximum'), ('rules', ('gl',), 'tgsi, d3d or maxwell'),
            ('srgb', ('2', '', '10'), '0 or 1'), ('seamless', ('x',), '0 or 1'), ('width', ('5', '2', '32', '12', '6'), '4, 8 or 16'),
            ('op', ('peek', 'sampl'), 'sample, sample_l, sample_b, sample_d, sample_c, gather, fetch, size, samples or lod')):
        for value in values:
            for arguments in (('--' + option, value), (f'--{option}={value}',)):
                findings += usage(f'--{option} is {words}, not {value}', *PLAIN, *arguments)
    for range_text in ('', 'x', '1-0', '-', '1-', '-1', '1-x', 'x-1', '2147483648', '0-2147483648', '0-1-2', '0000000000000001', '0-0x1', '99999999999-1'):
        for option in ('levels', 'layers', 'elements'):
            findings += usage(f'--{option}: a range is A-B with A not above B, not {range_text}', *PLAIN, '--' + option, range_text)
    for word in ( '--=1', '--nothing', '--a', '--swizzl', '--swizzles', '--tex2', '--batches=x', '--batches'):
        findings += usage(f'there is no option {word}', *PLAIN, word)
    findings += usage('--explain takes no value', *PLAIN, '--explain=1')
    findings += usage('sample takes no -x', *PLAIN, '-x')
    for word in ('x', '-'):
        findings += usage(f'what is {word}? A texture is given by --tex', *PLAIN, word)
    for option in ('at', 'lod', 'swizzle', 'tex', 'width', 'batch', 'footprint'):
        findings += usage(f'--{option} needs a value', *PLAIN, '--' + option)
    for first, last in ((0, 0), (1, 1), (0, 10), (2, 5), (10, 12), (9, 13)):
        for text in {f'{first}-{last}', f'0{first}-{last}'} | ({f'{first}'} if first == last else set()):
            wanted = f'0x{8192 >> first:08x},0x00000001,0x00000000,0x{last - first + 1:08x}\n'
            findings += c.says(c.YES, wanted, '', 'sample', '--tex', 'zero:R8_UNORM:8192x1:levels=14', '--op', 'size', '--levels', text)
    findings += usage('--unnormalized takes no value', *PLAIN, '--unnormalized=1') + usage('which texture? (--tex FILE, random:... or none)', 'sample') + \
        usage('--batch does not go with --explain: they are for one lookup', *PLAIN, '--batch', 'x', '--explain') + \
        usage('--batch does not go with --footprint: they are for one lookup', *PLAIN, '--batch=x', '--footprint', 'y') + \
        usage('--at: it takes up to 4 numbers with commas between them, not 0x1p999,0', *PLAIN, '--at', '0x1p999,0')
    for arguments, text in ((('--op', 'fetch', '--at', '0.5,0'), '--at: a fetch takes integers'), (('--op', 'fetch', '--at', '0,0', '--lod', '0.5'), '--lod: the level of a fetch or a size is an integer'),
                            (('--op', 'size', '--lod', '0.5'), '--lod: the level of a fetch or a size is an integer'), (('--op', 'size', '--at', '0'), '--op size does not take --at'),
                            (('--ref', '1'), '--op sample does not take --ref on a target without SHADOW'), (('--op', 'sample_c', '--lod', '0', '--bias', '1'), '--op sample_c does not take --bias beside --lod'),
                            (('--op', 'sample_c', '--level', '0', '--ddx', '1,1'), '--op sample_c does not take --ddx beside --lod'), (('--op', 'samples', '--lod', '0'), '--op samples does not take --lod'),
                            (('--op', 'lod', '--bias', '1'), '--op lod does not take --bias'), (('--op', 'fetch', '--ref', '1'), '--op fetch does not take --ref'),
                            (('--at', '0'), '--at: 1 of 2 coordinates that --op sample needs on this target'), (('--at', '0,0', '--ddx', '1'), '--ddx: 1 of 2 numbers that --op sample needs on this target'),
                            (('--at', '0,0', '--offset', '1'), '--offset: 1 of 2 numbers that --op sample needs on this target'), (('--srgb', '1', '--at', '0,0', '--tex', 'zero:R32_FLOAT:1x1'), 'R32_FLOAT has no sRGB twin'),
                            (('--srgb', '1', '--at', '0,0', '--tex', 'zero:R16_UNORM:1x1'), 'R16_UNORM has no sRGB twin')):
        findings += c.says(c.USAGE, '', f'scheelite: sample: {text}\n', *(PLAIN[:1] if '--tex' in arguments else PLAIN), *arguments)
    return findings


def comparing():
    """sample_c at the level that --lod, --bias or the derivatives say; gathers that compare; what cannot be asked."""
    findings = []
    shapes = ('sample', '--tex', 'random:R16_UNORM:4x4:levels=3:seed=8', '--at', '0.01,0.01', '--mip', 'nearest', '--filter', 'nearest')
    texels = [int(c.run('sample', '--tex', 'random:R16_UNORM:4x4:levels=3:seed=8', '--op', 'sample_l', '--mip', 'nearest', '--lod', str(n), '--at', '0.01,0.01').stdout.decode().split(',')[0], 16) for n in range(3)]
    if len(set(texels)) != 3: return [f'{texels}']
    level_of = (((), 0), (('--lod', '0'), 0), (('--lod', '1'), 1), (('--lod', '2'), 2), (('--bias', '1', '--ddx', '0.25,0', '--ddy', '0,0.25'), 1), (('--bias', '2', '--ddx', '0.25,0', '--ddy', '0,0.25'), 2),
                (('--ddx', '0.5,0', '--ddy', '0,0.5'), 1), (('--ddx', '1,0', '--ddy', '0,1'), 2), (('--bias', '-1', '--ddx', '1,0', '--ddy', '0,1'), 1))
    for more, level in level_of:
        for n in range(3):  # equal to the texel of one level alone
            wanted = '0x3f800000' if n == level else '0x00000000'
            findings += c.says(c.YES, ','.join([wanted] * 4) + '\n', '', *shapes, '--op', 'sample_c', '--compare', 'equal', '--ref', f'0x{texels[n]:08x}', *more)
    depth = ('sample', '--tex', 'zero:Z32_FLOAT:4x4', '--at', '0.5,0.5')
    findings += c.says(c.YES, ','.join(['0x3f800000'] * 4) + '\n', '', *depth, '--target', 'SHADOW2D', '--op', 'gather', '--compare', 'lequal')
    findings += c.says(c.YES, ','.join(['0x00000000'] * 4) + '\n', '', *depth, '--target', '2D', '--op', 'gather', '--compare', 'lequal')
    findings += c.says(c.YES, ','.join(['0x00000000'] * 4) + '\n', '', *depth, '--target', 'SHADOW2D', '--op', 'gather', '--compare', 'lequal', '--ref', '1')
    for more in ((), ('--explain',)):
        findings += c.says(c.USAGE, '', 'scheelite: sample: the target has no such operation, or the component is not 0 to 3\n', *depth, '--op', 'gather', '--component', '4', *more)
    for option, value in (('--levels', '1'), ('--levels', '0-1'), ('--layers', '1'), ('--levels', '5-6')):
        findings += c.says(c.USAGE, '', 'scheelite: sample: the texture has no such view (--view-format, --srgb, --levels, --layers, --elements)\n', *depth, option, value)
    name, picture = c.write('batch.txt', '--at 0.5,0.5\n'), c.path('joined.png')
    findings += c.says(c.YES, ','.join(['0x00000000'] * 3 + ['0x3f800000']) + '\n', '', 'sample', '--tex', 'zero:R8_UNORM:1x1', f'--batch={name}')
    findings += c.says(c.YES, ','.join(['0x00000000'] * 3 + ['0x3f800000']) + '\n', '', 'sample', '--tex', 'zero:R8_UNORM:1x1', '--at', '0,0', f'--footprint={picture}')
    return findings + ([] if c.read(picture)[:4] == b'\x89PNG' else ['no picture'])


def made_textures():
    """random: and zero: texts: what is wrong of them, and the sizes of resources."""
    findings = []
    size = 'what follows the format is a size, WxHxD'
    parts = 'levels=N, layers=N, samples=N and seed=K may follow the size'
    for text, said in (('random:', 'there is no format '), ('random:NOPE:4', 'there is no format NOPE'), ('random:NONE:4', 'there is no format NONE'), ('zero:' + 'R' * 63 + ':4', 'there is no format ' + 'R' * 63),
                       ('zero:' + 'R' * 64 + ':4', 'there is no format ' + 'R' * 64), ('random:R8_UNORM', size), ('random:R8_UNORM:', size), ('random:R8_UNORM:0', size), ('random:R8_UNORM:4x', size),
                       ('random:R8_UNORM:x4', size), ('random:R8_UNORM:4x0', size), ('random:R8_UNORM:4x4x4x4', size), ('random:R8_UNORM:4x4x4x', size), ('random:R8_UNORM:4294967296', size),
                       ('random:R8_UNORM:4:depth=2', parts), ('random:R8_UNORM:4:levels=0', parts), ('random:R8_UNORM:4:layers=0', parts), ('random:R8_UNORM:4:samples=', parts), ('random:R8_UNORM:4:', parts),
                       ('random:R8_UNORM:4:seed=', parts), ('random:R8_UNORM:4:seed=18446744073709551616', parts), ('random:R8_UNORM:4:seed=' + '0' * 24, parts), ('random:R8_UNORM:4:levels=4294967296', parts),
                       ('random:R8_UNORM:4:seed=1x', 'what does x mean?'), ('random:R8_UNORM:4,', 'what does , mean?'), ('random:R8_UNORM:4 ', 'what does   mean?')):
        findings += c.says(c.USAGE, '', f'scheelite: {text}: {said}\n', 'sample', '--tex', text, '--at', '0,0')
    findings += c.exit_is(c.USAGE, 'sample', '--tex', 'zero:' + 'R' * 5000 + ':4', '--at', '0,0', err='scheelite: zero:RRRR')
    for shape, target, wanted in (('8', '1D', (8, 0, 0, 1)), ('8:levels=4', '1D', (8, 0, 0, 4)), ('8:layers=5', '1D_ARRAY', (8, 5, 0, 1)), ('8x4', '2D', (8, 4, 0, 1)), ('8x4:levels=2', '2D', (8, 4, 0, 2)),
                                  ('8x4:layers=3:levels=3', '2D_ARRAY', (8, 4, 3, 3)), ('8x4x2', '3D', (8, 4, 2, 1)), ('4x4', 'CUBE', (4, 4, 0, 1)), ('4x4:layers=6', 'CUBE', (4, 4, 0, 1)), ('4x4', 'CUBE_ARRAY', (4, 4, 1, 1)),
                                  ('4x4:layers=12', 'CUBE_ARRAY', (4, 4, 2, 1)), ('9x3', 'RECT', (9, 3, 0, 1)), ('8:seed=18446744073709551615', '1D', (8, 0, 0, 1)), ('100', 'BUFFER', (100, 0, 0, 0))):
        for kind in ('zero', 'random'):
            done = c.run('sample', '--tex', f'{kind}:R8_UNORM:{shape}', '--target', target, '--op', 'size')
            have = tuple(int(w, 16) for w in done.stdout.decode().split(',')) if done.returncode == 0 else done.stderr.decode()
            if have[:3] != wanted[:3] or (target != 'BUFFER' and have != wanted): findings.append(f'{kind} {shape} {target}: {have}, not {wanted}')
    for samples in ('2', '4', '8'):
        findings += c.says(c.YES, f'0x0000000{samples},0x00000000,0x00000000,0x00000000\n', '', 'sample', '--tex', f'zero:R8_UNORM:4x4:samples={samples}', '--target', '2D_MSAA', '--op', 'samples')
    return findings


def pictures_as_textures():
    """A picture's bytes in their order are a texture of each target that its size goes with: rows are layers of 1D_ARRAY, squares
    one below the other faces of cubes."""
    findings, one_axis = [], 'a texture of one axis has height 1'
    for width, height in ((2, 12), (2, 13), (2, 24), (3, 12), (1, 6), (2, 2), (5, 1), (6, 1)):
        name = c.png('shape.png', width, height, bytes(n * 7 & 255 for n in range(width * height * 4)))
        faces = height // width
        cube = 'the picture has no shape of this target' if height % width and faces == 6 else None
        wanted = {'2D': (width, height, 0, 1), '1D_ARRAY': (width, height, 0, 1), '2D_ARRAY': (width, height, 1, 1), '3D': (width, height, 1, 1), 'RECT': (width, height, 0, 1),
                  '1D': (width, 0, 0, 1) if height == 1 else f'error 6003: 1D: {one_axis}',
                  'CUBE': f'{name}: {cube}' if cube else (width, width, 0, 1) if faces == 6 else 'error 6003: CUBE: a cube has six faces',
                  'CUBE_ARRAY': f'{name}: {cube}' if cube else (width, width, faces // 6, 1) if faces and faces % 6 == 0 else 'error 6003: CUBEARRAY: cubes have six faces each'}
        for target, answer in wanted.items():
            call = ('sample', '--tex', name, '--target', target, '--op', 'size')
            if isinstance(answer, str):
                findings += c.says(c.NO, '', f'scheelite: {answer}\n', *call)
            else:
                findings += c.says(c.YES, ','.join(f'0x{n:08x}' for n in answer) + '\n', '', *call)
    name = c.png('shape.png', 2, 24, bytes(range(192)))

    def texel(number):
        return ','.join('0x%08x' % struct.unpack('<I', struct.pack('<f', (4 * number + n) / 255))[0] for n in range(4)) + '\n'
    for x, y in ((0, 0), (1, 0), (0, 1), (1, 23)):
        for target, at in (('2D', f'{x},{y}'), ('1D_ARRAY', f'{x},{y}'), ('RECT', f'{x},{y}')):
            findings += c.says(c.YES, texel(2 * y + x), '', 'sample', '--tex', name, '--target', target, '--op', 'fetch', '--at', at)
    # Files whose names begin as what is made.
    for alike in ('zero.png', 'zero', 'zeros:x.png', 'random.png', 'random', 'randoms:x', 'Zero:1', 'r', 'z'):
        c.write(alike, c.read(name))
        findings += c.says(c.YES, '0x00000002,0x00000018,0x00000000,0x00000001\n', '', 'sample', '--tex', alike, '--op', 'size', cwd=c.FOLDER.name)
    # Face by face; s and t of a face begin at its texel (0, 0).
    for face, at in enumerate(('1,0.5,0.5', '-1,0.5,-0.5', '-0.5,1,-0.5', '-0.5,-1,0.5', '-0.5,0.5,1', '0.5,0.5,-1')):
        for cube in range(2):
            findings += c.says(c.YES, texel(24 * cube + 4 * face), '', 'sample', '--tex', name, '--target', 'CUBE_ARRAY', '--at', f'{at},{cube}')
    # A picture is held twice for a while: its header may ask for half of the memory that there is.
    for height, said in ((16383, (c.NO, 'error 6101: damaged PNG: too few bytes for its size')), (16384, (c.LIMIT, 'error 6102: 16384 x 16384 x 1 texels of R8G8B8A8_UNORM in 1 layers and 1 levels are more bytes than allowed'))):
        header = struct.pack('>II', 16384, height) + b'\x08\x06\0\0\0'
        data = c.read(name)
        name = c.write('large.png', data[:16] + header + struct.pack('>I', zlib.crc32(b'IHDR' + header)) + data[33:])
        findings += c.says(said[0], '', f'{name}: {said[1]}\n', 'sample', '--tex', name, '--op', 'size')
    return findings


LINES = [  # line, answer or None, what is said
    ('--at 0,0', True, None), ('', False, None), ('   \t', False, None), ('# --at', False, None), ('  # x', False, None), ('--nothing', None, 'there is no option --nothing'), ('--at', None, '--at: it needs a value'),
    ('--at 0', None, '--at: 1 of 2 coordinates that --op sample needs on this target'), ('"--at" "0,0"', True, None), ("'--at' '0,0'", True, None), ('--at="0,0"', True, None), ('-"-at" 0,\'0\'', True, None),
    ('--at\t0,0\t', True, None), ('  --at   0,0  ', True, None), ('--at 0,0\r', True, None), ('--at "0,0', True, None), ('--at "0, 0"', None, '--at: it takes up to 4 numbers with commas between them, not 0, 0'),
    ('--at 0,0 --lod', None, '--lod: it needs a value'), ('--at 0,0 x', None, 'there is no option x'), ('"" --at 0,0', None, 'there is no option '), ('--at 0,0 --tex "no such"', None, 'the texture cannot be used'),
    ('--unnormalized --at 0,0', True, None), ('--op size', True, None), ('--at 0,0 --explain', None, 'there is no option --explain'), ('--at 0,0 --' + 'y' * 200, None, 'there is no option --' + 'y' * 98)]


def lines_of_batches():
    """An answer or ? a line, and each report with its line; a hundred of them."""
    findings = []
    text = '\n'.join(line for line, _, _ in LINES) + '\n'
    done = c.run(*PLAIN, '--batch', '-', stdin=text)
    answers = done.stdout.decode().splitlines()
    kinds = [answer is True for _, answer, _ in LINES if answer is not False]
    if [a != '?' for a in answers] != kinds or len({a for a, (line, _, _) in zip(answers, [r for r in LINES if r[1] is not False]) if a != '?' and 'size' not in line}) != 1 or done.returncode != c.USAGE:
        findings.append(f'{done.returncode} {answers}')
    said = [line for line in done.stderr.decode().splitlines() if line.startswith('<stdin>')]
    wanted = [f'<stdin>:{n}: error: {said}' for n, (_, _, said) in enumerate(LINES, 1) if said]
    if said != wanted: findings.append(f'{said}, not {wanted}')
    name = c.write('batch.txt', text)
    again = c.run(*PLAIN, '--batch', name)
    if again.stdout != done.stdout or [line for line in again.stderr.decode().splitlines() if line.startswith(name)] != [w.replace('<stdin>', name) for w in wanted]:
        findings.append(f'{name}: {again}')
    for count in (99, 100, 101, 250):
        done = c.run(*PLAIN, '--batch', '-', stdin='x\n' * count)
        wanted = ''.join(f'<stdin>:{n}: error: there is no option x\n' for n in range(1, min(count, 100) + 1)) + (f'scheelite: {count - 100} more lines are wrong\n' if count > 100 else '')
        if (done.returncode, done.stdout, done.stderr.decode()) != (c.USAGE, b'?\n' * count, wanted): findings.append(f'{count} lines: {done.stderr.decode()[-200:]}')
    # A lookup that its target has not is refused among others of its kind, which are answered.
    mixed = ['--op gather --at 0,0', '--op gather --at 0,0 --component 4', '--op gather --at 0,0 --component 3', '--op gather --at 0,0 --component 67'] * 3
    done = c.run(*PLAIN, '--batch', '-', stdin='\n'.join(mixed))
    if [a == '?' for a in done.stdout.decode().splitlines()] != [False, True, False, True] * 3 or done.returncode != c.USAGE or done.stderr.decode().count('the component is not 0 to 3') != 6:
        findings.append(f'{done}')
    # Reports come in the order of the lines, also where lookups are refused when they run together.
    findings += c.says(c.USAGE, '?\n?\n', '<stdin>:1: error: the target has no such operation, or the component is not 0 to 3\n<stdin>:2: error: there is no option --nothing\n', *PLAIN,
                       '--batch', '-', stdin='--op gather --at 0,0 --component 4\n--nothing\n')
    findings += c.says(c.USAGE, '?\n0x00000001,0x00000001,0x00000000,0x00000001\n', '<stdin>:1: error: which texture? (--tex)\n', 'sample', '--batch', '-',
                       stdin='--at 0,0\n--tex zero:R8_UNORM:1x1 --op size\n')
    longest = 1 << 20
    for size in (longest // 2, longest - (1 << 16)):
        findings += c.says(c.YES, '', '', *PLAIN, '--batch', '-', stdin='#' + ' ' * size + '\n')
    return findings + c.says(c.LIMIT, '', 'scheelite: <stdin>:2: the line is too long\n', *PLAIN, '--batch', '-', stdin='#\n#' + ' ' * longest) + \
        c.says(c.IO, '', f'scheelite: cannot open {c.path("none")}: No such file or directory\n', *PLAIN, '--batch', c.path('none'))


if __name__ == '__main__':
    tap.run([('comparing', comparing), ('borders', borders), ('borders of samplers', borders_of_samplers), ('least and greatest levels', least_and_greatest_levels), ('reports', reports), ('made textures', made_textures), ('pictures as textures', pictures_as_textures), ('lines of batches', lines_of_batches)])
