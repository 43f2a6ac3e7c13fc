#!/usr/bin/env python3
"""Direct3D shaders in the command: dis, asm, info, list, explain; what is refused; damaged inputs."""
import json
import os
import random
import struct

import command as c
import tap

TEXT = '''ps_5_0
.input
.param SV_Position.xyzw, v0, float, POS
.param TEXCOORD1.xy, v1.xy, float
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.features doubles
.text
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB2[3], immediateIndexed
dcl_sampler s1, mode_default
dcl_resource_texture2d (float,float,float,float) t4
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 2
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t4.xyzw, s1
if_nz r0.x
  mul_sat r1.xyzw, r0.xyzw, l(0.5, 1.0, 2.0, 1e-10)
else
  mov r1.xyzw, cb2[2].xyzw
endif
mov o0.xyzw, r1.xyzw
ret
'''


def container():
    source, target = c.write('shader.asm', TEXT), c.path('shader.dxbc')
    done = c.run('asm', source, '-o', target)
    return target if done.returncode == c.YES else None


def text_and_container():
    target, findings = container(), []
    if not target:
        return ['asm refuses']
    data = c.read(target)
    if data[:4] != b'DXBC' or struct.unpack_from('<I', data, 24)[0] != len(data):
        findings.append('no container')
    text = c.run('dis', target).stdout.decode()
    if text != TEXT:
        findings.append('dis of the container is another text:\n' + text)
    if c.run('dis', c.path('shader.asm')).stdout.decode() != TEXT:
        findings.append('dis of the text is another text')
    words = c.run('asm', target, '--words').stdout.decode().split()
    chunk = data.index(b'SHEX')
    size = struct.unpack_from('<I', data, chunk + 4)[0]
    if [int(w, 16) for w in words] != list(struct.unpack_from(f'<{size // 4}I', data, chunk + 8)):
        findings.append('--words are not the chunk')
    peer = c.run('dis', '--style=vkd3d', target).stdout.decode()
    for line in ('sample_indexable(texture2d) r0.xyzw, v1.xyxx, t4.xyzw, s1', 'dcl_constantBuffer cb2[3], immediateIndexed',
                 'dcl_sampler s1\n', '    mul_sat r1.xyzw, r0.xyzw, l(5.00000000e-01, 1.00000000e+00, 2.00000000e+00, '):
        if line not in peer:
            findings.append(f'vkd3d style lacks {line}')
    again = c.write('peer.asm', peer)
    return findings + c.exit_is(c.YES, 'asm', again, '-o', c.path('peer.dxbc'))


def painted():
    """run has the registers of what a shader is lowered to: v1 is (s, t, 0, 1), the face is the front."""
    text = ('ps_4_0\ndcl_input_ps linear v1.xyzw\ndcl_input_ps_sgv constant v2.x, is_front_face\ndcl_output o0.xyzw\n'
            'dcl_temps 1\nieq r0.x, v2.x, l(-1)\nmovc o0.xyzw, r0.xxxx, v1.xyzw, l(0, 0, 0, 0)\nret\n')
    findings = c.exit_is(c.YES, 'run', c.write('ramp.asm', text), '-o', c.path('ramp.png'), '--size', '2x2')
    shown = [] if findings else list(c.picture(c.path('ramp.png'))[2])
    wanted = [64, 64, 0, 255, 191, 64, 0, 255, 64, 191, 0, 255, 191, 191, 0, 255]
    return findings + ([] if shown == wanted else [f'the picture is {shown}'])


def linked():
    """Two translated stages draw together: GENERIC[20] has the same register in both, wherever TGSI has it."""
    stages = {'vertex': 'VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[20]\nDCL OUT[1], POSITION\nIMM[0] FLT32 { 0.25, 0.5, 0.75, 1.0 }\n'
                        '  0: MOV OUT[0], IMM[0]\n  1: MOV OUT[1], IN[0]\n  2: END\n',
              'pixel': 'FRAG\nDCL IN[0], GENERIC[7], LINEAR\nDCL IN[1], GENERIC[20], LINEAR\nDCL OUT[0], COLOR\n'
                       '  0: MOV OUT[0], IN[1]\n  1: END\n'}
    script = ''
    for stage, text in stages.items():
        done = c.run('translate', '--to', 'd3d-asm', c.write(f'{stage}.tgsi', text))
        script += f'[{stage} shader d3d-asm]\n{done.stdout.decode().replace("ATTRIBUTE", "position")}\n'
    script += '[test]\ndraw quad\nprobe (5, 5) rgba (0.25, 0.5, 0.75, 1.0)\n'
    return c.exit_is(c.YES, 'run', c.write('linked.shader_test', script), out='1 passed')


