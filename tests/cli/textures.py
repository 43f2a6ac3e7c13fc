#!/usr/bin/env python3
"""Files of every kind as textures and as pictures: keys of --tex, crosses, -o by its ending, --target, --compress, convert,
info, diff, and the files of scenes. Files are made here, byte by byte; the readers of libscheelite-files have tests of their
own (tests/unit)."""
import json
import os
import struct
import zlib

import command as c
import tap

NAMES = {'cwd': c.FOLDER.name}
WRITTEN = '.png, .pnm, .pbm, .pgm, .ppm, .pam, .pfm, .hdr, .pic, .rgbe, .exr, .dds, .ktx, .ktx2'
HAS_EXR = c.run('convert', c.PHOTO, '-o', c.path('has.exr')).returncode == c.YES


def texels(number, count):
    """RGBA8 texels that no other image has."""
    return bytes((number * 37 + n * 5 + (n >> 2) * 3) & 255 for n in range(4 * count))


def words(code):
    return ','.join('0x%08x' % struct.unpack('<I', struct.pack('<f', value / 255))[0] for value in code)


def dds(name, width, height, data, depth=1, levels=1, dimension=3, array=1, cube=False, dxgi=28, letters=b'DX10'):
    """A DDS file with a DX10 header (the documentation of DDS_HEADER_DXT10); 28 is R8G8B8A8_UNORM. `data`: layer by layer."""
    head = struct.pack('<4s7I44x', b'DDS ', 124, 0x1007, height, width, 0, depth if dimension == 4 else 0, levels)
    head += struct.pack('<2I4s5I', 32, 4, letters, 0, 0, 0, 0, 0) + struct.pack('<5I', 0x1000, 0x200000 if dimension == 4 else 0, 0, 0, 0)
    return c.write(name, head + (struct.pack('<5I', dxgi, dimension, 4 if cube else 0, array, 0) if letters == b'DX10' else b'') + data)


