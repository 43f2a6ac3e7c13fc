#!/usr/bin/env python3
"""scheelite trace: what it prints of small shaders whose values are worked out by hand, text and JSON; every option; Direct3D
shaders in their own text; runs that fail. Options that are wrong: mistakes.py."""
import json
import os

import command as c
import tap

SUMS = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..1]
DCL ADDR[0]
IMM[0] FLT32 {0.5, 2.0, 0.0, -1.0}
IMM[1] UINT32 {3, 4294967295, 1, 0}
MUL TEMP[0].xy, IN[0], IMM[0].xxxx
UADD TEMP[1].x, IMM[1].xxxx, IMM[1].zzzz
ISGE TEMP[1].y, IMM[1].yyyy, IMM[1].wwww
IF IN[0].zzzz
  ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy
ELSE
  MOV TEMP[0].x, TEMP[0].xxxx
ENDIF
MOV OUT[0], TEMP[0].xxxx
END
'''
VECTORS = 'IN[0]=3.0,1.0,1.0\n# no invocation\nIN[0]=5.0,1.0\n'


def line(time, number, text, rest=''):
    """As the command prints an instruction: the moment, the line of the source, the text, what it made."""
    place = f'  line {number:<4}' if number else ''
    return f'{time:6}{place}  {text}' + (' ' * max(0, 44 - len(text)) + rest if rest else '') + '\n'


def lane(number, rest=''):
    return f'{"":16}lane {number:<3}{rest}\n'


def sums():
    return c.write('sums.tgsi', SUMS), c.write('sums.tsv', VECTORS)


def head(path, what, number):
    return f'{path}, {what}: lane {number} of its group\n'


def says(wanted, *arguments, code=c.YES, err=''):
    """The command prints exactly this."""
    return c.says(code, wanted, err, 'trace', *arguments)


def invocations():
    shader, table = sums()
    first = (line(0, 8, 'MUL TEMP[0].xy, IN[0], IMM[0].xxxx', '  TEMP[0].xy = 1.5, 0.5') + line(1, 9, 'UADD TEMP[1].x, IMM[1].xxxx, IMM[1].zzzz', '  TEMP[1].x = 4u') +
             line(2, 10, 'ISGE TEMP[1].y, IMM[1].yyyy, IMM[1].wwww', '  TEMP[1].y = 0u') + line(3, 11, 'IF IN[0].zzzz') +
             line(4, 12, '  ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy', '  TEMP[0].x = 2.0') + line(5, 13, 'ELSE') + line(8, 16, 'MOV OUT[0], TEMP[0].xxxx', '  OUT[0].xyzw = 2.0'))
    second = (line(0, 8, 'MUL TEMP[0].xy, IN[0], IMM[0].xxxx', '  TEMP[0].xy = 2.5, 0.5') + line(1, 9, 'UADD TEMP[1].x, IMM[1].xxxx, IMM[1].zzzz', '  TEMP[1].x = 4u') +
              line(2, 10, 'ISGE TEMP[1].y, IMM[1].yyyy, IMM[1].wwww', '  TEMP[1].y = 0u') + line(3, 11, 'IF IN[0].zzzz') +
              line(6, 14, '  MOV TEMP[0].x, TEMP[0].xxxx', '  TEMP[0].x = 2.5') + line(7, 15, 'ENDIF') + line(8, 16, 'MOV OUT[0], TEMP[0].xxxx', '  OUT[0].xyzw = 2.5'))
    findings = says(head(shader, 'line 1', 0) + first, shader, '--vectors', table)
    findings += says(head(shader, 'line 3', 1) + second, shader, '--vectors', table, '--line', '3')
    findings += says(head(shader, 'line 1', 0) + line(4, 12, '  ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy', '  TEMP[0].x = 2.0') + line(5, 13, 'ELSE'),
                     shader, '--vectors', table, '--from', '4', '--to', '7')
    findings += says(head(shader, 'line 3', 1), shader, '--vectors', table, '--line', '3', '--from', '9')  # the end
    findings += c.exit_is(c.NO, 'trace', shader, '--vectors', table, '--from', '1000', out=head(shader, 'line 1', 0), err='line 1 has ended before moment 1000')
    findings += says(head(shader, 'line 1', 0) + line(8, 16, 'MOV OUT[0], TEMP[0].xxxx', '  OUT[0].xyzw = 0x40000000'), shader, '--vectors', table, '--from', '8', '--floats', 'hex')
    findings += says(head(shader, 'line 1', 0) + line(8, 16, 'MOV OUT[0], TEMP[0].xxxx', '  OUT[0].xyzw = 0x40000000(2.0)'), shader, '--vectors', table, '--from', '8', '--floats', 'both')
    return findings + c.exit_is(c.NO, 'trace', shader, '--vectors', table, '--line', '2', err='line 2 is not an invocation', out='') + \
        c.exit_is(c.NO, 'trace', shader, '--vectors', c.write('none.tsv', ''), err='none.tsv has no invocation', out='')


def lanes_and_kinds():
    shader, table = sums()
    findings = says(head(shader, 'line 1', 0) + line(3, 11, 'IF IN[0].zzzz') + line(4, 12, '  ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy', '  TEMP[0].x = 2.0') +
                    line(5, 13, 'ELSE') + line(6, 14, '  MOV TEMP[0].x, TEMP[0].xxxx', '  TEMP[0].x = 2.5') + line(7, 15, 'ENDIF') +
                    line(8, 16, 'MOV OUT[0], TEMP[0].xxxx')  + lane(0, '  OUT[0].xyzw = 2.0') + lane(1, '  OUT[0].xyzw = 2.5'),
                    shader, '--vectors', table, '--lanes', 'all', '--from', '3')
    findings += says(head(shader, 'line 1', 0) + line(6, 14, '  MOV TEMP[0].x, TEMP[0].xxxx', '  TEMP[0].x = 2.5') + line(7, 15, 'ENDIF'),
                     shader, '--vectors', table, '--lanes', '1', '--from', '4', '--to', '7')
    # Not what leaves all values as they were: the ISGE, the MOV to itself.
    findings += says(head(shader, 'line 3', 1) + line(0, 8, 'MUL TEMP[0].xy, IN[0], IMM[0].xxxx', '  TEMP[0].xy = 2.5, 0.5') +
                     line(1, 9, 'UADD TEMP[1].x, IMM[1].xxxx, IMM[1].zzzz', '  TEMP[1].x = 4u') + line(8, 16, 'MOV OUT[0], TEMP[0].xxxx', '  OUT[0].xyzw = 2.5'),
                     shader, '--vectors', table, '--line', '3', '--only', 'changes')
    return findings + says(head(shader, 'line 1', 0), shader, '--vectors', table, '--only', 'lookups') + says(head(shader, 'line 1', 0), shader, '--vectors', table, '--only', 'memory')


LOOKED = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] UINT32 {1, 0, 0, 0}
TXF TEMP[0], IMM[0].xyyy, SAMP[0], 2D
TEX OUT[0], IN[0], SAMP[0], 2D
END
'''