def raised():
    """A TGSI shader as Direct3D text and container, which assemble to each other and paint the same picture."""
    text = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 { 0.5, 0.25, 2.0, 1.0 }\n'
            '  0: SLT TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\n  1: LRP OUT[0], TEMP[0].xxxx, IN[0], IMM[0]\n  2: END\n')
    tgsi, listing, target = c.write('raise.tgsi', text), c.path('raised.asm'), c.path('raised.dxbc')
    refused = c.write('vertexid.tgsi', 'VERT\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\n  0: U2F OUT[0], SV[0].xxxx\n  1: END\n')
    findings = (c.exit_is(c.YES, 'translate', '--to', 'd3d-asm', tgsi, out='mad o0.xyzw, r0.xxxx, v1.xyzw, r1.xyzw') +
                c.exit_is(c.YES, 'translate', '--to', 'd3d-asm', tgsi, '-o', listing) +
                c.exit_is(c.YES, 'translate', '--to', 'dxbc', tgsi, '-o', target) + c.exit_is(c.YES, 'check', target) +
                c.exit_is(c.YES, 'asm', listing, '-o', c.path('assembled.dxbc')) +
                c.exit_is(c.YES, 'run', tgsi, '-o', c.path('raise.png'), '--size', '4x4') +
                c.exit_is(c.YES, 'run', target, '-o', c.path('raised.png'), '--size', '4x4') +
                c.exit_is(c.UNSUPPORTED, 'translate', '--to', 'dxbc', refused, err='vertexid.tgsi:4:6: error 4363: U2F: SV[0], VERTEXID') +
                c.exit_is(c.NO, 'translate', '--to', 'dxbc', c.write('broken.tgsi', 'FRAG\n  0: MOV TEMP[0], TEMP[1]\n  1: END\n')))
    findings += linked()
    if findings:
        return findings
    same = ([] if c.read(target) == c.read(c.path('assembled.dxbc')) else ['the listing assembles to another container'])
    return same + ([] if c.read(c.path('raise.png')) == c.read(c.path('raised.png')) else ['the translation paints another picture'])