def png16(name, width, height, samples):
    """RGBA of 16 bits."""
    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    rows = b''.join(b'\0' + struct.pack(f'>{4 * width}H', *samples[y * 4 * width:(y + 1) * 4 * width]) for y in range(height))
    header = struct.pack('>IIBBBBB', width, height, 16, 6, 0, 0, 0)
    return c.write(name, b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def pfm(name, width, height, floats):
    """Three floats a pixel; the last row first."""
    rows = [floats[3 * width * y:3 * width * (y + 1)] for y in range(height)]
    return c.write(name, f'PF\n{width} {height}\n-1.0\n'.encode() + b''.join(struct.pack(f'<{3 * width}f', *row) for row in reversed(rows)))


def read(name):
    return c.read(c.path(name))


def read_pfm(name):
    head, size, scale, data = read(name).split(b'\n', 3)
    assert head == b'PF' and scale == b'-1.0'
    width, height = map(int, size.split())
    floats = struct.unpack(f'<{3 * width * height}f', data)
    return width, height, [value for y in reversed(range(height)) for value in floats[3 * width * y:3 * width * (y + 1)]]


def sample(text, lines, *options):
    done = c.run('sample', '--tex', text, *options, '--batch', '-', stdin='\n'.join(lines) + '\n', **NAMES)
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


def fetched(what, text, wanted, *options):
    """Findings: `wanted` maps coordinates and level ("1,2,0 1") to RGBA codes."""
    lines = [f'--op fetch --at {key.split()[0]} --lod {key.split()[1]}' for key in wanted]
    code, have, err = sample(text, lines, *options)
    answers = [words(value) for value in wanted.values()]
    return [] if (code, have, err) == (c.YES, answers, '') else [f'{what} {text}: {code} {err} {[(k, h) for k, h, a in zip(wanted, have, answers) if h != a][:3]}']


def info(name):
    done = c.run('info', name, '--json', **NAMES)
    return json.loads(done.stdout) if done.returncode == c.YES else {'error': done.stderr.decode()}


# ---- reading ----


def four(data, at):
    return data[4 * at:4 * at + 4]


def whole_files():
    """Levels, layers, faces and slices of a file are where the file has them, and the target is the file's."""
    findings, levels = [], [[texels(10 * layer + level, (4 >> level) ** 2) for level in range(3)] for layer in range(12)]
    data = b''.join(b''.join(layer) for layer in levels)

    def places(count):
        return {f'{x},{y},{layer} {level}': four(levels[layer][level], y * (4 >> level) + x) for layer in range(count) for level in range(3) for y in range(4 >> level)
                for x in range(4 >> level)}
    half = b''.join(b''.join(layer) for layer in levels[:6])
    dds('cube.dds', 4, 4, half, levels=3, cube=True)
    dds('cubes.dds', 4, 4, data, levels=3, cube=True, array=2)
    dds('array.dds', 4, 4, data, levels=3, array=12)
    dds('plain.dds', 4, 4, b''.join(levels[0]), levels=3)
    for name, count in (('cube.dds', 6), ('cubes.dds', 12), ('array.dds', 12)):
        findings += fetched('a file', name, places(count))
    findings += fetched('a file', 'plain.dds', {f'{x},{y} {level}': four(levels[0][level], y * (4 >> level) + x) for level in range(3) for y in range(4 >> level) for x in range(4 >> level)})
    # The same bytes as another target.
    findings += fetched('retargeted', 'cube.dds', places(6), '--target', '2D_ARRAY') + fetched('retargeted', 'array.dds', places(12), '--target', 'CUBE_ARRAY')
    findings += c.says(c.NO, '', 'array.dds: error 6103: the file holds 4 x 4 x 1 texels with 12 layers and 3 levels, which are not a texture of this target\n', 'sample', '--tex', 'array.dds',
                       '--target', 'CUBE', '--op', 'size', **NAMES)
    # A volume: slices get fewer from level to level.
    volume = [[texels(50 + 9 * level + z, (4 >> level) ** 2) for z in range(4 >> level)] for level in range(3)]
    dds('volume.dds', 4, 4, b''.join(b''.join(level) for level in volume), depth=4, levels=3, dimension=4)
    findings += fetched('a volume', 'volume.dds', {f'{x},{y},{z} {level}': four(volume[level][z], y * (4 >> level) + x) for level in range(3) for z in range(4 >> level) for y in range(4 >> level)
                                                   for x in range(4 >> level)})
    for name, size in (('cube.dds', '00000004,0x00000004,0x00000000,0x00000003'), ('array.dds', '00000004,0x00000004,0x0000000c,0x00000003'), ('volume.dds', '00000004,0x00000004,0x00000004,0x00000003')):
        findings += c.says(c.YES, f'0x{size}\n', '', 'sample', '--tex', name, '--op', 'size', **NAMES)
    return findings


def parts():
    """level=, layer= and face= take one of what there is; what there is not is said."""
    findings = []
    cube = [[texels(10 * layer + level, (4 >> level) ** 2) for level in range(3)] for layer in range(12)]
    for text, layer, level in (('cube.dds,face=0', 0, None), ('cube.dds,face=-z', 5, None), ('cube.dds,face=ny', 3, None), ('cube.dds,level=1,face=+y', 2, 1), ('cube.dds,face=2,level=1', 2, 1),
                               ('cubes.dds,layer=1,face=3', 9, None), ('array.dds,layer=11', 11, None), ('array.dds,level=2,layer=7', 7, 2), ('plain.dds,level=1', 0, 1)):
        first, count = (0, 3) if level is None else (level, 1)
        findings += fetched('a part', text, {f'{x},{y} {n}': four(cube[layer][first + n], y * (4 >> first + n) + x) for n in range(count) for y in range(4 >> first + n) for x in range(4 >> first + n)})
    findings += fetched('a cube of two', 'cubes.dds,layer=1', {f'1,2,{face} 0': four(cube[6 + face][0], 9) for face in range(6)})
    findings += fetched('a face of each', 'cubes.dds,face=4', {f'1,2,{n} 0': four(cube[6 * n + 4][0], 9) for n in range(2)})
    findings += fetched('a slice', 'volume.dds,layer=2', {'3,1 0': four(texels(52, 16), 7)}) + fetched('a slice of a level', 'volume.dds,level=1,layer=1', {'1,0 0': four(texels(60, 4), 1)})
    # Faces of one file are joined to another array; levels follow.
    findings += fetched('joined', 'cube.dds,level=0,face=1+cube.dds,level=0,face=4++cube.dds,level=1,face=1+cube.dds,level=1,face=4',
                        {'2,3,0 0': four(cube[1][0], 14), '2,3,1 0': four(cube[4][0], 14), '1,1,1 1': four(cube[4][1], 3)}, '--target', '2D_ARRAY')
    for text, said in (('plain.dds,level=3', 'plain.dds: there is no level 3, but 3 of them'), ('array.dds,layer=12', 'array.dds: there is no layer 12, but 12 of them'),
                       ('plain.dds,layer=0', 'plain.dds: it has no layers'), ('plain.dds,face=0', 'plain.dds: it has no faces'), ('cubes.dds,layer=2', 'cubes.dds: there is no layer 2, but 2 of them'),
                       ('volume.dds,level=1,layer=2', 'volume.dds: there is no layer 2, but 2 of them'), ('cube.dds,face=6', 'cube.dds,face=6: face is 0 to 5, or +x -x +y -y +z -z, not 6'),
                       ('plain.dds,level=x', 'plain.dds,level=x: level is a number from 0, not x'), ('plain.dds,levl=1', 'plain.dds,levl=1: there is no key levl; did you mean level?'),
                       ('plain.dds,wrp=repeat', 'plain.dds,wrp=repeat: there is no key wrp; did you mean wrap?'), ('plain.dds,quality=9', 'plain.dds,quality=9: there is no key quality')):
        findings += c.says(c.USAGE, '', f'scheelite: {said}\n', 'sample', '--tex', text, '--op', 'size', **NAMES)
    findings += c.says(c.NO, '', 'cube.dds: error 6103: the file holds 3 levels and 6 layers: say which (level=, layer=, face=)\n', 'sample', '--tex', 'cube.dds+plain.dds', '--op', 'size', **NAMES)
    # A name with such an end that a file has is that file.
    c.write('odd.dds,level=1', read('cube.dds'))
    return findings + c.says(c.YES, '0x00000004,0x00000004,0x00000000,0x00000003\n', '', 'sample', '--tex', 'odd.dds,level=1', '--op', 'size', **NAMES)


def formats():
    """Numbers stay as they are: 16 bits, floats, blocks; 8-bit PNGs are four channels of 8 bits."""
    findings = []
    png16('wide.png', 2, 1, (65535, 257, 0, 65535, 1, 2, 3, 4))
    pfm('floats.pfm', 2, 2, [n * 1.5 - 4 for n in range(12)])
    for text, at, wanted in (('wide.png', '0,0', (1.0, 257 / 65535, 0.0, 1.0)), ('wide.png', '1,0', tuple(n / 65535 for n in (1, 2, 3, 4))), ('floats.pfm', '0,0', (-4.0, -2.5, -1.0, 1.0)),
                             ('floats.pfm', '1,1', (9.5, 11.0, 12.5, 1.0))):
        answer = ','.join('0x%08x' % struct.unpack('<I', struct.pack('<f', value)) for value in wanted)
        findings += c.says(c.YES, answer + '\n', '', 'sample', '--tex', text, '--op', 'fetch', '--at', at, **NAMES)
    # BC1: two colours, red and blue of 5:6:5, and indices 0 1 2 3 in each row; 2 and 3 are thirds (the documentation of BC1).
    dds('bc1.dds', 4, 4, struct.pack('<HHI', 0xf800, 0x001f, 0xe4e4e4e4), dxgi=71)
    findings += fetched('blocks', 'bc1.dds', {'0,0 0': (255, 0, 0, 255), '1,3 0': (0, 0, 255, 255)})
    # The sRGB twin of a compressed format: 3/255 is 3/255/12.92 there.
    dds('bc7.dds', 4, 4, bytes([0x40]) + bytes(15), dxgi=98)
    findings += c.exit_is(c.YES, 'sample', '--tex', 'bc7.dds', '--srgb', '1', '--op', 'fetch', '--at', '0,0', **NAMES)
    findings += c.says(c.USAGE, '', 'scheelite: sample: R32G32B32_FLOAT has no sRGB twin\n', 'sample', '--tex', 'floats.pfm', '--srgb', '1', '--op', 'size', **NAMES)
    c.png('grey.png', 2, 1, bytes((7, 7, 7, 255)) * 2)
    findings += c.says(c.NO, '', 'wide.png: error 6103: the picture has texels of R16G16B16A16_UNORM, and the first one of R8G8B8A8_UNORM\n', 'sample', '--tex', 'grey.png+wide.png', '--target',
                       '2D_ARRAY', '--op', 'size', **NAMES)
    c.write('nothing.png', 'not a picture')
    findings += c.says(c.NO, '', 'nothing.png: error 6104: the file begins as none of the kinds that are read: PNG, JPEG, PNM, PFM, HDR, EXR, DDS, KTX and KTX2\n', 'sample', '--tex', 'nothing.png', '--op', 'size', **NAMES)
    return findings


def crosses():
    """A lying and an upright cross become the faces of a cube; -Z of the upright one is upside down."""
    findings, side = [], 2
    faces = [texels(20 + face, side * side) for face in range(6)]
    lying = ((2, 1), (0, 1), (1, 0), (1, 2), (1, 1), (3, 1))
    for name, columns, rows, places in (('lying.png', 4, 3, lying), ('upright.png', 3, 4, lying[:5] + ((1, 3),))):
        picture = bytearray(4 * columns * rows * side * side)
        for face, (column, row) in enumerate(places):
            for y in range(side):
                for x in range(side):
                    turned = columns == 3 and face == 5
                    texel = four(faces[face], (side - 1 - y) * side + side - 1 - x if turned else y * side + x)
                    at = 4 * ((row * side + y) * columns * side + column * side + x)
                    picture[at:at + 4] = texel
        c.png(name, columns * side, rows * side, bytes(picture))
        wanted = {f'{x},{y},{face} 0': four(faces[face], y * side + x) for face in range(6) for y in range(side) for x in range(side)}
        findings += fetched('a cross', name, wanted, '--target', 'CUBE')
        findings += c.says(c.YES, '', '', 'convert', name, '-o', 'cross.dds', '--target', 'CUBE', **NAMES) + fetched('a cross, converted', 'cross.dds', wanted)
        findings += c.says(c.YES, f'0x{columns * side:08x},0x{rows * side:08x},0x00000000,0x00000001\n', '', 'sample', '--tex', name, '--op', 'size', **NAMES)
    return findings


SHADER = 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n'


def one_level():
    """Levels to choose from where there are none are warned of, unless there could be none, or the caller wants no warning."""
    shader, findings = c.write('tex.tgsi', SHADER), []
    c.png('large.png', 8, 8, texels(1, 64))
    c.png('dot.png', 1, 1, texels(1, 1))
    for keys, warned in (('mip=linear', 'linear'), ('mip=nearest', 'nearest'), ('mip=none', ''), ('filter=linear', ''), ('mip=linear,mips=make', ''), ('mips=box,mip=nearest', '')):
        said = f'large.png: warning 6516: mip={warned}, and the texture has one level: mips=make makes the others\n' if warned else ''
        findings += c.says(c.YES, '', said, 'run', shader, '--tex', f'0=large.png,{keys}', '-o', 'no.png', '--size', '2x2', **NAMES)
    findings += c.says(c.YES, '', '', 'run', shader, '--tex', '0=dot.png,mip=linear', '-o', 'no.png', '--size', '2x2', **NAMES)
    findings += c.says(c.YES, '', '', 'run', shader, '--tex', '0=plain.dds,mip=linear', '-o', 'no.png', '--size', '2x2', **NAMES)
    findings += c.says(c.YES, '', '', 'run', shader, '--tex', '0=large.png,mip=linear', '-o', 'no.png', '--size', '2x2', '-Wno-6516', **NAMES)
    findings += c.says(c.YES, '', '', 'run', shader, '--tex', '0=large.png,mip=linear', '-o', 'no.png', '--size', '2x2', '-Wno-one_level', **NAMES)
    findings += c.exit_is(c.NO, 'run', shader, '--tex', '0=large.png,mip=linear', '-o', 'no2.png', '--size', '2x2', '-Werror', err='-Werror', **NAMES)
    findings += c.exit_is(c.UNSUPPORTED, 'run', shader, '--tex', '0=bc1.dds,mips=make', '-o', 'no2.png', err='no levels are made of texels of DXT1_RGBA, which are compressed', **NAMES)
    # Keys stand in any order, and eval takes them.
    vectors = c.write('one.tsv', 'IN[0]=0,0,0,3f800000\n')
    for text in ('0=cube.dds,level=1,wrap=clamp_to_edge,face=3', '0=cube.dds,wrap=clamp_to_edge,face=3,level=1'):
        findings += c.says(c.YES, 'OUT[0]=' + words(four(texels(31, 4), 0)) + '\n', '', 'eval', shader, '--vectors', vectors, '--tex', text, **NAMES)
    findings += c.exit_is(c.USAGE, 'run', shader, '-o', 'no.png', '--sampler', '0=level=1', err='that belongs to a texture (--tex): level=1', **NAMES)
    return findings + ([] if not os.path.exists(c.path('no2.png')) else ['a picture was written'])


def kept_decoded():
    """Textures that are kept decoded give the same pictures, by every engine."""
    shader, findings = c.write('tex.tgsi', SHADER), []
    for name in ('DXT1_RGBA', 'BPTC_RGB_UFLOAT', 'ASTC_6x5', 'FXT1_RGB', 'R8G8B8A8_UNORM'):
        for engine in ('interp', 'jit') if c.compiles() else ('interp',):
            pictures = []
            for keys in ('', ',decoded=1', ',decoded=0'):
                findings += c.says(c.YES, '', '', 'run', shader, '--tex', f'0=random:{name}:21x13:seed=7,filter=linear{keys}', '-o', 'kept.exr', '--size', '50x30', '--engine', engine, **NAMES)
                pictures.append(c.read(c.path('kept.exr')))
            if pictures[1:] != pictures[:1] * 2:
                findings.append(f'{name}, {engine}: the picture changes where the texture is kept decoded')
    for kept in '01':
        findings += c.says(c.YES, '0x3eececed,0x3f2babac,0x3f6feff0,0x3f800000\n', '', 'sample', '--tex', 'random:DXT1_RGBA:21x13:levels=2:seed=3', '--op', 'fetch', '--at', '3,5', '--level', '1', '--decoded', kept, **NAMES)
    findings += c.exit_is(c.USAGE, 'run', shader, '--tex', '0=plain.dds,decoded=yes', '-o', 'no.png', err='it is 0 or 1, not yes', **NAMES)
    return findings + c.exit_is(c.LIMIT, 'run', shader, '--tex', '0=zero:DXT1_RGBA:4096x4096,decoded=1', '-o', 'no.png', '--limit', 'memory=40000000', err='the texels, kept decoded, take more', **NAMES)


# ---- writing ----


DEPTH = 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nMOV OUT[0], IN[0]\nMOV OUT[1].z, IN[0].yyyy\nEND\n'
DEPTH_D3D = 'ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_output oDepth\nmov o0.xyzw, v0.xyzw\nmov oDepth, v0.y\nret\n'
OUTPUTS = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nIMM[0] FLT32 {8.0, -1.0, 0.5, 1.0}\nIMM[1] UINT32 {7, 70000, 3, 9}\n'
           'MUL OUT[0], IN[0], IMM[0]\nMOV OUT[1], IMM[1]\nEND\n')


