#!/usr/bin/env python3
"""Direct3D's shader model 5.1: register spaces, ranges, ranges without end, registers chosen by registers."""
import json
import struct

import command as c
import tap

WAYS = [['--width', '4'], ['--width', '8'], ['--width', '16']] + ([['--engine', 'both']] if c.compiles() else [])

# Lane n takes b#n and t#n + 1; b3 is outside of its range, and behind it in CONST stands b5; u6 is outside, too; t3 is not bound.
MEMORY = '''cs_5_1
dcl_constantbuffer CB0[0:2][2], dynamicIndexed, space=1
dcl_constantbuffer CB1[5:5][1], immediateIndexed, space=0
dcl_resource_structured T0[0:*], 4, space=3
dcl_resource_raw T1[4:4], space=0
dcl_uav_raw U0[0:0], space=0
dcl_uav_structured_opc U1[2:5], 8, space=2
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 8, 1, 1
mov r0.x, vThreadID.x
mov r1.x, CB0[r0.x + 0][1].y {nonuniform}
iadd r1.x, r1.x, CB1[5][0].x
ld_structured r1.y, l(0), l(0), T0[r0.x + 1].xxxx {nonuniform}
ld_raw r1.z, l(0), T1[4].xxxx
store_structured U1[r0.x + 2].x {nonuniform}, l(0), l(4), r1.y
imm_atomic_alloc r1.w, U1[r0.x + 1] {nonuniform}
bufinfo r0.z, U1[r0.x + 2].x {nonuniform}
iadd r1.z, r1.z, r0.z
ishl r0.y, vThreadID.x, l(4)
store_raw U0[0].xyzw, r0.y, r1.xyzw
ret
'''


def word_file(name, *words):
    return c.write(name, struct.pack(f'<{len(words)}I', *words))


