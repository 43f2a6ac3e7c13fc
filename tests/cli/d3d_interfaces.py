#!/usr/bin/env python3
"""Direct3D shaders whose course the caller or a debug layer decides: abort and debugbreak; interfaces."""
import os
import struct

import command as c
import tap

WIDTHS = ['4', '8', '16']
HEAD = 'ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n'


def vectors(*lines):
    return c.write('vectors.tsv', ''.join(line + '\n' for line in lines))


def everywhere(wanted, *arguments, **expected):
    return [f for width in WIDTHS for f in c.exit_is(wanted, *arguments, '--width', width, **expected)]


def abort_ends_the_run():
    text = c.write('abort.asm', HEAD + 'if_nz v0.x\n  abort\nendif\nmov o0.xyzw, v0.yyyy\nret\n')
    good = vectors('IN[0]=0,0x1,0,0', 'IN[0]=0,0x2,0,0')
    findings = everywhere(c.YES, 'eval', text, '--vectors', good, out='OUT[0]=0x00000002,0x00000002')
    bad = vectors(*['IN[0]=0,0x1,0,0'] * 37, 'IN[0]=0x7,0x1,0,0', 'IN[0]=0x7,0x1,0,0')
    script = '[pixel shader d3d-asm]\n' + HEAD.replace('v0.xyzw', 'v0.xyzw, position').replace(
        'dcl_input_ps linear', 'dcl_input_ps_siv linear noperspective') + (
        'lt r0.x, l(3.0), v0.x\nif_nz r0.x\n  abort\nendif\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n'
        '[test]\ndraw quad\nprobe (1, 1) rgba (1, 1, 1, 1)\nprobe (5, 2) rgba (1, 1, 1, 1)\n')
    findings += c.exit_is(c.NO, 'run', c.write('abort.shader_test', script), out='aborted at line')
    for threads in '13':
        findings += everywhere(c.NO, 'eval', text, '--vectors', bad, '--threads', threads, out='',
                               err=':6:3: error 5003: aborted at instruction 1, by the invocation of line 38')
    return findings


def helpers_abort_alone():
    """The fourth pixel of the quad, a helper, has an input of zeros."""
    text = c.write('helper.asm', HEAD + 'if_z v0.x\n  abort\nendif\nmov o0.xyzw, v0.yyyy\nret\n')
    three = vectors(*['IN[0]=0x1,0x2,0,0'] * 3)
    return (everywhere(c.YES, 'eval', text, '--quads', '--vectors', three, out='OUT[0]=0x00000002') +
            everywhere(c.NO, 'eval', text, '--quads', '--vectors', vectors('IN[0]=0x1,0x2,0,0', 'IN[0]=0,0x2,0,0'),
                       err='error 5003: aborted at instruction 2, by the invocation of line 2'))


def abort_in_subroutines_and_grids():
    text = ('cs_5_0\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 2\ndcl_thread_group 8, 1, 1\n'
            'ishl r0.x, vThreadID.x, l(2)\nstore_raw u0.x, r0.x, l(1)\nieq r1.x, vThreadID.x, l(21)\ncallc_nz r1.x, l0\nret\n'
            'label l0\nloop\n  abort\nendloop\nret\n')
    return everywhere(c.NO, 'run', c.write('grid.asm', text), '--grid', '4,1,1', '--buffer', '0=zero:128',
                      err=':13:3: error 5003: aborted at instruction 10, by invocation 21 of the grid')


def debugbreak_does_nothing():
    text = c.write('break.asm', HEAD + 'debugbreak\nmov o0.xyzw, v0.xyzw\ndebugbreak\nret\n')
    return everywhere(c.YES, 'eval', text, '--vectors', vectors('IN[0]=0x1,0x2,0x3,0x4'),
                      out='OUT[0]=0x00000001,0x00000002,0x00000003,0x00000004')


def abort_is_said():
    """As TGSI it is an opcode of our own; it runs from that text, too."""
    done = c.run('translate', '--to', 'tgsi', c.path('abort.asm'))
    again = c.write('abort.tgsi', done.stdout)
    return (c.exit_is(c.YES, 'check', again) + c.exit_is(c.YES, 'explain', 'ABORT', out='the run ends and has failed') +
            c.exit_is(c.NO, 'eval', again, '--vectors', vectors('IN[0]=0x7,0x1,0,0'), err='error 5003'))