def endings():
    """The ending of -o says the kind; others are refused before anything runs."""
    shader, findings = c.write('outputs.tgsi', OUTPUTS), []
    for name, said in (('a.jpg', 'a.jpg: JPEG is read, but not written; what is written ends in '), ('b/a.xyz', 'b/a.xyz: no kind of picture ends in .xyz; what is written ends in '),
                       ('a.png.', 'a.png.: no kind of picture ends in .; what is written ends in ')):
        for verb in (('run', shader, '-o', name), ('run', shader, '--target', f'0={name}'), ('render', 'no.scene', '-o', name), ('replay', 'no.rec', '-o', name), ('convert', 'large.png', '-o', name),
                     ('diff', 'large.png', 'large.png', '-o', name), ('sample', '--tex', 'large.png', '--at', '0,0', '--footprint', name), ('gl', '--screenshot', f'0={name}', '--', 'true')):
            findings += c.says(c.USAGE, '', f'scheelite: {said}{WRITTEN}\n', *verb, **NAMES) if HAS_EXR else c.exit_is(c.USAGE, *verb, err=said, **NAMES)
    # Colours are clamped to bytes in PNG, and floats in PFM: s is x + 1/2 over 2, t likewise.
    wanted = [value for y in (0.25, 0.75) for x in (0.25, 0.75) for value in (8 * x, -y, 0)]
    findings += c.says(c.YES, '', '', 'run', shader, '--size', '2x2', '-o', 'f.pfm', **NAMES)
    if read_pfm('f.pfm') != (2, 2, wanted):
        findings.append(f'floats: {read_pfm("f.pfm")}, not {wanted}')
    for name in ('p.png', 'noending', './dotted.folder/noending'):
        os.makedirs(c.path('dotted.folder'), exist_ok=True)
        findings += c.says(c.YES, '', '', 'run', shader, '--size', '2x2', '-o', name, **NAMES)
        if c.picture(c.path(name)) != (2, 2, bytes((255, 0, 0, 255)) * 4):
            findings.append(f'{name}: {c.picture(c.path(name))}')
    done = c.run('run', shader, '--size', '2x2', '-o', '-', **NAMES)
    findings += [] if done.stdout == read('p.png') else ['-o - is no PNG']
    return findings


