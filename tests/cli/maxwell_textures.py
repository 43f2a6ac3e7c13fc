#!/usr/bin/env python3
"""eval -x maxwell --tex: headers, samplers and memory that the command makes of texture files give what sample gives;
raw code behind something else: --offset, the header of graphics programs."""
import json
import struct

import command as c
import tap


def word(value):
    return struct.pack('>f', value).hex()


def sampled(texture, at, *more):
    done = c.run('sample', '--tex', texture, '--at', ','.join(str(a) for a in at), '--rules', 'maxwell', *more)
    return done.stdout.decode().strip() if not done.returncode else done.stderr.decode()


def looked_up(path, texture, settings, registers):
    done = c.run('eval', '-x', 'maxwell', path, '--vectors', '-', '--tex', f'0={texture}{settings}', stdin='\t'.join(f'R[{i}]={r}' for i, r in enumerate(registers)) + '\n')
    if done.returncode:
        return done.stderr.decode()
    return ','.join(part.split('=')[1] for part in done.stdout.decode().strip().split('\t'))


POINTS = [(0.3, 0.7, 0.4), (0.01, 0.99, 0.6), (0.5, 0.5, 0.5), (-0.2, 1.3, 0.9), (0.999, 0.124, 0.251)]


def targets():
    """Every target, in sizes that fill GOBs and that do not, level by level."""
    findings = []
    for target, parameter, sizes in (('1D', '1D', ('17x1x1', '130x1x1')), ('2D', '2D', ('5x3x1', '64x40x1', '100x17x1')), ('3D', '3D', ('5x6x7', '33x9x4')), ('2D_ARRAY', 'ARRAY_2D', ('9x10x1:layers=3',)),
                                     ('1D_ARRAY', 'ARRAY_1D', ('19x1x1:layers=4',)), ('CUBE', 'CUBE', ('16x16x1:layers=6',)), ('CUBE_ARRAY', 'ARRAY_CUBE', ('8x8x1:layers=12',))):
        for levels in (1, 3):
            path = c.write('lookup.sass', f'TEX.LL R0, R0, R8, 0x0, {parameter}, 0xf;\n')
            for size in sizes:
                texture = f'random:R8G8B8A8_UNORM:{size}' + (f':levels={levels}' if levels > 1 else '')
                for x, y, z in POINTS:
                    for level in range(levels):
                        axes = {'1D': [x], '1D_ARRAY': [x], '2D': [x, y], '2D_ARRAY': [x, y], '3D': [x, y, z]}.get(target, [x - 0.5, y - 0.5, z - 0.9])
                        at = axes + ([1] if 'ARRAY' in target else [])
                        mip = ('--mip', 'nearest') if levels > 1 else ()
                        wanted = sampled(texture, at, '--target', target, '--op', 'sample_l', '--lod', str(level), '--mag', 'linear', '--min', 'linear', *mip)
                        registers = (['1u'] if 'ARRAY' in target else []) + [word(a) for a in axes]
                        registers += ['0'] * (8 - len(registers)) + [word(float(level))]
                        have = looked_up(path, texture, f',target={target},filter=linear' + (',mip=nearest' if levels > 1 else ''), registers)
                        if have != wanted:
                            findings.append(f'{target} {size} {levels}: level {level} at {at}: {have}, not {wanted}')
    return findings


FORMATS = ('R8_UNORM R8_SNORM R8_UINT R8_SINT R8G8_UNORM R8G8B8A8_UNORM R8G8B8A8_SRGB R8G8B8X8_UNORM B8G8R8A8_UNORM R16_FLOAT R16G16_SNORM R16G16B16A16_FLOAT R16G16B16A16_UINT R32_FLOAT R32G32_SINT '
           'R32G32B32_FLOAT R32G32B32A32_FLOAT R10G10B10A2_UNORM DXT1_RGB DXT1_RGBA DXT3_RGBA DXT5_RGBA RGTC1_UNORM RGTC1_SNORM RGTC2_UNORM BPTC_RGBA_UNORM').split()


def formats():
    findings, path = [], c.write('fetch.sass', 'TLD.LZ R0, R0, 0x0, 2D, 0xf;\n')
    for name in FORMATS:
        texture = f'random:{name}:12x12x1'
        for x, y in ((0, 0), (5, 3), (11, 11)):
            wanted = sampled(texture, (x, y), '--op', 'fetch')
            have = looked_up(path, texture, '', [f'{x}i', f'{y}i'])
            if have != wanted:
                findings.append(f'{name} {x},{y}: {have}, not {wanted}')
    return findings