def pixels():
    """Two texels, 0 and 1 of x; the middle of the picture lies between them."""
    shader = c.write('looked.tgsi', LOOKED)
    texels = c.write('texels.pfm', b'PF\n2 1\n-1.0\n' + b'\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40' + b'\0\0\x80\x40\0\0\xa0\x40\0\0\xc0\x40')
    tex = ('--tex', f'0={texels},filter=linear', '--size', '4x2')
    txf = line(0, 8, 'TXF TEMP[0], IMM[0].xyyy, SAMP[0], 2D', '  TEMP[0].xyzw = 4.0, 5.0, 6.0, 1.0  (level 0, 1 texel)')
    # s = 1.5 / 4: at 0.25 between the texels' centres
    sampled = line(1, 9, 'TEX OUT[0], IN[0], SAMP[0], 2D', '  OUT[0].xyzw = 1.75, 2.75, 3.75, 1.0  (level of detail 0.0, 4 texels)')
    findings = says(head(shader, 'pixel 1,0 of 4x2', 1) + txf + sampled, shader, '--pixel', '1,0', *tex)
    findings += says(head(shader, 'pixel 1,0 of 4x2', 1) + txf + sampled, shader, '--pixel', '1,0', *tex, '--only', 'lookups')
    # The other family of opcodes, which Direct3D's samples become.
    other = c.write('sampled.tgsi', LOOKED.replace(
        'TXF TEMP[0], IMM[0].xyyy, SAMP[0], 2D', 'SAMPLE_I TEMP[0], IMM[0].xyyy, SVIEW[0]').replace(
            'TEX OUT[0], IN[0], SAMP[0], 2D', 'SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0]'))
    done = json.loads(c.run('trace', other, '--pixel', '1,0', *tex, '--json').stdout)
    counts = [len([t for t in step['lookups'][0]['texels'] if t['weight']]) if 'lookups' in step else 0 for step in done['steps'][:2]]
    if counts != [1, 4]:
        findings.append(f'SAMPLE_I and SAMPLE have {counts} texels with weights')
    # As Maxwell code lookups are not taken apart.
    plain = (txf + sampled).replace('  (level 0, 1 texel)', '').replace('  (level of detail 0.0, 4 texels)', '')
    findings += says(head(shader, 'pixel 1,0 of 4x2', 1) + plain, shader, '--pixel', '1,0', *tex, '--engine', 'maxwell')
    done = json.loads(c.run('trace', shader, '--pixel', '1,0', *tex, '--json', '--from', '1').stdout)
    step = done['steps'][0]
    texels = [(texel['x'], texel['y'], texel['weight']) for texel in step['lookups'][0]['texels'] if texel['weight']]
    if (done['complete'], len(done['steps']), step['time'], step['line']) != (True, 1, 1, 9) or sum(weight for *_, weight in texels) != 1 or {x for x, *_ in texels} != {0, 1}:
        findings.append(f'{done}')
    if step['writes'][0]['lanes'] != [{'lane': 1, 'bits': ['0x3fe00000', '0x40300000', '0x40700000', '0x3f800000'], 'values': [1.75, 2.75, 3.75, 1.0], 'types': ['float'] * 4}]:
        findings.append(f'{step["writes"]}')
    return findings