def header(stage='ps_5_0', extra=''):
    return (stage + '\n' + 'dcl_constantbuffer CB0[8], dynamicIndexed\n' + extra +
            ('dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\n' if stage[0] == 'p' else '') + 'dcl_temps 4\n')


# Three classes; what the two call sites do with x and y is in `linkage_answers`.
LINKED = header() + '''dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_body fb3
dcl_function_body fb4
dcl_function_table ft0 = {fb0, fb3}
dcl_function_table ft1 = {fb1, fb3}
dcl_function_table ft2 = {fb2, fb4}
dcl_interface fp0[1][2] = {ft0, ft1, ft2}
dcl_interface fp1[1][2] = {ft2, ft0}
mov r0.xyzw, v0.xyzw
fcall fp0[0][0]
fcall fp0[0][1]
fcall fp1[0][1]
mov o0.xyzw, r0.xyzw
ret
label fb0
iadd r0.x, r0.x, cb[this[0].x][this[0].y + 1].x
ret
label fb1
imul null, r0.x, r0.x, l(3)
ret
label fb2
xor r0.x, r0.x, l(255)
ret
label fb3
iadd r0.y, r0.y, this[0].w
ret
label fb4
imad r0.y, r0.y, l(5), this[0].z
ret
'''
BUFFERS = {(0, 1): 11, (0, 3): 13, (5, 1): 51, (5, 3): 53, (13, 1): 131, (13, 3): 133}


def linkage_answers(x, y, first, second, cb, offset, texture, sampler):
    x = [x + BUFFERS[(cb, offset + 1)], x * 3, x ^ 255][first]
    for table in (first, [2, 0][second]):
        y = y * 5 + texture if table == 2 else y + sampler
    return x, y


def every_class_and_instance():
    text, line = c.write('linked.asm', LINKED), 'IN[0]=0x7,0x9,0,0'
    line += ''.join(f'\tCONST[{b}][{n}]=0x{v:x},0,0,0' for (b, n), v in BUFFERS.items())
    given, findings = vectors(line), []
    for n, (cb, offset) in enumerate((b, o) for b in (0, 5, 13) for o in (0, 2)):
        for first in range(3):
            second, texture, sampler = (first + n) % 2, 100 + n, n
            x, y = linkage_answers(7, 9, first, second, cb, offset, texture, sampler)
            wanted = f'OUT[0]=0x{x:08x},0x{y:08x},0x00000000,0x00000000\n'
            findings += everywhere(c.YES, 'eval', text, '--vectors', given, '--interface',
                                   f'0={first},cb={cb},offset={offset},texture={texture},sampler={sampler}',
                                   '--interface', f'1={second}', out=wanted)
    x, y = linkage_answers(7, 9, 0, 0, 0, 0, 0, 0)
    return findings + everywhere(c.YES, 'eval', text, '--vectors', given, out=f'OUT[0]=0x{x:08x},0x{y:08x}')


DYNAMIC = header() + '''dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_table ft0 = {fb0}
dcl_function_table ft3 = {fb1}
dcl_function_table ft7 = {fb2}
dcl_interface_dynamicindexed fp2[4][1] = {ft3, ft0, ft7}
mov r0.xyzw, v0.xyzw
fcall fp2[r0.z + 1][0]
fcall fp2[r0.z + 0][0]
mov o0.xyzw, r0.xyzw
ret
label fb0
iadd r0.x, r0.x, l(1000)
iadd r0.y, r0.y, this[r0.z + 2].y
ret
label fb1
ishl r0.x, r0.x, l(1)
ret
label fb2
iadd r0.x, r0.x, l(-1)
ret
'''


def indices_that_differ():
    """Each invocation indexes the array itself; behind its end nothing is called."""
    tables, offsets = [1, 0, 2, 1], [10, 20, 30, 40]
    indices = [(5 * n * n + n) % 7 - 1 for n in range(70)]
    lines, answers = [], ''
    for n, index in enumerate(indices):
        x, y = n + 1, 3 * n
        lines.append(f'IN[0]=0x{x:x},0x{y:x},0x{index & 0xffffffff:x},0')
        for called in (index + 1, index):
            table = tables[called] if 0 <= called < 4 else None
            x = x if table is None else [2 * x, x + 1000, x - 1][table]
            if table == 1:
                y += offsets[index] if 0 <= index < 4 else 0
        answers += f'OUT[0]=0x{x:08x},0x{y:08x},0x{index & 0xffffffff:08x},0x00000000\n'
    names = ['ft3', 'ft0', 'ft7']
    slots = [a for s in range(4) for a in ('--interface', f'{s + 2}={names[tables[s]]},offset={offsets[s]}')]
    return everywhere(c.YES, 'eval', c.write('dynamic.asm', DYNAMIC), '--vectors', vectors(*lines), *slots, out=answers)