def depth_target():
    """The depth that a shader writes, of TGSI and of Direct3D, as depth and as a colour: 1/8, 3/8, 5/8, 7/8 by row."""
    shaders, findings = (c.write('depth.tgsi', DEPTH), c.write('depth.d3dasm', DEPTH_D3D)), []
    for shader in shaders:
        for path, keys, wanted in (('z.dds', '', struct.pack('<8f', *(n / 8 for n in (1, 1, 3, 3, 5, 5, 7, 7)))),
                                   ('z.dds', ',format=Z16_UNORM', struct.pack('<8H', *(round(n * 65535 / 8) for n in (1, 1, 3, 3, 5, 5, 7, 7)))),
                                   ('z.dds', ',format=R16_FLOAT', struct.pack('<8e', *(n / 8 for n in (1, 1, 3, 3, 5, 5, 7, 7))))):
            for engine in ('interp', 'both') if c.compiles() else ('interp',):
                findings += c.says(c.YES, '', '', 'run', shader, '--size', '2x4', '--target', f'depth={path}{keys}', '--engine', engine, **NAMES)
                if read(path)[-len(wanted):] != wanted or info(path)['format'] != (keys[8:] or 'Z32_FLOAT'):
                    findings.append(f'{shader}{keys}: {read(path)[-len(wanted):].hex()}, {info(path)}')
    colors = c.write('outputs.tgsi', OUTPUTS)
    return findings + c.says(c.YES, '', f'scheelite: {colors} writes no depth: the picture stays empty\n', 'run', colors, '--size', '2x2', '--target', 'depth=z.dds', **NAMES)


def targets():
    """Every colour output, in every format; outputs that the shader does not have; what is no target."""
    shader, findings = c.write('outputs.tgsi', OUTPUTS), []
    done = c.run('run', shader, '--size', '2x2', '--target', '1=u.dds,format=R32G32B32A32_UINT', '--target', '0=h.dds,format=R16G16B16A16_FLOAT', '--target', '0=b.dds', '-o', 'p2.png', **NAMES)
    findings += [] if (done.returncode, done.stderr) == (c.YES, b'') else [f'{done}']
    if read('u.dds')[-64:] != struct.pack('<4I', 7, 70000, 3, 9) * 4:
        findings.append('integers')
    if read('h.dds')[-32:-24] != struct.pack('<4e', 2, -0.25, 0, 1):
        findings.append(f'halves: {struct.unpack("<16e", read("h.dds")[-32:])}')
    if read('b.dds')[-16:] != bytes((255, 0, 0, 255)) * 4 or read('p2.png') != read('p.png'):
        findings.append('bytes')
    findings += c.says(c.YES, '', f'scheelite: {shader} writes no COLOR 2: the picture stays empty\n', 'run', shader, '--size', '2x2', '--target', '2=e.png', **NAMES)
    findings += [] if c.picture(c.path('e.png')) == (2, 2, bytes(16)) else ['an empty picture']
    for text, said in (('8=a.png', '--target is N=FILE[,format=F] with N from 0 to 7, or depth=FILE[,format=F], not 8=a.png'), ('a.png', '--target is N=FILE[,format=F] with N from 0 to 7, or depth=FILE[,format=F], not a.png'),
                       ('depth=', '--target is N=FILE[,format=F] with N from 0 to 7, or depth=FILE[,format=F], not depth='), ('0=', '--target is N=FILE[,format=F] with N from 0 to 7, or depth=FILE[,format=F], not 0='), ('0=a.png,format=R9_UNORM', '--target: there is no format R9_UNORM')):
        findings += c.exit_is(c.USAGE, 'run', shader, '--target', text, err='scheelite run: ' + said, **NAMES)
    findings += c.says(c.UNSUPPORTED, '', 'scheelite: b.dds: DXT1_RGB is compressed, and this version does not compress\n', 'run', shader, '--size', '2x2', '--target', '0=b.dds,format=DXT1_RGB', **NAMES)
    findings += c.exit_is(c.USAGE, 'run', shader, '--target', '0=a.png', '--heat', 'lod', '-o', 'h.png', err='--heat draws no colours', **NAMES)
    findings += c.exit_is(c.USAGE, 'run', shader, err='a fragment shader needs -o out.png, or --target N=FILE', **NAMES)
    compute = c.write('compute.tgsi', 'COMP\nEND\n')
    findings += c.exit_is(c.USAGE, 'run', compute, '--grid', '1,1,1', '--target', '0=a.png', err='--target is for fragment shaders', **NAMES)
    findings += depth_target()
    # An image of the dispatch, in every kind: layers below each other in a picture, as they are in a texture.
    store = c.write('store.tgsi', 'COMP\nDCL IMAGE[0], 2D_ARRAY, WR\nEND\n')
    for name, shape in (('i.png', (4, 12, 1)), ('i.dds', (4, 4, 3))):
        findings += c.says(c.YES, '', '', 'run', store, '--grid', '1,1,1', '--image', '0=cube.dds,level=0,face=1+cube.dds,level=0,face=2+cube.dds,level=0,face=3,target=2D_ARRAY', '--image-out', f'0={name}', **NAMES)
        have = info(name)
        findings += [] if (have['width'], have['height'], have['layers']) == shape else [f'{name}: {have}']
    return findings


def compression():
    """--compress 0 to 12 changes the bytes and not the texels."""
    findings, sizes = [], []
    for level in (0, 1, 6, 12):
        findings += c.says(c.YES, '', '', 'convert', c.PHOTO, '-o', 'level.png', '--compress', str(level), '--threads', '2', **NAMES)
        findings += c.says(c.YES, '0 of 65536 texels differ\n', '', 'diff', c.PHOTO, 'level.png', **NAMES)
        sizes.append(len(read('level.png')))
    if sizes != sorted(sizes, reverse=True) or sizes[0] < 3 * 65536 or sizes[1] == sizes[0]:
        findings.append(f'{sizes}')
    shader = c.write('outputs.tgsi', OUTPUTS)
    findings += c.says(c.YES, '', '', 'run', shader, '-o', 'zero.png', '--compress', '0', **NAMES) + ([] if len(read('zero.png')) > 3 * 65536 else ['run: --compress 0'])
    for value in ('13', '-1', 'x', ''):
        findings += c.exit_is(c.USAGE, 'convert', c.PHOTO, '-o', 'level.png', '--compress', value, err=f'--compress is 0 to 12, not {value}', **NAMES)
    for word in ('zstd', 'zlib', 'none'):
        findings += c.says(c.YES, '', '', 'convert', c.PHOTO, '-o', f'{word}.ktx2', '--supercompress', word, **NAMES) + c.says(c.YES, '0 of 65536 texels differ\n', '', 'diff', c.PHOTO, f'{word}.ktx2', **NAMES)
    if not len(read('zlib.ktx2')) < len(read('none.ktx2')) / 2:
        findings.append('supercompression')
    return findings + c.exit_is(c.USAGE, 'convert', c.PHOTO, '-o', 'a.ktx2', '--supercompress', 'lz', err='--supercompress is none, zstd or zlib, not lz', **NAMES)


