#!/usr/bin/env python3
"""Textures of several pictures and of levels that are made: every texel where its picture has it, in sample, run, eval and
images; and what is said of pictures that do not fit together."""
import os
import struct

import command as c
import tap


def texels(number, width, height):
    """Texels that no other picture has."""
    return bytes((number * 37 + n * 5 + (n >> 2) * 3) & 255 for n in range(width * height * 4))


def picture(name, width, height):
    """A file, its name in the folder and its texels."""
    data = texels(sum(name.encode()), width, height)
    c.png(name, width, height, data)
    return name, data


def words(data, at):
    return ','.join('0x%08x' % struct.unpack('<I', struct.pack('<f', code / 255))[0] for code in data[4 * at:4 * at + 4])


def sample(*arguments, lines=()):
    done = c.run('sample', *arguments, *(('--batch', '-') if lines else ()), stdin='\n'.join(lines) + '\n', cwd=c.FOLDER.name)
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


# Target, sides of level 0, images of a level (layers, faces, slices, samples) by level.
KINDS = (('2D', 4, 6, (1, 1, 1)), ('1D', 5, 1, (1, 1)), ('RECT', 3, 2, (1,)), ('2D_ARRAY', 4, 2, (3, 3, 3)), ('1D_ARRAY', 4, 1, (5, 5)),
         ('3D', 4, 2, (5, 2, 1)), ('CUBE', 4, 4, (6, 6)), ('CUBE_ARRAY', 2, 2, (12, 12)), ('2D_MSAA', 2, 3, (4,)))


def levels_of(kind):
    """Of each level: width, height, and its images as (name, texels)."""
    target, width, height, images = kind
    levels = []
    for level, count in enumerate(images):
        sides = max(1, width >> level), max(1, height >> level)
        levels.append((*sides, [picture(f'{target}-{level}-{n}.png', *sides) for n in range(count)]))
    return levels


def fetches(target, levels):
    """Options of a fetch of every texel, and the answers."""
    lines, answers = [], []
    for level, (width, height, images) in enumerate(levels):
        for n, (_, data) in enumerate(images):
            for y in range(height):
                for x in range(width):
                    at = {'1D': f'{x}', '1D_ARRAY': f'{x},{n}', '2D': f'{x},{y}', 'RECT': f'{x},{y}', '2D_MSAA': f'{x},{y}'}.get(target, f'{x},{y},{n}')
                    more = f'--index {n}' if target == '2D_MSAA' else f'--lod {level}'
                    lines.append(f'--op fetch --at {at} {more}')
                    answers.append(words(data, y * width + x))
    return lines, answers


def every_texel():
    findings = []
    for kind in KINDS:
        target, levels = kind[0], levels_of(kind)
        lines, answers = fetches(target, levels)
        # One picture an image, and the pictures of a level as one strip.
        apart = '++'.join('+'.join(name for name, _ in images) for _, _, images in levels)
        strips = []
        for level, (width, height, images) in enumerate(levels):
            c.png(f'strip-{level}.png', width, height * len(images), b''.join(data for _, data in images))
            strips.append(f'strip-{level}.png')
        texts = [apart] + (['++'.join(strips)] if target in ('CUBE', 'CUBE_ARRAY', '1D_ARRAY', '2D', '1D', 'RECT') else [])
        for text in texts:
            code, have, err = sample('--tex', text, '--target', target, lines=lines)
            if (code, have, err) != (c.YES, answers, ''):
                findings.append(f'{target} {text}: {code} {err} {[(line, h, w) for line, h, w in zip(lines, have, answers) if h != w][:3]}')
    return findings