NESTED = header() + '''dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_body fb3
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_function_table ft2 = {fb2}
dcl_function_table ft3 = {fb3}
dcl_interface fp0[1][1] = {ft0, ft1}
dcl_interface fp1[1][1] = {ft2, ft3}
mov r0.xyzw, v0.xyzw
mov r1.x, l(0)
loop
  uge r1.y, r1.x, r0.y
  breakc_nz r1.y
  and r1.z, r1.x, l(1)
  if_nz r1.z
    fcall fp0[0][0]
  else
    iadd r0.x, r0.x, l(1)
    ieq r1.w, r0.x, r0.w
    retc_nz r1.w
  endif
  iadd r1.x, r1.x, l(1)
endloop
fcall fp1[0][0]
mov o0.xyzw, r0.xyzw
ret
label fb0
and r2.x, r0.x, l(3)
if_z r2.x
  iadd r0.z, r0.z, l(1)
  ret
endif
fcall fp1[0][0]
iadd r0.x, r0.x, l(7)
ret
label fb1
retc_nz r1.z
iadd r0.x, r0.x, l(999)
ret
label fb2
mov r3.x, l(0)
loop
  uge r3.y, r3.x, r0.z
  breakc_nz r3.y
  iadd r0.x, r0.x, l(2)
  iadd r3.x, r3.x, l(1)
endloop
ret
label fb3
switch r0.z
case l(1)
  iadd r0.x, r0.x, l(100)
  ret
case l(0)
  iadd r0.z, r0.z, l(1)
default
  ishl r0.x, r0.x, l(1)
  break
endswitch
ret
'''


def nested_answer(tables, x, y, z, w):
    """The program above as it reads; r0.xyz at its end, None where it returns without an output."""
    def inner():
        nonlocal x, z
        if tables[1] == 0:
            x += 2 * z
        elif z == 1:
            x += 100
        else:
            z += z == 0
            x *= 2

    for n in range(y):
        if n % 2 and tables[0] == 0:
            if x % 4 == 0:
                z += 1
            else:
                inner()
                x += 7
        elif n % 2 == 0:
            x += 1
            if x == w:
                return None
    inner()
    return [v & 0xffffffff for v in (x, y, z, w)]


def calls_in_calls_loops_and_branches():
    rows = [(n % 5, (7 * n) % 11, n % 3, 8 if n % 4 == 0 else 0) for n in range(66)]
    given, findings = vectors(*[f'IN[0]=0x{x:x},0x{y:x},0x{z:x},0x{w:x}' for x, y, z, w in rows]), []
    text = c.write('nested.asm', NESTED)
    for tables in ((0, 0), (0, 1), (1, 0), (1, 1)):
        answers = [nested_answer(tables, *row) or [0] * 4 for row in rows]
        out = ''.join('OUT[0]=' + ','.join(f'0x{v:08x}' for v in answer) + '\n' for answer in answers)
        findings += everywhere(c.YES, 'eval', text, '--vectors', given, '--interface', f'0={tables[0]}', '--interface',
                               f'1={tables[1]}', out=out)
    return findings


# An array of lights beside a material, in the form of the Direct3D 11.3 specification's example (7.19.7.2): `this` is copied
# to r#, and cb is indexed by those, two times. Which light a turn of the loop calls differs from invocation to invocation.
LIGHTS = header().replace('dcl_temps 4', 'dcl_temps 6') + '''dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_body fb3
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_function_table ft2 = {fb2}
dcl_function_table ft3 = {fb3}
dcl_interface fp0[1][1] = {ft2, ft3}
dcl_interface_dynamicindexed fp1[4][1] = {ft0, ft1}
mov r3.x, l(0)
mov r0.w, l(0)
loop
  uge r1.x, r0.w, cb0[0].x
  breakc_nz r1.x
  iadd r1.w, cb0[r0.w + 1].x, v0.y
  and r1.w, r1.w, l(3)
  fcall fp1[r1.w + 0][0]
  iadd r3.x, r3.x, r4.x
  iadd r0.w, r0.w, l(1)
endloop
fcall fp0[0][0]
mov o0.xyzw, r3.xyzw
ret
label fb0
mov r2.w, this[r1.w + 1].y
mov r5.w, this[r1.w + 1].x
mov r4.x, cb[r5.w + 0][r2.w + 0].x
ret
label fb1
mov r2.xy, this[r1.w + 1].yxyy
imad r4.x, v0.x, cb[r2.y + 0][r2.x + 0].x, cb[r2.y + 0][r2.x + 1].z
ret
label fb2
mov r0.xy, this[0].yxyy
imul null, r3.x, r3.x, cb[r0.y + 0][r0.x + 1].w
mov r3.y, cb[r0.y + 0][r0.x + 0].x
ret
label fb3
mov r0.xy, this[0].yxyy
iadd r0.x, r0.x, l(-2)
mov r3.yz, cb[r0.y + 3][r0.x + 2].xxyx
ret
'''