def exit_codes():
    target = container()
    damaged = bytearray(c.read(target))
    damaged[-1] ^= 1  # a feature bit: only the checksum tells
    broken, tgsi = c.write('broken.dxbc', bytes(damaged)), c.SHADERS[0]
    return (c.exit_is(c.NO, 'dis', broken, err='error 3112') + c.exit_is(c.YES, 'dis', '--any-checksum', broken) +
            c.exit_is(c.YES, 'info', '--any-checksum', broken, out='wrong') +
            c.exit_is(c.YES, 'check', target) +
            c.exit_is(c.NO, 'check', c.write('wrong.asm', 'ps_5_0\nadd r0.x, r0.x, r0.x\nbreak\nret\n'),
                      err=':3:1: error 2445') +
            c.exit_is(c.YES, 'translate', '--to', 'tgsi', target, out='SAMPLE TEMP[0], IN[1].xyxx, SVIEW[4], SAMP[1]') +
            c.exit_is(c.YES, 'run', target, '-o', c.path('black.png'), '--size', '4x4') +
            painted() +
            c.exit_is(c.YES, 'eval', target, '--vectors', c.write('one.tsv', 'CONST[2][2]=3f800000,0x1,0x2,0x3\n'),
                      out='OUT[0]=0x3f800000,0x00000001,0x00000002,0x00000003') +
            c.exit_is(c.YES, 'eval', c.write('depth.asm', 'ps_5_0\ndcl_output oDepth\nmov oDepth, l(0.25)\nret\n'), '--vectors',
                      c.write('empty.tsv', '\n'), out='OUT[0]=0x00000000,0x00000000,0x3e800000,0x00000000') +
            c.exit_is(c.YES, 'eval', c.write('counter.asm', 'ps_5_0\ndcl_uav_structured_opc u0, 4\ndcl_output o0.xyzw\ndcl_temps 1\n'
                                             'imm_atomic_alloc r0.x, u0\nimm_atomic_alloc r0.y, u0\n'
                                             'imm_atomic_consume r0.z, u0\nimm_atomic_alloc r0.w, u0\n'
                                             'mov o0.xyzw, r0.xyzw\nret\n'), '--vectors', c.path('empty.tsv'),
                      out='OUT[0]=0x00000000,0x00000001,0x00000001,0x00000001') +
            c.exit_is(c.YES, 'translate', '--to', 'd3d-asm', target, out='sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t4.xyzw, s1') +
            c.exit_is(c.YES, 'translate', '--to', 'dxbc', target, '-o', c.path('moved.dxbc')) +
            ([] if c.read(c.path('moved.dxbc')) == c.read(target) else ['translate --to dxbc changes a container']) +
            raised() +
            c.exit_is(c.UNSUPPORTED, 'translate', '--to', 'tgsi', c.write('later.asm', 'ps_5_0\nret\nlabel l70000\nret\n'), err='error 4100') +
            c.exit_is(c.UNSUPPORTED, 'run', '-', '-o', c.path('x.png'), stdin='gs_5_0\ndcl_inputprimitive point\ndcl_stream m0\n'
                      'dcl_outputtopology pointlist\ndcl_maxout 1\nret\n', err='not geometry ones; eval runs them line by line, and render draws with them') +
            c.exit_is(c.UNSUPPORTED, 'dis', '--style=fxc', tgsi) + c.exit_is(c.YES, 'dis', '--style=fxc', target) +
            c.exit_is(c.USAGE, 'asm', '--to', 'tgsi-bin', target, '--words') +
            c.exit_is(c.YES, 'asm', '--to', 'dxbc', target, '-o', c.path('same.dxbc')) +
            c.exit_is(c.NO, 'dis', '-x', 'dxbc', tgsi, err='error 3110') +
            c.exit_is(c.NO, 'dis', '-x', 'd3d-asm', tgsi, err='error 1200') +
            c.exit_is(c.NO, 'asm', '-', '--words', stdin='ps_4_0\nmov r0.x\n', err='<stdin>:2:9: error 1205') +
            c.exit_is(c.NO, 'asm', '-', '--words', stdin='// one\n\nps_4_0\nfoo\n', err='<stdin>:4:1: error 1201'))