SHARED = '''cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 4
dcl_input vThreadIDInGroupFlattened
dcl_temps 2
dcl_indexableTemp x0[4], 4
dcl_tgsm_structured g0, 4, 64
dcl_thread_group 64, 1, 1
mov r0.x, vThreadIDInGroupFlattened.x
and r0.y, r0.x, l(3)
mov x0[r0.y + 0].xy, r0.xyxx
store_structured g0.x, r0.x, l(0), r0.x
sync_g_t
iadd r0.z, l(63), -r0.x
ld_structured r0.w, r0.z, l(0), g0.xxxx
if_nz r0.y
  iadd r0.w, r0.w, x0[r0.y + 0].y
endif
store_structured u0.x, r0.x, l(0), r0.w
ret
'''


def work_groups():
    """Thread 37 stores 37, reads what thread 26 stored, and adds x0[1].y = 1."""
    listing = c.write('shared.asm', SHARED)
    buffer = c.write('buffer.bin', bytes(256))
    call = (listing, '--grid', '2,1,1', '--work-group', '1,0,0', '--thread', '37,0,0', '--buffer', f'u0={buffer}')
    told = c.run('trace', *call)
    wanted = ['mov r0.x, vThreadIDInGroupFlattened.x', 'r0.x = 37u', 'and r0.y, r0.x, l(3)', 'r0.y = 1u', 'x0[1].xy = 37u, 1u', 'store_structured g0.x, r0.x, l(0), r0.x', 'of 148i; 37u',
              'iadd r0.z, l(63), -r0.x', 'r0.z = 26', 'ld_structured r0.w, r0.z, l(0), g0.xxxx', 'r0.w = 26', 'of 104i', '  iadd r0.w, r0.w, x0[r0.y + 0].y', 'r0.w = 27', 'of 148i; 27']
    text, at, findings = told.stdout.decode(), 0, []
    for word in wanted:
        found = text.find(word, at)
        findings += [] if found >= 0 else [f'{word} is not there, or elsewhere: {text} {told.stderr.decode()}']
        at = max(found, at)
    if 'TEMP[' in text or 'x0[0]' in text or text.count('sync_g_t') != 1:
        findings.append(text)
    only = c.run('trace', *call, '--only', 'memory').stdout.decode().splitlines()[1:]
    findings += [] if len(only) == 3 and all(' of ' in row for row in only) else [f'{only}']
    lowered = c.run('trace', *call, '--lowered').stdout.decode()
    findings += [] if 'TEMP[' in lowered and 'BARRIER' in lowered and 'r0.' not in lowered and len(lowered.splitlines()) > len(text.splitlines()) else [lowered]
    return findings + c.exit_is(c.NO, 'trace', listing, '--grid', '2,1,1', '--thread', '64,0,0', err='no invocation is thread 64,0,0 of work group 0,0,0') + \
        c.exit_is(c.NO, 'trace', listing, '--grid', '2,1,1', '--thread', '0,1,0', err='no invocation is thread 0,1,0')