def samplers():
    """Settings of --tex become the sampler's."""
    findings, path, texture = [], c.write('lookup.sass', 'TEX.LL R0, R0, R8, 0x0, 2D, 0xf;\n'), 'random:R8G8B8A8_UNORM:13x11x1:levels=3'
    for wrap in ('repeat', 'clamp', 'clamp_to_edge', 'clamp_to_border', 'mirror_repeat', 'mirror_clamp', 'mirror_clamp_to_edge', 'mirror_clamp_to_border'):
        for settings, options in ((f'wrap={wrap},filter=linear,border=0.5,0.25,1,0', ('--wrap', wrap, '--mag', 'linear', '--min', 'linear', '--border', '0.5,0.25,1,0')),
                                  (f'wrap={wrap},mip=linear,min=linear,lod-bias=0.5,max-lod=1.5,min-lod=0.25', ('--wrap', wrap, '--mip', 'linear', '--min', 'linear', '--lod-bias', '0.5', '--max-lod', '1.5', '--min-lod', '0.25'))):
            for x, y in ((-0.3, 1.2), (2.6, 0.4), (-1.8, -0.05)):
                wanted = sampled(texture, (x, y), '--op', 'sample_l', '--lod', '0.75', *options)
                have = looked_up(path, texture, ',' + settings, [word(x), word(y)] + ['0'] * 6 + [word(0.75)])
                if have != wanted:
                    findings.append(f'{settings} {x},{y}: {have}, not {wanted}')
    return findings


def handles():
    """Texture N is header N and sampler N; word N of the constant bank is its handle unless --cbank has others."""
    findings, both = [], ('--tex', '0=random:R8_UNORM:4x4', '--tex', '2=random:R32_FLOAT:4x4:seed=5,filter=linear')
    first, third = sampled('random:R8_UNORM:4x4', (0.4, 0.6)), sampled('random:R32_FLOAT:4x4:seed=5', (0.4, 0.6), '--mag', 'linear', '--min', 'linear')
    line = f'R[0]={word(0.4)}\tR[1]={word(0.6)}\n'

    def rows(text):
        return '\t'.join(f'R[{i}]={w}' for i, w in enumerate(text.split(','))) + '\n'
    for index, wanted in ((0, first), (2, third)):
        findings += c.says(c.YES, rows(wanted), '', 'eval', '-x', 'maxwell', c.write('n.sass', f'TEX.LZ R0, R0, 0x{index:x}, 2D, 0xf;\n'), '--vectors', '-', *both, stdin=line)
    bank = c.write('bank.bin', struct.pack('<2I', 0, 2 << 20 | 2))
    findings += c.says(c.YES, rows(third), '', 'eval', '-x', 'maxwell', c.write('n.sass', 'TEX.LZ R0, R0, 0x1, 2D, 0xf;\n'), '--vectors', '-', *both, '--cbank', bank, stdin=line)
    path = c.write('n.sass', 'TLD.LZ R0, R0, 0x0, 2D, 0xf;\n')
    findings += c.says(c.YES, 'R[0]=nan\tR[1]=0.0\tR[2]=0.0\tR[3]=1.0\n', '', 'eval', '-x', 'maxwell', path, '--vectors', '-', '--tex', '0=' + c.write('n.pfm', b'Pf\n1 1\n-1.0\n' + struct.pack('<I', 0x7fc00000)),
                       '--floats', 'dec', stdin='R[0]=0i\tR[1]=0\n')
    told = json.loads(c.run('eval', '-x', 'maxwell', path, '--vectors', '-', '--tex', '0=zero:R8_UNORM:4x4', '--json', stdin='R[0]=0x1\nKILL\nOFF\n').stdout)
    if told != {'schema': 'scheelite-eval/1', 'file': path, 'complete': True, 'invocations': [
            {'line': 1, 'killed': False, 'outputs': [{'register': f'R[{i}]', 'semantic': None, 'semantic_index': 0, 'bits': [f'0x{b:08x}'], 'values': [v], 'types': ['unknown']}
                                                     for i, b, v in ((0, 0, 0.0), (1, 0, 0.0), (2, 0, 0.0), (3, 0x3f800000, 1.0))]},
            {'line': 2, 'killed': True}, {'line': 3, 'killed': False, 'off': True}]}:
        findings.append(f'JSON: {told}')
    for tex, code, said in (('0=random:R8_UNORM:4x4,aniso=3', c.UNSUPPORTED, "Maxwell's samplers have aniso 1, 2, 4, 6, 8, 10, 12 and 16"), ('0=random:R8_UNORM:4x4,lod-bias=0.3', c.UNSUPPORTED, "Maxwell's samplers have"),
                            ('0=random:R8_UNORM:4x4,swizzle=yxzw', c.UNSUPPORTED, 'takes no settings of views'), ('0=random:R8_UNORM:4x4,levels=0-0', c.UNSUPPORTED, 'takes no settings of views'),
                            ('0=random:R5G6B5_UNORM:4x4', c.NO, ''), ('0=random:R64_UINT:4x4', None, 'makes no texture headers of R64_UINT'), ('0=random:R8_UNORM:4x4x1:samples=4,target=2D_MSAA', c.UNSUPPORTED, 'makes no texture headers of this target'),
                            ('0=' + c.path('absent.png'), c.IO, 'cannot open'), ('0', c.USAGE, '--tex')):
        done = c.run('eval', '-x', 'maxwell', path, '--vectors', '-', '--tex', tex, stdin='R[0]=0\n')
        if (code is not None and tex != '0=random:R5G6B5_UNORM:4x4' and done.returncode != code) or not done.returncode or said not in done.stderr.decode():
            findings.append(f'{tex}: {done}')
    for option in ('--headers', '--samplers', '--memory'):
        findings += c.exit_is(c.USAGE, 'eval', '-x', 'maxwell', path, '--vectors', '-', '--tex', '0=random:R8_UNORM:4x4', option, path, err='--tex makes headers, samplers and memory itself')
    return findings