def lights_answer(data, uses, material, lights, x, y):
    """What LIGHTS says of words (cb, vector, component), `uses` in cb0, (table, cb, offset) of each slot."""
    def word(cb, vector, component):
        return data.get((cb, vector, component), 0) if 0 <= cb < 14 else 0

    total, answer = 0, [0] * 4
    for use in uses:
        table, cb, offset = lights[(use + y) & 3]
        total += word(cb, offset, 0) if table == 0 else x * word(cb, offset, 0) + word(cb, offset + 1, 2)
    table, cb, offset = material
    if table == 0:
        answer = [total * word(cb, offset + 1, 3), word(cb, offset, 0), 0, 0]
    else:
        answer = [total, word(cb + 3, offset, 0), word(cb + 3, offset, 1), 0]
    return [v & 0xffffffff for v in answer]


def data_as_microsoft_writes_it():
    """Several instances in several buffers, behind the last one too; arrays of interfaces; indices that differ."""
    text, uses, findings = c.write('lights.asm', LIGHTS), [2, 0, 3, 1, 1], []
    data = {(b, v, n): 1000 * b + 10 * v + n + 1 for b in range(1, 14) for v in range(8) for n in range(4)}
    fields = [f'CONST[0][0]=0x{len(uses):x},0,0,0'] + [f'CONST[0][{n + 1}]=0x{use:x},0,0,0' for n, use in enumerate(uses)]
    fields += [f'CONST[{b}][{v}]=' + ','.join(f'0x{data[b, v, n]:x}' for n in range(4)) for b in range(1, 14) for v in range(8)]
    rows = [(3 * n + 1, n % 5) for n in range(37)]
    given = vectors(*['\t'.join([f'IN[0]=0x{x:x},0x{y:x},0,0'] + fields) for x, y in rows])
    for material in ((0, 1, 0), (0, 13, 4), (1, 9, 3), (1, 12, 0), (1, 13, 0)):  # the last one names cb[16]
        lights = [(n % 2, 1 + (material[1] + 5 * n) % 13, (3 * n) % 7) for n in range(4)]
        slots = [('0', material)] + [(str(n + 1), light) for n, light in enumerate(lights)]
        linkage = [a for slot, (table, cb, offset) in slots for a in ('--interface', f'{slot}={table},cb={cb},offset={offset}')]
        out = ''.join('OUT[0]=' + ','.join(f'0x{v:08x}' for v in lights_answer(data, uses, material, lights, x, y)) + '\n'
                      for x, y in rows)
        findings += everywhere(c.YES, 'eval', text, '--vectors', given, *linkage, out=out)
        if c.compiles():
            findings += c.exit_is(c.YES, 'eval', text, '--vectors', given, *linkage, '--engine', 'both', out=out)
    plain = LIGHTS[:LIGHTS.index('dcl_function_body')] + 'mov r0.x, cb[v0.x + 0][0].x\nmov o0.xyzw, r0.xxxx\nret\n'
    return findings + c.exit_is(c.NO, 'check', c.write('plain.asm', plain), err='error 2423')


def a_container_of_microsofts():
    """interface-with-data.dxbc of the shared folder: (x, y, x + y, 0) & the instance's int; cb0[3].x is added to x."""
    name = os.path.join(os.environ.get('SCH_SHARED', ''), 'corpus', 'repro', 'interface-with-data.dxbc')
    if not os.path.exists(name):
        return []
    data = 'CONST[0][3]=00000000,0,0,0\tCONST[2][7]=fffff000,0,0,0'
    return (everywhere(c.YES, 'eval', name, '--vectors', vectors('IN[0]=3f800123,40000456,0,0\t' + data), '--interface',
                       '0=0,cb=2,offset=7', out='OUT[0]=0x3f800000,0x40000000,0x40400000,0x00000000') +
            c.exit_is(c.YES, 'check', name))