def whole_containers():
    """Listings say the whole container; containers without a program are described, what is nested in them numbered."""
    chunks = TEXT + ('.chunks STAT ISGN OSGN SHDR Aon9 SFI0\n.statistics 29, instructions 9, moves 2\n.chunk Aon9 {\n'
                     '    6e696e65 00                                                             // nine.\n}\n')
    source, target = c.write('chunks.asm', chunks), c.path('chunks.dxbc')
    findings = c.exit_is(c.YES, 'asm', source, '-o', target) + c.exit_is(c.YES, 'dis', target, out=chunks)
    findings += c.exit_is(c.YES, 'info', target, out='chunk\tAon9\t5\n') + c.exit_is(c.YES, 'info', target, out='statistic\tmoves\t2\n')
    stale = c.write('stale.asm', TEXT + '.bytes ISGN { 00 }\n')
    findings += c.exit_is(c.YES, 'asm', stale, '-o', c.path('stale.dxbc'), err='stale.asm:24:1: warning 1510: these bytes')
    findings += c.exit_is(c.NO, 'dis', c.write('odd.asm', TEXT + '.chunk ABCD { 0 }\n'), err='odd.asm:24:15: error 1211')
    inner = c.read(container()).hex()
    effect = c.write('effect.asm', f'container\n.chunk FX10 {{ 01020304 05 {inner} 44584243 {inner[:60]} {inner} }}\n')
    built = c.path('effect.dxbc')
    findings += c.exit_is(c.YES, 'asm', effect, '-o', built) + c.exit_is(c.YES, 'check', built, err='warning 3517: the container has no program, 2 nested')
    size = len(inner) // 2
    findings += c.exit_is(c.YES, 'dis', built, out=f'container\n// 1: ps_5_0, {size} bytes at byte 5 of FX10\n// 2: ps_5_0, {size} bytes at byte {size + 39} of FX10\n.chunk')
    findings += c.exit_is(c.YES, 'info', built, out=f'nested\t1\tps_5_0\tFX10\t{44 + 5}\t{size}\nnested\t2\t')
    said = json.loads(c.run('info', '--json', built).stdout)
    if said['stage'] != 'none' or said['profile'] != 'none' or [n['number'] for n in said['nested']] != [1, 2]:
        findings.append(f'info --json: {said["stage"]} {said["profile"]} {said["nested"]}')
    tsv = c.write('nth.tsv', 'CONST[2][2]=3f800000,0x1,0x2,0x3\n')
    for verb in (['check'], ['dis'], ['info'], ['translate', '--to', 'tgsi'], ['asm', '--words'], ['eval', '--vectors', tsv]):
        inner_says, nested_says = (c.run(*verb, *more).stdout for more in ([container()], ['--nth', '2', built]))
        if inner_says.replace(b'shader.dxbc', b'') != nested_says.replace(b'effect.dxbc', b''):
            findings.append(f'{verb[0]} --nth 2 says {nested_says[:200]}')
        findings += c.exit_is(c.USAGE, *verb, '--nth', '3', built, err='there is no shader number 3, but 2 of them')
    findings += (c.exit_is(c.YES, 'asm', '--nth', '1', built, '-o', c.path('inner.dxbc')) +
                 ([] if c.read(c.path('inner.dxbc')) == c.read(container()) else ['asm --nth 1 is another container']) +
                 c.exit_is(c.YES, 'run', '--nth', '1', built, '-o', c.path('nested.png'), '--size', '4x4') +
                 c.exit_is(c.YES, 'dis', '--nth', '1', container()) + c.exit_is(c.USAGE, 'dis', '--nth', '0', built) +
                 c.exit_is(c.USAGE, 'dis', '--nth', '2', container(), err='no shader number 2, but 1 of them'))
    bare, own = c.write('bare.asm', 'container\n.chunk FX10 { 01 }\n'), c.write('own.asm', TEXT + f'.chunk FX10 {{ {inner} {inner} }}\n')
    for path, nth, count in ((bare, 1, 0), (bare, 3, 0), (built, 9, 2), (own, 3, 1)):
        findings += c.exit_is(c.YES, 'asm', path, '-o', c.path('counted.dxbc')) if path != built else []
        findings += c.exit_is(c.USAGE, 'dis', '--nth', str(nth), built if path == built else c.path('counted.dxbc'), out='', err=f'dxbc: there is no shader number {nth}, but {count} of them\n')
    for verb in (['translate', '--to', 'tgsi'], ['asm', '--words']):
        findings += c.exit_is(c.NO, *verb, built, err='error 3117')
    return findings + c.exit_is(c.NO, 'eval', built, '--vectors', c.write('none.tsv', '\n'), err='error 3117')


def spellings():
    """The listings in the spelling of fxc itself and of vkd3d assemble to the same program, where six digits after the point
    say all of its floats; fxc's keeps the signatures."""
    text = TEXT.replace('.features doubles\n', '').replace('1e-10', '0.015625')
    source, target = c.write('spelt.asm', text), c.path('spelt.dxbc')
    findings = c.exit_is(c.YES, 'asm', source, '-o', target)
    words = c.run('asm', target, '--words').stdout
    for style in ('fxc', 'vkd3d'):
        listing = c.run('dis', f'--style={style}', target).stdout
        if c.run('asm', '-', '--words', stdin=listing).stdout != words:
            findings.append(f'{style}: another program from\n{listing.decode()}')
    dump = c.run('dis', '--style=fxc', target).stdout
    if c.run('asm', '-', '-o', c.path('dumped.dxbc'), stdin=dump).returncode or c.read(c.path('dumped.dxbc')) != c.read(target):
        findings.append('the listing of fxc gives another container')
    for line in ('// TEXCOORD                 1   xy          1     NONE   float   xy  \n', '// SV_Target                0   xyzw        0   TARGET   float   xyzw\n//\nps_5_0\n',
                 'l(0.500000, 1.000000, 2.000000, 0.015625)\n', '\nendif \n'):
        if line not in dump.decode():
            findings.append(f'fxc style lacks {line!r}: {dump.decode()}')
    return findings + c.exit_is(c.NO, 'dis', '-', stdin=dump.replace(b'   xyzw        0   TARGET', b'   xyzw        0   TARGOT'), err=':15:49: error 1207')