def behind():
    """Code behind other bytes, and behind the 80 bytes that graphics programs begin with."""
    findings, text = [], c.write('code.sass', 'TLD.LZ R0, R0, 0x0, 2D, 0xf;\n')
    raw = c.path('code.bin')
    c.run('asm', '-x', 'maxwell', text, '-o', raw)
    code = c.read(raw)
    words = [0x00020461 + i for i in range(20)]
    header = struct.pack('<20I', *words)
    listing = c.run('dis', '-x', 'maxwell', raw).stdout.decode()
    told = ' '.join(f'{w:08x}' for w in words)
    for data, options, skipped, has in ((code, (), 0, False), (b'\0' * 5 + code, ('--offset', '5'), 5, False), (header + code, (), 80, True), (b'\xff' * 256 + header + code, ('--offset', '0x100'), 336, True),
                                        (header + code, ('--offset', '80'), 80, False), (header + code + code, ('--offset=112',), 112, False), (b'\0' * 32 + header + code, ('--offset', '0X20'), 112, True)):
        path = c.write('behind.bin', data)
        findings += c.says(c.YES, listing if (len(data) - skipped) == 32 else None, '', 'dis', '-x', 'maxwell', path, *options) + c.says(c.YES, '', '', 'check', '-x', 'maxwell', path, *options)
        info = c.run('info', '-x', 'maxwell', path, *options).stdout.decode()
        if (f'offset\t{skipped}\n' in info) != bool(skipped) or (f'header\t{told}\n' in info) != has:
            findings.append(f'{options} {skipped}: {info}')
        shown = json.loads(c.run('info', '-x', 'maxwell', path, *options, '--json').stdout)
        if shown['offset'] != skipped or shown['header'] != ([f'0x{w:08x}' for w in words] if has else None) or shown['file'] != path:
            findings.append(f'{options} {skipped}: {shown}')
        findings += c.says(c.YES, 'R[0]=0.0\tR[1]=0.0\tR[2]=0.0\tR[3]=1.0\n', '', 'eval', '-x', 'maxwell', path, *options, '--vectors', '-', '--tex', '0=zero:R8_UNORM:4x4', '--floats', 'dec', stdin='R[0]=0x1\n')
    short = c.write('short.bin', header)
    return findings + c.exit_is(c.NO, 'dis', '-x', 'maxwell', short, err='short.bin') + c.exit_is(c.NO, 'dis', '-x', 'maxwell', short, '--offset', '81', err='--offset 81 is past the end: it has 80 bytes') + \
        c.exit_is(c.NO, 'dis', '-x', 'maxwell', c.write('odd.bin', header + code + b'\0'), err='odd.bin') + \
        c.exit_is(c.USAGE, 'dis', '-x', 'cubin', raw, '--offset', '8', err='--offset is for raw code') + c.exit_is(c.USAGE, 'dis', raw, '-x', 'maxwell', '--offset', '1x', err='--offset is a number of bytes') + \
        c.exit_is(c.USAGE, 'info', raw, '--offset', '', err='--offset is a number of bytes') + c.exit_is(c.USAGE, 'check', raw, '--offset', '-1', err='--offset is a number of bytes') + \
        c.exit_is(c.NO, 'check', '-x', 'maxwell', c.write('cut.bin', header + code[:31]), err='cut.bin')


tap.run([('targets', targets), ('formats', formats), ('samplers', samplers), ('handles', handles), ('behind', behind)])