TEXTURES = header(extra='dcl_sampler s1, mode_default\ndcl_sampler s2, mode_default\n'
                  'dcl_resource_texture2d (float,float,float,float) t1\n'
                  'dcl_resource_texture3d (float,float,float,float) t2\n') + '''dcl_function_body fb0
dcl_function_table ft0 = {fb0}
dcl_interface fp0[2][1] = {ft0}
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, T4.xyzw, S2
sample_l_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r1.xyzw, v0.xyxx, T3.wzyx, S1, l(0.0)
gather4_indexable(texture2d)(float,float,float,float) r2.xyzw, v0.xyxx, T3.xyzw, S2.y
ld_indexable(texture2d)(float,float,float,float) r3.xyzw, l(2, 1, 0, 0), T3.yxzw
add r0.xyzw, r0.xyzw, r1.xyzw
mad r0.xyzw, r2.xyzw, l(4.0, 4.0, 4.0, 4.0), r0.xyzw
mad r0.xyzw, r3.xyzw, l(16.0, 16.0, 16.0, 16.0), r0.xyzw
resinfo_indexable(texture2d)(float,float,float,float) r1.xyzw, l(0), T4.xyzw
mad r0.xyzw, r1.xyzw, l(64.0, 64.0, 64.0, 64.0), r0.xyzw
mov o0.xyzw, r0.xyzw
ret
label fb0
ret
'''
NAMES = {'T3': 't[this[0].z + 1]', 'T4': 't[this[0].z + 2]', 'S1': 's[this[0].w]', 'S2': 's[this[1].w + 1]'}


def spelled(text, names):
    for name, register in names.items():
        text = text.replace(name + '.', register + '.').replace(name + ',', register + ',')
        text = text.replace(name + '\n', register + '\n')
    return text


def textures_and_samplers_of_a_class():
    """The program with its slots written out gives the same. Slots that the program does not declare, too."""
    findings, seen = [], set()
    through = c.write('through.asm', spelled(TEXTURES, NAMES))
    bound = ['--sampler', '3=wrap=mirror_repeat,filter=linear', '--sampler', '4=wrap=clamp_to_edge,filter=nearest']
    ramp = c.write('ramp.asm', 'ps_5_0\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v1.xywx\nret\n')
    for n, slot in enumerate((1, 4, 5, 6, 8, 9)):
        c.run('run', ramp, '-o', c.path(f'ramp{slot}.png'), '--size', f'{4 + n}x{7 - n}')
        bound += ['--tex', f'{slot}={c.path(f"ramp{slot}.png")},wrap=repeat' + (',filter=linear' if n % 2 else '')]
    given = vectors(*[f'IN[0]={x},{y},0,0' for x in ('3f200000', 'bfa00000', '40480000') for y in ('3e800000', '3fd00000')])
    for texture, first, second in ((3, 3, 3), (4, 4, 2), (7, 5, 3), (4, 3, 8), (40, 3, 3)):
        plain = {'T3': f't{texture + 1}', 'T4': f't{texture + 2}', 'S1': f's{first}', 'S2': f's{second + 1}'}
        declared = ''.join(f'dcl_resource_texture2d (float,float,float,float) t{n}\n' for n in (texture + 1, texture + 2))
        declared += ''.join(f'dcl_sampler s{n}, mode_default\n' for n in sorted({first, second + 1} - {1, 2}))
        direct = c.write('direct.asm', spelled(TEXTURES, plain).replace('dcl_input_ps', declared + 'dcl_input_ps', 1))
        wanted = c.run('eval', direct, '--quads', '--vectors', given, *bound)
        seen.add(wanted.stdout)
        findings += everywhere(c.YES, 'eval', through, '--quads', '--vectors', given, *bound, '--interface',
                               f'0=0,texture={texture},sampler={first}', '--interface', f'1=0,sampler={second}',
                               out=wanted.stdout.decode())
        if wanted.returncode != c.YES:
            findings.append(wanted.stderr.decode())
    # Through registers, as Microsoft's compiler writes it; 22.7.20 says which component is which.
    copied = ''.join(f'mov r{n}.xy, {this}.zwzz\n' for n, this in ((6, 'this[0]'), (7, 'this[1]')))
    registers = spelled(TEXTURES, {k: v.replace('this[0].z', 'r6.x').replace('this[0].w', 'r6.y').replace('this[1].w', 'r7.y')
                                   for k, v in NAMES.items()})
    moved = c.write('moved.asm', registers.replace('dcl_temps 4', 'dcl_temps 8').replace('sample_indexable', copied +
                                                                                        'sample_indexable', 1))
    findings += everywhere(c.YES, 'eval', moved, '--quads', '--vectors', given, *bound, '--interface',
                           '0=0,texture=40,sampler=3', '--interface', '1=0,sampler=3', out=wanted.stdout.decode())
    return findings + ([] if len(seen) == 5 else [f'{len(seen)} of 5 linkages differ'])