PIXEL = '''ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB2[3], immediateIndexed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
mul r0.xy, v1.xyxx, cb2[1].xxxx
loop
  ge r0.z, r0.x, l(2.0)
  breakc_nz r0.z
  add r0.x, r0.x, l(1.0)
endloop
udiv r1.x, r1.y, l(7, 7, 7, 7), l(2, 2, 2, 2)
mov o0.xyzw, r0.xxxy
ret
'''


def rows(found):
    """Each line as (text, what it made), blanks apart."""
    table = []
    for row in found.splitlines()[1:]:
        words = row.split(None, 1)[1]
        words = words.split(None, 2)[2] if words.startswith('line ') else words
        table.append(' '.join(words.split()))
    return table


def direct3d():
    """r0.x begins at 0.5 * cb2[1].x and goes to 2."""
    listing, container, table = c.write('pixel.asm', PIXEL), c.path('pixel.dxbc'), c.write('pixel.tsv', 'IN[1]=0.5,4.0\n')
    findings = c.exit_is(c.YES, 'asm', listing, '-o', container)
    more = ('--vectors', table, '--const', '2:1=2.0,0.0,0.0,0.0')
    wanted = ['mul r0.xy, v1.xyxx, cb2[1].xxxx r0.xy = 1.0, 8.0', 'loop', 'ge r0.z, r0.x, l(2.000000) r0.z = 0u', 'breakc_nz r0.z', 'add r0.x, r0.x, l(1.000000) r0.x = 2.0', 'endloop',
              'ge r0.z, r0.x, l(2.000000) r0.z = 4294967295u', 'breakc_nz r0.z', 'udiv r1.x, r1.y, l(7, 7, 7, 7), l(2, 2, 2, 2) r1.xy = 3u, 1u', 'mov o0.xyzw, r0.xxxy o0.xyzw = 2.0, 2.0, 2.0, 8.0']
    for path in (listing, container):
        told = c.run('trace', path, *more)
        found = rows(told.stdout.decode())
        # Where lanes end together the ENDIF of a breakc is executed by none of them.
        if [row for row in found if row != 'ret'] != wanted:
            findings.append(f'{path}: {found} {told.stderr.decode()}')
    told = json.loads(c.run('trace', container, *more, '--json').stdout)
    texts, names = [step['text'] for step in told['steps']], {write['register'] for step in told['steps'] for write in step['writes']}
    if texts[0] != 'mul r0.xy, v1.xyxx, cb2[1].xxxx' or names != {'r0', 'r1', 'o0'} or any(step['line'] or not step['offset'] for step in told['steps']) or 'sources' in told['steps'][0]:
        findings.append(f'{texts} {names}')
    lowered = json.loads(c.run('trace', container, *more, '--json', '--lowered').stdout)
    if lowered['steps'][0]['text'] != 'MUL TEMP[0].xy, IN[1].xyxx, CONST[2][1].xxxx' or 'sources' not in lowered['steps'][0] or len(lowered['steps']) <= len(told['steps']):
        findings.append(f'{lowered["steps"][0]}')
    # HLSL is what a compiler makes of it.
    effect = c.write('effect.hlsl', 'float4 main() : SV_Target { return 1; }\n')
    script = c.write('compiler.sh', f'cp {container} "$3"\n')
    findings += says(c.run('trace', container, *more).stdout.decode().replace(container, effect), effect, *more, '--hlsl-compiler', f'sh {script}')
    return findings