def constants_and_memory():
    text, findings = c.write('memory.asm', MEMORY), []
    textures = {1: 0x1111, 2: 0x2222, 4: 0x4444, 7: 0x7777}
    views = {2: 16, 4: 8, 5: 24}
    given = [a for n in range(3) for a in ('--const', f'1:{n}:1=0,{0x10 * n + 1:#010x}')] + ['--const', '5:0=0x00000100', '--const', '5:1=0,0x00007777']
    given += [a for n, word in textures.items() for a in ('--buffer', f'3:t{n}=' + word_file(f't{n}', word))]
    given += ['--buffer', 't4=' + word_file('raw', 1000), '--buffer', '0=zero:128']
    given += [a for n, size in views.items() for a in ('--buffer', f'2:{n}=zero:{size}' if n % 2 else f'2:u{n}=zero:{size}',
                                                       '--buffer-out', f'2:{n}=' + c.path(f'u{n}.out'))]
    wanted, counters = [], {n: 0 for n in views}
    for n in range(8):
        old = counters.get(n + 1, 0)
        if n + 1 in counters:
            counters[n + 1] += 1
        wanted += [(0x10 * n + 1 if n < 3 else 0) + 0x100, textures.get(n + 1, 0), 1000 + views.get(n + 2, 0) // 8, old]
    for way in WAYS:
        findings += c.exit_is(c.YES, 'run', text, '--grid', '1,1,1', *given, '--buffer-out', '0=' + c.path('u0.out'), *way)
        shown = list(struct.unpack('<32I', c.read(c.path('u0.out')))) if not findings else []
        findings += [] if findings or shown == wanted else [f'{way}: {shown}, not {wanted}']
        for n, size in views.items():
            words = struct.unpack(f'<{size // 4}I', c.read(c.path(f'u{n}.out'))) if not findings else []
            right = [0, textures.get(n - 1, 0)] + [0] * (size // 4 - 2)
            findings += [] if findings or list(words) == right else [f'{way}: u{n} is {words}, not {right}']
    return findings


PIXEL = '''ps_5_1
dcl_sampler S0[0:0], mode_default, space=0
dcl_sampler S1[4:5], mode_default, space=2
dcl_resource_texture2d (float,float,float,float) T0[2:*], space=1
dcl_resource_texture2d (float,float,float,float) T1[3:3], space=0
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 3
sample_l r0.xyzw, v0.xyxx, T0[v0.z + 2].xyzw {nonuniform}, S1[v0.w + 4] {nonuniform}, l(0.0)
sample_l r1.xyzw, v0.xyxx, T1[3].wzyx, S0[0], l(0.0)
resinfo_uint r2.xy, l(0), T0[v0.z + 2].xyzw {nonuniform}
mad r0.xyzw, r0.xyzw, l(2.0, 2.0, 2.0, 2.0), r1.xyzw
utof r2.xy, r2.xyxx
add o0.xyzw, r0.xyzw, r2.xyxy
ret
'''
DIRECT = '''ps_5_0
dcl_sampler s0, mode_default
dcl_sampler s1, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 3
sample_l r0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.0)
sample_l r1.xyzw, v0.xyxx, t1.wzyx, s1, l(0.0)
resinfo_uint r2.xy, l(0), t0.xyzw
mad r0.xyzw, r0.xyzw, l(2.0, 2.0, 2.0, 2.0), r1.xyzw
utof r2.xy, r2.xyxx
add o0.xyzw, r0.xyzw, r2.xyxy
ret
'''


def textures_and_samplers():
    """Each pair of a texture and a sampler as the program of model 5.0 that has just them."""
    pictures = {n: f'random:R8G8B8A8_UNORM:{3 + n}x{9 - n}:seed={n}' for n in (2, 3, 4, 6)}
    samplers = {4: 'wrap=repeat,filter=linear', 5: 'wrap=mirror_repeat,filter=nearest'}
    plain = 'wrap=clamp_to_edge,filter=linear'
    direct, rows, wanted = c.write('direct.asm', DIRECT), [], b''
    for n in range(40):
        texture, sampler = n % 6, n % 3
        at = f'{0x3e000000 + 0x123456 * n:x},{0x3fc00000 - 0x54321 * n:x}'
        rows.append(f'IN[0]={at},0x{texture:x},0x{sampler:x}\n')
        bound = ['--sampler', '0=' + samplers[sampler + 4]] if sampler + 4 in samplers else []
        bound += ['--tex', '0=' + pictures[texture + 2]] if texture + 2 in pictures and bound else []
        bound += ['--tex', f'1={pictures[3]},{plain}']
        if texture + 2 in pictures and not bound[0] == '--sampler':  # a size without a lookup
            bound = ['--tex', '0=' + pictures[texture + 2], '--sampler', '0=compare=never', *bound]
        one = c.run('eval', direct, '--vectors', c.write('one.tsv', rows[-1]), *bound)
        wanted += one.stdout
    given, text, findings = c.write('all.tsv', ''.join(rows)), c.write('pixel.asm', PIXEL), []
    bound = [a for n, name in pictures.items() for a in ('--tex', f'1:{n}={name}')]
    bound += [a for n, state in samplers.items() for a in ('--sampler', f'2:{n}={state}')]
    bound += ['--tex', f'3={pictures[3]}', '--sampler', f'0={plain}']
    for way in WAYS:
        findings += c.exit_is(c.YES, 'eval', text, '--vectors', given, *bound, *way)
        shown = c.run('eval', text, '--vectors', given, *bound, *way).stdout
        lines = [n for n, (a, b) in enumerate(zip(shown.split(b'\n'), wanted.split(b'\n'))) if a != b]
        # The third sampler is none: what a lookup without one gives is 0, a size stays.
        lines = [n for n in lines if n % 3 != 2]
        findings += [f'{way}: lines {lines} differ'] if lines or shown.count(b'\n') != 40 else []
    return findings


IMAGES = '''cs_5_1
dcl_uav_typed_texture2d (uint,uint,uint,uint) U0[1:2], space=4
dcl_uav_typed_buffer (uint,uint,uint,uint) U1[0:*], space=5
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 4, 1, 1
mov r0.xyzw, l(0, 0, 0, 0)
iadd r1.x, vThreadID.x, l(7)
store_uav_typed U0[vThreadID.x + 1].xyzw {nonuniform}, r0.xyzw, r1.xxxx
resinfo_uint r1.y, l(0), U0[vThreadID.x + 1].yxzw {nonuniform}
store_uav_typed U1[vThreadID.x + 3].xyzw {nonuniform}, r0.xxxx, r1.yyyy
imm_atomic_iadd r1.z, U1[3], l(1), l(5)
ret
'''


def images():
    text, findings = c.write('images.asm', IMAGES), []
    shapes = {'4:1': ('R32_UINT:2x2', '2D'), '4:2': ('R32_UINT:3x1', '2D'), '5:3': ('R32_UINT:2', 'BUFFER'),
              '5:5': ('R32_UINT:1', 'BUFFER')}
    wanted = {'4:1': [7, 0, 0, 0], '4:2': [8, 0, 0], '5:3': [2, 20], '5:5': [0]}
    given = [a for name, (shape, target) in shapes.items()
             for a in ('--image', f'{name}=zero:{shape},target={target}', '--image-out',
                       f'{name}=' + c.path('image' + name.replace(':', '_')))]
    for way in WAYS:
        findings += c.exit_is(c.YES, 'run', text, '--grid', '1,1,1', *given, *way)
        for name, words in wanted.items():
            data = c.read(c.path('image' + name.replace(':', '_'))) if not findings else b''
            shown = list(struct.unpack(f'<{len(data) // 4}I', data))
            findings += [] if findings or shown == words else [f'{way}: {name} is {shown}, not {words}']
    return findings


def the_mapping_is_told():
    text = c.write('memory.asm', MEMORY)
    lines = ['range\tt0\t3\t*\tBUFFER[6]\t16378', 'range\tt4\t0\t1\tBUFFER[0]\t1', 'range\tb0\t1\t3\tCONST[0]\t3',
             'range\tb5\t0\t1\tCONST[3]\t1', 'range\tu0\t0\t1\tBUFFER[1]\t1', 'range\tu2\t2\t4\tBUFFER[2]\t4']
    told = json.loads(c.run('info', '--json', text).stdout)['ranges']
    findings = c.exit_is(c.YES, 'info', text, out='\n'.join(lines) + '\n')
    if told[0] != {'register': 't0', 'space': 3, 'count': 0, 'file': 'BUFFER', 'unit': 6, 'units': 16378}:
        findings.append(f'info --json: {told[0]}')
    # Interfaces stand in CONST[16] and CONST[17]: buffers come behind them.
    linked = MEMORY.replace('dcl_input', 'dcl_function_body fb0\ndcl_function_table ft0 = {fb0}\n'
                            'dcl_interface fp0[1][1] = {ft0}\ndcl_input', 1) + 'label fb0\nret\n'
    findings += c.exit_is(c.YES, 'info', c.write('linked.asm', linked), out='CONST[18]\t3\nrange\tb5\t0\t1\tCONST[21]\t1')
    old = c.run('info', c.write('old.asm', DIRECT)).stdout
    findings += ['a program of model 5.0 has ranges'] if b'range\t' in old else []
    huge = MEMORY.replace('T0[0:*]', 'T0[0:99999]')
    return (findings + c.exit_is(c.YES, 'info', c.write('huge.asm', huge), out='range\tt0\t3\t100000\tBUFFER[6]\t16378') +
            c.exit_is(c.YES, 'check', c.write('huge.asm', huge)))


def wrong_names():
    text, findings = c.write('memory.asm', MEMORY), []
    wrong = {('--const', '1:3:0=1'): 'the shader has no b3 of space 1 that takes constants',
             ('--const', '32:0=1'): 'buffers are 0 to 31', ('--const', '1:2:3:4=1'): '--const is [SPACE:]B:N',
             ('--const', '1:=1'): '--const is', ('--const', '5=1'): '--const is',
             ('--buffer', '3:1=zero:4'): 'no u1 of space 3 that takes a buffer',
             ('--buffer', '3:t70000=zero:4'): 'no t70000 of space 3 that takes a buffer',
             ('--buffer', '192=zero:4'): 'N from 0 to 191, or SPACE:N', ('--buffer', 'x4=zero:4'): 'N from 0 to 191',
             ('--buffer', '3:t=zero:4'): 'N from 0 to 191', ('--buffer', 't4'): 'N from 0 to 191',
             ('--tex', '4=zero:R8_UNORM:1x1'): 'no t4 of space 0 that takes a texture',
             ('--tex', '3:1=zero:R8_UNORM:1x1'): 'no t1 of space 3 that takes a texture',
             ('--sampler', '1:2=wrap=repeat'): 'no s2 of space 1 that takes a sampler',
             ('--image', '2:2=zero:R8_UNORM:1x1'): 'no u2 of space 2 that takes an image'}
    for option, err in wrong.items():
        findings += c.exit_is(c.USAGE, 'run', text, '--grid', '1,1,1', *option, err=err)
    many = [a for n in range(65) for a in ('--buffer', f'3:t{n}=zero:4')]
    findings += c.exit_is(c.USAGE, 'run', text, '--grid', '1,1,1', *many, err='more than 64 registers of spaces')
    old, given = c.write('old.asm', DIRECT), c.write('one.tsv', 'IN[0]=0,0,0,0\n')
    return (findings + c.exit_is(c.USAGE, 'eval', old, '--vectors', given, '--tex', '1:0=zero:R8_UNORM:1x1',
                                 err="t0 of space 1: the shader's registers have no spaces") +
            c.exit_is(c.YES, 'eval', old, '--vectors', given, '--tex', '0:0=zero:R8_UNORM:1x1') +
            c.exit_is(c.USAGE, 'eval', c.SHADERS[0], '--vectors', given, '--sampler', '2:0=wrap=repeat',
                      err="s0 of space 2: the shader's registers have no spaces"))


CONSTANTS = '''ps_5_1
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_constantbuffer CB0[7:7][2], immediateIndexed, space=0
dcl_constantbuffer CB1[0:0][1], immediateIndexed, space=2
dcl_constantbuffer CB2[0:1][1], immediateIndexed, space=0
dcl_output o0.xyzw
mov o0.x, CB0[7][1].x
mov o0.y, CB1[0][0].y
mov o0.z, CB2[0][0].z
mov o0.w, CB2[1][0].w
ret
'''


def constants_of_lines():
    """Lines name buffers of space 0, whether the command line names them or not; what lines leave out is the command line's."""
    text, findings = c.write('constants.asm', CONSTANTS), []

    def row(*words):
        return 'OUT[0]=' + ','.join(f'0x{word:08x}' for word in words) + '\n'
    full = 'CONST[7][1]=0xa\tCONST[0]=0x1,0x2,0x3,0x4\tCONST[1][0]=0x5,0x6,0x7,0x8\n'
    for way in ([], *WAYS):
        call = ('eval', text, '--vectors', '-', *way)
        findings += c.says(c.YES, row(10, 0, 3, 8) + row(0, 0, 0, 0), None, *call, '--const', '2:0:0=0', stdin=full + '\n')
        findings += c.says(c.YES, row(10, 9, 3, 8) + row(0, 9, 0, 8) + row(11, 9, 0, 0), None, *call, '--const', '2:0:0=0,0x00000009',
                           stdin=full + 'CONST[1][0]=0,0,0,0x8\nCONST[7][1]=0xb\n')
        findings += c.says(c.YES, row(10, 9, 3, 8) + row(12, 9, 0, 8), None, *call, '--const', '2:0:0=0,0x00000009', '--const', '7:1=0x0000000c', stdin=full + 'CONST[1][0]=0,0,0,0x8\n')
    return findings


tap.run([('constants and memory', constants_and_memory), ('constants of lines', constants_of_lines), ('textures and samplers', textures_and_samplers),
         ('images', images), ('the mapping is told', the_mapping_is_told), ('wrong names', wrong_names)])