MICROSOFT = '''//
// Generated by a compiler
//
//
// Buffer Definitions:
//
// cbuffer $Globals
// {
//
//   float4 tint;                       // Offset:    0 Size:    16
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// $Globals                          cbuffer      NA          NA            cb0      1
//
//
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_POSITION              0   xyzw        0      POS   float
// TEXCOORD                 0   xy          1     NONE   float   xy
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_TARGET                0   xyzw        0   TARGET   float   xyzw
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
mul o0.xyzw, v1.xyyx, cb0[0].xyzw
ret
// Approximately 2 instruction slots used
'''


def listing_of_microsoft():
    """What fxc prints assembles as it stands: signatures from its comments, valid by Direct3D's rules, and it runs."""
    source, target = c.write('microsoft.asm', MICROSOFT), c.path('microsoft.dxbc')
    vectors = c.write('tint.tsv', 'IN[1]=3f800000,40000000,0,0\tCONST[0][0]=3f800000,3f800000,40000000,40400000\n')
    findings = (c.exit_is(c.YES, 'asm', source, '-o', target) + c.exit_is(c.YES, 'check', target, err='') +
                c.exit_is(c.YES, 'info', target, out='input\tTEXCOORD\t0\t1\txy\txy\tfloat\t-\noutput\tSV_TARGET\t0\t0\txyzw\txyzw\tfloat\tTARGET\n'))
    return findings + c.exit_is(c.YES, 'eval', target, '--vectors', vectors, out='OUT[0]=0x3f800000,0x40000000,0x40800000,0x40400000')


def descriptions():
    target = container()
    done = c.run('info', '--json', target)
    said = json.loads(done.stdout)
    wanted = {'kind': 'd3d', 'stage': 'fragment', 'profile': 'ps_5_0', 'checksum_right': True, 'features': ['doubles'],
              'instructions': 8, 'declarations': 7, 'samplers': 2, 'sampler_views': 5, 'constant_buffers': 3,
              'temporaries': 2, 'inputs': 2, 'outputs': 1}
    findings = [f'{k}: {said.get(k)!r}, not {v!r}' for k, v in wanted.items() if said.get(k) != v]
    inputs = said['input_signature']
    if [e['name'] for e in inputs] != ['SV_Position', 'TEXCOORD'] or inputs[1]['index'] != 1 or inputs[0]['used'] != 0:
        findings.append(f'input signature: {inputs}')
    if said['output_signature'][0]['system_value'] != 'TARGET':
        findings.append('no TARGET')
    if [e['tag'] for e in said['chunks']] != ['ISGN', 'OSGN', 'SHEX', 'SFI0']:
        findings.append(f'chunks: {said["chunks"]}')
    text = c.run('info', target).stdout.decode()
    if f'hash\t{said["hash"]}\n' not in text or 'input\tTEXCOORD\t1\t1\txy\txy\tfloat\t-\n' not in text:
        findings.append('info as text says other things')
    return findings + declared()