# ---- convert ----


def note(name, kind, old, new):
    return f'scheelite: {name}: {kind} does not hold these texels of {old}: they are written as {new}\n'


def kinds():
    """Every kind from every kind: what loses nothing differs in nothing; the note says what is lost."""
    findings = []
    made = [('png', 'R8G8B8A8_UNORM', ''), ('ppm', 'R8G8B8A8_UNORM', ''), ('dds', 'R8G8B8A8_UNORM', ''), ('ktx', 'R8G8B8A8_UNORM', ''), ('ktx2', 'R8G8B8A8_UNORM', ''),
            ('pfm', 'R32G32B32_FLOAT', 'PFM')] + ([('exr', 'R32G32B32A32_FLOAT', 'EXR')] if HAS_EXR else [])
    for ending, form, said in made:
        name = f'photo.{ending}'
        findings += c.says(c.YES, '', note(name, said, 'R8G8B8A8_UNORM', form) if said else '', 'convert', c.PHOTO, '-o', name, **NAMES)
        have = info(name)
        if (have['format'], have['target'], have['width'], have['height'], have['levels']) != (form, '2D', 256, 256, 1):
            findings.append(f'{have}')
        findings += c.says(c.YES, '0 of 65536 texels differ\n', '', 'diff', c.PHOTO, name, **NAMES)
    for ending, _, _ in made:
        findings += c.exit_is(c.YES, 'convert', f'photo.{ending}', '-o', 'back.png', **NAMES) + c.says(c.YES, '0 of 65536 texels differ\n', '', 'diff', 'back.png', c.PHOTO, **NAMES)
    # Radiance has 8 bits for the largest colour.
    findings += c.exit_is(c.YES, 'convert', c.PHOTO, '-o', 'photo.hdr', **NAMES) + c.exit_is(c.YES, 'diff', c.PHOTO, 'photo.hdr', '--tolerance', '1/128', **NAMES)
    # Levels, layers and faces stay.
    for ending in ('dds', 'ktx', 'ktx2'):
        for name in ('cube', 'cubes', 'array', 'volume', 'plain', 'bc1'):
            findings += c.says(c.YES, '', '', 'convert', f'{name}.dds', '-o', f'{name}2.{ending}', **NAMES)
            old, new = info(f'{name}.dds'), info(f'{name}2.{ending}')
            if any(old[key] != new[key] for key in ('format', 'target', 'width', 'height', 'depth', 'layers', 'levels', 'bytes')):
                findings.append(f'{old} {new}')
            findings += c.exit_is(c.YES, 'diff', f'{name}.dds', f'{name}2.{ending}', out='0 of ', **NAMES)
    return findings


def formats_of_convert():
    """--format converts as blits do; without it the nearest format that the kind holds is taken."""
    findings = []
    for form, width in (('R16G16B16A16_UNORM', 8), ('R32G32B32A32_FLOAT', 16), ('R8_UNORM', 1), ('B5G6R5_UNORM', 2)):
        findings += c.says(c.YES, '', '', 'convert', c.PHOTO, '-o', 'form.dds', '--format', form, **NAMES)
        have = info('form.dds')
        findings += [] if (have['format'], have['bytes']) == (form, 65536 * width) else [f'{have}']
    findings += c.says(c.YES, '', note('bc1.png', 'PNG', 'DXT1_RGBA', 'R8G8B8A8_UNORM'), 'convert', 'bc1.dds', '-o', 'bc1.png', **NAMES)
    findings += [] if c.picture(c.path('bc1.png'))[2][:8] == bytes((255, 0, 0, 255, 0, 0, 255, 255)) else ['decoded blocks']
    for form in ('BPTC_RGBA_UNORM', 'ETC2_RGB8', 'ASTC_4x4', 'DXT5_RGBA'):
        findings += c.says(c.UNSUPPORTED, '', f'scheelite: {c.PHOTO}: {form} is compressed, and this version does not compress\n', 'convert', c.PHOTO, '-o', 'no.dds', '--format', form, **NAMES)
    findings += c.says(c.USAGE, None, None, 'convert', c.PHOTO, '-o', 'no.dds', '--format', 'R9') + c.exit_is(c.UNSUPPORTED, 'convert', c.PHOTO, '-o', 'no.png', '--format', 'NV12', err='NV12', **NAMES)
    findings += c.exit_is(c.UNSUPPORTED, 'convert', 'u.dds', '-o', 'no.png', err='no.png: error 6107: PNG', **NAMES)
    findings += c.exit_is(c.NO, 'convert', 'u.dds', '-o', 'no.dds', '--format', 'R8G8B8A8_UNORM', err='error 6005', **NAMES)
    # Halves of numbers beyond 1 become fractions where there are no halves.
    findings += c.says(c.YES, '', note('h.png', 'PNG', 'R16G16B16A16_FLOAT', 'R16G16B16A16_UNORM'), 'convert', 'h.dds', '-o', 'h.png', **NAMES)
    return findings + ([] if not os.path.exists(c.path('no.dds')) else ['no.dds was written'])


def parts_of_convert():
    """--level, --layer, --face, --mips and --target, alone and together."""
    findings = []
    cube = [[texels(10 * layer + level, (4 >> level) ** 2) for level in range(3)] for layer in range(12)]
    for options, layer, level in ((('--face', '+z', '--level', '0'), 4, 0), (('--level', '1', '--face', '5'), 5, 1)):
        findings += c.says(c.YES, '', '', 'convert', 'cube.dds', '-o', 'part.png', *options, **NAMES)
        side = 4 >> level
        opaque = bytes(cube[layer][level])
        findings += [] if c.picture(c.path('part.png')) == (side, side, opaque) else [f'{options}']
    findings += c.says(c.YES, '', '', 'convert', 'array.dds', '-o', 'part.dds', '--layer', '3', '--mips', '2', **NAMES)
    findings += [] if read('part.dds')[-80:] == cube[3][0] + cube[3][1] else ['layer 3, two levels']
    findings += c.says(c.UNSUPPORTED, '', 'scheelite: no.png: PNG holds one 2D picture; say which one of 3 levels and 6 layers (level, layer, face), or write a .dds, .ktx or .ktx2\n', 'convert', 'cube.dds', '-o',
                       'no.png', **NAMES)
    # Levels are box filtered: means of codes, ties to even (docs/resources.md, "Means").
    c.png('four.png', 2, 2, bytes((0, 0, 0, 255, 1, 0, 2, 255, 1, 2, 4, 255, 0, 0, 4, 255)))
    for mips in ('make', '2'):
        findings += c.says(c.YES, '', '', 'convert', 'four.png', '-o', 'four.dds', '--mips', mips, **NAMES)
        findings += [] if read('four.dds')[-4:] == bytes((0, 0, 2, 255)) and info('four.dds')['levels'] == 2 else [f'{read("four.dds")[-4:]}']
    findings += c.says(c.USAGE, '', 'scheelite: four.png: a texture of this size has 2 levels, not 3\n', 'convert', 'four.png', '-o', 'no.dds', '--mips', '3', **NAMES)
    findings += c.exit_is(c.UNSUPPORTED, 'convert', 'bc1.dds', '-o', 'no.dds', '--mips', 'make', err='no levels are made of texels of DXT1_RGBA, which are compressed', **NAMES)
    findings += c.says(c.YES, '', '', 'convert', 'bc1.dds', '-o', 'made.dds', '--mips', 'make', '--format', 'R8G8B8A8_UNORM', **NAMES)
    findings += c.says(c.YES, '', '', 'convert', 'array.dds', '-o', 'cubes3.ktx2', '--target', 'CUBE_ARRAY', **NAMES) + c.exit_is(c.YES, 'diff', 'cubes3.ktx2', 'cubes.dds', **NAMES)
    findings += c.exit_is(c.NO, 'convert', 'array.dds', '-o', 'no.dds', '--target', 'CUBE', err='are not a texture of that target', **NAMES)
    for arguments, said in ((('--mips', '0'), '--mips is a number of levels from 1, or make, not 0'), (('--target', 'SHADOW2D'), '--target: there is no target SHADOW2D'), (('--face', '7'), '--face is 0, 1, 2, 3, 4, 5, +x, -x, +y, -y, +z or -z, not 7'),
                            (('--level', 'x'), '--level is a number from 0, not x'), (('more.png',), 'one file only'), (('--threads', '0'), '--threads is 1 to 256, not 0')):
        findings += c.exit_is(c.USAGE, 'convert', 'four.png', '-o', 'no.dds', *arguments, err='scheelite convert: ' + said, **NAMES)
    findings += c.exit_is(c.USAGE, 'convert', '-o', 'no.dds', err='scheelite convert: which file?', **NAMES) + c.exit_is(c.USAGE, 'convert', 'four.png', err='scheelite convert: where to? (-o FILE)', **NAMES)
    findings += c.exit_is(c.IO, 'convert', 'absent.png', '-o', 'no.dds', err='cannot open absent.png', **NAMES) + c.exit_is(c.NO, 'convert', 'nothing.png', '-o', 'no.dds', err='error 6104', **NAMES)
    return findings + ([] if not os.path.exists(c.path('no.dds')) and not os.path.exists(c.path('no.png.tmp')) else ['something was written'])