def box(width, height, data):
    """The next level of even sides: means, ties to even."""
    out = bytearray()
    for y in range(height // 2):
        for x in range(width // 2):
            for channel in range(4):
                total = sum(data[((2 * y + dy) * width + 2 * x + dx) * 4 + channel] for dy in (0, 1) for dx in (0, 1))
                out.append(total // 4 + (total % 4 == 3 or (total % 4 == 2 and total // 4 % 2)))
    return bytes(out)


def made_levels():
    """mips=box makes what is not given, of the last level that is."""
    name, data = picture('base.png', 8, 4)
    given, other = picture('given.png', 4, 2)
    findings = []
    for text, levels in ((name, [(8, 4, data), (4, 2, box(8, 4, data)), (2, 1, box(4, 2, box(8, 4, data)))]),
                         (f'{name}++{given}', [(8, 4, data), (4, 2, other), (2, 1, box(4, 2, other))])):
        lines, answers = fetches('2D', [(width, height, [('', texel)]) for width, height, texel in levels])
        code, have, err = sample('--tex', text, '--mips', 'box', lines=lines)
        if (code, have, err) != (c.YES, answers, ''):
            findings.append(f'{text}: {code} {err} {have} {answers}')
        for mips, count in (('box', 4), ('none', text.count('++') + 1)):
            code, have, err = sample('--tex', text, '--mips', mips, '--op', 'size')
            if (code, have) != (c.YES, [f'0x00000008,0x00000004,0x00000000,0x{count:08x}']):
                findings.append(f'{text} {mips}: {have} {err}')
    for text, count in (('random:R8_UNORM:37x5', 6), ('random:R8_UNORM:37x5:levels=2', 2), ('zero:R32_FLOAT:1x1', 1)):
        code, have, err = sample('--tex', text, '--mips', 'box', '--op', 'size')
        if code != c.YES or not have[0].endswith(f'0x{count:08x}'):
            findings.append(f'{text}: {have} {err}')
    # The same text with and without levels, in one batch.
    code, have, err = sample(lines=[f'--tex {name} --mips {mips} --op size' for mips in ('box', 'none', 'box')])
    if [line[-1] for line in have] != ['4', '1', '4']:
        findings.append(f'a batch: {have} {err}')
    return findings


SHADER = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D_ARRAY, FLOAT\nDCL TEMP[0]\n'
          'IMM[0] FLT32 {1.0, 1.0, 2.0, 1.0}\nMUL TEMP[0], IN[0], IMM[0]\nMUL TEMP[0].z, IN[0].xxxx, IMM[0].zzzz\nFLR TEMP[0].z, TEMP[0].zzzz\n'
          'TEX OUT[0], TEMP[0], SAMP[0], 2D_ARRAY\nEND\n')
LOAD = ('COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n'
        'DCL IMAGE[0], 2D_ARRAY, PIPE_FORMAT_R8G8B8A8_UNORM, WR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 2, 0}\nIMM[1] UINT32 {0, 0, 0, 0}\n'
        'LOAD TEMP[0], IMAGE[0], IMM[0], 2D_ARRAY, PIPE_FORMAT_R8G8B8A8_UNORM\n'
        'STORE IMAGE[0], IMM[1], TEMP[0], 2D_ARRAY, PIPE_FORMAT_R8G8B8A8_UNORM\nEND\n')


def verbs():
    """run and eval bind such textures, images are made of them."""
    path, load, findings = c.write('array.tgsi', SHADER), c.write('load.tgsi', LOAD), []
    (one, first), (two, second), (three, third) = (picture(name, 4, 4) for name in ('one.png', 'two.png', 'three.png'))
    made = c.path('made.png')
    findings += c.exit_is(c.YES, 'run', path, '--tex', f'0={one}+{two},target=2D_ARRAY,mips=box,mip=nearest', '-o', made, '--size', '4x4', cwd=c.FOLDER.name)
    wanted = b''.join((first if x < 2 else second)[(y * 4 + x) * 4:(y * 4 + x) * 4 + 4] for y in range(4) for x in range(4))
    if c.picture(made) != (4, 4, wanted):
        findings.append(f'run: {c.picture(made)}')
    vectors = c.write('vectors.tsv', '\t'.join(['IN[0]=3e000000,3e000000,0,3f800000']) + '\n')
    findings += c.says(c.YES, 'OUT[0]=' + words(first, 0) + '\n', '', 'eval', path, '--vectors', vectors, '--tex', f'0={one}+{two},target=2D_ARRAY',
                       cwd=c.FOLDER.name)
    findings += c.exit_is(c.YES, 'run', load, '--grid', '1,1,1', '--image', f'0={one}+{two}+{three},target=2D_ARRAY', '--image-out', '0=out.png',
                          cwd=c.FOLDER.name)
    if c.picture(c.path('out.png')) != (4, 12, third[4:8] + first[4:] + second + third):
        findings.append('an image')
    return findings


def refusals():
    """What does not fit together is said of the picture or the level that it is about."""
    for name, width, height in (('a', 4, 4), ('b', 4, 4), ('c', 4, 2), ('h', 2, 2), ('x+y', 3, 3)):
        picture(f'{name}.png', width, height)
    a, h, wrong = '+'.join(['a.png', 'b.png'] * 3), '+'.join(['h.png'] * 6), 'error 6103'
    cases = (
        ('2D', 'a.png+b.png', c.NO, f'a.png+b.png: {wrong}: level 0 of the texture has 1 image of 4 x 4 texels, and 2 are given'),
        ('2D_ARRAY_MSAA', 'a.png+b.png', c.NO, f'a.png+b.png: {wrong}: level 0 of the texture has 1 image of 4 x 4 texels, and 2 are given'),
        ('2D_ARRAY', 'a.png+c.png', c.NO, f'c.png: {wrong}: the picture has 4 x 2 texels, and level 0 of the texture 4 x 4'),
        ('3D', 'a.png+h.png', c.NO, f'h.png: {wrong}: the picture has 2 x 2 texels, and level 0 of the texture 4 x 4'),
        ('CUBE', 'a.png+b.png+a.png', c.NO, f'a.png+b.png+a.png: {wrong}: cubes have six faces of 4 x 4 texels each, and 3 are given'),
        ('CUBE_ARRAY', a + '+a.png', c.NO, f'{a}+a.png: {wrong}: cubes have six faces of 4 x 4 texels each, and 7 are given'),
        ('CUBE', 'a.png+c.png', c.NO, f'c.png: {wrong}: the picture has 4 x 2 texels, and the faces of cubes are squares'),
        ('CUBE', f'{a}++{h}+h.png', c.NO, f'{a}++{h}+h.png: {wrong}: level 1 of the texture has 6 images of 2 x 2 texels, and 7 are given'),
        ('2D', 'a.png++b.png', c.NO, f'b.png: {wrong}: the picture has 4 x 4 texels, and level 1 of the texture 2 x 2'),
        ('2D', 'h.png++a.png++b.png', c.NO, f'h.png++a.png++b.png: {wrong}: a texture of this size and target has 2 levels, and 3 are given'),
        ('RECT', 'a.png++h.png', c.NO, f'a.png++h.png: {wrong}: a texture of this size and target has 1 level, and 2 are given'),
        ('3D', 'a.png+b.png++h.png+h.png', c.NO, f'a.png+b.png++h.png+h.png: {wrong}: level 1 of the texture has 1 image of 2 x 2 texels, and 2 are given'),
        ('2D_MSAA', 'a.png+b.png+a.png', c.NO, 'scheelite: error 6003: 2D_MSAA: the number of samples is 1, 2, 4, 8 or 16'),
        ('BUFFER', 'c.png+c.png', c.NO, 'scheelite: error 6003: BUFFER: a texture of one axis has height 1'),
        *(('2D', text, c.USAGE, f'scheelite: {text}: + and ++ need a picture on both sides') for text in ('a.png+', '+a.png', 'a.png++', 'a.png+++a.png', '+')),
        ('2D', 'a.png++absent.png', c.IO, 'scheelite: cannot open absent.png: No such file or directory'),
        ('2D', 'x+z.png', c.IO, 'scheelite: cannot open x: No such file or directory'),
    )
    findings = []
    for target, text, code, said in cases:
        findings += c.says(code, '', said + '\n', 'sample', '--tex', text, '--target', target, '--op', 'size', cwd=c.FOLDER.name)
    # A file of that name is one picture.
    findings += c.says(c.YES, '0x00000003,0x00000003,0x00000000,0x00000001\n', '', 'sample', '--tex', 'x+y.png', '--op', 'size', cwd=c.FOLDER.name)
    findings += c.exit_is(c.UNSUPPORTED, 'sample', '--tex', 'random:R8_UINT:4x4', '--mips', 'box', '--op', 'size', err='error 6005: mips: there are no means of format R8_UINT')
    findings += c.exit_is(c.USAGE, 'sample', '--tex', 'random:R8_UNORM:4x4', '--mips', 'gauss', '--op', 'size', err='mips is none, make or box, not gauss')
    findings += c.exit_is(c.USAGE, 'run', c.write('array.tgsi', SHADER), '-o', c.path('no.png'), '--sampler', '0=mips=box', err='that belongs to a texture')
    return findings + ([] if not os.path.exists(c.path('no.png')) else ['a picture was written'])


tap.run([('every texel of joined pictures', every_texel), ('levels that are made', made_levels), ('run, eval and images', verbs),
         ('pictures that do not fit', refusals)])