def declared():
    """Text without signatures: the declarations count."""
    texts = {'vs_5_0\n' 'dcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output o3.xy\nmov o0.xyzw, v0.xyzw\nmov o3.xy, v0.xyxx\nret\n': (1, 4),
             'gs_5_0\n' 'dcl_input v[3][2].xyzw\ndcl_inputprimitive triangle\ndcl_stream m0\ndcl_outputtopology trianglestrip\n'
             'dcl_output o1.xyzw\ndcl_maxout 3\nmov o1.xyzw, v[0][2].xyzw\nemit_stream m0\nret\n': (3, 2),
             'hs_5_0\n' 'hs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\ndcl_tessellator_domain domain_tri\n'
             'dcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_output_primitive output_triangle_cw\n'
             'hs_control_point_phase\ndcl_input v[3][0].xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v[0][0].xyzw\nret\n'
             'hs_fork_phase\ndcl_output_siv o4.x, finalTriUeq0EdgeTessFactor\nmov o4.x, l(1.0)\nret\n': (1, 1),
             'cs_5_0\n' 'dcl_input vThreadID.xyz\ndcl_thread_group 1, 1, 1\nret\n': (0, 0)}
    findings = []
    for text, counts in texts.items():
        done = c.run('info', '--json', c.write('declared.asm', text))
        said = json.loads(done.stdout) if done.returncode == c.YES else {'inputs': done.stderr}
        if (said.get('inputs'), said.get('outputs')) != counts:
            findings.append(f'{text[:6]}: {said.get("inputs")} inputs, {said.get("outputs")} outputs, not {counts}')
    said = json.loads(c.run('info', '--json', c.write('declared.asm', list(texts)[0])).stdout)
    if [r['index'] for r in said['output_registers']] != [0, 3] or [r['index'] for r in said['input_registers']] != [0]:
        findings.append(f'registers: {said["input_registers"]} {said["output_registers"]}')
    return findings


def samplers():
    """--sampler binds s# alone or in place of a texture's; t#, s# and u# have Direct3D's numbers."""
    def shader(texture, sampler):
        return c.write(f'lookup{texture}.{sampler}.asm', f'ps_5_0\ndcl_sampler s{sampler}, mode_default\n'
                       f'dcl_resource_texture2d (float,float,float,float) t{texture}\ndcl_input_ps linear v0.xy\n'
                       f'dcl_output o0.xyzw\nsample o0.xyzw, v0.xyxx, t{texture}.xyzw, s{sampler}\nret\n')

    def bits(number):
        return '0x' + struct.pack('>f', number).hex()

    vectors = c.write('places.tsv', ''.join(f'IN[0]={bits(i / 7 - 2)},{bits(i / 3 - 1)},0,0\n' for i in range(40)))
    texels = 'random:R8G8B8A8_UNORM:5x4:seed=3'

    def answers(texture, sampler, *options):
        done = c.run('eval', shader(texture, sampler), '--vectors', vectors, *options)
        return done.stdout if done.returncode == c.YES else done.stderr

    texture, together = '0=' + texels, answers(0, 0, '--tex', '0=' + texels + ',filter=linear,wrap=mirror_repeat')
    nearest, nothing = answers(0, 0, '--tex', texture), answers(0, 0)
    findings = [] if len({together, nearest, nothing}) == 3 and b'OUT' in together else ['filters do not matter']
    for name, have in (('apart', answers(127, 9, '--tex', '127=' + texels, '--sampler', '9=filter=linear,wrap=mirror_repeat')),
                       ('behind all textures', answers(3, 15, '--sampler', '15=wrap=mirror_repeat,filter=linear', '--tex', '3=' + texels)),
                       ('in place', answers(0, 0, '--sampler', '0=filter=linear,wrap=mirror_repeat', '--tex', texture + ',wrap=clamp'))):
        findings += [] if have == together else [f'sampler {name}: {have[:200]}']
    if answers(127, 9, '--tex', '127=' + texels) != nothing or answers(4, 0, '--sampler', '0=filter=linear') != nothing:
        findings.append('half a binding gives something')
    border = answers(2, 1, '--tex', '2=zero:R32G32B32A32_FLOAT:2x2', '--sampler', '1=wrap=clamp_to_border,border=1,-0.5,0x40000000,1')
    if b'OUT[0]=0x3f800000,0xbf000000,0x40000000,0x3f800000' not in border.splitlines()[0]:
        findings.append(f'border: {border[:200]}')
    for text in ('0', '128=filter=linear', '0=', '0=photo.png', '0=filter=sharp', '0=swizzle=xxxx', '0=target=3D', '0=srgb=1',
                 '0=wrap=clamp,levels=0-1', '0=filter=linear,', 'x=filter=linear'):
        findings += c.exit_is(c.USAGE, 'eval', shader(0, 0), '--vectors', vectors, '--sampler', text, err='--sampler')
    store = c.write('image.asm', 'cs_5_0\ndcl_uav_typed_texture2d (float,float,float,float) u63\ndcl_input vThreadID.xy\n'
                    'dcl_thread_group 1, 1, 1\nstore_uav_typed u63.xyzw, vThreadID.xyyy, l(1.0, 0.0, 1.0, 1.0)\nret\n')
    findings += c.exit_is(c.YES, 'run', store, '--grid', '2,1,1', '--image', '63=zero:R8G8B8A8_UNORM:2x1', '--image-out', '63=' + c.path('image'))
    return findings + ([] if c.read(c.path('image')) == b'\xff\0\xff\xff' * 2 else ['image 63'])