# ---- info ----


def described():
    """info of each kind, as text and as JSON."""
    findings = []
    size = len(read('cube.dds'))
    findings += c.says(c.YES, f'kind\tDDS\nformat\tR8G8B8A8_UNORM\ntarget\tCUBE\nwidth\t4\nheight\t4\ndepth\t1\nlayers\t6\nlevels\t3\nbytes\t504\nfile_bytes\t{size}\ntransfer\tunknown\npremultiplied\tno\n', '',
                       'info', 'cube.dds', **NAMES)
    have = info('cube.dds')
    if have != {'schema': 'scheelite-info-texture/1', 'file': 'cube.dds', 'kind': 'DDS', 'format': 'R8G8B8A8_UNORM', 'target': 'CUBE', 'width': 4, 'height': 4, 'depth': 1, 'layers': 6, 'levels': 3, 'bytes': 504, 'file_bytes': size,
                'transfer': 'unknown', 'premultiplied': False}:
        findings.append(f'{have}')
    for name, kind, form, transfer in (('wide.png', 'PNG', 'R16G16B16A16_UNORM', 'unknown'), ('floats.pfm', 'PFM', 'R32G32B32_FLOAT', 'linear'), ('photo.ppm', 'PNM', 'R8G8B8A8_UNORM', 'unknown'),
                                       ('photo.hdr', 'HDR', 'R32G32B32_FLOAT', 'linear'), ('bc1.dds', 'DDS', 'DXT1_RGBA', 'unknown'), ('photo.ktx', 'KTX', 'R8G8B8A8_UNORM', 'unknown')):
        have = info(name)
        if (have.get('kind'), have.get('format'), have.get('transfer')) != (kind, form, transfer):
            findings.append(f'{name}: {have}')
    # A file that is damaged, and one that is no shader either.
    c.write('cut.dds', read('cube.dds')[:-1])
    findings += c.exit_is(c.NO, 'info', 'cut.dds', err='cut.dds: error 6101', out='', **NAMES)
    return findings + c.exit_is(c.NO, 'info', '-x', 'tgsi', 'cube.dds', out='', **NAMES)


# ---- diff ----


def differences():
    """How many texels differ, which is the first, and the largest difference of each channel with its place."""
    findings, base = [], bytearray(texels(3, 32))
    for n in range(3, len(base), 4):
        base[n] = 255
    c.png('one.png', 8, 4, bytes(base))
    other = bytearray(base)
    other[4 * 11] ^= 0x80  # red of 3,1: by 128
    other[4 * 20 + 2] = (other[4 * 20 + 2] + 3) & 255 if other[4 * 20 + 2] < 250 else other[4 * 20 + 2] - 3  # blue of 4,2: by 3
    c.png('other.png', 8, 4, bytes(other))
    red, blue = (base[44], other[44]), (base[82], other[82])
    lines = ''.join(f'{name}\t{abs(n[0] / 255 - n[1] / 255):.9g}' for name, n in (('red', red),))
    done = c.run('diff', 'one.png', 'other.png', **NAMES)
    rows = done.stdout.decode().splitlines()
    if done.returncode != c.NO or rows[0] != '2 of 32 texels differ, the first at 3,1' or len(rows) != 3:
        findings.append(f'{done}')
    for row, name, place, codes in ((rows[1], 'red', '3,1', red), (rows[2], 'blue', '4,2', blue)):
        label, rest = row.split('\t')
        amount, at = rest.split(' at ')
        where, values = at.split(': ')
        numbers = [float(value) for value in values.split(' and ')]
        if label != name or where != place or abs(float(amount) - abs(codes[0] - codes[1]) / 255) > 1e-6 or any(abs(a - b / 255) > 1e-6 for a, b in zip(numbers, codes)):
            findings.append(f'{row}, not {lines} {codes}')
    for tolerance, code, count in (('0', c.NO, 2), ('0.0117', c.NO, 2), ('3.01/255', c.NO, 1), ('0.5', c.NO, 1), ('129/255', c.YES, 0)):
        findings += c.exit_is(code, 'diff', 'one.png', 'other.png', '--tolerance', tolerance, out=f'{count} of 32 texels differ', **NAMES)
    findings += c.says(c.YES, '0 of 32 texels differ\n', '', 'diff', 'one.png', 'one.png', **NAMES)
    # Integers have all their digits.
    data = bytearray(read('u.dds'))
    for name, numbers in (('large.dds', (4294967295, 16777217, 3, 9)), ('larger.dds', (16777217, 16777216, 3, 9))):
        data[-16:] = struct.pack('<4I', *numbers)
        c.write(name, data)
    findings += c.says(c.NO, '1 of 4 texels differ, the first at 1,1\nred\t4278190078 at 1,1: 4294967295 and 16777217\ngreen\t1 at 1,1: 16777217 and 16777216\n', '', 'diff', 'large.dds', 'larger.dds', **NAMES)
    # The picture: the largest difference is white of its channel in bytes, and itself in floats.
    findings += c.exit_is(c.NO, 'diff', 'one.png', 'other.png', '-o', 'difference.png', **NAMES) + c.exit_is(c.NO, 'diff', 'one.png', 'other.png', '-o', 'difference.pfm', **NAMES)
    wanted = bytearray(bytes((0, 0, 0, 255)) * 32)
    wanted[44], wanted[82] = 255, round(255 * 3 / 128)
    if c.picture(c.path('difference.png')) != (8, 4, bytes(wanted)):
        findings.append('the picture')
    floats = read_pfm('difference.pfm')[2]
    if abs(floats[33] - 128 / 255) > 1e-6 or abs(floats[62] - 3 / 255) > 1e-6 or sum(value != 0 for value in floats) != 2:
        findings.append('the picture of floats')
    return findings