def failures():
    endless = c.write('endless.tgsi', 'FRAG\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nENDLOOP\nEND\n')
    counted = ''.join(line(1 + 2 * n, 5, '  UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx', f'  TEMP[0].x = {n + 1}u') + line(2 + 2 * n, 6, 'ENDLOOP') for n in range(3))
    end = f'scheelite: {endless}: budget used up, at instruction 2\n'
    findings = says(head(endless, 'pixel 0,0 of 256x256', 0) + line(0, 4, 'BGNLOOP') + counted, endless, '--pixel', '0,0', '--budget', '2', code=c.LIMIT, err=end)
    told = json.loads(c.run('trace', endless, '--pixel', '0,0', '--budget', '2', '--json').stdout)
    findings += [] if told['complete'] is False and len(told['steps']) == 7 else [f'{told}']
    killed = c.write('killed.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nKILL_IF IN[0].xxxx\nMOV OUT[0], IN[0].xxxx\nEND\n')
    table = c.write('killed.tsv', 'IN[0]=-1.0\nIN[0]=2.0\n')
    findings += says(head(killed, 'line 1', 0) + line(0, 4, 'KILL_IF IN[0].xxxx'), killed, '--vectors', table)  # it ends there
    table = c.write('quad.tsv', 'IN[0]=-1.0\nIN[0]=2.0\nIN[0]=2.0\nIN[0]=2.0\n')
    helped = json.loads(c.run('trace', killed, '--vectors', table, '--quads', '--json').stdout)  # it goes on as a helper
    findings += [] if [step['helpers'] for step in helped['steps']] == ['0x00000000', '0x00000001'] else [f'{helped}']
    return findings + c.exit_is(c.IO, 'trace', c.path('absent'), '--pixel', '0,0', err='cannot open') + c.exit_is(c.NO, 'trace', c.write('bad.tgsi', 'FRAG\nMOV\nEND\n'), '--pixel', '0,0', err='error')


def outputs():
    """The values of OUT behind the last instruction are those that eval prints."""
    findings = []
    for path in c.SHADERS:
        table = c.write('one.tsv', 'IN[0]=0.25,0.75,0.5,1.0\n')
        made = c.run('eval', path, '--vectors', table).stdout.decode().split()
        told = json.loads(c.run('trace', path, '--vectors', table, '--json').stdout or '{"steps": []}')
        last = {}
        for step in told['steps']:
            for write in step['writes']:
                if write['register'].startswith('OUT['):
                    bits = last.setdefault(write['register'], ['0x00000000'] * 4)
                    for channel in write['channels']:
                        bits['xyzw'.index(channel)] = write['lanes'][0]['bits']['xyzw'.index(channel)]
        shown = [f'{name}={",".join(bits)}' for name, bits in last.items()]
        if sorted(shown) != sorted(word for word in made if word.split('=')[0] in last) or (made and 'KILL' not in made[0] and not shown):
            findings.append(f'{os.path.basename(path)}: {shown}, not {made}')
    return findings


tap.run([('invocations', invocations), ('lanes and kinds', lanes_and_kinds), ('pixels', pixels), ('work groups', work_groups), ('Direct3D', direct3d),
         ('failures', failures), ('outputs are those of eval', outputs)])