def tables():
    rows = [r.split('\t') for r in c.run('list', 'd3d').stdout.decode().splitlines()]
    findings = []
    if len(rows) != 231 or len({r[0] for r in rows}) != 231 or len({len(r) for r in rows}) != 1:
        findings.append(f'{len(rows)} rows')
    if len(json.loads(c.run('list', '--json', 'd3d').stdout)['rows']) != len(rows):
        findings.append('--json has other rows')
    texts = c.explanations([row[0] for row in rows] + ['dsx', '4100'])
    wanted = [(row[0], f'Direct3D instruction {row[0]}: ') for row in rows] + [
        ('sample', 'form           sample dest, src, t#, s#'), ('sample_l', 'meaning        dst = sample(view src1'),
        ('sample_l', 'Direct3D instruction sample_l: filtered lookup at a given level of detail\n'),
        ('udiv', 'runs as        UDIV UMOD\n'), ('dsx', 'Direct3D instruction deriv_rtx'), ('4100', 'error 4100 D3D_NOT_LOWERED')]
    return findings + [f'{name} lacks {text!r}: {texts[name][:200]}' for name, text in wanted if text not in texts[name]]


def damaged_inputs():
    random.seed(1)
    data, findings = c.read(container()), []
    for source in (data, TEXT.encode()):
        for _ in range(25):
            part = source[:random.randrange(len(source))]
            flipped = bytearray(source)
            for _ in range(random.choice((1, 1, 4))):
                flipped[random.randrange(len(flipped))] ^= 1 << random.randrange(8)
            for bad in (part, bytes(flipped)):
                done = c.run('dis', '--any-checksum', '-', stdin=bad)
                if done.returncode not in (c.YES, c.NO, c.LIMIT, c.UNSUPPORTED):
                    findings.append(f'exit {done.returncode} for {bad[:40].hex()}... ({len(bad)} bytes)')
                if done.returncode != c.YES and not done.stderr:
                    findings.append('refused without a word')
    return findings


def real_files():
    """Containers of our own programs, and a sample of the shared ones, through the command: text and back, twice the same."""
    own, shared = os.path.join(tap.SOURCE, 'tests', 'corpus', 'd3d'), os.path.join(os.environ.get('SCH_SHARED', ''), 'corpus', 'dxbc', 'fxc')
    findings, files = [], []
    for number, name in enumerate(sorted(os.listdir(own))[::3]):
        files.append(c.path(f'own-{number}.dxbc'))
        findings += c.exit_is(c.YES, 'asm', os.path.join(own, name), '-o', files[-1])
    if os.path.isdir(shared):
        files += [os.path.join(shared, n) for n in sorted(os.listdir(shared)) if n.endswith('.dxbc')][::60]
    for file in files:
        name, target = os.path.basename(file), c.path('real.dxbc')
        text = c.run('dis', file).stdout
        if c.run('asm', '-', '-o', target, stdin=text).returncode != c.YES or c.run('dis', target).stdout != text:
            findings.append(f'{name} does not come back')
        if c.run('asm', file, '-o', target).returncode != c.YES or c.read(target) != c.read(file):
            findings.append(f'{name} is not written as it was read')
    return findings