def not_compared():
    """Sizes, NaN, integers, parts, and files that cannot be read."""
    findings = []
    findings += c.says(c.NO, '', 'scheelite: one.png has 8 texels in a row, and four.png has 2: they are not compared\n', 'diff', 'one.png', 'four.png', **NAMES)
    findings += c.says(c.NO, '', 'scheelite: cube.dds has 6 layers, and array.dds has 12: they are not compared\n', 'diff', 'cube.dds', 'array.dds', **NAMES)
    findings += c.exit_is(c.NO, 'diff', 'u.dds', 'b.dds', err='integers are compared with their like only', out='', **NAMES)
    findings += c.says(c.YES, '0 of 4 texels differ\n', '', 'diff', 'array.dds', 'array.dds', '--level', '1', '--layer', '2', **NAMES)
    data = bytearray(read('array.dds'))
    data[-4] ^= 1  # the last level of the last layer
    c.write('array3.dds', bytes(data))
    findings += c.exit_is(c.NO, 'diff', 'array.dds', 'array3.dds', out='1 of 252 texels differ, the first at 0,0 of level 2 of layer 11\n', **NAMES)
    nan, infinity = float('nan'), float('inf')
    pfm('n1.pfm', 2, 1, [nan, 1, 2, infinity, 0, 0])
    pfm('n2.pfm', 2, 1, [1, 1, 2, infinity, 0, 0])
    findings += c.says(c.YES, '0 of 2 texels differ\n', '', 'diff', 'n1.pfm', 'n1.pfm', **NAMES)
    findings += c.says(c.NO, '1 of 2 texels differ, the first at 0,0\nred\tinf at 0,0: nan and 1\n', '', 'diff', 'n1.pfm', 'n2.pfm', '--tolerance', '1000', **NAMES)
    for name in ('absent.png', 'nothing.png', 'cut.dds'):
        findings += c.exit_is(c.IO, 'diff', name, 'one.png', out='', err=name, **NAMES) + c.exit_is(c.IO, 'diff', 'one.png', name, out='', err=name, **NAMES)
    for arguments, said in ((('one.png',), 'which two files?'), (('one.png', 'one.png', 'one.png'), 'two files only'), (('one.png', 'one.png', '--tolerance', '-1'), '--tolerance is a number from 0'),
                            (('one.png', 'one.png', '--tolerance', '1/0'), '--tolerance is a number from 0'), (('one.png', 'one.png', '--tolerance', ''), '--tolerance is a number from 0')):
        findings += c.exit_is(c.USAGE, 'diff', *arguments, err='scheelite diff: ' + said, **NAMES)
    # Codes of sRGB are compared with codes as they are, and with floats as colours.
    dds('codes.dds', 1, 1, bytes((188, 188, 188, 255)), dxgi=29)
    dds('same.dds', 1, 1, bytes((188, 188, 188, 255)), dxgi=28)
    dds('linear.dds', 1, 1, struct.pack('<4f', 0.5028864145278931, 0.5028864145278931, 0.5028864145278931, 1), dxgi=2)
    findings += c.says(c.YES, '0 of 1 texels differ\n', '', 'diff', 'codes.dds', 'same.dds', **NAMES) + c.exit_is(c.YES, 'diff', 'codes.dds', 'linear.dds', '--tolerance', '0.0001', **NAMES)
    return findings + c.exit_is(c.NO, 'diff', 'same.dds', 'linear.dds', '--tolerance', '0.0001', **NAMES)


# ---- scenes ----


def scenes():
    """Textures of scenes come from files of every kind, and go to them with their numbers."""
    findings = []
    level = [[texels(10 * layer + n, (4 >> n) ** 2) for n in range(3)] for layer in range(12)]
    scene = c.write('files.scene', 'texture all "array.dds"\ntexture one { image "floats.pfm"; format R32G32B32A32_FLOAT }\ntexture drawn { size 2 2; format R16G16B16A16_FLOAT; solid 2 -3 0.5 1 }\n'
                    'texture deep { size 2 2; format Z32_FLOAT; solid 0.75 0 0 0 }\ntexture bits { size 2 2; format R32_UINT; solid 70000 0 0 0 }\n'
                    f'expect pixel all 1 2 level 0 layer 3 = {" ".join(str(round(v / 255, 4)) for v in four(level[3][0], 9))}\n'
                    'expect pixel one 1 1 = 9.5 11 12.5 1\nexpect pixel drawn 0 0 = 2 -3 0.5 1\nexpect depth pixel deep 0 0 = 0.75\nexpect pixel bits 0 0 = 70000\n')
    done = c.run('render', scene, '--check', **NAMES)
    if done.returncode != c.YES or b'5 passed, 0 failed' not in done.stdout:
        findings.append(f'{done}')
    done = c.run('render', scene, '--check', '--target', 'drawn=d.dds', '--target', 'deep=z.ktx2', '--target', 'bits=u.ktx2', '--target', 'drawn=d.png', '--target', 'one=o.dds,format=R16G16B16A16_FLOAT',
                 '--target', 'drawn', '-o', 'd.pfm', **NAMES)
    if done.returncode != c.YES:
        return findings + [f'{done}']
    for name, form in (('d.dds', 'R16G16B16A16_FLOAT'), ('z.ktx2', 'Z32_FLOAT'), ('u.ktx2', 'R32_UINT'), ('d.png', 'R8G8B8A8_UNORM'), ('o.dds', 'R16G16B16A16_FLOAT'), ('d.pfm', 'R32G32B32_FLOAT')):
        findings += [] if info(name).get('format') == form else [f'{name}: {info(name)}']
    if read('d.dds')[-8:] != struct.pack('<4e', 2, -3, 0.5, 1) or c.picture(c.path('d.png'))[2][:4] != bytes((255, 0, 128, 255)):
        findings.append('colours')
    if read_pfm('d.pfm')[2][:3] != [2, -3, 0.5] or read('z.ktx2')[-4:] != struct.pack('<f', 0.75) or read('u.ktx2')[-4:] != struct.pack('<I', 70000):
        findings.append('numbers')
    findings += c.exit_is(c.NO, 'render', c.write('bad.scene', 'texture t { image "array.dds" }\n'), err='the file holds more than one picture: texture NAME "FILE" takes all of it', **NAMES)
    findings += c.exit_is(c.NO, 'render', scene, '--target', 'absent=a.png', err='no texture absent was drawn', **NAMES)
    return findings + c.exit_is(c.USAGE, 'render', scene, '--target', '=a.png', err='--target is TEXTURE=FILE[,format=F], or the TEXTURE of -o, not =a.png', **NAMES)


# ---- files against the rules of their kinds ----