MEMORY = header('cs_5_0', 'dcl_resource_structured t1, 8\ndcl_uav_raw u0\ndcl_input vThreadID.x\n') + '''dcl_function_body fb0
dcl_function_table ft0 = {fb0}
dcl_interface_dynamicindexed fp0[4][1] = {ft0}
dcl_thread_group 8, 1, 1
mov r0.xyzw, l(0, 0, 0, 0)
and r1.x, vThreadID.x, l(3)
fcall fp0[r1.x + 0][0]
ishl r1.y, vThreadID.x, l(4)
store_raw u0.xyzw, r1.y, r0.xyzw
ret
label fb0
ld_structured_indexable(structured_buffer, stride=8)(mixed,mixed,mixed,mixed) r0.x, l(1), l(4), t[this[r1.x + 0].z + 2].xxxx
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.y, l(8), t[this[r1.x + 0].z + 3].xxxx
bufinfo_indexable(structured_buffer, stride=8)(mixed,mixed,mixed,mixed) r0.z, t[this[r1.x + 0].z + 2].x
bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.w, t[this[r1.x + 0].z + 2].x
ret
'''


def memory_of_a_class():
    """Buffers of bytes and of structures, another one in each invocation; one that is not bound is empty."""
    bound, contents = [], {}
    for slot in (2, 3, 4, 5, 6):
        contents[slot] = [100 * slot + n for n in range(slot + 2)]
        bound += ['--buffer', f'{64 + slot}=' + c.write(f'memory{slot}', struct.pack(f'<{slot + 2}I', *contents[slot]))]
    firsts, wanted = [0, 3, 1, 90], []
    for n in range(16):
        words, others = contents.get(firsts[n % 4] + 2, []), contents.get(firsts[n % 4] + 3, [])
        wanted += [(words + [0] * 4)[3] if len(words) >= 4 else 0, (others + [0] * 3)[2], len(words) // 2, 4 * len(words)]
    slots = [a for s in range(4) for a in ('--interface', f'{s}=0,texture={firsts[s]}')]
    findings = []
    for width in WIDTHS:
        findings += c.exit_is(c.YES, 'run', c.write('memory.asm', MEMORY), '--grid', '2,1,1', *bound, '--buffer',
                              '0=zero:256', '--buffer-out', '0=' + c.path('memory.out'), *slots, '--width', width)
        shown = [] if findings else list(struct.unpack('<64I', c.read(c.path('memory.out'))))
        findings += [] if findings or shown == wanted else [f'{width} lanes: {shown}, not {wanted}']
    return findings


HULL = '''hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
dcl_constantbuffer CB0[4], immediateIndexed
dcl_function_body fb0
dcl_function_body fb1
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_interface fp0[1][1] = {ft0, ft1}
hs_control_point_phase
dcl_input v[3][0].xyzw
dcl_output o0.xyzw
dcl_input vOutputControlPointID
dcl_temps 2
mov r0.x, vOutputControlPointID
mov r0.xyzw, v[r0.x + 0][0].xyzw
fcall fp0[0][0]
mov o0.xyzw, r0.xyzw
ret
hs_fork_phase
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_temps 1
mov r0.xyzw, l(1.0, 1.0, 1.0, 1.0)
fcall fp0[0][0]
mov o0.x, r0.x
ret
label fb0
add r0.x, r0.x, cb[this[0].x][this[0].y].x
ret
label fb1
mul r0.x, r0.x, l(4.0)
ret
'''
EMITTING = '''gs_5_0
dcl_function_body fb0
dcl_function_body fb1
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_interface fp0[1][1] = {ft0, ft1}
dcl_input v[1][0].xyzw
dcl_temps 1
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology pointlist
dcl_output o0.xyzw
dcl_maxout 4
mov r0.xyzw, v[0][0].xyzw
fcall fp0[0][0]
ret
label fb0
mov o0.xyzw, r0.xyzw
emit_stream m0
ret
label fb1
loop
  breakc_z r0.x
  mov o0.xyzw, r0.xyzw
  emit_stream m0
  iadd r0.x, r0.x, l(-1)
endloop
ret
'''


def other_stages():
    """Both kinds of phases of a hull shader call the same bodies; a body may emit vertices."""
    points = vectors(*['IN[0][0]=3f800000,0,0,0\tIN[1][0]=40000000,0,0,0\tIN[2][0]=40400000,0,0,0'] * 3)
    hull, emitting = c.write('hull.asm', HULL), c.write('emitting.asm', EMITTING)
    return (everywhere(c.YES, 'eval', hull, '--vectors', points, '--interface', '0=1', out='OUT[2][0]=0x41400000') +
            everywhere(c.YES, 'eval', hull, '--vectors', points, '--interface', '0=1', out='OUT[64]=0x40800000') +
            everywhere(c.YES, 'eval', hull, '--vectors', points, '--const', '0:1=10', '--interface', '0=0,offset=1',
                       out='OUT[1][0]=0x41400000') +
            everywhere(c.YES, 'eval', emitting, '--vectors', vectors('IN[0][0]=0x2,0x7,0,0'), '--interface', '0=1',
                       out='EMIT 0 OUT[0]=0x00000002,0x00000007,0x00000000,0x00000000\nEMIT 0 OUT[0]=0x00000001,0x00000007') +
            everywhere(c.YES, 'eval', emitting, '--vectors', vectors('IN[0][0]=0x2,0x7,0,0'),
                       out='EMIT 0 OUT[0]=0x00000002,0x00000007,0x00000000,0x00000000\nOUT[0]'))


def containers_and_translations():
    """All forms of a program give the same; its interfaces are told; as TGSI they are constants."""
    text = c.write('linked.asm', LINKED)
    findings = c.exit_is(c.YES, 'asm', text, '-o', c.path('linked.dxbc'))
    listing = c.write('listing.asm', c.run('dis', c.path('linked.dxbc')).stdout)
    findings += c.exit_is(c.YES, 'asm', listing, '-o', c.path('again.dxbc')) + c.exit_is(c.YES, 'check', listing)
    if c.read(c.path('again.dxbc')) != c.read(c.path('linked.dxbc')):
        findings.append('the listing assembles to another container')
    tgsi = c.write('linked.tgsi', c.run('translate', '--to', 'tgsi', c.path('linked.dxbc')).stdout)
    given = vectors('IN[0]=0x7,0x9,0,0\tCONST[5][4]=0x2,0,0,0')
    x, y = 7 + 2, 9 + 3 + 3
    out = f'OUT[0]=0x{x:08x},0x{y:08x},0x00000000,0x00000000\n'
    for form in (text, c.path('linked.dxbc'), listing):
        findings += everywhere(c.YES, 'eval', form, '--vectors', given, '--interface', '0=ft0,cb=5,offset=3,sampler=3',
                               '--interface', '1=ft0', out=out)
    return (findings + c.exit_is(c.YES, 'check', tgsi) +
            everywhere(c.YES, 'eval', tgsi, '--vectors', given, '--const', '16:1=0x00000001', '--const',
                       '17:0=0x00000005,0x00000003,0x00000000,0x00000003', out=out) +
            c.exit_is(c.YES, 'info', c.path('linked.dxbc'), out='interface\tfp0\t1\t2\t-\tft0,ft1,ft2\ninterface\tfp1\t1\t2\t-\tft2,ft0\n') +
            c.exit_is(c.YES, 'info', '--json', c.write('dynamic.asm', DYNAMIC), out='"interfaces": [\n    {"slot": 2, "count": 4, '
                      '"call_sites": 1, "dynamicindexed": true, "tables": [3, 0, 7]}\n  ]') +
            c.exit_is(c.YES, 'info', '--json', c.path('abort.asm'), out='"interfaces": []'))


def wrong_linkages():
    given, text = vectors('IN[0]=0x7,0x9,0,0'), c.write('linked.asm', LINKED)
    wrong = {'2=0': 'no interface with slot 2', '0=3': 'has 3 tables, but no 3', '1=ft1': 'has 2 tables, but no ft1',
             '0': '--interface is SLOT=TABLE', '253=0': 'slots 0 to 252', '0=': 'a table is a number', '0=-1': 'a table is',
             '0=ft': 'a table is', '0=1x': 'a table is', '0=99999999999': 'a table is', '0=0,cb=14': 'cb=N has N from 0 to 13',
             '0=0,offset=4096': 'from 0 to 4095', '0=0,texture=128': 'from 0 to 127', '0=0,sampler=16': 'from 0 to 15',
             '0=0,cb=': 'cb=N', '0=0,cb=1;': 'cb=N', '0=0,slot=1': 'what does ,slot=1 mean', '0=0,': 'what does , mean',
             '=0': '--interface is'}
    findings = [f for option, err in wrong.items()
                for f in c.exit_is(c.USAGE, 'eval', text, '--vectors', given, '--interface', option, err=err)]
    nothing = c.exit_is(c.YES, 'eval', text, '--vectors', given, '--const', '16:0=0x00000003', '--const', '16:1=0xffffffff',
                        out='OUT[0]=0x00000007,0x00000009')
    return (findings + nothing + c.exit_is(c.USAGE, 'eval', c.SHADERS[0], '--vectors', given, '--interface', '0=0',
                                           err='no interface with slot 0') +
            c.exit_is(c.USAGE, 'run', text, '-o', c.path('no.png'), '--interface', '7=0', err='no interface with slot 7') +
            c.exit_is(c.USAGE, 'run', c.write('none.shader_test', '[test]\n'), '--interface', '0=0', err='a script says itself'))


def what_is_refused():
    class_of = 'dcl_function_body fb0\ndcl_function_table ft0 = {fb0}\ndcl_interface fp0[1][1] = {ft0}\n'
    unknown = class_of + 'sample r0.xyzw, v0.xyxx, t[this[0].z].xyzw, s0\nret\n'
    round_about = class_of + 'fcall fp0[0][0]\nret\nlabel fb0\nfcall fp0[0][0]\nret\n'
    sampler = 'dcl_sampler s0, mode_default\n'
    return (c.exit_is(c.UNSUPPORTED, 'translate', '--to', 'tgsi', c.write('unknown.asm', header(extra=sampler) + unknown),
                      err='error 4100: sample: a t# of a class whose dimension nothing says') +
            c.exit_is(c.YES, 'translate', '--to', 'tgsi', c.write('known.asm', header(
                extra=sampler + 'dcl_resource_texturecube (float,float,float,float) t9\n') + unknown.replace('xyxx', 'xyzx')),
                      out='SVIEW[ADDR[0].x+9], SAMP[0]') +
            c.exit_is(c.UNSUPPORTED, 'translate', '--to', 'tgsi', c.write('parameter.asm', header() + 'mov r0.x, fi0.x\nret\n'),
                      err='error 4100: mov: fi is not lowered yet') +
            c.exit_is(c.UNSUPPORTED, 'translate', '--to', 'tgsi', c.write('result.asm', header() + 'mov fo0.x, r0.x\nret\n'),
                      err='error 4100: mov: a destination of this kind') +
            c.exit_is(c.NO, 'translate', '--to', 'tgsi', c.write('round.asm', header() + round_about), err='error 2449') +
            c.exit_is(c.NO, 'eval', c.write('many.asm', header() + many_calls()), '--vectors', vectors('IN[0]=0,0,0,0'),
                      err='error 2450: interfaces lead to more than 1048576 calls'))


def many_calls():
    """More targets than a program of honest size has."""
    tables, calls = 1200, 1000
    return ('dcl_function_body fb0\n' + ''.join(f'dcl_function_table ft{n} = {{fb0}}\n' for n in range(tables)) +
            'dcl_interface fp0[1][1] = {' + ', '.join(f'ft{n}' for n in range(tables)) + '}\n' +
            'fcall fp0[0][0]\n' * calls + 'ret\nlabel fb0\nret\n')


tap.run([('abort ends the run', abort_ends_the_run), ('helpers abort alone', helpers_abort_alone),
         ('abort in subroutines and grids', abort_in_subroutines_and_grids),
         ('debugbreak does nothing', debugbreak_does_nothing), ('abort is said', abort_is_said),
         ('every class and instance', every_class_and_instance), ('indices that differ', indices_that_differ),
         ('data as Microsoft writes it', data_as_microsoft_writes_it), ('a container of Microsoft\'s', a_container_of_microsofts),
         ('calls in calls, loops and branches', calls_in_calls_loops_and_branches),
         ('textures and samplers of a class', textures_and_samplers_of_a_class),
         ('memory of a class', memory_of_a_class), ('other stages', other_stages), ('containers and translations', containers_and_translations),
         ('wrong linkages', wrong_linkages), ('what is refused', what_is_refused)])