def listings_in_other_texts():
    """Logs and comments: one listing is read as it stands, of several --nth says which."""
    body = 'dcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)\nret \n'
    one = c.write('one.log', 'compiling\nps_5_0\n' + body + 'compiled in 2 ms\n')
    two = c.write('two.hlsl.txt', 'float4 main() : SV_Target { return 0; }\n/*\nps_5_0\n' + body + '*/\n// old\n/*\nps_4_0\n' + body + '*/\n')
    wrong = c.write('wrong.log', 'a\nps_5_0\ndcl_output o0.xyzw\nfrob o0.xyzw\nret\nb\n')
    findings = (c.exit_is(c.YES, 'check', one) + c.exit_is(c.YES, 'dis', '--style=fxc', one, out='mov o0.xyzw, l(1.000000,2.000000,3.000000,4.000000)\nret \n') +
                c.exit_is(c.YES, 'asm', one, '-o', c.path('one.dxbc')) +
                c.exit_is(c.YES, 'check', two, out=f'{two}:3: shader 1: valid\n{two}:10: shader 2: valid\n') +
                c.exit_is(c.USAGE, 'translate', '--to', 'tgsi', two, err='holds 2 shaders, on lines 3, 10: --nth N says which') +
                c.exit_is(c.YES, 'info', '--nth', '2', two, out='profile\tps_4_0') + c.exit_is(c.YES, 'dis', '--nth', '1', two, out='ps_5_0\n') +
                c.exit_is(c.YES, 'dis', two, out='// shader 2, line 10\nps_4_0\n') +
                c.exit_is(c.USAGE, 'check', '--nth', '3', two, err='there is no shader number 3, but 2 of them') +
                c.exit_is(c.NO, 'check', wrong, err='wrong.log:4:1: error 1201: no instruction is called frob'))
    # What dis prints of several is read again.
    return findings + c.exit_is(c.YES, 'check', c.write('again.txt', c.run('dis', two).stdout), out='shader 2: valid')


def wrapped():
    """A container after other bytes, before others, and with a checksum that is wrong, for each verb that reads shaders."""
    data = c.read(container())
    first = c.write('first.bin', b'\1\0\2\0\3' + data)
    last = c.write('last.bin', data + bytes(8))
    patched = bytearray(data)
    patched[4:20] = bytes(16)
    zero = c.write('zero.dxbc', bytes(patched))
    vectors = c.write('none.tsv', '\n')
    verbs = (('check',), ('dis',), ('info',), ('asm', '--words'), ('translate', '--to', 'tgsi'), ('eval', '--vectors', vectors), ('run', '--pixel', '0,0', '--size', '1x1'),
             ('trace', '--vectors', vectors))
    findings = []
    for verb, *more in verbs:
        plain = c.run(verb, *more, c.path('shader.dxbc')).stdout
        for name, options in ((first, ('--offset', '5')), (first, ('--offset=0x5',)), (zero, ('--any-checksum',)), (last, ())):
            done = c.run(verb, *more, *options, name)
            said = done.stdout.replace(name.encode(), c.path('shader.dxbc').encode())
            if name == zero: said = said.replace(b'.checksum 0x00000000, 0x00000000, 0x00000000, 0x00000000\n', b'')
            if done.returncode != c.YES or (verb != 'info' and said != plain):
                findings.append(f'{verb} {name} {options}: {done.returncode}: {done.stderr.decode()[:300]}')
        findings += c.exit_is(c.NO, verb, *more, zero, err='error 3112')
        findings += c.exit_is(c.NO, verb, *more, first, err='a Direct3D container begins at byte 5: --offset 5 reads it')
    beyond = c.path('first.bin')
    return (findings + c.exit_is(c.YES, 'check', last, err=f'byte {len(data)}: warning 3518: 8 bytes after the container are left out') +
            c.exit_is(c.NO, 'check', '-x', 'dxbc', first, err='--offset 5 reads it') +
            c.exit_is(c.YES, 'compare', '--any-checksum', zero, c.path('shader.dxbc')) + c.exit_is(c.NO, 'compare', zero, zero, err='error 3112') +
            c.exit_is(c.NO, 'check', '--offset', str(len(data) + 6), beyond, err='is past the end') +
            c.exit_is(c.USAGE, 'translate', '--to', 'tgsi', '--offset', 'x', first, err='--offset is a number of bytes') +
            c.exit_is(c.NO, 'check', c.write('cut.dxbc', data[:-4]), err='error 3111'))


tap.run([('text and container', text_and_container), ('listings in other texts', listings_in_other_texts), ('wrapped', wrapped), ('exit codes', exit_codes), ('whole containers', whole_containers), ('spellings', spellings), ('listing of Microsoft', listing_of_microsoft),
         ('info', descriptions), ('samplers', samplers),
         ('list and explain', tables), ('damaged inputs', damaged_inputs), ('real files', real_files)])