def odd_files():
    """Rows that are padded though nothing says it are read as the file's size proves, with a warning wherever files are read."""
    row = [bytes(range(10 * y, 10 * y + 9)) for y in range(2)]
    head = struct.pack('<4s7I44x', b'DDS ', 124, 0x1007, 2, 3, 0, 0, 1) + struct.pack('<8I', 32, 0x40, 0, 24, 0xff, 0xff00, 0xff0000, 0)
    head += struct.pack('<5I', 0x1000, 0, 0, 0, 0)
    c.write('padded.dds', head + b''.join(one + bytes(3) for one in row))
    said = 'padded.dds: warning 6540: rows of 9 bytes begin every 12, as the size of the file says'
    findings = c.exit_is(c.YES, 'info', 'padded.dds', err=said, **NAMES)
    findings += c.exit_is(c.YES, 'convert', 'padded.dds', '-o', 'padded.ppm', err=said, **NAMES)
    findings += [] if read('padded.ppm') == b'P6\n3 2\n255\n' + b''.join(row) else [f'{read("padded.ppm")}']
    done = c.run('sample', '--tex', 'padded.dds', '--at', '0.1,0.9', '--filter', 'nearest', '--floats', 'dec', **NAMES)
    findings += [] if said.encode() in done.stderr and done.returncode == c.YES else [f'{done}']
    findings += c.exit_is(c.NO, 'convert', 'padded.dds', '-o', 'never.ppm', '-Werror', err='-Werror', **NAMES)
    findings += ['never.ppm is written'] if os.path.exists(c.path('never.ppm')) else []
    scene = c.write('padded.scene', f'texture t "padded.dds"\nexpect pixel t 0 1 = {10 / 255:.6f} {11 / 255:.6f} {12 / 255:.6f} 1\n')
    done = c.run('render', scene, '--check', **NAMES)
    findings += [] if done.returncode == c.YES and b'padded.scene:1:11: warning 6540: padded.dds: rows of 9' in done.stderr else [f'{done}']
    findings += c.exit_is(c.NO, 'render', scene, '--check', '-Werror', err='there are warnings', **NAMES)
    done = c.run('render', scene, '--check', '-Wno-6540', **NAMES)
    return findings + ([] if done.returncode == c.YES and not done.stderr else [f'{done}'])


def cut_off():
    """What is there of a file that was cut off is read where that is asked for, and only there."""
    whole = dds('whole.dds', 4, 4, texels(3, 16) + texels(4, 4) + texels(5, 1), levels=3)
    c.write('short.dds', c.read(whole)[:-5])
    refused = 'short.dds: error 6101: damaged DDS: 79 bytes of texels where its size needs 84; --lenient reads what is there'
    said = 'short.dds: warning 6542: cut off: 79 of 84 bytes of texels; 1 of 3 levels are read'
    findings = []
    for verb, rest in (('info', ()), ('convert', ('-o', 'short.png')), ('sample', ('--at', '0.5,0.5'))):
        file = ('--tex', 'short.dds') if verb == 'sample' else ('short.dds',)
        findings += c.exit_is(c.NO, verb, *file, *rest, err=refused, **NAMES)
        findings += c.exit_is(c.YES, verb, '--lenient', *file, *rest, err=said, **NAMES)
    findings += [] if c.picture(c.path('short.png'))[2] == texels(3, 16) else ['another picture']
    c.run('convert', 'whole.dds', '-o', 'whole.ktx2', **NAMES)  # the smallest level is first: no level is left out
    c.write('short.ktx2', c.read(c.path('whole.ktx2'))[:-5])
    rows = b''.join(b'\0' + texels(y, 16) for y in range(16))
    stored = zlib.compress(rows, 0)
    chunk = lambda kind, body: struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    picture = b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 16, 16, 8, 6, 0, 0, 0)) + chunk(b'IDAT', stored) + chunk(b'IEND', b'')
    c.write('short.rows.png', picture[:33 + 8 + 7 + 65 * 9 + 30])  # zlib's two bytes and a block's five; nine rows and a part
    for name, level, is_refused, warns in (
            ('short.ktx2', ('--level', '0'), 'error 6101: damaged KTX2: level 0 is not there; --lenient reads what is there', 'warning 6542: cut off: 79 of 84 bytes of levels; 2 of 3 levels are whole'),
            ('short.rows.png', (), 'error 6101: damaged PNG: the file ends early; --lenient reads what is there', 'warning 6542: cut off: ')):
        findings += c.exit_is(c.NO, 'convert', name, *level, '-o', 'out.png', err=is_refused, **NAMES)
        findings += c.exit_is(c.YES, 'convert', '--lenient', name, *level, '-o', 'out.png', err=warns, **NAMES)
        have = c.picture(c.path('out.png'))[2]
        if name == 'short.ktx2' and have != texels(3, 16)[:-5] + bytes(5):
            findings.append(f'{name}: {have}')
        whole_rows = [have[64 * y:64 * y + 64] == texels(y, 16) for y in range(16)]
        if name == 'short.rows.png' and (whole_rows[:8] != [True] * 8 or any(whole_rows[9:]) or have[640:] != bytes(384)):
            findings.append(f'{name}: {whole_rows}')
    c.write('wrong.dds', c.read(whole)[:76] + bytes(52)) # no length makes a format of these
    return findings + (['a hint that does not help'] if b'lenient' in c.run('info', 'wrong.dds', **NAMES).stderr else [])


def pictures_of_other_kinds():
    """Pictures are named by every verb that is given one, with what is read instead."""
    kinds = 'PNG, JPEG, PNM, PFM, HDR, EXR, DDS, KTX and KTX2 are'
    head = {'BMP': b'BM' + struct.pack('<3I', 58, 0, 54) + struct.pack('<I', 40) + bytes(36), 'GIF': b'GIF89a' + bytes(9), 'TIFF': b'II*\0' + bytes(9),
            'WebP': b'RIFF' + struct.pack('<I', 9) + b'WEBP' + bytes(9), 'TGA': struct.pack('<3B5x4H2B', 0, 0, 2, 0, 0, 1, 1, 24, 0) + b'abc'}
    findings = []
    for kind, data in head.items():
        name = f'other.{kind.lower()}'
        c.write(name, data)
        for verb in ('info', 'check', 'dis'):
            findings += c.exit_is(c.UNSUPPORTED, verb, name, err=f'{name} is a {kind} picture, which is not read as a shader; nor as a texture: {kinds}', **NAMES)
        findings += c.exit_is(c.NO, 'convert', name, '-o', 'other.png', err=f'error 6104: a {kind} picture, which is not read: {kinds}', **NAMES)
    return findings + c.exit_is(c.UNSUPPORTED, 'check', c.PHOTO, err='is a PNG picture, which is not read as a shader; info, convert and the options for textures read it')


tap.run([('whole files', whole_files), ('parts of files', parts), ('formats of files', formats), ('crosses', crosses), ('levels that are not there', one_level), ('kept decoded', kept_decoded), ('endings of outputs', endings),
         ('targets', targets), ('compression', compression), ('kinds', kinds), ('convert to formats', formats_of_convert), ('convert parts', parts_of_convert), ('info', described),
         ('diff', differences), ('what is not compared', not_compared), ('scenes', scenes),
         ('odd files', odd_files), ('files that were cut off', cut_off), ('pictures of other kinds', pictures_of_other_kinds)])
